// The frame in which an interview is held: what was said last is in view, the focus stays, and on a narrow screen one
// goes between the conversation and the code or the whiteboard. Nothing here ever scrolls the page itself.
(() => {
  const here = (id) => document.getElementById(id);
  const box = () => document.querySelector("#answer textarea");
  const field = (name) => document.querySelector(`#${name} textarea, #${name} input`)?.value ?? "";
  const behavior = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");
  const framed = (area) => getComputedStyle(area).overflowY === "auto";

  // The conversation scrolls to what is new. Who reads further up stays there while only marks come in. Only a person's own
  // scrolling counts as reading: a scroll of ours that a card of marks meets on its way has to go on to the question.
  const UPWARD = new Set(["ArrowUp", "PageUp", "Home"]);
  let heard = 0;
  let readsAbove = false;
  let held = false;
  let watched = null;
  const follow = () => {
    const area = here("transcript");
    const turns = [...(area?.querySelectorAll(".turn:not(.brief)") ?? [])];
    const last = turns.at(-1);
    if (!last) return;
    const fresh = turns.length !== heard;
    heard = turns.length;
    if (fresh) readsAbove = false;
    if (readsAbove) return;
    if (!framed(area)) {
      if (fresh) last.scrollIntoView({ block: "nearest", behavior: behavior() });
      return;
    }
    // Of something longer than the column its beginning is shown.
    const end = area.scrollHeight - area.clientHeight;
    const top = last.getBoundingClientRect().top - area.getBoundingClientRect().top + area.scrollTop - 8;
    const to = last.classList.contains("they") ? Math.min(end, top) : end;
    area.scrollTo({ top: to, behavior: behavior() });
  };
  const watch = () => {
    const area = here("transcript");
    if (!area || area === watched) return;
    watched = area;
    area.addEventListener("wheel", (event) => { if (event.deltaY < 0) readsAbove = true; }, { passive: true });
    area.addEventListener("keydown", (event) => { if (UPWARD.has(event.key)) readsAbove = true; });
    for (const begin of ["pointerdown", "touchstart"]) area.addEventListener(begin, () => { held = true; }, { passive: true });
    for (const end of ["pointerup", "touchend", "touchcancel"]) addEventListener(end, () => { held = false; }, { passive: true });
    let before = area.scrollTop;
    area.addEventListener("scroll", () => {
      const up = area.scrollTop < before;
      before = area.scrollTop;
      if (up && held) readsAbove = true;
      if (!up && area.scrollHeight - area.scrollTop - area.clientHeight < 60) readsAbove = false;
    }, { passive: true });
    // What opens below it, such as the buttons for talking, takes height away from it.
    new ResizeObserver(() => follow()).observe(area);
    new MutationObserver(() => follow()).observe(area, { childList: true, subtree: true });
  };

  // What scrolls for itself says so while there is more below.
  const tellBelow = (area) => {
    area.toggleAttribute("data-below", framed(area) && area.scrollHeight - area.scrollTop - area.clientHeight > 12);
  };
  const told = new Set();
  const watchBelow = () => {
    for (const area of [here("question"), here("result"), document.querySelector("#interview .aside")]) {
      if (!area || told.has(area)) continue;
      told.add(area);
      const tell = () => tellBelow(area);
      let shown = area.textContent;
      area.addEventListener("scroll", tell, { passive: true });
      new ResizeObserver(tell).observe(area);
      new MutationObserver(() => {
        // Another question or result begins at its top; the same one, drawn again, is read on where one was.
        if (area.id && area.textContent !== shown) area.scrollTop = 0;
        shown = area.textContent;
        tell();
      }).observe(area, { childList: true, subtree: true });
      tell();
    }
    // CodeMirror passes over a change of its size right after one of its text, so that its line numbers stood beside
    // lines of the height that it had guessed.
    const code = here("code");
    if (!code || told.has(code)) return;
    told.add(code);
    new ResizeObserver(() => setTimeout(() => dispatchEvent(new Event("resize")), 150)).observe(code);
  };

  // On a narrow screen.
  let worksOn = null;
  const root = document.documentElement;
  const showPane = (pane) => {
    root.dataset.pane = pane;
    for (const button of document.querySelectorAll("[data-pane-to]")) {
      button.setAttribute("aria-pressed", String(button.dataset.paneTo === pane));
    }
    if (pane === "talk") { readsAbove = false; follow(); }
  };
  const settlePanes = () => {
    const work = field("task") || field("sketched");
    if (work !== worksOn) {
      worksOn = work;
      showPane(work ? "work" : "talk");
    }
    const line = here("last-said");
    const last = [...document.querySelectorAll("#transcript .turn.they:not(.brief) .said")].at(-1);
    if (!line) return;
    if (line.textContent !== (last?.textContent ?? "")) line.textContent = last?.textContent ?? "";
    // What opens a question stands below on paper, and needs no room a second time.
    const opening = document.querySelector("#transcript section:last-of-type .turn.they:not(.brief) .said");
    line.classList.toggle("sr-only", last === opening);
  };
  // On a telephone the buttons that are seldom pressed open with "More"; whoever has paused sees how to go on.
  const settleMore = (open) => {
    const more = here("more-actions");
    if (!more) return;
    if (open) root.dataset.more = "yes"; else delete root.dataset.more;
    more.setAttribute("aria-expanded", String(open));
    more.setAttribute("aria-controls", "actions");
  };
  const paused = () => here("pause")?.textContent.trim() === "Resume";
  document.addEventListener("click", (event) => {
    const to = event.target.closest("[data-pane-to]");
    if (to) showPane(to.dataset.paneTo);
    const button = event.target.closest("#actions button");
    if (button) settleMore(button.id === "more-actions" && root.dataset.more === undefined);
  });

  // A button that cannot be pressed any more loses the focus, which then goes to the answer; from the editor, never.
  let focused = null;
  document.addEventListener("focusin", (event) => { focused = event.target; });
  const refocus = () => {
    const now = document.activeElement;
    if ((now !== document.body && now?.id !== "send") || !matchMedia("(hover: hover)").matches) return;
    const back = focused?.closest?.("#editor") && focused.isConnected && !focused.disabled && focused.offsetParent ? focused : box();
    back?.focus({ preventScroll: true });
  };

  // "I did say this" beside a mark.
  document.addEventListener("click", (event) => {
    const claim = event.target.closest("button.claim");
    if (!claim) return;
    claim.disabled = true;
    window.interviewer.claimed = [claim.dataset.asked, claim.dataset.point, window.interviewer.request()];
    here("claim-mark").click();
  });

  // A document of one's own is removed; asked once more, since its file may go too.
  document.addEventListener("click", (event) => {
    const remove = event.target.closest("button.remove-document");
    if (!remove || !confirm(`Remove ${remove.dataset.name} and its questions?`)) return;
    window.interviewer.removed = remove.dataset.source;
    here("remove-document").click();
  });

  // An interview is begun for an assignment.
  document.addEventListener("click", (event) => {
    const start = event.target.closest("button.start-assignment");
    if (!start) return;
    window.interviewer.assigned = start.dataset.id;
    here("start-assignment").click();
  });

  // Outside of an interview the page scrolls: a note that was told out of sight is brought into view.
  new MutationObserver((changes) => {
    watchBelow();
    for (const { target, addedNodes } of changes) {
      const told = [...addedNodes].find((node) => node.matches?.(".note") || node.querySelector?.(".note"));
      if (told && target.closest?.("#setup, #report") && !target.closest("#report-body")) {
        setTimeout(() => (told.isConnected ? told : target).scrollIntoView({ block: "nearest", behavior: behavior() }), 60);
      }
    }
  }).observe(document, { childList: true, subtree: true });

  Object.assign(window.interviewer, {
    // Called after every change of what is shown.
    framed: () => {
      watch();
      watchBelow();
      settlePanes();
      settleMore(paused() || root.dataset.more !== undefined);
      follow();
      refocus();
    },
  });
})();
