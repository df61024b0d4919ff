"""The judge's model as one thing to start, ask and stop, wherever it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import httpx

from serving.errors import ServerStartError
from serving.llm.client import SPEAKING_S, ModelServerClient, StateClient, remote_endpoint
from serving.llm.judge_health import JudgeHealth
from serving.llm.judge_servers import JudgeServers
from serving.llm.server_key import key
from serving.llm.server_state import Endpoint
from serving.llm.vllm_server import VllmServer, judge_spec
from serving.machine import Machine, Profile
from serving.models import catalogue
from serving.progress import Progress, silent


class JudgeService:
    """Brings up the server that the judge asks, or connects to the one that the person named.

    Args:
        machine: what there is.
        profile: how the judge is served on it.
        llm_url: for the remote profile, an OpenAI-compatible server.
        model: for the remote profile, which of its models; ``None`` takes its first.
        judge_urls: servers of the embedded judge, which are used as one.
        linger_s: how long a server started here stays unused after this process; 0 stops it with the process.

    Attributes:
        check: looks at what a server that came up gives, and says why it is not to be used; an empty sentence lets it
            be used, ``None`` leaves it out. Until then nobody else is served.
    """

    def __init__(
        self,
        machine: Machine,
        profile: Profile,
        *,
        llm_url: str | None = None,
        model: str | None = None,
        judge_urls: Sequence[str] = (),
        linger_s: float = 0.0,
    ) -> None:
        self._machine, self.profile, self._linger_s = machine, profile, linger_s
        self._llm_url, self._model = llm_url, model
        self._server: VllmServer | None = None
        self._remote: Endpoint | None = None
        self._judges = _servers(judge_urls, profile) if judge_urls else None
        self.client = self._judges or ModelServerClient(
            lambda: self.endpoint, self._why_not, at_once=profile.prompts_at_once
        )
        self.check: Callable[[StateClient, Progress], str] | None = None
        self._refusal = ""
        self._speaker = ModelServerClient(lambda: self.endpoint, self._why_not, timeout=httpx.Timeout(SPEAKING_S + 0.5))

    @property
    def endpoint(self) -> Endpoint | None:
        """Where the judge's model answers now; ``None`` while it does not."""
        if self._remote is not None:
            return self._remote
        return self._server.endpoint if self._server and self.check is None and not self._refusal else None

    @property
    def speaker(self) -> ModelServerClient | None:
        """The same model as one that speaks, with little patience; ``None`` where its server cannot.

        What is served here is cut to its first layers: it gives states, not words.
        """
        return self._speaker if self.profile.judge == "prompted" else None

    @property
    def served_model(self) -> str:
        """What a remote server's model is called; the named one, or the server's address until it is known."""
        return (self._remote.model if self._remote else self._model) or self._llm_url or ""

    def judges(self) -> tuple[JudgeHealth, ...]:
        """How the servers fare that were named; none where the judge is one of our own."""
        return self._judges.health() if self._judges is not None else ()

    def fetch(self, progress: Progress = silent) -> None:
        """Make sure that the model is on the machine; nothing to do for a remote one.

        Raises:
            ModelMissingError: it could not be fetched, verified or converted.
            StorageError: the disk refused.
        """
        if self.profile.device != "remote":
            catalogue.ensure_judge(progress, self.profile.format)

    def start(self, progress: Progress = silent) -> None:
        """Bring the server up, or check the one that was named; keeps it up from then on.

        Raises:
            ServerStartError: it did not come up, or what it gives is not to be used.
            ServerGoneError: nothing answers at the URL.
            BadInputError: what answers there is no model server, refuses the key, or does not serve that model or this
                judge.
        """
        if self._judges is not None:
            self._judges.start(progress)
            return
        if self._llm_url:
            progress(f"asking {self._llm_url}", None)
            self._remote = remote_endpoint(self._llm_url, self._model, key())
            return
        if self._server is None:
            spec = judge_spec(catalogue.judge_folder(self.profile.format), catalogue.judge_digest(self.profile.format))
            self._server = VllmServer(spec, self.profile, self._machine, linger_s=self._linger_s)
        self._server.start(progress)
        self._checked(self._server, progress)

    def _checked(self, server: VllmServer, progress: Progress) -> None:
        """Have the server's states looked at, once; it serves from then on, or is refused from then on."""
        if self.check is not None:
            client = ModelServerClient(lambda: server.endpoint, self._why_not, at_once=self.profile.prompts_at_once)
            try:
                self._refusal = self.check(client, progress)
            finally:
                client.close()
            self.check = None
        if self._refusal:
            raise ServerStartError(self._refusal)

    def close(self) -> None:
        """Let go of the server, and stop it if it was started here."""
        self.client.close()
        self._speaker.close()
        if self._server is not None:
            self._server.close()

    def _why_not(self) -> str:
        if self._refusal:
            return self._refusal
        if self._server is not None and self._server.trouble:
            return self._server.trouble
        return "The model is still warming up."


def _servers(urls: Sequence[str], profile: Profile) -> JudgeServers:
    """The servers at these URLs, which have to serve what would be served here."""
    spec = judge_spec(catalogue.judge_folder(profile.format), catalogue.judge_digest(profile.format))
    return JudgeServers(urls, model=spec.role, digest=spec.digest, key=key())
