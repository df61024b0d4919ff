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

  window.interviewer = {
    session: () => new URLSearchParams(location.search).get("session") || "",

    // Called after every change of what is shown.
    settle: (session) => {
      const url = new URL(location.href);
      if (session && url.searchParams.get("session") !== session) {
        url.searchParams.set("session", session);
        history.replaceState(history.state, "", url);
        scrollTo({ top: 0 });
      }
      setTimeout(() => {
        const last = document.querySelector("#transcript .transcript")?.lastElementChild?.lastElementChild;
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        last?.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
        const idle = document.activeElement === document.body || document.activeElement?.id === "send";
        if (idle && matchMedia("(hover: hover)").matches) box()?.focus({ preventScroll: true });
      }, 80);
    },

    leave: () => { location.href = location.pathname; },
  };
})();
