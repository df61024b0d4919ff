// What only the browser can do: keep the address, the focus and the keys. It never decides anything about an interview.
(() => {
  const box = () => document.querySelector("#answer textarea");
  const here = (id) => document.getElementById(id);

  // The second click of a double click would meet a page that has moved on meanwhile.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest("button")) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
  }, true);

  document.addEventListener("keydown", (event) => {
    if (event.target !== box() || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    here("send")?.click();
  }, true);

  const session = () => new URLSearchParams(location.search).get("session") || "";

  // What is typed and not yet sent outlives a reload; Gradio reloads the page when its server was restarted.
  const draft = () => `draft:${session()}`;
  document.addEventListener("input", (event) => {
    if (event.target === box() && session()) sessionStorage.setItem(draft(), event.target.value);
  });
  let loaded = false;
  const settleDraft = () => {
    const answer = box();
    if (!answer) return;
    const kept = loaded ? null : sessionStorage.getItem(draft());
    loaded = true;
    if (kept && !answer.value) {
      answer.value = kept;
      answer.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (!answer.value) {
      sessionStorage.removeItem(draft());
    }
  };

  window.interviewer = {
    session,

    // Called after every change of what is shown.
    settle: (name) => {
      const url = new URL(location.href);
      if (name && url.searchParams.get("session") !== name) {
        url.searchParams.set("session", name);
        history.replaceState(history.state, "", url);
        scrollTo({ top: 0 });
      }
      setTimeout(() => {
        settleDraft();
        const last = document.querySelector("#transcript .transcript")?.lastElementChild?.lastElementChild;
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        // The answer box lies over the end of the transcript.
        if (last) last.style.scrollMarginBottom = `${here("composer")?.offsetHeight ?? 0}px`;
        last?.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
        const idle = document.activeElement === document.body || document.activeElement?.id === "send";
        if (idle && matchMedia("(hover: hover)").matches) box()?.focus({ preventScroll: true });
      }, 80);
    },

    // Names one choice of the person: sent again, it changes nothing.
    request: () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join(""),

    // How long the interview lasts: what the server told, and what has passed since.
    tick: () => {
      for (const clock of document.querySelectorAll(".clock[data-since]")) {
        const { used, total, since } = clock.dataset;
        const seconds = Number(used) + Math.min(Math.max(Date.now() / 1000 - Number(since), 0), 900);
        const left = Number(total) - seconds;
        const shown = Math.floor(Math.abs(left));
        const time = `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
        clock.innerHTML = "";
        clock.append(Object.assign(document.createElement("b"), { textContent: time }), left < 0 ? " over" : " left");
        clock.classList.toggle("late", left < 120);
      }
    },

    leave: () => { location.href = location.pathname; },
  };
  setInterval(() => window.interviewer.tick(), 1000);
})();
