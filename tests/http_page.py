"""The page as a browser's script holds it, over plain HTTP: for many at once, and for what no browser would send."""

from __future__ import annotations

import copy
import json
import secrets
from typing import Any

import httpx


class PageError(Exception):
    """The server refused an event, or broke on it."""


class HttpPage:
    """One open page with its own values; not for use by several tasks at once.

    Args:
        http: with the page's address as its base, and the cookies of whoever uses it.

    """

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._hash = secrets.token_hex(6)
        self._props: dict[int, dict[str, Any]] = {}
        self._ids: dict[str, int] = {}
        self._events: list[dict[str, Any]] = []

    async def be_there(self) -> None:
        """Be open until this is cancelled, as a browser's page is; Gradio notes that it is closed when this ends."""
        async with self._http.stream("GET", f"/gradio_api/heartbeat/{self._hash}", timeout=None) as told:
            told.raise_for_status()
            async for _ in told.aiter_bytes():
                pass

    async def open(self, session: str = "") -> None:
        """Load the page at an interview's address; without one, the page on which one is begun."""
        config = (await self._http.get("/config")).raise_for_status().json()
        self._props = {each["id"]: dict(each["props"]) for each in config["components"]}
        self._ids = {props["elem_id"]: number for number, props in self._props.items() if props.get("elem_id")}
        self._events = [event for event in config["dependencies"] if event["backend_fn"]]
        (load,) = (event for event in self._events if event["targets"][0][1] == "load")
        await self._send(load, 0, [session])

    def value(self, name: str) -> Any:
        """What an element shows."""
        return self._props[self._ids[name]].get("value")

    def choices(self, name: str) -> list[Any]:
        """What can be chosen in an element."""
        return list(self._props[self._ids[name]]["choices"])

    def everything(self) -> list[dict[str, Any]]:
        """All that the server told."""
        return list(self._props.values())

    def is_shown(self, name: str) -> bool:
        """Whether an element is shown."""
        return self._props[self._ids[name]].get("visible") is True

    def is_usable(self, name: str) -> bool:
        """Whether an element can be used."""
        return self._props[self._ids[name]].get("interactive") is not False

    def put(self, name: str, value: Any) -> None:
        """Fill an element in, as a person does."""
        self._props[self._ids[name]]["value"] = value

    async def click(self, name: str) -> None:
        """Press a button and wait for what comes of it, changes of other elements included."""
        await self._happen(self._ids[name], "click")

    async def poll(self) -> None:
        """Ask whether anything changed, as an open interview does every second, and take over what did."""
        asked = {name: self.value(name) for name in ("session", "seen")}
        told = (await self._http.get("/changed", params=asked)).raise_for_status().json()
        self.put("trouble", told["trouble"])
        if told["changed"]:
            self.put("fresh", f"{asked['seen']}:{secrets.token_hex(4)}")
            await self._happen(self._ids["fresh"], "change")

    async def poll_warm_up(self) -> None:
        """Ask how far the models are."""
        (event,) = (each for each in self._events if each["targets"][0][1] == "tick")
        await self._send(event, event["targets"][0][0])

    async def _happen(self, component: int, what: str) -> None:
        for event in self._events:
            if [component, what] in [list(target) for target in event["targets"]]:
                await self._send(event, component)

    async def _send(self, event: dict[str, Any], trigger: int, data: list[Any] | None = None) -> None:
        """Send an event and take over what it answers; then whatever listens to a change of that."""
        given = data if data is not None else [self._props[number].get("value") for number in event["inputs"]]
        body = {"data": given, "fn_index": event["id"], "trigger_id": trigger, "session_hash": self._hash}
        joined = await self._http.post("/gradio_api/queue/join", json=body)
        if not joined.is_success:
            raise PageError(f"HTTP {joined.status_code}: {joined.text[:200]}")
        changed: dict[int, None] = {}
        for answered in await self._results(joined.json()["event_id"]):
            told = zip(event["outputs"], answered, strict=True)
            changed |= dict.fromkeys(number for number, value in told if self._take(number, value))
        for number in changed:
            await self._happen(number, "change")

    async def _results(self, event_id: str) -> list[list[Any]]:
        """What an event answers, step by step; of most there is one step."""
        found: list[list[Any]] = []
        path = f"/gradio_api/queue/data?session_hash={self._hash}"
        async with self._http.stream("GET", path) as stream:
            async for line in stream.aiter_lines():
                if not line.startswith("data: "):
                    continue
                message = json.loads(line.removeprefix("data: "))
                if message["msg"] == "unexpected_error":
                    raise PageError(str(message.get("message")))
                if message.get("event_id") != event_id:
                    continue
                if message["msg"] == "process_generating" and message["success"]:
                    data = message["output"]["data"]
                    # After the first step only what changed is told.
                    found.append(list(map(_edited, found[-1], data)) if found else data)
                if message["msg"] == "process_completed":
                    if not message["success"]:
                        raise PageError(str(message["output"].get("error")))
                    found.append(message["output"]["data"])
                    return found
        raise PageError("The stream ended without a result.")

    def _take(self, number: int, told: Any) -> bool:
        """Take a new value over; whether it is another one. What the page draws by itself has no place here."""
        if number not in self._props:
            return False
        new = told if isinstance(told, dict) and told.get("__type__") == "update" else {"value": told}
        new = {name: value for name, value in new.items() if name != "__type__"}
        before = self._props[number].get("value")
        self._props[number] |= new
        return "value" in new and new["value"] != before


def _edited(before: Any, edits: list[Any]) -> Any:
    """A value after the edits that Gradio tells (``gradio.utils.diff``)."""
    whole = {"value": copy.deepcopy(before)}
    for what, path, new in edits:
        *way, last = ["value", *path]
        holder: Any = whole
        for step in way:
            holder = holder[step]
        if what == "append":
            holder[last] += new
        elif what == "delete":
            del holder[last]
        elif what == "add" and isinstance(holder, list):
            holder.insert(last, new)
        else:
            holder[last] = new
    return whole["value"]
