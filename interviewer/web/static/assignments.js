// A mentor's pages about assignments: the form that gives one, and what can be done with one. The server decides.
(() => {
  window.interviewer ??= {}; // agenda.js adds to it
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  for (const each of document.querySelectorAll("[data-zone]")) each.textContent = zone;

  const post = async (form, to, body, done) => {
    const line = form.querySelector(".saved");
    const buttons = [...form.querySelectorAll("button")].filter((each) => !each.disabled);
    const tell = (said, failed) => { line.textContent = said; line.classList.toggle("failed", failed); };
    for (const each of buttons) each.disabled = true;
    try {
      const got = await fetch(to, { method: "POST", body: JSON.stringify(body), headers: { "X-Interviewer": "settings" } });
      const told = await got.json();
      tell(got.ok ? told.said ?? "" : told.problem ?? "It could not be saved. Try again.", !got.ok);
      if (got.ok) done(told);
    } catch {
      tell("The connection was lost. Try again: nothing is done twice.", true);
    }
    for (const each of buttons) each.disabled = false;
  };

  const give = document.getElementById("give");
  if (give) {
    const whom = () => {
      const some = give.elements.whom.value === "some";
      give.querySelector(".some").hidden = !some;
      for (const label of give.querySelectorAll(".some label")) {
        label.hidden = label.dataset.of !== give.elements.group.value;
        if (label.hidden || !some) label.querySelector("input").checked = false;
      }
    };
    give.addEventListener("change", whom);
    whom();
    // Enter in a field of the agenda is no wish to give it.
    give.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
    });
    const wish = () => {
      const { title, group, agenda, due, level, style, mode, note, tries, role, topics, minutes } = Object.fromEntries(new FormData(give));
      const candidates = new FormData(give).getAll("candidates");
      const [only_listed, talks] = [give.elements.only_listed.checked, give.elements.talks.checked];
      return { title, group, agenda, due, level, style, mode, note, tries, role, topics, minutes, candidates, only_listed, talks, zone, request: give.dataset.request };
    };
    give.querySelector("[data-what=draw-up]").addEventListener("click", () => post(give, "agenda", wish(), (told) => {
      give.elements.agenda.value = told.agenda;
      window.interviewer.listAgenda();
    }));
    give.addEventListener("submit", (event) => {
      event.preventDefault();
      const asked = wish();
      if (give.elements.whom.value === "some" && !asked.candidates.length) {
        const line = give.querySelector(".saved");
        line.textContent = "Choose at least one candidate, or the whole group.";
        line.classList.add("failed");
        return;
      }
      post(give, "give", asked, (told) => { location.href = told.to; });
    });
  }

  const change = document.getElementById("change");
  if (change) {
    // What is told stays to be read after the page shows the change.
    const send = (what) => post(change, "change", { id: change.dataset.id, what, due: change.elements.due.value, zone }, (told) => {
      sessionStorage.setItem("told", told.said);
      location.reload();
    });
    change.addEventListener("submit", (event) => { event.preventDefault(); send("extend"); });
    for (const each of change.querySelectorAll("button[data-what]")) {
      each.addEventListener("click", () => { if (!each.dataset.ask || confirm(each.dataset.ask)) send(each.dataset.what); });
    }
  }
  const told = sessionStorage.getItem("told");
  const line = document.querySelector("main .saved") ?? document.querySelector("main h1")?.insertAdjacentElement("afterend", Object.assign(document.createElement("p"), { className: "saved", role: "status" }));
  if (told && line) {
    line.textContent = told;
    sessionStorage.removeItem("told");
  }
})();
