"""The settings as HTML: each with its present value, and what is kept of the person. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from interviewer.planning.candidate_background import Background
from interviewer.storage.settings import Settings
from interviewer.text import count
from interviewer.web.privacy.data_locations import ALL_HERE, DataLocations
from interviewer.web.safe_html import text
from serving.frozen import FrozenModel

SPEEDS = {0.75: "Slow", 0.9: "Slightly slow", 1.0: "Normal", 1.15: "Slightly fast", 1.3: "Fast", 1.5: "Very fast"}
"""How fast the interviewer can speak, and what that is called."""

PAUSES_S = {2.0: "2 seconds (default)", 3.0: "3 seconds", 4.0: "4 seconds", 6.0: "6 seconds"}
"""Seconds of silence that can end a turn, and what they are called."""

LOOKS = {"system": "Same as the system", "light": "Light", "dark": "Dark"}
TEXT_SIZES = {"normal": "Normal", "large": "Large", "largest": "Largest"}
"""What the browser keeps for itself, by its names in ``dialogs.js``."""


class Deletable(StrEnum):
    """What can be deleted as one."""

    BACKGROUND = "background"
    RECORDINGS = "recordings"
    INTERVIEWS = "interviews"


class Known(FrozenModel):
    """What is kept of a person.

    Attributes:
        interviews: how many.
        recordings: how many of spoken answers.
        documents: how many of their own.
        background: what was read off a résumé or a job description.
        folder: where all of it is; empty where it is not theirs to look into.

    """

    interviews: int
    recordings: int
    documents: int
    background: Background
    folder: str = ""


def settings_html(
    settings: Settings,
    voices: Mapping[str, str],
    known: Known,
    *,
    keeps: bool,
    locations: DataLocations = ALL_HERE,
) -> str:
    """The form that stands in the dialog; ``dialogs.js`` sends what is changed.

    Args:
        settings: what was chosen.
        voices: those that can be chosen, and what each is called.
        known: what is kept of the person.
        keeps: whether recordings are kept where the person has not chosen.
        locations: where what people give is kept and worked on.

    """
    keeps = keeps if settings.keep_recordings is None else settings.keep_recordings
    return (
        '<header><h2 id="settings-title">Settings</h2><form method="dialog"><button>Close</button></form></header>'
        '<p role="status" class="saved quiet">Changes are saved and applied right away.</p>'
        f"{_display_html()}{_voice_html(settings, voices)}{_silence_html(settings)}{_recordings_html(keeps=keeps)}"
        f"{_known_html(known)}{_places_html(known, locations)}"
    )


def _display_html() -> str:
    return _group(
        "Display",
        "Saved in this browser.",
        _radios("look", "Appearance", LOOKS) + _radios("text-size", "Text size", TEXT_SIZES),
    )


def _voice_html(settings: Settings, voices: Mapping[str, str]) -> str:
    if voices:
        chosen = settings.voice if settings.voice in voices else next(iter(voices))
        voice = _select("voice", "Voice", voices, chosen)
    else:
        voice = '<p class="quiet">No voices are available on this machine.</p>'
    speed = _select("speed", "Speed", _named(SPEEDS), f"{_nearest(SPEEDS, settings.speed):g}")
    listen = '<button type="button" class="plain" data-sample>Hear a sample</button>'
    pause = _select(
        "pause_s", "Hands-free: end my turn after a silence of", _named(PAUSES_S),
        f"{_nearest(PAUSES_S, settings.pause_s):g}",
    )  # fmt: skip
    longer = '<p class="quiet">You always get longer after a sentence that is clearly unfinished.</p>'
    return _group("Talking", "", f"{voice}{speed}{listen}{pause}{longer}")


def _silence_html(settings: Settings) -> str:
    ticked = " checked" if settings.silence_steps else ""
    return _group(
        "Silence",
        "",
        f'<label class="tick"><input type="checkbox" name="silence_steps"{ticked}> Check in when I go quiet'
        '</label><p class="quiet">On: after 30 seconds the interviewer says there is no rush, later offers a smaller '
        "step, and pauses the interview after five minutes. Off: the interviewer says nothing, in any interview.</p>",
    )


def _recordings_html(*, keeps: bool) -> str:
    ticked = " checked" if keeps else ""
    return _group(
        "Recordings",
        "",
        f'<label class="tick"><input type="checkbox" name="keep_recordings"{ticked}> Keep recordings of my spoken '
        'answers</label><p class="quiet">When kept, the report has short clips of them. Otherwise a recording is '
        "deleted once it is transcribed.</p>",
    )


def _known_html(known: Known) -> str:
    background = known.background
    said = [f"topics {', '.join(background.topics)}"] if background.topics else []
    said += [f"warm-up “{background.opening}”"] if background.opening else []
    read = "; ".join(said)
    rows = (
        _row(
            "Interviews",
            f"{count(known.interviews, 'interview')}: what was said, the marks, your notes. The history, your level, "
            "and what comes back for review are computed from these.",
            Deletable.INTERVIEWS,
            "Delete all interviews",
            there=bool(known.interviews),
        ),
        _row(
            "Recordings",
            count(known.recordings, "recording"),
            Deletable.RECORDINGS,
            "Delete all recordings",
            there=bool(known.recordings),
        ),
        _row(
            "Résumé or job description",
            f"Read from it: {read}. The file itself was not kept." if read else "Nothing.",
            Deletable.BACKGROUND,
            "Delete my background",
            there=bool(read),
        ),
        f"<dt>Your own documents</dt><dd>{count(known.documents, 'document')}. Remove them one by one under “Your own "
        "documents” on the start page.</dd>",
    )
    return _group("Your data", "", f"<dl>{''.join(rows)}</dl>")


def _row(name: str, said: str, what: Deletable, label: str, *, there: bool) -> str:
    off = "" if there else " disabled"
    return (
        f"<dt>{name}</dt><dd><p>{text(said)}</p>"
        f'<button type="button" class="plain" data-delete="{what.value}"{off}>{label}</button></dd>'
    )


def _places_html(known: Known, locations: DataLocations) -> str:
    folder = f", in <code>{text(known.folder)}</code>" if known.folder else ""
    return (
        f'<p class="quiet">Where it is stored: {locations.stored(folder)} Appearance, text size, and what you have '
        f"typed but not sent are in this browser. {locations.sent}</p>"
    )


def _group(name: str, note: str, fields: str) -> str:
    told = f'<p class="quiet">{note}</p>' if note else ""
    return f"<fieldset><legend>{name}</legend>{told}{fields}</fieldset>"


def _radios(name: str, label: str, choices: Mapping[str, str]) -> str:
    options = "".join(
        f'<label><input type="radio" name="{name}" value="{value}" data-here> {called}</label>'
        for value, called in choices.items()
    )
    return f'<div role="radiogroup" aria-label="{label}" class="choice"><span>{label}</span>{options}</div>'


def _select(name: str, label: str, choices: Mapping[str, str], chosen: str) -> str:
    options = "".join(
        f'<option value="{text(value)}"{" selected" if value == chosen else ""}>{text(called)}</option>'
        for value, called in choices.items()
    )
    return f'<label class="choice"><span>{label}</span><select name="{name}">{options}</select></label>'


def _named(choices: Mapping[float, str]) -> Mapping[str, str]:
    return {f"{value:g}": called for value, called in choices.items()}


def _nearest(choices: Mapping[float, str], value: float) -> float:
    return min(choices, key=lambda choice: abs(choice - value))
