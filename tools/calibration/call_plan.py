"""The conditions of the packet calls made by other programs: codec, network and receiver of each.

Families of GStreamer, by what its receiver does with a packet that is not there in time:
  gst_fixed     a jitter buffer long enough for the jitter: only what the network lost is missing, and is concealed
  gst_late      a jitter buffer too short for the jitter and the delay spikes, or one that drops when it is overfull
  gst_silent    nothing is concealed: silence is played
  gst_left_out  what was decoded is written one packet after the other: the lost speech is left out
  gst_route     the route changes within the call, and the jitter buffer follows
  gst_wild      everything is drawn anew for every file
Families of baresip: baresip_short (1 to 2 packets are kept back), baresip_usual (5 to 10), baresip_long (10 to 20).
"""

from dataclasses import dataclass, replace
from typing import Callable

from gst_calls import Receiver
from packets import Network


@dataclass(frozen=True)
class CallCondition:
    family: str
    name: str
    draw: Callable  # of a random generator: (codec, Network, what receives)


def _wild(codecs):
    def draw(rng):
        net = Network(loss=max(0, rng.uniform(-0.03, 0.1)), burst=rng.uniform(1, 3), jitter_ms=rng.gamma(1.5, 6), shape=rng.uniform(0.6, 3),
                      spikes=max(0, rng.uniform(-0.3, 0.5)), spike_ms=rng.uniform(60, 300), route_ms=[0, 0, 0, 30, -25, 80][rng.integers(6)])
        conceal = bool(rng.random() < 0.7)
        receiver = Receiver(int(rng.integers(10, 160)), ["slave", "slave", "slave", "buffer"][rng.integers(4)], conceal or bool(rng.random() < 0.5),
                            conceal, bool(rng.random() < 0.3), ["mixer", "mixer", "mixer", "rate", "plain"][rng.integers(5)])
        if receiver.mode == "buffer" and receiver.playout == "mixer":  # its time stamps are too old for the live mixer: silence
            receiver = replace(receiver, playout="rate")
        return codecs[rng.integers(len(codecs))], net, receiver
    return draw


def gstreamer(rate):
    """All conditions with GStreamer at this rate."""
    narrow = rate == 8000
    a, b, c = ("pcmu", "pcma", "opus12") if narrow else ("g722", "l16wb", "opus24wb")
    fec, old = ("opus16fec", "gsm") if narrow else ("opus32fecwb", "g722")
    out = []

    def add(family, name, codec, net, receiver):
        out.append(CallCondition("gst_" + family, f"gst_{family}_{name}_{codec}", lambda r: (codec, net, receiver)))

    for codec, loss, burst in ((a, 0.01, 1), (b, 0.03, 1.5), (a, 0.08, 2), (c, 0.03, 1.5), (fec, 0.08, 1.3), (old, 0.03, 1)):
        add("fixed", f"loss{loss}", codec, Network(loss, burst, 6), Receiver(150))
    add("fixed", "jitter", b, Network(0, 1, 15, 1.5), Receiver(200))
    add("late", "jitter", a, Network(0, 1, 14, 1), Receiver(15))
    add("late", "spikes", b, Network(0.002, 1, 6, 1, 0.4, 180), Receiver(30))
    add("late", "spikes_silent", a, Network(0, 1, 6, 1, 0.3, 150), Receiver(20, conceal=False))
    add("late", "jitter", c, Network(0.005, 1, 16, 1), Receiver(20))
    add("late", "drop", a, Network(0, 1, 20, 1), Receiver(40, drop=True))
    add("late", "drop_spikes", b, Network(0, 1, 10, 1, 0.5, 250), Receiver(60, drop=True))
    for codec, loss, burst in ((a, 0.02, 1), (b, 0.06, 3), (old, 0.04, 1.5)):
        add("silent", f"loss{loss}_{burst}", codec, Network(loss, burst, 5), Receiver(120, do_lost=False, conceal=False))
    left = Receiver(120, do_lost=False, conceal=False, playout="plain")
    for codec, loss, burst in ((a, 0.004, 1), (b, 0.015, 1.5), (c, 0.03, 2)):
        add("left_out", f"loss{loss}", codec, Network(loss, burst, 5), left)
    add("left_out", "late", a, Network(0, 1, 14, 0.8), Receiver(25, do_lost=False, conceal=False, playout="plain"))
    add("route", "up80", a, Network(0.003, 1, 5, route_ms=80), Receiver(150, playout="rate"))
    add("route", "down60", b, Network(0.003, 1, 5, route_ms=-60, base_ms=110.0), Receiver(120))
    add("route", "up150", c, Network(0.003, 1, 5, route_ms=150), Receiver(120))
    add("route", "up120_buffer", a, Network(0, 1, 8, route_ms=120), Receiver(150, "buffer", playout="rate"))
    for i in range(5):
        out.append(CallCondition("gst_wild", f"gst_wild{i}", _wild([a, b, c, fec, old, a])))
    return out
