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

  // The whiteboard is an outline: Tab and Shift+Tab move lines in and out, Enter goes on at the same depth. Escape leaves.
  const STEP = "  ";
  const board = () => document.querySelector("#outline textarea");
  const replace = (area, from, to, text) => {
    area.setSelectionRange(from, to);
    // Unlike a new value it can be taken back with Ctrl+Z.
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, from, to, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };
  const shift = (area, out) => {
    const { selectionStart: start, selectionEnd: end, value } = area;
    const from = value.lastIndexOf("\n", start - 1) + 1;
    const lines = value.slice(from, end).split("\n");
    const moved = lines.map((line) => (out ? line.replace(/^ {1,2}|^\t/, "") : STEP + line));
    const first = moved[0].length - lines[0].length;
    const all = moved.join("\n").length - (end - from);
    if (!out || all) replace(area, from, end, moved.join("\n"));
    area.setSelectionRange(Math.max(from, start + first), Math.max(from, end + all));
    remember();
  };
  document.addEventListener("keydown", (event) => {
    const area = board();
    if (!area || event.target !== area || event.isComposing) return;
    // What was typed before the server filled the whiteboard in goes with that: it is put back before more is typed.
    if (restored !== sketch()) putBack(area);
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Tab") {
      event.preventDefault();
      shift(area, event.shiftKey);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      const from = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
      const depth = area.value.slice(from, area.selectionStart).match(/^\s*/)[0];
      replace(area, area.selectionStart, area.selectionEnd, `\n${depth}`);
    } else if (event.key === "Escape") {
      event.preventDefault();
      box()?.focus();
    }
  }, true);

  document.addEventListener("keydown", (event) => {
    if (event.target !== box() || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    here("send")?.click();
  }, true);

  const session = () => new URLSearchParams(location.search).get("session") || "";
  // The interview that the server shows here, whatever the address says.
  const shown = () => document.querySelector("#session textarea, #session input")?.value || "";
  // Until the server has told what stands at this address, an interview begun here would have no name.
  document.documentElement.classList.add("opening");

  // What is typed and not yet sent outlives a reload; Gradio reloads the page when its server was restarted.
  const draft = () => `draft:${session()}`;
  const sketch = () => `sketch:${session()}:${document.querySelector("#sketched textarea, #sketched input")?.value}`;
  document.addEventListener("input", (event) => {
    if (event.target === box() && session()) sessionStorage.setItem(draft(), event.target.value);
    if (event.target === board() && session()) {
      sessionStorage.setItem(sketch(), event.target.value);
      remember();
    }
    if (event.target.closest("#notes")) document.documentElement.classList.add("unsaved-notes");
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

  // The server fills the whiteboard in with what was sent; what was drawn since then comes back after it, selected as
  // it was: a key pressed next would otherwise meet the end of the text.
  let restored = "";
  let selected = [0, 0];
  const remember = () => {
    const area = board();
    if (area && area.value === sessionStorage.getItem(sketch())) selected = [area.selectionStart, area.selectionEnd];
  };
  document.addEventListener("selectionchange", remember);
  const putBack = (area) => {
    const kept = sessionStorage.getItem(sketch());
    if (kept === null || kept === area.value) return;
    area.value = kept;
    area.setSelectionRange(...selected);
    area.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const settleSketch = () => {
    const area = board();
    if (!area || area.offsetParent === null || restored === sketch()) return;
    restored = sketch();
    putBack(area);
  };

  const note = (said) => `<p class="note trouble" role="alert">${said}</p>`;
  let sent = ""; // the notes that were saved last
  let told = { since: "", at: 0, before: 0 };
  window.interviewer = {
    session,

    // Called when the server has told what stands at this address, or failed to.
    opened: () => document.documentElement.classList.remove("opening"),

    // Called when the server has filled the whiteboard in.
    sketched: () => setTimeout(settleSketch, 80),

    // Called after every change of what is shown.
    settle: () => {
      const name = shown();
      const url = new URL(location.href);
      if (name && url.searchParams.get("session") !== name) {
        url.searchParams.set("session", name);
        history.replaceState(history.state, "", url);
        scrollTo({ top: 0 });
      }
      setTimeout(() => {
        settleDraft();
        window.interviewer.framed();
      }, 80);
    },

    // Names one choice of the person: sent again, it changes nothing.
    request: () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join(""),

    // Notes are sent when the person stops typing for a moment, and now and then while they go on.
    notes: async (session) => {
      const area = document.querySelector("#notes textarea");
      const begun = Date.now();
      let before = null;
      while (area.value !== before && Date.now() - begun < 8000) {
        before = area.value;
        await new Promise((wake) => setTimeout(wake, 900));
      }
      sent = area.value;
      return [session, window.interviewer.request(), sent];
    },

    // Called when they were saved: what was typed since then was not.
    noted: () => {
      const area = document.querySelector("#notes textarea");
      document.documentElement.classList.toggle("unsaved-notes", area.value !== sent);
    },

    // How long the interview lasts: what the server told, and what has passed since that came. Only for what was told
    // before the page was opened the time of day counts, which on another machine may be another one.
    tick: () => {
      for (const clock of document.querySelectorAll(".clock[data-since]")) {
        const { used, total, since } = clock.dataset;
        const now = performance.now() / 1000;
        if (since !== told.since) told = { since, at: now, before: told.since ? 0 : Date.now() / 1000 - Number(since) };
        const seconds = Number(used) + Math.min(Math.max(told.before, 0) + now - told.at, 900);
        const left = Number(total) - seconds;
        const shown = Math.floor(Math.abs(left));
        const time = `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
        clock.innerHTML = "";
        clock.append(Object.assign(document.createElement("b"), { textContent: time }), left < 0 ? " over" : " left");
        clock.classList.toggle("late", left < 120);
      }
    },

    // Called once a second: another value of ``fresh`` where there is something to show, and what is wrong. It is another
    // one each time, so that a page whose refresh failed is told again.
    changed: async (name, seen, fresh) => {
      try {
        const got = await fetch(`changed?${new URLSearchParams({ session: name, seen })}`, { cache: "no-store" });
        if (got.status === 401) return [fresh, note("You are not logged in. Reload the page.")];
        if (!got.ok) return [fresh, note("The page did not respond. Trying again every second.")];
        const told = await got.json();
        return [told.changed ? `${seen}:${performance.now()}` : fresh, told.trouble];
      } catch {
        return [fresh, note("The connection was lost. The interview continues as soon as it is back.")];
      }
    },

    leave: () => { location.href = location.pathname; },
  };
  // Gradio drops a change that comes while an earlier one is being told, so the address is compared now and then.
  setInterval(() => {
    window.interviewer.tick();
    if (shown() && shown() !== session()) window.interviewer.settle();
  }, 1000);
})();
