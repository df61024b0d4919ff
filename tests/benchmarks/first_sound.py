"""How long a person who talks waits for the interviewer's voice: a part of ``make speech-bench``.

The real page in a real browser with everything real behind it, hands-free: Chromium's microphone is a recording that
is played once each time it is opened. From the last word of the answer to its being sent passes the pause that ends a
turn; from then to the first sound everything that the machine has to do.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, Playwright, sync_playwright

from serving import paths
from serving.models import catalogue
from serving.speech import audio
from serving.speech.tts import kokoro
from tests.benchmarks.load import served, table, warm
from tests.benchmarks.speech import said
from tests.benchmarks.speech_sentences import TALK
from tests.browser.conftest import ARGUMENTS, CHROMIUM, speaking

SENTENCES = 2
"""In each answer."""

PATIENCE_MS = 120_000

WATCH = """
window.moments = [];
const note = (what) => window.moments.push([what, performance.now() / 1000]);
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
  this.addEventListener("playing", () => note("sound"), { once: true });
  return play.call(this);
};
document.addEventListener("DOMContentLoaded", () => {
  let phase = "";
  new MutationObserver(() => {
    const now = document.getElementById("voice")?.dataset.phase ?? "";
    if (now !== phase) { phase = now; note(phase); }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-phase"] });
});
"""
"""Notes when the page enters a phase, and when a sound begins."""


def begin(tab: Page, url: str) -> None:
    """Start an interview and let it be held by voice alone."""
    tab.goto(url)
    tab.get_by_role("button", name="Start the interview").click()
    tab.locator(".turn.they").first.wait_for()
    tab.get_by_label("Talk instead of typing").check()
    tab.get_by_label("Hands-free").check()


def held(playwright: Playwright, url: str, recording: Path, count: int) -> list[tuple[str, float]]:
    """What happens on the page, and when, while so many turns are answered with that recording."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *speaking(recording)])
    tab = browser.new_page()
    tab.add_init_script(WATCH)
    begin(tab, url)
    for answered in range(count):
        # A follow-up or the next question opens the microphone again.
        tab.wait_for_function(
            f"moments.filter(([what]) => what === 'thinking').length > {answered}", timeout=PATIENCE_MS
        )
        tab.wait_for_function(
            "moments.findLastIndex(([what]) => what === 'sound')"
            " > moments.findLastIndex(([what]) => what === 'thinking')",
            timeout=PATIENCE_MS,
        )
    moments: list[tuple[str, float]] = tab.evaluate("moments")
    browser.close()
    return moments


def turns(moments: list[tuple[str, float]], seconds: float) -> list[dict[str, float]]:
    """What was waited for in each turn that was answered.

    Args:
        moments: what happened on the page, and when in seconds.
        seconds: that the answer's recording takes.

    """
    found, spoken, over = [], 0.0, 0.0
    for what, when in moments:
        if what == "listening":
            spoken, over = when + seconds, 0.0
        elif what == "thinking":
            over = when
        elif what == "sound" and over:
            found.append(
                {
                    "last word to the end of the turn": over - spoken,
                    "end of the turn to the first sound": when - over,
                    "last word to the first sound": when - spoken,
                }
            )
            over = 0.0
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=12, help="How many answers are spoken.")
    parser.add_argument("--answers", type=int, default=3, help="How many different ones.")
    chosen = parser.parse_args()
    catalogue.ensure_embedder()
    catalogue.ensure_judge()
    voice, waited = kokoro.Kokoro("am_michael"), defaultdict(list)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        with served(folder, paths.models(), talks=True) as page:
            asyncio.run(warm(page.url))
            with sync_playwright() as playwright:
                for number, (_, lines) in enumerate(list(TALK.items())[: chosen.answers]):
                    recording = folder / f"answer-{number}.wav"
                    spoken = np.concatenate([voice.synthesize(said(line)) for line in lines[:SENTENCES]])
                    recording.write_bytes(audio.wav(spoken, kokoro.Kokoro.sample_rate))
                    moments = held(playwright, page.url, recording, chosen.turns // chosen.answers)
                    for turn in turns(moments, len(spoken) / kokoro.Kokoro.sample_rate):
                        for what, seconds in turn.items():
                            waited[what].append(seconds)
    print("\n".join(table(waited)))


if __name__ == "__main__":
    main()
