"""A client of a node's control socket for asyncio: JSON-RPC 2.0 over a WebSocket, protocol.md."""
from __future__ import annotations

import asyncio
import base64
import contextlib
import importlib.metadata
import itertools
import json
import random
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from .events import Event, Measurement, RoundDone, RoundFailed, Sent, SessionEnded, event_of, known_members, measurement_of
from .trust import Address, context_of, place_of

PROTOCOL = 3
_LARGEST_MESSAGE = 64 * 2**20  # a recording of ten minutes as base64


class NodeError(RuntimeError):
    """A node refused a request; `code` is one of protocol.md, or 0 where this client cannot speak to the node."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{message} ({code})" if code else message)
        self.code = code


@dataclass(frozen=True)
class Hello:
    """What a node is."""

    protocol: int
    software_version: str
    score_version: str
    end: str  #: "a" or "b"
    corpus_digest: str
    stimuli: "list[str]"
    line: "dict[str, Any]"
    held_by: Optional[str] = None
    last_round: int = 0
    takes_turns: bool = False


@dataclass(frozen=True)
class Session:
    """What is known of an opened session."""

    last_round: int  #: of the node, also of earlier sessions; the next round has a higher number
    last_sent: int
    last_measured: int
    resumed: bool
    lease_s: float


@dataclass(frozen=True)
class RoundState:
    number: int
    state: str  #: "none", "running", "done", "failed" or "abandoned"
    code: Optional[str] = None
    message: Optional[str] = None


@dataclass(frozen=True)
class Progress:
    """What a session has so far."""

    measurements: "tuple[Measurement, ...]"
    sent: "tuple[Sent, ...]"
    round: RoundState
    scoring: int  #: heard, and not in `measurements` yet
    line_time_ns: int


class Node:
    """A connection to one node. Use connect(). For one event loop."""

    def __init__(self, connection: Any, timeout_s: float) -> None:
        self._connection = connection
        self._timeout_s = timeout_s
        self._numbers = itertools.count(1)
        self._waiting: "dict[int, asyncio.Future[Any]]" = {}
        self._events: "asyncio.Queue[Union[Event, BaseException]]" = asyncio.Queue()
        self._broken: Optional[BaseException] = None
        self._reader = asyncio.ensure_future(self._read())

    async def request(self, method: str, params: "Optional[Mapping[str, Any]]" = None) -> Any:
        """Any method of protocol.md, and its result. Raises NodeError with the node's message, ConnectionError where the
        connection has ended, TimeoutError without an answer."""
        if self._broken:
            raise self._broken
        number = next(self._numbers)
        answer: "asyncio.Future[Any]" = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": dict(params or {})}
        try:
            with _as_connection_error():
                await self._connection.send(json.dumps(message))
            return await asyncio.wait_for(answer, self._timeout_s)
        except asyncio.TimeoutError:
            raise TimeoutError(f"the node did not answer {method} within {self._timeout_s:g} s") from None
        finally:
            self._waiting.pop(number, None)

    async def hello(self) -> Hello:
        """What the node is. Raises NodeError where it speaks another version of the protocol."""
        told = known_members(Hello, await self.request("node.hello"))
        if told.protocol != PROTOCOL:
            raise NodeError(0, f"the node speaks version {told.protocol} of the protocol, this client {PROTOCOL}: install "
                               "the same version of VQAS at both")
        return told

    async def status(self) -> "dict[str, Any]":
        """The members of `node.status`."""
        return dict(await self.request("node.status"))

    async def open_session(self, stimuli: Sequence[str], *, holder: str = "python", session: Optional[str] = None,
                           run_id: Optional[int] = None, guard_s: Optional[float] = None, key: Optional[str] = None,
                           lease_s: Optional[float] = None, resume: bool = False) -> Session:
        """Takes the node. The same `session` and `run_id` belong to both nodes; without them they are random, so give
        them. With a `key` the session outlives the connection."""
        params = {"protocol": PROTOCOL, "holder": holder, "stimuli": list(stimuli),
                  "session": session or f"python-{secrets.token_hex(8)}",
                  "run_id": random.SystemRandom().randrange(1, 2**24) if run_id is None else run_id}
        chosen = {"guard_s": guard_s, "key": key, "lease_s": lease_s, "resume": resume or None}
        params.update({name: value for name, value in chosen.items() if value is not None})
        return known_members(Session, await self.request("session.open", params))

    async def run_round(self, number: int, *, send: "Iterable[tuple[str, int]]" = (),
                        expect: "Iterable[tuple[str, int, float]]" = (), in_turn: bool = False) -> None:
        """Requests a round: `send` is of stimulus and sequence, `expect` of stimulus, sequence and seconds to wait."""
        params: "dict[str, Any]" = {
            "number": number,
            "send": [{"stimulus": name, "sequence": sequence} for name, sequence in send],
            "expect": [{"stimulus": name, "sequence": sequence, "within_s": within_s}
                       for name, sequence, within_s in expect]}
        if in_turn:
            params["in_turn"] = True
        await self.request("round.run", params)

    async def cancel_round(self) -> int:
        """Ends what is being sent; gives the last sequence that began, 0 for none."""
        return int((await self.request("round.cancel"))["last_sent"])

    async def listen_until(self, sequence: int) -> None:
        """Stops waiting for what is expected after this sequence."""
        await self.request("round.listen_until", {"sequence": sequence})

    async def abandon_round(self) -> int:
        """Drops the round at once; gives the session's time on the line, ns."""
        return int((await self.request("round.abandon"))["line_time_ns"])

    async def recording(self, name: str) -> bytes:
        """The FLAC file of a measurement."""
        return base64.b64decode((await self.request("recording.get", {"name": name}))["base64"])

    async def tell_operator(self, message: str, *, waits: bool = True) -> None:
        """Shows a message at the node's end; an empty one takes it back."""
        await self.request("operator.tell", {"message": message, "waits": waits})

    async def results(self, after: Optional[int] = None) -> Progress:
        """What the session has measured and sent, after a sequence."""
        told = await self.request("results.list", {} if after is None else {"after": after})
        return Progress(tuple(measurement_of(one) for one in told["measurements"]),
                        tuple(known_members(Sent, one) for one in told["sent"]),
                        known_members(RoundState, told["round"]), told["scoring"], told["line_time_ns"])

    async def close_session(self) -> None:
        """Gives the node back."""
        await self.request("session.close")

    async def events(self) -> AsyncIterator[Event]:
        """What the node tells, in order, from the connection's beginning; an event is given once. Raises ConnectionError
        when the connection ends."""
        while True:
            event = await self._events.get()
            if isinstance(event, BaseException):
                self._events.put_nowait(event)  # the next iterator ends, too
                raise event
            yield event

    async def events_of_round(self, number: int) -> AsyncIterator[Event]:
        """events() up to the end of this round: the last is its RoundDone, or a RoundFailed, or SessionEnded."""
        async for event in self.events():
            yield event
            if isinstance(event, (RoundFailed, SessionEnded)) or isinstance(event, RoundDone) and event.number == number:
                return

    async def close(self) -> None:
        """Ends the connection; a session without a key ends with it."""
        await self._connection.close()
        await self._reader

    async def _read(self) -> None:
        why: BaseException = ConnectionError("the connection to the node was closed")
        try:
            with _as_connection_error():
                async for text in self._connection:
                    self._take(json.loads(text))
        except Exception as fault:  # a connection that breaks, or text that is no message
            why = fault
        self._broken = why
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(why)
        self._events.put_nowait(why)

    def _take(self, message: "dict[str, Any]") -> None:
        if "method" in message:
            event = event_of(message["method"], message.get("params") or {})
            if event is not None:
                self._events.put_nowait(event)
            return
        answer = self._waiting.get(message.get("id") or 0)
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(NodeError(message["error"]["code"], message["error"]["message"]))
        else:
            answer.set_result(message["result"])


@contextlib.contextmanager
def _as_connection_error() -> Iterator[None]:
    from websockets.exceptions import ConnectionClosed
    try:
        yield
    except ConnectionClosed as fault:
        closed = fault.rcvd or fault.sent
        said = closed.reason if closed and closed.reason else "without a reason"
        raise ConnectionError(f"the connection to the node ended: {said}") from fault


@contextlib.asynccontextmanager
async def connect(address: Address, *, timeout_s: float = 30.0) -> AsyncIterator[Node]:
    """Connects to a node, and gives it as an asynchronous context: `async with connect("ws://127.0.0.1:7811") as node`.

    `address` is "ws://HOST:PORT" on loopback, else a Pairing or the name of a pairing file: then the node's certificate is
    checked, and its token given. `timeout_s` is for the connection and for each answer. Raises UnknownNode where the
    certificate is another one, NodeError where the token is wrong, OSError where nothing answers, ImportError without the
    package websockets."""
    try:
        import websockets
    except ImportError:
        raise ImportError("the client of nodes needs the package websockets: pip install 'vqas[nodes]'") from None
    url, pairing = place_of(address)
    options: "dict[str, Any]" = {"max_size": _LARGEST_MESSAGE, "open_timeout": timeout_s, "compression": None}
    if pairing is not None:
        options["ssl"] = context_of(pairing)
    if int(importlib.metadata.version("websockets").split(".")[0]) >= 15:
        options["proxy"] = None  # it would take that of the environment
    async with websockets.connect(url, **options) as connection:
        node = Node(connection, timeout_s)
        try:
            if pairing is not None:
                await node.request("auth.token", {"token": pairing.token})
            yield node
        finally:
            await node.close()
