"""Clients of model servers: pure request builders and readers beside one thin HTTP call.

What a server says is data of unknown quality: it is checked here, and anything that is not the protocol raises
``ProtocolError`` instead of becoming a number.
"""

from __future__ import annotations

import base64
import math
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

import httpx
import numpy as np

from serving import traces
from serving.arrays import FloatArray
from serving.errors import (
    BadInputError,
    InterviewerError,
    KeyRefusedError,
    NotOfferedError,
    ProtocolError,
    ServerGoneError,
    ServerStoppingError,
)
from serving.frozen import FrozenModel
from serving.llm.answer_headers import STOPPING
from serving.llm.calls import at_once, calling
from serving.llm.server_key import REFUSED, SAME_KEY
from serving.llm.server_state import Endpoint, mark_used

TIMEOUT = httpx.Timeout(300.0, connect=5.0)
"""Seconds for one answer with all its criteria; far above what a slow laptop needs, so that only a hang trips it."""

SPEAKING_S = 1.5
"""Seconds in which words have to come that a person is waiting to hear."""

AT_ONCE = 8
"""Chats sent at the same time; the server batches them."""


class StateClient(Protocol):
    """Gives the hidden state of a prompt's last token."""

    def states(self, prompts: Sequence[str]) -> FloatArray:
        """States of the prompts, [n, hidden] float32.

        Raises:
            ServerGoneError: the server does not answer (now).
            ProtocolError: it answered with something else.
        """
        ...


class ChatPrompt(FrozenModel):
    """One question to a chat model.

    Attributes:
        system: who it is.
        user: what it is asked.
    """

    system: str
    user: str


class LogprobClient(Protocol):
    """Gives the log-probabilities of the tokens that may come next."""

    def next_tokens(self, chats: Sequence[ChatPrompt]) -> list[dict[str, float]]:
        """For each chat the likeliest first tokens of the reply with their natural log-probabilities.

        Raises:
            ServerGoneError: the server does not answer (now).
            NotOfferedError: it gives no log-probabilities.
            ProtocolError: it answered with something else.
        """
        ...


class ChatReply(FrozenModel):
    """What a chat model said.

    Attributes:
        text: its words, as they came.
        read: tokens of the prompt, as the server counted them; 0 where it did not.
        written: tokens of the reply; 0 where it did not count.
    """

    text: str
    read: int = 0
    written: int = 0


class TextClient(Protocol):
    """Lets a chat model speak."""

    def replies(self, chats: Sequence[ChatPrompt], most: int) -> list[ChatReply]:
        """The likeliest reply to each chat, cut off after ``most`` tokens.

        Raises:
            ServerGoneError: the server does not answer (now).
            ProtocolError: it answered with something else.
        """
        ...


class ChoiceClient(Protocol):
    """Lets a chat model choose."""

    def objects(self, chats: Sequence[ChatPrompt], schema: Mapping[str, Any], most: int) -> list[ChatReply]:
        """The likeliest reply to each chat, held to a JSON schema where the server can do that.

        Raises:
            ServerGoneError: the server does not answer (now).
            ProtocolError: it answered with something else.
        """
        ...


class PromptClient(LogprobClient, ChoiceClient, Protocol):
    """A chat model that can be asked in both ways."""


def state_request(model: str, prompts: Sequence[str], salt: str) -> dict[str, Any]:
    """Body of ``POST /v1/embeddings`` that asks for the states of prompts.

    Args:
        model: as it is served.
        prompts: the whole texts.
        salt: requests share their prefixes in the server's cache with those of the same salt only.
    """
    given = prompts[0] if len(prompts) == 1 else list(prompts)
    return {"model": model, "input": given, "encoding_format": "base64", "cache_salt": salt}


def read_states(answer: Mapping[str, Any], count: int) -> list[FloatArray]:
    """The states in an answer of ``/v1/embeddings``, in the order of their prompts, each [hidden] float32.

    Args:
        answer: as it came.
        count: how many prompts were sent.

    Raises:
        ProtocolError: it does not hold exactly one vector of finite numbers for each prompt.
    """
    try:
        rows = sorted(answer["data"], key=lambda row: int(row.get("index", 0)))
        states = [
            np.frombuffer(base64.b64decode(row["embedding"], validate=True), dtype="<f4").astype(np.float32)
            for row in rows
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ProtocolError("The model server's answer holds no state that can be read.") from error
    if len(states) != count or (count > 1 and [row["index"] for row in rows] != list(range(count))):
        raise ProtocolError(f"The model server gave {len(states)} states for {count} prompts.")
    if not all(state.size and np.isfinite(state).all() for state in states):
        raise ProtocolError("The model server gave a broken state.")
    return states


def logprob_request(model: str, chat: ChatPrompt) -> dict[str, Any]:
    """Body of ``POST /v1/chat/completions`` that asks for one token and its twenty likeliest rivals."""
    messages = [{"role": "system", "content": chat.system}, {"role": "user", "content": chat.user}]
    return {
        "model": model,
        "messages": messages,
        "max_tokens": 1,
        "temperature": 0.0,
        "logprobs": True,
        "top_logprobs": 20,
    }


def read_logprobs(answer: Mapping[str, Any]) -> dict[str, float]:
    """The first token's log-probabilities in an answer of ``/v1/chat/completions``.

    Raises:
        ProtocolError: it does not hold them.
    """
    try:
        rows = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        found = {str(row["token"]): float(row["logprob"]) for row in rows}
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise NotOfferedError("The model server's answer holds no log-probabilities.") from error
    if not found or any(math.isnan(value) for value in found.values()):
        raise ProtocolError("The model server's log-probabilities are empty or broken.")
    return found


def reply_request(model: str, chat: ChatPrompt, most: int) -> dict[str, Any]:
    """Body of ``POST /v1/chat/completions`` that asks for a reply of up to ``most`` tokens, always the likeliest."""
    messages = [{"role": "system", "content": chat.system}, {"role": "user", "content": chat.user}]
    return {"model": model, "messages": messages, "max_tokens": most, "temperature": 0.0}


def object_request(model: str, chat: ChatPrompt, schema: Mapping[str, Any], most: int) -> dict[str, Any]:
    """Body of ``POST /v1/chat/completions`` that asks for an object of a JSON schema."""
    form = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
    return reply_request(model, chat, most) | {"response_format": form}


def read_reply(answer: Mapping[str, Any]) -> ChatReply:
    """The reply in an answer of ``/v1/chat/completions``.

    Raises:
        ProtocolError: it holds no text.
    """
    try:
        text = answer["choices"][0]["message"]["content"]
        usage = answer.get("usage") or {}
        counts = {"read": int(usage.get("prompt_tokens", 0)), "written": int(usage.get("completion_tokens", 0))}
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ProtocolError("The model server's answer holds no reply.") from error
    if not isinstance(text, str):
        raise ProtocolError("The model server's reply is not text.")
    return ChatReply(text=text, **counts)


class _Lane:
    """One server that prompts are read by one after the other.

    Attributes:
        free: held while a prompt is read.
        salt: of all that it reads, so that what prompts begin alike with is read once; another after a failure, since
            what a request that was broken off left in the server's cache is not to be trusted.

    """

    def __init__(self) -> None:
        self.free = threading.Lock()
        self.salt = secrets.token_hex(16)


class ModelServerClient:
    """Talks to one server, wherever it is just now.

    Args:
        endpoint: asked before each call, since a restarted server answers on another port; ``None`` while it
            is down.
        why_not: one sentence for the person on why there is no endpoint.
        timeout: how long the server may be silent.
        at_once: how many prompts are sent in one request.

    Attributes:
        on_read: told how many seconds a prompt took, whenever some were read.
    """

    def __init__(
        self,
        endpoint: Callable[[], Endpoint | None],
        why_not: Callable[[], str],
        *,
        timeout: httpx.Timeout = TIMEOUT,
        at_once: int = 1,
    ) -> None:
        self._endpoint, self._why_not, self._at_once = endpoint, why_not, at_once
        self.on_read: Callable[[float], None] = lambda _: None
        self._timeout = timeout
        self._lanes: defaultdict[str, _Lane] = defaultdict(_Lane)
        self._choosing = threading.Lock()

    @cached_property
    def _http(self) -> httpx.Client:
        """The connections; made when they are first needed, since that reads all certificates of the web."""
        return httpx.Client(timeout=self._timeout, trust_env=False)

    def states(self, prompts: Sequence[str]) -> FloatArray:
        """See ``StateClient.states``.

        On a CPU one after the other, whoever sends them: prompts that share a prefix within one step of the server's
        scheduler, or with what a request that was broken off left in its cache, were measured to end in one of two
        states by chance. So the same prompts give the same states, and what they begin alike with is read once: 100 of
        100 prompts had the very state of an empty cache. On a card they are sent at once, under a salt of their own,
        and read side by side; ``rubric.grading.parity`` checks what comes of it.
        """
        target, begun = self._target(), time.perf_counter()
        states: list[FloatArray] = []
        if self._at_once == 1:
            for prompt in prompts:
                states += self._read_alone(target, prompt)
        else:
            salt = secrets.token_hex(16)
            for begin in range(0, len(prompts), self._at_once):
                states += self._read(target, list(prompts[begin : begin + self._at_once]), salt)
        self.on_read((time.perf_counter() - begun) / max(1, len(prompts)))
        if len({state.size for state in states}) != 1:
            raise ProtocolError("The model server gave states of different lengths.")
        return np.stack(states)

    def next_tokens(self, chats: Sequence[ChatPrompt]) -> list[dict[str, float]]:
        """See ``LogprobClient.next_tokens``."""
        target = self._target()

        def ask(chat: ChatPrompt) -> dict[str, float]:
            return read_logprobs(self._post(target, "/v1/chat/completions", logprob_request(target.model, chat)))

        return at_once(ask, chats, AT_ONCE)

    def replies(self, chats: Sequence[ChatPrompt], most: int) -> list[ChatReply]:
        """See ``TextClient.replies``."""
        target = self._target()

        def ask(chat: ChatPrompt) -> ChatReply:
            return read_reply(self._post(target, "/v1/chat/completions", reply_request(target.model, chat, most)))

        if len(chats) == 1:
            # Here and now: a pool's threads are waited for when the program is left.
            return [ask(chats[0])]
        return at_once(ask, chats, AT_ONCE)

    def objects(self, chats: Sequence[ChatPrompt], schema: Mapping[str, Any], most: int) -> list[ChatReply]:
        """See ``ChoiceClient.objects``."""
        target = self._target()

        def ask(chat: ChatPrompt) -> ChatReply:
            try:
                said = self._post(target, "/v1/chat/completions", object_request(target.model, chat, schema, most))
            except NotOfferedError:
                said = self._post(target, "/v1/chat/completions", reply_request(target.model, chat, most))
            return read_reply(said)

        return at_once(ask, chats, AT_ONCE)

    def close(self) -> None:
        """Close the connections."""
        if "_http" in self.__dict__:
            self._http.close()

    def _read_alone(self, target: Endpoint, prompt: str) -> list[FloatArray]:
        # Two that come at once to a server that nobody asked yet would make a lane each.
        with self._choosing:
            lane = self._lanes[f"{target.url} {target.key}"]
        with lane.free:
            try:
                return self._read(target, [prompt], lane.salt)
            except InterviewerError:
                lane.salt = secrets.token_hex(16)
                raise

    def _read(self, target: Endpoint, prompts: Sequence[str], salt: str) -> list[FloatArray]:
        answer = self._post(target, "/v1/embeddings", state_request(target.model, prompts, salt))
        return read_states(answer, len(prompts))

    def _target(self) -> Endpoint:
        target = self._endpoint()
        if target is None:
            raise ServerGoneError(self._why_not() or "The model server is not there yet.")
        return target

    def _headers(self, target: Endpoint) -> dict[str, str]:
        """The headers of the next request."""
        return {"Authorization": f"Bearer {target.key}"} if target.key else {}

    def _post(self, target: Endpoint, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        with calling(target, path) as call:
            return self._posted(target, path, body, call)

    def _posted(self, target: Endpoint, path: str, body: Mapping[str, Any], call: traces.Span) -> dict[str, Any]:
        try:
            headers = self._headers(target) | traces.headers()
            response = self._http.post(target.url + path, json=body, headers=headers)
        except httpx.HTTPError as error:
            raise ServerGoneError(f"The model server at {target.url} does not answer.") from error
        except RuntimeError as error:
            # Between two requests of an answer this client was closed: the program ends, and the answer is left over.
            if not self._http.is_closed:
                raise
            raise ServerGoneError("The connection to the model server was closed here.") from error
        call.set("http.response.status_code", response.status_code)
        if STOPPING in response.headers:
            raise ServerStoppingError(f"The model server at {target.url} is stopping and takes no new answers.")
        if response.status_code in {408, 429} or response.status_code >= 500:
            raise ServerGoneError(f"The model server at {target.url} is in trouble (HTTP {response.status_code}).")
        if response.status_code in REFUSED:
            raise KeyRefusedError(f"The model server at {target.url} refuses the key.", hint=SAME_KEY)
        if response.status_code in {400, 422}:
            raise NotOfferedError(f"The model server refused the request (HTTP {response.status_code}).")
        if not response.is_success:
            raise ProtocolError(f"The model server refused the request (HTTP {response.status_code}).")
        mark_used(target.model)
        try:
            answer = response.json()
        except ValueError as error:
            raise ProtocolError("The model server's answer is not JSON.") from error
        if not isinstance(answer, dict):
            raise ProtocolError("The model server's answer is not a JSON object.")
        return answer


def _is_address(url: str) -> bool:
    """Whether a URL can be one at all: well formed, with a port that there is."""
    try:
        port = httpx.URL(url).port
    except httpx.InvalidURL:
        return False
    return port is None or 0 < port < 2**16


def remote_endpoint(url: str, model: str | None, key: str = "") -> Endpoint:
    """Ask an OpenAI-compatible server that runs already which model it serves.

    Args:
        url: with or without the trailing ``/v1``.
        model: the model to use; ``None`` takes the only or first one.
        key: for servers that want one.

    Raises:
        BadInputError: the URL is none, nothing there speaks the protocol, it refuses the key, or the model is not
            served there.
        ServerGoneError: nothing answers there.
    """
    base = url.rstrip("/").removesuffix("/v1")
    if not base.startswith(("http://", "https://")) or not _is_address(base):
        raise BadInputError(f"{url} is not the address of a model server.", hint="It looks like http://127.0.0.1:8000.")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        response = httpx.get(f"{base}/v1/models", headers=headers, timeout=10.0, trust_env=False)
    except (httpx.TransportError, httpx.InvalidURL) as error:
        raise ServerGoneError(
            f"Nothing answers at {url}.", hint="Start the model server there, or leave --llm-url out."
        ) from error
    if response.status_code in REFUSED:
        raise KeyRefusedError(f"{url} refuses the key.", hint=SAME_KEY)
    try:
        served = [str(row["id"]) for row in response.raise_for_status().json()["data"]]
    except (httpx.HTTPStatusError, ValueError, KeyError, TypeError) as error:
        raise BadInputError(
            f"What answers at {url} is not an OpenAI-compatible model server.", hint="Check the address."
        ) from error
    chosen = model or (served[0] if served else "")
    if chosen not in served:
        raise BadInputError(f"{url} does not serve {chosen or 'any model'}; it serves: {', '.join(served) or 'none'}.")
    return Endpoint(url=base, key=key, model=chosen)
