// The person's stories: one told by typing, one told again, one removed. Marks that are still to come are looked for.
(() => {
  const LOOK_EVERY = 2000; // milliseconds
  const dialog = () => document.getElementById("stories-dialog");
  const { send, tell } = window.interviewer.dialogs;
  const say = (text, failed) => tell(text, failed, "stories");

  // Only the list is drawn anew: what is being typed, and what is unfolded, stays.
  const look = async () => {
    const list = dialog()?.querySelector(".kept");
    const got = await fetch("stories/list", { cache: "no-store" }).catch(() => null);
    if (!list || !got?.ok) return;
    const unfolded = new Set([...list.querySelectorAll("details[open]")].map((one) => one.closest("li").dataset.story));
    const drawn = document.createRange().createContextualFragment(await got.text());
    for (const one of drawn.querySelectorAll("details")) one.open = unfolded.has(one.closest("li").dataset.story);
    list.replaceWith(drawn);
  };
  setInterval(() => {
    if (dialog()?.open && dialog().querySelector("[data-waiting]")) look();
  }, LOOK_EVERY);

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest?.("#stories-dialog .tell");
    if (!form) return;
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    const told = await send("stories/tell", {
      question: form.elements.question.value, text: form.elements.text.value, request: form.dataset.request,
    });
    button.disabled = false;
    if (told.problem) { say(told.problem, true); return; }
    form.dataset.request = told.request;
    form.elements.text.value = "";
    await look();
    say(told.said, false);
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("#stories-dialog :is([data-again], [data-remove])");
    if (!button) return;
    const form = dialog().querySelector(".tell");
    if (button.dataset.again !== undefined) {
      if (!form) return;
      form.elements.question.value = button.dataset.again;
      form.scrollIntoView({ block: "nearest" });
      form.elements.text.focus();
      return;
    }
    if (!confirm("Remove this story with all its versions? Your answers stay in its interviews.")) return;
    const told = await send("stories/remove", { story: button.dataset.remove });
    if (told.problem) { say(told.problem, true); return; }
    await look();
    say(told.said, false);
    (form?.elements.text ?? dialog().querySelector("header button"))?.focus();
  });
})();
