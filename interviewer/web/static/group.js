// A mentor's pages: they look as was chosen on the page itself, follow an interview that goes on, and send an override.
(() => {
  const chosen = (name, usual) => localStorage.getItem(name) ?? usual;
  const wanted = chosen("look", "system");
  const ofSystem = matchMedia("(prefers-color-scheme: dark)");
  const look = () => document.body.classList.toggle("dark", wanted === "system" ? ofSystem.matches : wanted === "dark");
  document.documentElement.dataset.textSize = chosen("text-size", "normal");
  ofSystem.addEventListener("change", look);
  look();

  const parts = () => [...document.querySelectorAll("[data-part]")];
  const shown = new Map(parts().map((part) => [part.dataset.part, part.innerHTML]));
  // What was unfolded stays so, and a form that somebody is at is left alone.
  const put = (part, fresh) => {
    if (!fresh || fresh.innerHTML === shown.get(part.dataset.part) || part.contains(document.activeElement)) return;
    const open = new Set([...part.querySelectorAll("details[open]")].map((each) => each.id).filter(Boolean));
    shown.set(part.dataset.part, fresh.innerHTML);
    part.innerHTML = fresh.innerHTML;
    for (const name of open) document.getElementById(name)?.setAttribute("open", "");
  };
  const update = async () => {
    try {
      const got = await fetch(location.href, { cache: "no-store" });
      if (!got.ok) return;
      const fresh = new DOMParser().parseFromString(await got.text(), "text/html");
      for (const part of parts()) put(part, fresh.querySelector(`[data-part="${part.dataset.part}"]`));
      document.body.toggleAttribute("data-due", fresh.body.hasAttribute("data-due"));
    } catch { /* The next time does it. */ }
  };
  setInterval(() => {
    if (document.body.hasAttribute("data-due") && document.getElementById("follow")?.checked && !document.hidden) update();
  }, 5000);

  const newRequest = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  let request = newRequest();
  document.getElementById("override")?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const button = form.querySelector("button");
    const line = form.querySelector(".saved");
    const tell = (said, failed) => { line.textContent = said; line.classList.toggle("failed", failed); };
    const body = { ...Object.fromEntries(new FormData(form)), ...form.dataset, request };
    button.disabled = true;
    try {
      const got = await fetch("override", { method: "POST", body: JSON.stringify(body), headers: { "X-Interviewer": "settings" } });
      const told = await got.json();
      if (got.ok) {
        request = newRequest();
        form.querySelector("textarea").value = "";
        document.activeElement?.blur();
        await update();
      }
      tell(got.ok ? told.said : told.problem ?? "It could not be saved. Try again.", !got.ok);
    } catch {
      tell("The connection was lost, so nothing was changed. Try again.", true);
    }
    const now = form.querySelector("button");
    now.disabled = false;
    now.focus();
  });
})();
