// The drawing on the whiteboard: boxes and arrows, by pointer or by keyboard. What is drawn stands in a hidden field as
// JSON and goes with the answer; the server reads it (interviewer/session/drawing.py).
(() => {
  const here = (id) => document.getElementById(id);
  const field = (id) => document.querySelector(`#${id} textarea, #${id} input`);
  const [WIDTH, HEIGHT, BOX_W, BOX_H, STEP, MARGIN] = [720, 440, 130, 50, 10, 10];
  const [MOST_BOXES, MOST_ARROWS] = [40, 80];
  const NS = "http://www.w3.org/2000/svg";

  let boxes = [], arrows = []; // {id, x, y, label} and {source, target, label}
  let chosen = null; // a box or an arrow
  let from = null; // the box that is being connected
  let drag = null;
  let shown = null; // what is drawn here belongs to this question

  const isBox = (thing) => thing !== null && "id" in thing;
  const boxOf = (id) => boxes.find((box) => box.id === id);
  const called = (box) => box.label || "box without a label";
  const say = (text) => { here("board-status").textContent = text; };
  const svg = () => document.querySelector("#board svg");
  const key = () => `drawing:${window.interviewer.session()}:${field("sketched")?.value ?? ""}`;
  // A box stays whole, with its border and some room around it.
  const within = (value, most) => Math.min(Math.max(Math.round(value / STEP) * STEP, MARGIN), most - MARGIN);
  const put = (box, x, y) => Object.assign(box, { x: within(x, WIDTH - BOX_W), y: within(y, HEIGHT - BOX_H) });

  const made = (tag, attributes = {}, text = "") => {
    const element = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text) element.textContent = text;
    return element;
  };
  const lines = (label, longest) => {
    const found = [""];
    for (const word of label.split(/\s+/).filter(Boolean)) {
      const longer = `${found.at(-1)} ${word}`.trim();
      if (longer.length <= longest || !found.at(-1)) found[found.length - 1] = longer; else found.push(word);
    }
    return found.map((line) => (line.length > longest + 2 ? `${line.slice(0, longest)}…` : line)).slice(0, 3);
  };

  // Where the line between two boxes leaves the first.
  const edge = (one, other) => {
    const [x, y] = [one.x + BOX_W / 2, one.y + BOX_H / 2];
    const [dx, dy] = [other.x - one.x, other.y - one.y];
    if (!dx && !dy) return [x, y];
    const reach = Math.min(BOX_W / 2 / Math.abs(dx || 1e-9), BOX_H / 2 / Math.abs(dy || 1e-9));
    return [x + dx * reach, y + dy * reach];
  };

  const arrowElement = (arrow, place) => {
    const [source, target] = [boxOf(arrow.source), boxOf(arrow.target)];
    const [[x1, y1], [x2, y2]] = [edge(source, target), edge(target, source)];
    const back = arrows.some((each) => each.source === arrow.target && each.target === arrow.source);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ox, oy] = back ? [(-7 * (y2 - y1)) / length, (7 * (x2 - x1)) / length] : [0, 0];
    const name = `Arrow from ${called(source)} to ${called(target)}${arrow.label ? `: ${arrow.label}` : ""}`;
    const group = made("g", { "data-arrow": place, tabindex: 0, role: "button", "aria-label": name, "aria-pressed": arrow === chosen });
    const ends = { x1: x1 + ox, y1: y1 + oy, x2: x2 + ox, y2: y2 + oy };
    group.append(made("line", { ...ends, class: "reach" }), made("line", { ...ends, class: "arrow", "marker-end": "url(#board-head)" }));
    if (arrow.label) {
      // Beside two arrows, outside of both.
      const at = { x: (x1 + x2) / 2 + 4 * ox, y: (y1 + y2) / 2 + 2 * oy + 4 };
      group.append(made("text", { ...at, class: "along" }, arrow.label));
    }
    return group;
  };
  const boxElement = (box) => {
    const to = arrows.filter((arrow) => arrow.source === box.id).map((arrow) => called(boxOf(arrow.target)));
    const name = `${box.label || "Box without a label"}${to.length ? `, arrows to ${to.join(", ")}` : ""}`;
    // The same element as before: a finger that drags it would lose it otherwise.
    const group = svg().querySelector(`[data-box="${box.id}"]`) ?? made("g", { "data-box": box.id, tabindex: 0, role: "button" });
    if (!group.firstChild) group.append(made("rect", { width: BOX_W, height: BOX_H, rx: 8 }));
    const now = { "aria-label": name, "aria-pressed": box === chosen, transform: `translate(${box.x} ${box.y})` };
    for (const [each, value] of Object.entries(now)) group.setAttribute(each, value);
    group.classList.toggle("from", box === from);
    group.querySelectorAll("text").forEach((line) => line.remove());
    const text = lines(box.label, 17);
    text.forEach((line, at) => group.append(made("text", { x: BOX_W / 2, y: BOX_H / 2 + 5 + 15 * (at - (text.length - 1) / 2) }, line)));
    return group;
  };

  // A line wider than its box is set closer; a label beside an arrow stays on the board.
  const fit = (text) => {
    const wide = text.getComputedTextLength();
    if (text.classList.contains("along")) {
      const half = Math.min(wide, WIDTH - 2 * MARGIN) / 2 + MARGIN / 2;
      text.setAttribute("x", Math.min(Math.max(Number(text.getAttribute("x")), half), WIDTH - half));
    } else if (wide > BOX_W - MARGIN) {
      text.setAttribute("textLength", BOX_W - MARGIN);
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  };
  // Scrolls whatever hides a part of a box; the page itself never moves.
  const reveal = (thing) => {
    const element = elementOf(thing);
    for (let area = element?.closest(".canvas"); area && area !== document.body; area = area.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(area).overflow)) continue;
      const [box, seen] = [element.getBoundingClientRect(), area.getBoundingClientRect()];
      const past = (low, high, first, last) => Math.min(low - first - MARGIN, 0) + Math.max(high - last + MARGIN, 0);
      area.scrollLeft += past(box.left, box.right, seen.left, seen.left + area.clientWidth);
      area.scrollTop += past(box.top, box.bottom, seen.top, seen.top + area.clientHeight);
    }
  };

  const defs = () => {
    const head = made("marker", { id: "board-head", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, orient: "auto-start-reverse" });
    head.append(made("path", { d: "M0 0 L10 5 L0 10 z" }));
    const kept = made("defs");
    kept.append(head);
    return kept;
  };
  const draw = ({ focus = false } = {}) => {
    const area = svg();
    const had = area.contains(document.activeElement);
    if (!area.querySelector("defs")) area.append(defs());
    for (const each of area.querySelectorAll("[data-arrow], [data-box]")) {
      if (!boxOf(each.dataset.box)) each.remove();
    }
    area.querySelector("defs").after(...arrows.map(arrowElement));
    area.append(...boxes.map(boxElement).filter((each) => !each.isConnected));
    area.querySelectorAll("text").forEach(fit);
    const input = here("board-label");
    input.disabled = chosen === null;
    if (document.activeElement !== input) input.value = chosen?.label ?? "";
    document.querySelector('[data-board="connect"]').disabled = !isBox(chosen);
    document.querySelector('[data-board="delete"]').disabled = chosen === null;
    if (focus || had) elementOf(chosen)?.focus({ preventScroll: true });
  };
  const elementOf = (thing) => {
    if (thing === null) return null;
    return svg().querySelector(isBox(thing) ? `[data-box="${thing.id}"]` : `[data-arrow="${arrows.indexOf(thing)}"]`);
  };

  const keep = () => {
    const text = boxes.length ? JSON.stringify({ boxes, arrows }) : "";
    sessionStorage.setItem(shown, text);
    const hidden = field("drawing");
    hidden.value = text;
    hidden.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const changed = (options) => { draw(options); keep(); };

  // What one can do
  const choose = (thing) => {
    if (thing === chosen) return;
    chosen = thing;
    draw();
  };
  const free = () => {
    for (let y = 20; y <= HEIGHT - BOX_H; y += 90) {
      for (let x = 20; x <= WIDTH - BOX_W; x += 180) {
        if (!boxes.some((box) => Math.abs(box.x - x) < BOX_W && Math.abs(box.y - y) < BOX_H)) return [x, y];
      }
    }
    return [within(20 + 30 * boxes.length, WIDTH - BOX_W), within(20 + 20 * boxes.length, HEIGHT - BOX_H)];
  };
  const addBox = () => {
    if (boxes.length >= MOST_BOXES) { say(`There is room for ${MOST_BOXES} boxes.`); return; }
    const [x, y] = free();
    let number = boxes.length + 1;
    while (boxOf(`b${number}`)) number += 1;
    chosen = { id: `b${number}`, x, y, label: "" };
    boxes.push(chosen);
    changed();
    say("Box added. Type its label, then press Enter.");
    here("board-label").focus();
    reveal(chosen);
  };
  const connect = () => {
    if (!isBox(chosen)) return;
    from = chosen;
    say(`Choose the box that the arrow from ${called(from)} goes to: click it, or press Tab and Enter. Escape cancels.`);
    draw({ focus: true });
  };
  const connectTo = (box) => {
    const known = arrows.find((arrow) => arrow.source === from.id && arrow.target === box.id);
    if (box === from) { say("An arrow goes to another box."); return; }
    if (!known && arrows.length >= MOST_ARROWS) { say(`There is room for ${MOST_ARROWS} arrows.`); return; }
    const arrow = known ?? { source: from.id, target: box.id, label: "" };
    if (!known) arrows.push(arrow);
    say(`Arrow from ${called(from)} to ${called(box)}. You can type a label for it.`);
    [from, chosen] = [null, arrow];
    changed({ focus: true });
  };
  const remove = () => {
    if (chosen === null) return;
    const gone = chosen;
    const rest = isBox(gone) ? boxes : arrows;
    const next = rest[rest.indexOf(gone) + 1] ?? rest[rest.indexOf(gone) - 1] ?? null;
    if (isBox(gone)) {
      boxes = boxes.filter((box) => box !== gone);
      arrows = arrows.filter((arrow) => arrow.source !== gone.id && arrow.target !== gone.id);
    } else arrows = arrows.filter((arrow) => arrow !== gone);
    [chosen, from] = [next, null];
    changed({ focus: true });
    if (!next) document.querySelector('[data-board="box"]').focus();
    say("Removed.");
  };
  const move = (dx, dy) => {
    put(chosen, chosen.x + dx, chosen.y + dy);
    changed({ focus: true });
    reveal(chosen);
  };

  const thingAt = (target) => {
    const box = target.closest?.("#board [data-box]");
    if (box) return boxOf(box.dataset.box);
    const arrow = target.closest?.("#board [data-arrow]");
    return arrow ? arrows[Number(arrow.dataset.arrow)] : null;
  };

  document.addEventListener("focusin", (event) => {
    const thing = thingAt(event.target);
    if (thing) choose(thing);
  });
  const MOVES = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
  document.addEventListener("keydown", (event) => {
    if (event.target.id === "board-label") {
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      draw({ focus: true });
      return;
    }
    const thing = thingAt(event.target);
    if (!thing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in MOVES && isBox(thing)) {
      const far = event.shiftKey ? 5 : 1;
      move(...MOVES[event.key].map((step) => far * step));
    } else if (event.key === "Enter" || event.key === " ") {
      if (from && isBox(thing)) connectTo(thing); else here("board-label").focus();
    } else if (event.key.toLowerCase() === "c" && isBox(thing)) connect();
    else if (event.key === "Delete" || event.key === "Backspace") remove();
    else if (event.key === "Escape" && from) { from = null; say("No arrow was drawn."); draw({ focus: true }); }
    else return;
    event.preventDefault();
  });
  document.addEventListener("input", (event) => {
    if (event.target.id !== "board-label" || chosen === null) return;
    chosen.label = event.target.value;
    changed();
  });
  document.addEventListener("click", (event) => {
    const does = event.target.closest?.("[data-board]")?.dataset.board;
    if (does) ({ box: addBox, connect, delete: remove })[does]();
  });

  // By pointer: press chooses, drag moves; while connecting, press ends the arrow.
  const placeOf = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg().getScreenCTM().inverse());
    return [point.x, point.y];
  };
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest?.("#board svg")) return;
    const thing = thingAt(event.target);
    if (from && isBox(thing)) { event.preventDefault(); connectTo(thing); return; }
    [chosen, from] = [thing, null];
    draw({ focus: true });
    if (!isBox(thing)) return;
    event.preventDefault();
    const [x, y] = placeOf(event);
    drag = { dx: x - thing.x, dy: y - thing.y };
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || !isBox(chosen)) return;
    const [x, y] = placeOf(event);
    put(chosen, x - drag.dx, y - drag.dy);
    draw();
    reveal(chosen);
  });
  // A finger that drags a box does not scroll what is around it.
  document.addEventListener("touchmove", (event) => { if (drag && event.cancelable) event.preventDefault(); }, { passive: false });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      if (!drag) return;
      drag = null;
      keep();
    });
  }
  document.addEventListener("dblclick", (event) => { if (thingAt(event.target)) here("board-label").focus(); });

  // The server fills in what was sent; what was drawn since then comes from this browser.
  const load = () => {
    const board = here("board");
    if (!board || !field("sketched")?.value || shown === key()) return;
    shown = key();
    const kept = sessionStorage.getItem(shown);
    let found = {};
    try { found = JSON.parse((kept ?? field("drawing").value) || "{}"); } catch { /* then nothing is drawn yet */ }
    [boxes, arrows, chosen, from] = [found.boxes ?? [], found.arrows ?? [], null, null];
    for (const box of boxes) put(box, box.x, box.y);
    board.hidden = false;
    say("");
    draw();
    if (kept !== null) keep();
  };
  const sketched = window.interviewer.sketched;
  window.interviewer.sketched = () => { sketched(); setTimeout(load, 90); };
})();
