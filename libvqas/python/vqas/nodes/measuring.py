"""A whole measurement by two nodes."""
from __future__ import annotations

import asyncio
import dataclasses
import random
import secrets
from collections.abc import Iterable, Sequence
from typing import Optional

from .client import Hello, Node, connect
from .events import Measurement, RoundFailed, Sent, SessionEnded
from .trust import Address

DIRECTIONS = ("a-to-b", "b-to-a")
_MOST_OF_A_ROUND = 1000  # protocol.md


class LineLost(RuntimeError):
    """A node or the line went away; `measurements` holds what was measured until then."""

    def __init__(self, message: str, measurements: "list[Measurement]") -> None:
        super().__init__(message)
        self.measurements = measurements


def measure(node_a: Address, node_b: Address, stimuli: Iterable[str], *, repeats: int = 1,
            directions: Sequence[str] = DIRECTIONS, within_s: float = 15.0) -> "list[Measurement]":
    """Sends stimuli over a line and gives one Measurement for each transmission, with `direction`, in the order sent.

    node_a, node_b
        The two ends, as connect() takes them.
    stimuli
        Names of the nodes' corpus.
    repeats
        How often each is sent in each direction; with the stimuli at most 1000 transmissions a direction.
    within_s
        How long a receiver waits for each, 1..600 s.

    One direction after the other. `delay_ms` is known where both ends have one clock. What was not received has an outcome
    and a reason. How many are needed for a precision: vqas.sampling; a run with a journal and a report: the command
    `vqas measure`. Raises ValueError for wrong arguments, LineLost where a node or the line goes away, and as connect()
    and NodeError. Blocks; from asyncio use measure_async()."""
    return asyncio.run(measure_async(node_a, node_b, stimuli, repeats=repeats, directions=directions, within_s=within_s))


async def measure_async(node_a: Address, node_b: Address, stimuli: Iterable[str], *, repeats: int = 1,
                        directions: Sequence[str] = DIRECTIONS, within_s: float = 15.0) -> "list[Measurement]":
    """As measure()."""
    names = list(dict.fromkeys(stimuli))
    wanted = [name for _ in range(repeats) for name in names]
    if not wanted or len(wanted) > _MOST_OF_A_ROUND:
        raise ValueError(f"{len(names)} stimuli, {repeats} times each: give 1 to {_MOST_OF_A_ROUND} transmissions")
    for direction in directions:
        if direction not in DIRECTIONS:
            raise ValueError(f"there is no direction {direction!r}; give {' or '.join(DIRECTIONS)}")
    async with connect(node_a) as a, connect(node_b) as b:
        hellos = await asyncio.gather(a.hello(), b.hello())
        if [one.end for one in hellos] != ["a", "b"]:
            raise ValueError(f"the nodes are ends {hellos[0].end} and {hellos[1].end}; give end a, then end b")
        if hellos[0].corpus_digest != hellos[1].corpus_digest:
            raise ValueError("the nodes have different stimuli; give both the same --corpus")
        session, run_id = f"python-{secrets.token_hex(8)}", random.SystemRandom().randrange(1, 2**24)
        opened = [await node.open_session(names, session=session, run_id=run_id) for node in (a, b)]
        first = 1 + max(one.last_round for one in opened)
        measured: "list[Measurement]" = []
        for number, direction in enumerate(directions, first):
            sender, receiver = (a, b) if direction == "a-to-b" else (b, a)
            one = _Direction(direction, _one_clock(*hellos))
            fault = await one.run(sender, receiver, number, list(enumerate(wanted, 1)), within_s)
            measured += one.settled()
            if fault:
                raise LineLost(fault, measured)
        for node in (a, b):
            await node.close_session()
    return measured


def _one_clock(a: Hello, b: Hello) -> bool:
    return bool(a.line.get("virtual_time") and b.line.get("virtual_time") and a.line.get("clock") == b.line.get("clock"))


class _Direction:
    """The transmissions of one direction, joined by their sequence."""

    def __init__(self, name: str, one_clock: bool) -> None:
        self._name, self._one_clock = name, one_clock
        self._measured: "dict[int, Measurement]" = {}
        self._left_at_ns: "dict[int, int]" = {}
        self._sent_to_the_end = False

    async def run(self, sender: Node, receiver: Node, number: int, wanted: "list[tuple[int, str]]",
                  within_s: float) -> Optional[str]:
        """One round; gives why it ended early. The receiver is asked first, so that it listens when the sender begins."""
        await receiver.run_round(number, expect=[(name, sequence, within_s) for sequence, name in wanted])
        await sender.run_round(number, send=[(name, sequence) for sequence, name in wanted])
        sending = asyncio.ensure_future(self._follow(sender, number))
        receiving = asyncio.ensure_future(self._follow(receiver, number))
        pending: "set[asyncio.Future[Optional[str]]]" = {sending, receiving}
        fault = None
        while pending and fault is None:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            fault = next((one.result() for one in done if one.result()), None)
        for one in pending:  # would wait for what the other end does not do any more
            one.cancel()
        self._sent_to_the_end = sending not in pending and sending.result() is None
        return fault

    async def _follow(self, node: Node, number: int) -> Optional[str]:
        try:
            async for event in node.events_of_round(number):
                if isinstance(event, Measurement):
                    self._measured[event.sequence] = event
                elif isinstance(event, Sent):
                    self._left_at_ns[event.sequence] = event.left_at_ns
                elif isinstance(event, (RoundFailed, SessionEnded)):
                    return f"{event.code}: {event.message}"
        except ConnectionError as fault:
            return str(fault)
        return None

    def settled(self) -> "list[Measurement]":
        """The measurements with direction and delay, by sequence."""
        return [self._settled(self._measured[sequence]) for sequence in sorted(self._measured)]

    def _settled(self, one: Measurement) -> Measurement:
        # Without its trailing mark it may not have been sent to its end, which protocol-notifications.md does not count.
        if one.marks_found in ("leading_only", "none") and not self._sent_to_the_end and one.sequence >= max(
                self._left_at_ns, default=0):
            one = dataclasses.replace(one, outcome="line_lost", mos_lqo=None, auditory_distance=None, findings=None,
                                      reason="its sender did not tell that it was sent to its end")
        left_at_ns = self._left_at_ns.get(one.sequence)
        if self._one_clock and one.arrived_at_ns is not None and left_at_ns is not None and not one.number_guessed:
            delay_ms = round((one.arrived_at_ns - left_at_ns) * 1e-6, 3)
            return dataclasses.replace(one, direction=self._name, delay_ms=delay_ms, delay_basis="virtual_time")
        return dataclasses.replace(one, direction=self._name)
