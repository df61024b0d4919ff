"""The composition root: makes every part when it is first needed, and wires the parts together."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from serving import paths
from serving.errors import InterviewerError
from serving.progress import Progress

if TYPE_CHECKING:
    from interviewer.assignments.store import AssignmentStore
    from interviewer.engine.claim_reader import ClaimReader
    from interviewer.engine.paraphraser import Paraphraser
    from interviewer.engine.passages.passages import Passages
    from interviewer.engine.service import InterviewService
    from interviewer.planning.daily_quota import DailyQuota
    from interviewer.session.journal import EventJournal
    from interviewer.speech.transcription import Transcription
    from interviewer.storage.files.opening import Files
    from interviewer.understanding.request_head import RequestHead
    from interviewer.web.assignments.mentor_assignments import Directory, MentorAssignments
    from interviewer.web.controller import PageController
    from interviewer.web.workspace import Workspace
    from knowledge.model import Question
    from rubric.coding.verifier import Verifier
    from rubric.grading.grader import Grader
    from serving.llm.client import StateClient
    from serving.sandbox.gpu_access import GpuAccess
    from serving.sandbox.remote.health import RunnerHealth
    from serving.sandbox.remote.pool import RunnerPool
    from serving.sandbox.worker_pool import WorkerPool
    from serving.speech.stt.base import SpeechRecognizer
    from serving.speech.tts.speech_cache import SpeechCache
from interviewer.cli.options import need_one_judge
from interviewer.cli.output import err, shown

LINGER_S = 600.0
"""Seconds that a model server started by a single command waits for the next command."""

PATIENCE_S = 8.0
"""Seconds that the page waits for a mark before the interview goes on without it."""


def warm_embedder(container: Container, tell: Progress) -> None:
    """Fetch the embedding model, and load it so that the first grade need not."""
    from serving.models import catalogue

    catalogue.ensure_embedder(tell)
    container.embedder.embed(["ready"])
    container.statement_encoder.embed(["ready"])
    container.cross_encoder.read([("ready", "ready")])


class Container:
    """The parts of the program, wired together; each is made when it is first needed.

    Args:
        llm_url: a model server that runs already.
        model: which of its models.
        judge_urls: servers of the embedded judge that run already.
        runner_urls: runners on other machines, which run submitted code in place of this one.
        linger_s: how long a model server started here outlives this process.
        again: what a person is told to do about code that no runner ran; as on the page where not given.
    """

    def __init__(
        self,
        llm_url: str | None = None,
        model: str | None = None,
        judge_urls: Sequence[str] | None = None,
        runner_urls: Sequence[str] | None = None,
        *,
        linger_s: float = LINGER_S,
        again: str = "submit again in a moment",
    ) -> None:
        from interviewer.cli.bank_texts import bank_texts
        from rubric.fitted_weights import ADAPTER, CROSS_ENCODER
        from rubric.grading.parity_gate import parity_gate
        from serving import machine
        from serving.encoders.cached_cross_encoder import CachedCrossEncoder
        from serving.encoders.cached_encoder import CachedEmbedder
        from serving.encoders.cross_encoder import FittedCrossEncoder, RoundedCrossEncoder
        from serving.encoders.kept_vectors import KeptVectors
        from serving.encoders.sentence_encoder import SentenceTransformerEmbedder
        from serving.gpu.probe import VISIBLE
        from serving.llm.judge_service import JudgeService
        from serving.llm.server_state import without_ours
        from serving.models import catalogue

        self.machine = without_ours(machine.inspect(paths.home()), "judge")
        judges = tuple(judge_urls or ())
        need_one_judge(llm_url, judges)
        self._runner_urls, self._again = tuple(runner_urls or ()), again
        if self._runner_urls:
            from serving.sandbox.remote.pool import address

            # What is no address is told before anything slow is begun.
            self._runner_urls = tuple(map(address, self._runner_urls))
        profile = machine.choose(self.machine, llm_url, judges)
        if machine.SENT_AWAY in profile.reasons:
            err.print(f"{llm_url}: {machine.SENT_AWAY}", markup=False, highlight=False, soft_wrap=True)
        if (seen := machine.visible_devices(self.machine, profile)) is not None:
            os.environ[VISIBLE] = seen
        self.judge_service = JudgeService(
            self.machine, profile, llm_url=llm_url, model=model, judge_urls=judges, linger_s=linger_s
        )
        if profile.device == "cuda":
            self.judge_service.check = parity_gate(self.judge_service)
        folder = catalogue.embedder_folder()
        kept = KeptVectors(paths.vectors(), bank_texts, folder / "model.safetensors")
        self.embedder = CachedEmbedder(SentenceTransformerEmbedder(folder), kept)
        self.statement_encoder = CachedEmbedder(SentenceTransformerEmbedder(folder, ADAPTER), kept)
        fitted = FittedCrossEncoder(folder, CROSS_ENCODER)
        self.cross_encoder = CachedCrossEncoder(fitted)
        self.claim_selector = CachedCrossEncoder(RoundedCrossEncoder(fitted))

    @cached_property
    def grader(self) -> Grader:
        """Grades with the judge of the profile; asks its server when it grades, not before."""
        from rubric.grading.grader import RubricGrader
        from rubric.grading.judges.registry import JUDGES, JudgeContext
        from serving.models import catalogue

        context = JudgeContext(service=self.judge_service, measured=paths.judges())
        judge = JUDGES[self.judge_service.profile.judge](context)
        return RubricGrader(judge, self.statement_encoder, self.cross_encoder, wait=catalogue.ensure_embedder)

    @cached_property
    def read_states(self) -> StateClient | None:
        """The states of the embedded judge, remembered; ``None`` where another one judges."""
        from serving.llm.cached_states import CachedStates

        return CachedStates(self.judge_service.client) if self.judge_service.profile.judge == "embedded" else None

    @cached_property
    def paraphraser(self) -> Paraphraser | None:
        """Has follow-ups worded where a model that can speak was named."""
        from interviewer.engine.paraphraser import Paraphraser

        service = self.judge_service
        return Paraphraser(service.speaker, lambda: service.served_model) if service.speaker is not None else None

    @cached_property
    def code_access(self) -> GpuAccess | None:
        """What submitted code gets of a card; ``None`` where it stays on the processor, which the log says why."""
        from serving.diagnostics.code_on_card import access_for_code

        if self._runner_urls:
            # Runners have processors only, and nothing is run here.
            return None
        access, why = access_for_code(self.machine, self.judge_service.profile)
        if why:
            logging.getLogger(__name__).info("%s", why)
        return access

    @cached_property
    def sandbox(self) -> WorkerPool | RunnerPool:
        """What executes code: workers here, of which none is started before it is needed, or runners elsewhere."""
        from serving.sandbox.worker_pool import WorkerPool

        if self._runner_urls:
            from serving.sandbox.remote.pool import RunnerPool
            from serving.sandbox.remote.protocol import key

            runners = RunnerPool(self._runner_urls, key=key(), again=self._again)
            runners.start()
            return runners
        return WorkerPool(gpu=self.code_access)

    @cached_property
    def verifier(self) -> Verifier:
        """Verifies submitted code, on the GPU too where there is one for it."""
        from rubric.coding.verifier import Verifier
        from serving.gpu.code_card import Pace
        from serving.machine import jobs_at_once

        profile, access = self.judge_service.profile, self.code_access
        ahead = max(jobs_at_once(self.machine, profile), len(self._runner_urls))
        verifier = Verifier(self.sandbox, ("cpu", "cuda") if access else ("cpu",), ahead=ahead)
        if access is not None and profile.gpu is not None and access.visible == profile.gpu.uuid:
            pace = Pace()

            def watch(seconds: float) -> None:
                if pace.note(seconds, beside_code=self.sandbox.uses_card):
                    verifier.leave_card()

            self.judge_service.client.on_read = watch
        return verifier

    def runners(self) -> tuple[RunnerHealth, ...]:
        """How the runners fare that were named; none where code is run here."""
        from serving.sandbox.remote.pool import RunnerPool

        return self.sandbox.health() if self._runner_urls and isinstance(self.sandbox, RunnerPool) else ()

    @cached_property
    def recognizer(self) -> SpeechRecognizer:
        """Hears; its model is loaded when it is first needed."""
        from serving.machine import usable
        from serving.speech.stt.registry import preferred

        return preferred(gpu=usable(self.machine) is not None)

    @cached_property
    def speech(self) -> SpeechCache:
        """Speaks, with the best voice there is at the time."""
        from serving.speech.tts.speech_cache import SpeechCache

        return SpeechCache()

    def hear(self, recording: Path, question: Question | None = None) -> Transcription:
        """Recognize the recording of an answer."""
        from interviewer.speech.transcription import transcribe
        from serving.speech import audio

        with shown(recording.name) as tell:
            return transcribe(self.recognizer, audio.read(recording), question, tell)

    def library(self, folder: Path | None = None) -> Any:
        """The question index in a folder with the bank in it; its vectors are made when they are first needed."""
        from knowledge.index.question_index import QuestionIndex
        from knowledge.index.shared_vectors import SharedVectors
        from knowledge.ingestion.pipeline import is_bank, sync_bank

        shared = SharedVectors(paths.vectors(), is_bank)
        index = QuestionIndex.open(folder or paths.index(), self.embedder, shared)
        sync_bank(index)
        return index

    def embedding_model(self) -> None:
        """Make sure that the embedding model is there, here and now."""
        from serving.models import catalogue

        with shown("Embedding model") as tell:
            catalogue.ensure_embedder(tell)

    def judge(self, *, checked: bool = True) -> None:
        """Bring the judge up, here and now.

        Args:
            checked: whether, on a card, its marks are compared with recorded ones before they are used.
        """
        if not checked:
            self.judge_service.check = None
        with shown("Judge") as tell:
            self.judge_service.fetch(tell)
        with shown("Model server") as tell:
            self.judge_service.start(tell)

    def close(self) -> None:
        """Stop what was started."""
        from serving.encoders.compute_thread import settle

        self.judge_service.close()
        settle()
        for made in filter(None, map(self.__dict__.get, ("verifier", "sandbox"))):
            made.close()


def interview_service(container: Container, journal: EventJournal, library: Any) -> InterviewService:
    """What moves the page's interviews on."""
    from interviewer.engine.service import InterviewService
    from rubric.grading.second_reading import SecondReader

    claims = claim_reader(container, library)
    return InterviewService(
        journal,
        library,
        container.grader,
        requests=request_head(container),
        patience_s=PATIENCE_S,
        verifier=container.verifier,
        second_reader=SecondReader(container.grader, container.statement_encoder),
        paraphraser=container.paraphraser,
        answers_at_once=container.judge_service.profile.answers_at_once,
        encoder=container.statement_encoder,
        passages=passages(container, library, claims),
        claims=claims,
    )


def passages(container: Container, library: Any, claims: ClaimReader) -> Passages:
    """What answers the person's own questions."""
    from interviewer.engine.passages.passages import Passages

    return Passages(library, container.statement_encoder, searcher=container.embedder, claims=claims)


def claim_reader(container: Container, library: Any) -> ClaimReader:
    """What finds statements of answers that are doubted, whatever was asked."""
    from interviewer.engine.claim_reader import ClaimReader
    from rubric.grading.judges.claim_head import claim_head

    states = container.read_states
    head = claim_head(states) if states is not None else None
    return ClaimReader(library, container.grader, container.embedder, container.claim_selector, head)


def request_head(container: Container) -> RequestHead:
    """What reads wordings that no rule knows."""
    from interviewer.understanding.request_head import RequestHead

    return RequestHead(container.statement_encoder, container.read_states)


def unattended_service(container: Container, journal: EventJournal, library: Any) -> InterviewService:
    """What moves an interview on that nobody watches: every mark is waited for, and no model words a follow-up."""
    from interviewer.engine.service import InterviewService

    claims = claim_reader(container, library)
    return InterviewService(
        journal,
        library,
        container.grader,
        requests=request_head(container),
        patience_s=None,
        encoder=container.statement_encoder,
        passages=passages(container, library, claims),
        claims=claims,
    )


def take_up(
    service: InterviewService, journal: EventJournal, files: Files, homes: Callable[[], Iterable[Path]]
) -> None:
    """Have graded what is due, and, in the background, check all interviews and send what waits to be sent.

    Args:
        service: moves interviews on.
        journal: holds them.
        files: those of all people on this machine.
        homes: gives the folders of their data; with accounts not the home itself, where older files may be anybody's.

    """
    service.resume_all()
    files.start(homes)
    threading.Thread(target=check_for_damage, args=(journal,), name="check", daemon=True).start()


def check_for_damage(journal: EventJournal) -> None:
    """Compare every event with its digest, and log which interviews are damaged; lists tell it from then on.

    Takes seconds where there are many events, so nobody should wait for it.
    """
    log = logging.getLogger(__name__)
    try:
        for summary in journal.sessions(checked=True):
            if summary.damaged:
                log.warning("Interview %s is damaged in the journal; its report shows what is whole.", summary.id)
    except InterviewerError as error:
        log.warning("%s", error)


def quota_of(journal: EventJournal, most: int | None) -> DailyQuota | None:
    """How many interviews whoever has a journal may begin within a day; ``None`` for as many as they like."""
    from interviewer.planning.daily_quota import DailyQuota

    return DailyQuota(journal, most) if most is not None else None


def assignments_of(home: Path, database: str | None = None) -> AssignmentStore:
    """What keeps the assignments of all who have a folder in a home, or share a database; nothing is made yet."""
    from interviewer.storage.assignments.registry import open_assignments

    return open_assignments(home, database)


def mentor_assignments_of(
    home: Path, database: str | None, store: AssignmentStore, directory: Directory
) -> MentorAssignments:
    """What mentors do with the assignments of all who have a folder in a home, or share a database."""
    from interviewer.web.assignments.mentor_assignments import MentorAssignments
    from interviewer.web.mentor.group_reader import reader_in
    from knowledge.bank.parser import load_bank

    reader = reader_in(lambda: home / paths.PROFILES, directory, database)
    return MentorAssignments(store, directory, reader, load_bank)


def place_in(
    home: Path,
    container: Container,
    spoken: Any,
    database: str | None = None,
    most_a_day: int | None = None,
    files: Files | None = None,
) -> Workspace:
    """The place of one person on a shared machine: a folder of their own, and a part of a database that all share."""
    from interviewer.storage.files.opening import open_files
    from interviewer.storage.recordings import bring_home
    from interviewer.storage.registry import open_journal_of
    from interviewer.web.controller import PageController

    journal, index = open_journal_of(home, database), container.library(home / "index")
    service = interview_service(container, journal, index)
    service.resume_all()
    try:
        bring_home(home, lambda: [one.id for one in journal.sessions()])
    except InterviewerError as error:
        logging.getLogger(__name__).warning("%s", error)

    def catch_up() -> None:
        try:
            index.catch_up()
        except InterviewerError as error:
            logging.getLogger(__name__).warning("%s", error)  # the next search that finds the model tries again
        check_for_damage(journal)

    threading.Thread(target=catch_up, name="index", daemon=True).start()

    def close() -> None:
        service.close()
        journal.close()

    controller = PageController(service, journal, spoken, quota_of(journal, most_a_day))
    return workspace_of(controller, index, home, files or open_files(None), close)


def workspace_of(
    controller: PageController, index: Any, home: Path, files: Files, close: Callable[[], None] = lambda: None
) -> Workspace:
    """What the page of a person works on whose data are in a folder.

    Args:
        controller: carries out what they ask for.
        index: their question index.
        home: the folder.
        files: keeps their recordings and documents.
        close: lets go of it.

    """
    from interviewer.web.workspace import Workspace
    from knowledge.ingestion.own_documents import OwnDocuments
    from knowledge.ingestion.pipeline import ingest as read

    documents = files.documents(home, OwnDocuments(index, home / "documents"), lambda given: read(given, index))
    return Workspace(
        *(controller, index, documents.read, documents.listed),
        home=lambda: home,
        close=close,
        keeper=files.recordings,
        catch_up=documents.catch_up,
    )
