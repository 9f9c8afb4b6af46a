"""Packet calls by GStreamer's RTP elements: payloaders, jitter buffer, decoders, concealment and live mixer.

The packets of a call are made at once. The receiving pipelines run in real time, many side by side: a packet is handed to
its pipeline when the network delivers it, and the jitter buffer and the mixer miss what comes too late.
Needs the Debian packages python3-gi, gir1.2-gstreamer-1.0, gir1.2-gst-plugins-base-1.0 and gstreamer1.0-plugins-{base,good,bad};
gstreamer1.0-libav for G.722.
"""

import sys
import time
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

sys.path.append("/usr/lib/python3/dist-packages")  # where Debian keeps gi; last, so that an environment's own numpy counts
import gi  # noqa: E402

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401

Gst.init(None)
MS = Gst.MSECOND
PTIME = "min-ptime=20000000 max-ptime=20000000"


@dataclass(frozen=True)
class Codec:
    encode: str  # encoder and payloader
    decode: str  # depayloader and decoder
    conceals: str = ""  # OPTIONS by which the decoder conceals lost frames; without them spanplc does
    rate: int = 8000


@dataclass(frozen=True)
class Receiver:
    """How a call is received. `playout` is mixer (a live mixer: silence for what is not there in time), rate (recorded
    by time stamps) or plain (what was decoded, one after the other)."""

    latency_ms: int = 100
    mode: str = "slave"
    do_lost: bool = True
    conceal: bool = True
    drop: bool = False
    playout: str = "mixer"


CODECS = {
    "pcmu": Codec(f"mulawenc ! rtppcmupay {PTIME}", "rtppcmudepay ! mulawdec"),
    "pcma": Codec(f"alawenc ! rtppcmapay {PTIME}", "rtppcmadepay ! alawdec"),
    "gsm": Codec("gsmenc ! rtpgsmpay", "rtpgsmdepay ! gsmdec"),
    "opus12": Codec("opusenc bitrate=12000 audio-type=voice ! rtpopuspay", "rtpopusdepay ! opusdec OPTIONS", "plc=true"),
    "opus16fec": Codec("opusenc bitrate=16000 audio-type=voice inband-fec=true packet-loss-percentage=15 ! rtpopuspay",
                       "rtpopusdepay ! opusdec use-inband-fec=true OPTIONS", "plc=true"),
    "l16wb": Codec(f"audioconvert ! audio/x-raw,format=S16BE ! rtpL16pay {PTIME}", "rtpL16depay ! audioconvert", rate=16000),
    "g722": Codec(f"avenc_g722 ! rtpg722pay {PTIME}", "rtpg722depay ! avdec_g722 ! audioconvert", rate=16000),
    "opus24wb": Codec("opusenc bitrate=24000 bandwidth=wideband audio-type=voice ! rtpopuspay", "rtpopusdepay ! opusdec OPTIONS", "plc=true", 16000),
    "opus32fecwb": Codec("opusenc bitrate=32000 bandwidth=wideband audio-type=voice inband-fec=true packet-loss-percentage=15 ! rtpopuspay",
                         "rtpopusdepay ! opusdec use-inband-fec=true OPTIONS", "plc=true", 16000),
}


@dataclass
class Call:
    """One call. `deliver` makes the arrival of each packet of when it was sent, in ms after the start of the recording,
    infinity where the network lost it."""

    codec: str
    receiver: Receiver
    speech: np.ndarray
    deliver: Callable
    sequences: list = None
    sent_ms: np.ndarray = None
    arrived_ms: np.ndarray = None
    given: dict = field(default_factory=dict)  # sequence number -> ms when the jitter buffer passed it on
    samples: np.ndarray = None


def _pulled(sink, take):
    """Hands every sample of an appsink to `take` until the end of the stream."""
    while True:
        sample = sink.emit("pull-sample")
        if sample is None:
            return
        take(sample)


def encoded(samples, codec):
    """(packets, sent_ms, caps) of int16 samples: each packet's bytes with its sequence number, and when it is sent."""
    c = CODECS[codec]
    raw = f"audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate={c.rate}"
    pipe = Gst.parse_launch(f"appsrc name=in format=time caps={raw} ! audioconvert ! {c.encode} ! appsink name=out sync=false")
    source, sink = pipe.get_by_name("in"), pipe.get_by_name("out")
    pipe.set_state(Gst.State.PLAYING)
    step = c.rate // 50
    for k in range(0, len(samples), step):
        b = Gst.Buffer.new_wrapped(samples[k : k + step].astype("<i2").tobytes())
        b.pts, b.duration = k * Gst.SECOND // c.rate, step * Gst.SECOND // c.rate
        source.emit("push-buffer", b)
    source.emit("end-of-stream")
    packets, sent, caps = [], [], []

    def take(sample):
        b = sample.get_buffer()
        data = b.extract_dup(0, b.get_size())
        packets.append((data, int.from_bytes(data[2:4], "big")))
        sent.append(b.pts / MS)
        caps.append(sample.get_caps())

    _pulled(sink, take)
    pipe.set_state(Gst.State.NULL)
    if not packets:
        raise SystemExit(f"GStreamer made no packets of {codec}")
    return packets, np.array(sent) - sent[0] + 20, caps[0]


def _description(call):
    c, r = CODECS[call.codec], call.receiver
    decode = c.decode.replace("OPTIONS", c.conceals if r.conceal else "")
    conceal = " ! spanplc name=plc" if r.conceal and not c.conceals else ""
    raw = f"audio/x-raw,format=S16LE,layout=interleaved,channels=1,rate={c.rate}"
    play = {"mixer": f" ! audiomixer latency=40000000 ! {raw}", "rate": " ! audiorate", "plain": ""}[r.playout]
    flags = f"latency={r.latency_ms} mode={r.mode} do-lost={str(r.do_lost).lower()} drop-on-latency={str(r.drop).lower()}"
    return (f"appsrc name=in is-live=true format=time ! rtpjitterbuffer name=jitter {flags} ! {decode} ! {raw}{conceal}{play}"
            " ! appsink name=out sync=false")


class _Running:
    """The receiving pipeline of one call."""

    def __init__(self, call, clock):
        self.call, self.parts, self.clock, self.start = call, [], clock, 0
        self.packets, call.sent_ms, caps = encoded(call.speech, call.codec)
        call.sequences = [q for _, q in self.packets]
        call.arrived_ms = call.deliver(call.sent_ms)
        self.pipe = Gst.parse_launch(_description(call))
        self.pipe.use_clock(clock)
        self.pipe.set_start_time(Gst.CLOCK_TIME_NONE)
        self.source = self.pipe.get_by_name("in")
        self.source.set_property("caps", caps)
        self.pipe.get_by_name("jitter").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self._given)
        self.heard = False
        if plc := self.pipe.get_by_name("plc"):
            plc.get_static_pad("sink").add_probe(Gst.PadProbeType.BUFFER | Gst.PadProbeType.EVENT_DOWNSTREAM, self._before_concealment)
        self.sink = self.pipe.get_by_name("out")
        self.sink.set_property("emit-signals", True)
        self.sink.connect("new-sample", self._sample)

    def begin(self, start):
        self.start = start
        self.pipe.set_base_time(start)
        self.pipe.set_state(Gst.State.PLAYING)

    def _given(self, pad, info):
        seq = int.from_bytes(info.get_buffer().extract_dup(2, 2), "big")
        self.call.given[seq] = (self.clock.get_time() - self.start) / MS
        return Gst.PadProbeReturn.OK

    def _before_concealment(self, pad, info):
        """spanplc crashes on a gap before the first sound, and on one of less than a sample."""
        if info.type & Gst.PadProbeType.BUFFER:
            self.heard = True
        elif info.get_event().type == Gst.EventType.GAP:
            _, length = info.get_event().parse_gap()
            if not self.heard or length < MS:
                return Gst.PadProbeReturn.DROP
        return Gst.PadProbeReturn.OK

    def _sample(self, sink):
        sample = sink.emit("pull-sample")
        if sample:
            b = sample.get_buffer()
            self.parts.append(b.extract_dup(0, b.get_size()))
        return Gst.FlowReturn.OK

    def push(self, k):
        b = Gst.Buffer.new_wrapped(self.packets[k][0])
        b.dts = b.pts = int(self.call.arrived_ms[k] * MS)
        self.source.emit("push-buffer", b)

    def finish(self):
        message = self.pipe.get_bus().timed_pop_filtered(5 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
        if message is None or message.type == Gst.MessageType.ERROR:
            print(f"{self.call.codec}: {message.parse_error() if message else 'the pipeline did not end'}", file=sys.stderr)
        self.pipe.set_state(Gst.State.NULL)
        self.call.samples = np.frombuffer(b"".join(self.parts), "<i2")


def run(calls):
    """Receives all calls at the same time, in real time; returns by how many ms the packet handed over latest was late."""
    clock = Gst.SystemClock.obtain()
    running = [_Running(c, clock) for c in calls]
    start = clock.get_time() + (500 + 20 * len(calls)) * MS
    events = []
    for i, r in enumerate(running):
        r.begin(start)
        arrived = r.call.arrived_ms
        events += [(arrived[k], i, k) for k in np.flatnonzero(np.isfinite(arrived))]
        events.append((arrived[np.isfinite(arrived)].max() + r.call.receiver.latency_ms + 200, i, -1))
    latest = 0.0
    for at, i, k in sorted(events):
        now = (clock.get_time() - start) / MS
        if at > now:
            time.sleep((at - now) / 1000)
        latest = max(latest, now - at)
        if k < 0:
            running[i].source.emit("end-of-stream")
        else:
            running[i].push(k)
    for r in running:
        r.finish()
    return latest
