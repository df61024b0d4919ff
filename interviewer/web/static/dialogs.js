// The settings and the history, which open over the page. What the settings say is kept by the server, but for how the
// page looks, which is kept in this browser and put on before anything is drawn.
(() => {
  const root = document.documentElement;
  const chosen = (name, usual) => localStorage.getItem(name) ?? usual;
  const ofSystem = matchMedia("(prefers-color-scheme: dark)");

  // Gradio goes by the system; what was chosen here is put back whenever it does.
  const look = () => {
    const wanted = chosen("look", "system");
    root.dataset.textSize = chosen("text-size", "normal");
    if (!document.body || wanted === "system") return;
    document.body.classList.toggle("dark", wanted === "dark");
  };
  const watch = () => {
    look();
    new MutationObserver(() => {
      const wanted = chosen("look", "system");
      if (wanted !== "system" && document.body.classList.contains("dark") !== (wanted === "dark")) look();
    }).observe(document.body, { attributes: true, attributeFilter: ["class"] });
  };
  root.dataset.textSize = chosen("text-size", "normal");
  if (document.body) watch(); else document.addEventListener("DOMContentLoaded", watch);
  addEventListener("storage", look);

  window.interviewer.settings = {};
  // Who is logged in; Gradio puts the header there when it is ready.
  const name = (account) => {
    const nav = document.querySelector("#masthead nav");
    if (!nav) { setTimeout(name, 100, account); return; }
    if (document.querySelector("#masthead .account")) return;
    const [line, who, out] = ["p", "span", "a"].map((kind) => document.createElement(kind));
    line.className = "account";
    who.textContent = who.title = account.name;
    out.textContent = "Log out";
    out.href = account.log_out;
    line.append(who, " · ", out);
    nav.after(line);
  };
  const learn = (values) => {
    window.interviewer.settings = values;
    if (values.account) name(values.account);
  };
  fetch("settings", { cache: "no-store" }).then((got) => (got.ok ? got.json().then(learn) : null)).catch(() => {});

  const send = async (path, body) => {
    try {
      const got = await fetch(path, { method: "POST", body: JSON.stringify(body), headers: { "X-Interviewer": "settings" } });
      const told = await got.json();
      return got.ok ? told : { problem: told.problem ?? "It could not be saved. Try again." };
    } catch {
      return { problem: "The connection was lost, so nothing was changed. Try again." };
    }
  };
  const tell = (text, failed = false, name = "settings") => {
    const line = document.querySelector(`#${name}-dialog .saved`);
    if (!line) return;
    line.textContent = text;
    line.classList.toggle("failed", failed);
  };

  const fill = async (dialog, path) => {
    try {
      const got = await fetch(path, { cache: "no-store" });
      if (!got.ok) throw new Error(got.status);
      dialog.innerHTML = await got.text();
    } catch {
      dialog.innerHTML = '<header><h2>Not available</h2><form method="dialog"><button>Close</button></form></header><p>This cannot be shown right now. Try again in a moment.</p>';
    }
    for (const field of dialog.querySelectorAll("[data-here]")) {
      field.checked = field.value === chosen(field.name, field.name === "look" ? "system" : "normal");
    }
  };
  const open = async (name) => {
    const dialog = document.getElementById(`${name}-dialog`);
    if (!dialog || dialog.open) return;
    await fill(dialog, name === "settings" ? "settings/form" : name);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  };

  window.interviewer.dialogs = { send, tell };

  // A field is saved when it is changed; there is nothing to send at the end.
  document.addEventListener("change", async (event) => {
    const field = event.target;
    if (!field.name || !field.closest?.("#settings-dialog")) return;
    if (field.dataset.here !== undefined) {
      localStorage.setItem(field.name, field.value);
      look();
      if (field.name === "look" && field.value === "system") document.body.classList.toggle("dark", ofSystem.matches);
      tell("Saved.");
      return;
    }
    const told = await send("settings/change", { [field.name]: field.type === "checkbox" ? field.checked : field.value });
    if (told.problem) { tell(told.problem, true); return; }
    learn(told);
    tell("Saved.");
  });

  const sample = async (button) => {
    button.disabled = true;
    const got = await fetch("voice/sample").catch(() => null);
    if (got?.ok) {
      const sound = new Audio(URL.createObjectURL(await got.blob()));
      sound.playbackRate = window.interviewer.settings.speed ?? 1;
      await sound.play().catch(() => {});
    } else tell("No voice is available on this machine.", true);
    button.disabled = false;
    button.focus();
  };
  const remove = async (button) => {
    if (!confirm(`${button.textContent}? This cannot be undone.`)) return;
    const told = await send("settings/delete", { what: button.dataset.delete });
    if (told.problem) { tell(told.problem, true); return; }
    const dialog = document.getElementById("settings-dialog");
    await fill(dialog, "settings/form");
    tell(told.said);
    dialog.querySelector("header button")?.focus();
    // What the page shows of it is out of date now.
    stale = true;
    if (button.dataset.delete === "interviews") history.replaceState(history.state, "", location.pathname);
  };
  let stale = false;

  const isBeside = ({ clientX: x, clientY: y }, box) => x < box.left || x > box.right || y < box.top || y > box.bottom;
  document.addEventListener("click", (event) => {
    const opener = event.target.closest?.("[data-opens]");
    if (opener) open(opener.dataset.opens);
    if (event.target.closest?.("#settings-dialog [data-sample]")) sample(event.target.closest("[data-sample]"));
    if (event.target.closest?.("#settings-dialog [data-delete]")) remove(event.target.closest("[data-delete]"));
    if (event.target.tagName === "DIALOG" && isBeside(event, event.target.getBoundingClientRect())) event.target.close();
  });
  document.addEventListener("close", (event) => {
    if (event.target.id === "settings-dialog" && stale) location.reload();
  }, true);
})();
