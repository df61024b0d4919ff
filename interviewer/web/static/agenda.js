// The agenda as a list that is edited in place. What is sent is the text "topic, kind, minutes" in the hidden box, which
// is written anew after each change.
(() => {
  const text = () => document.querySelector("#agenda textarea");
  const rows = () => document.querySelector("#agenda-rows ol");
  const TALKS = 4; // minutes of warm-up and the person's own questions; interviewer/planning/agenda.py

  const made = (name, values) => Object.assign(document.createElement(name), values);
  const button = (sign, label, act) => {
    const one = made("button", { type: "button", textContent: sign, title: label });
    one.setAttribute("aria-label", label);
    one.addEventListener("click", act);
    return one;
  };

  const written = () => [...rows().children].map((row) => {
    const [kind, topic, minutes] = row.querySelectorAll("select, input");
    return `${topic.value.trim()}, ${kind.value}, ${minutes.value}`;
  }).join("\n");

  const write = () => {
    const items = [...rows().children];
    text().value = written();
    text().dispatchEvent(new Event("input", { bubbles: true }));
    items.forEach((row, place) => {
      for (const field of row.querySelectorAll("select, input")) field.setAttribute("aria-label", `${field.dataset.name} of question ${place + 1}`);
      const [up, down, out] = row.querySelectorAll("button");
      [up.disabled, down.disabled] = [place === 0, place === items.length - 1];
      for (const [each, does] of [[up, "Move up"], [down, "Move down"], [out, "Remove"]]) each.setAttribute("aria-label", `${does} question ${place + 1}`);
    });
    sum();
  };

  const sum = () => {
    const line = document.querySelector("#agenda-rows .sum");
    if (!line) return;
    const planned = [...rows().querySelectorAll("input[type=number]")].reduce((all, each) => all + (Number(each.value) || 0), 0);
    const whole = Number(document.querySelector("#span input:checked")?.value);
    // While the further options are folded their boxes may not be there; then what they stand for at first counts.
    const there = whole - (document.querySelector("#talks input")?.checked ?? true ? TALKS : 0);
    const over = whole ? planned - there : 0;
    const rest = there < whole ? ` The other ${whole - there} are for the warm-up and your own questions.` : "";
    const told = whole ? `${planned} of ${there} minutes planned.${rest}` : `${planned} minutes planned.`;
    line.textContent = over > 0 ? `${told} Remove ${over} minutes, or choose a longer interview.` : told;
    line.classList.toggle("over", over > 0);
  };

  const changed = () => {
    const flag = document.querySelector("#agenda-edited textarea, #agenda-edited input");
    flag.value = "yes";
    flag.dispatchEvent(new Event("input", { bubbles: true }));
    write();
  };

  const move = (row, by) => {
    const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(row); else other.after(row);
    changed();
    const [up, down] = row.querySelectorAll("button");
    (by < 0 ? (up.disabled ? down : up) : (down.disabled ? up : down)).focus();
  };

  const remove = (row) => {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    changed();
    (next?.querySelector("select") ?? document.querySelector("#agenda-rows .add")).focus();
  };

  const rowOf = (topic, kind, minutes) => {
    const row = document.createElement("li");
    const kinds = document.createElement("select");
    kinds.append(document.getElementById("agenda-kinds").content.cloneNode(true));
    kinds.value = kind;
    const about = made("input", { value: topic });
    about.setAttribute("list", "agenda-topics");
    const time = made("input", { type: "number", max: 60, value: minutes });
    const least = () => { time.min = kinds.selectedOptions[0]?.dataset.least ?? 1; };
    least();
    [kinds.dataset.name, about.dataset.name, time.dataset.name] = ["Kind", "Topic", "Minutes"];
    kinds.addEventListener("change", () => {
      least();
      if (Number(time.value) < Number(time.min)) time.value = time.min;
      changed();
    });
    for (const field of [about, time]) field.addEventListener("input", changed);
    const moves = made("span", { className: "moves" });
    moves.append(button("↑", "Move up", () => move(row, -1)), button("↓", "Move down", () => move(row, 1)), button("×", "Remove", () => remove(row)));
    const length = made("span", { className: "minutes" });
    length.append(time, "min");
    row.append(kinds, about, length, moves);
    return row;
  };

  const add = () => {
    const row = rowOf("", "any", 5);
    rows().append(row);
    changed();
    row.querySelectorAll("input")[0].focus();
  };

  document.addEventListener("click", (event) => { if (event.target.closest("#agenda-rows .add")) add(); });
  document.addEventListener("change", (event) => { if (event.target.closest("#span, #talks") && rows()) setTimeout(sum, 0); });

  // Called when the server has drawn an agenda up.
  window.interviewer.listAgenda = () => setTimeout(() => {
    const list = rows();
    // Rows that say it already are left alone: one that is being pressed or typed into must not be taken away.
    if (!list || !text()?.value || written() === text().value) return;
    list.replaceChildren(...text().value.split("\n").filter((line) => line.trim()).map((line) => {
      const parts = line.split(",");
      const [kind, minutes] = parts.slice(-2).map((part) => part.trim());
      return rowOf(parts.slice(0, -2).join(",").trim(), kind, minutes);
    }));
    write();
  }, 80);
})();
