// Measures how long nobody has typed or pressed anything, and tells the server; what that calls for is decided there.
(() => {
  const here = (id) => document.getElementById(id);
  const field = (id) => document.querySelector(`#${id} textarea, #${id} input`)?.value ?? "";
  const LOOK_EVERY = 1000; // milliseconds
  const TELL_AGAIN = 15_000; // milliseconds after which a silence is told again that the server has not answered
  const talks = () => (here("voice")?.dataset.phase ?? "off") !== "off";
  const runsCode = () => document.querySelector("#result .grading") !== null;

  // Whoever is busy in one tab is not silent in another.
  const tabs = new BroadcastChannel("interviewer:busy");
  let since = performance.now(), toldAt = -Infinity, due = 0, turn = "";
  const restart = () => { [since, toldAt] = [performance.now(), -Infinity]; };
  const busy = () => { restart(); tabs.postMessage(""); };
  tabs.addEventListener("message", restart);
  for (const kind of ["keydown", "input", "pointerdown", "wheel"]) {
    // What scripts put into a field was not typed.
    document.addEventListener(kind, (event) => { if (event.isTrusted) busy(); }, { capture: true, passive: true });
  }

  window.interviewer.silence = () => ((performance.now() - since) / 1000).toFixed(1);

  setInterval(() => {
    const [dueBefore, turnBefore] = [due, turn];
    [due, turn] = [Number(field("silence")), field("turn")];
    if (!due) { restart(); return; }
    if (talks() || runsCode()) { busy(); return; }
    // The person was spoken to, which ends a silence; only the next step of the same silence comes later than the last.
    if (turn !== turnBefore && due <= dueBefore) restart();
    const now = performance.now();
    if (now - since < 1000 * due || now - toldAt < TELL_AGAIN) return;
    toldAt = now;
    here("tell-silence")?.click();
  }, LOOK_EVERY);
})();
