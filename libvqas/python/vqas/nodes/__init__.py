"""Nodes: a client of their control socket, and two nodes on a simulated line.

    with vqas.two_nodes(ber=1e-4, seed=7) as line:
        for one in vqas.nodes.measure(line.a, line.b, ["M6", "F4"]):
            print(one.direction, one.stimulus, one.mos_lqo)

`connect()` is the client of asyncio for everything that protocol.md has; `measure()` does a whole measurement by it, and
blocks. The client needs the package websockets (`pip install vqas[nodes]`), a simulated line needs the command `vqas`."""
from .client import Hello, Node, NodeError, Progress, RoundState, Session, connect
from .events import (Event, Findings, FoundImpairment, Heard, LineWarning, Measurement, Played, RoundDone, RoundFailed, Sent,
                     SessionEnded, Silence)
from .line import CommandMissing, LineStartError, TwoNodes, find_command, two_nodes
from .measuring import LineLost, measure, measure_async
from .trust import Pairing, PairingError, UnknownNode

__all__ = ["CommandMissing", "Event", "Findings", "FoundImpairment", "Heard", "Hello", "LineLost", "LineStartError",
           "LineWarning", "Measurement", "Node", "NodeError", "Pairing", "PairingError", "Played", "Progress", "RoundDone",
           "RoundFailed", "RoundState", "Sent", "Session", "SessionEnded", "Silence", "TwoNodes", "UnknownNode", "connect",
           "find_command", "measure", "measure_async", "two_nodes"]
