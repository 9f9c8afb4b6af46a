"""Packet calls from one baresip to another, on 127.0.0.1, with a relay in between that loses and delays packets.

The caller plays a file. The called one plays what it receives into a loop (aubridge), which it records as it sends it back:
that is what a loudspeaker would have played. It also records what left its decoder. The relay stands in for the called
one's address, and puts its own port into the answer, so the caller's speech goes through it.
Needs the Debian package baresip-core. Runs in real time.
"""

import heapq
import re
import select
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from typing import Callable

import numpy as np
import soundfile as sf

from call_plan import CallCondition
from packets import Network
from speech_level import RATE

HOST, FIRST_PORT, PORTS = "127.0.0.1", 21000, 40
BEFORE, AFTER = 0.4, 1.5  # seconds of silence around the speech
CODECS = {"pcmu": "PCMU/8000/1", "pcma": "PCMA/8000/1", "gsm": "GSM/8000/1", "g722": "G722/16000/1", "l16wb": "L16/16000/1"}


@dataclass(frozen=True)
class Receiver:
    frames: str = "5-10"  # kept back by the jitter buffer, least and most
    audio_ms: str = "20-160"  # of the buffer between decoder and loudspeaker
    conceal: bool = True
    decoded: bool = False  # the recording is what left the decoder, not what was played


def conditions(rate):
    a, b, c = ("pcmu", "pcma", "gsm") if rate == 8000 else ("g722", "l16wb", "g722")
    short, usual, long = Receiver("1-4", "20-80"), Receiver(), Receiver("8-20", "40-320")
    out = []

    def add(family, name, codec, net, receiver):
        out.append(CallCondition("baresip_" + family, f"baresip_{family}_{name}_{codec}", lambda r: (codec, net, receiver)))

    add("short", "jitter", a, Network(0.002, 1, 10, 1), short)
    add("short", "spikes", b, Network(0.005, 1, 5, 1, 0.25, 160), short)
    add("usual", "loss", a, Network(0.02, 1.3, 6), usual)
    add("usual", "spikes", b, Network(0.005, 1, 8, 1, 0.3, 200), usual)
    add("usual", "route", a, Network(0.003, 1, 5, route_ms=90), usual)
    add("long", "loss", c, Network(0.04, 2, 12), long)
    add("long", "spikes", a, Network(0.01, 1.5, 10, 1, 0.4, 300), long)
    add("decoded", "loss", a, Network(0.02, 1.3, 6), Receiver(conceal=False, decoded=True))
    add("decoded", "concealed", b, Network(0.03, 1.5, 6), Receiver(decoded=True))
    return out


@dataclass
class Call:
    codec: str
    receiver: Receiver
    speech: np.ndarray
    deliver: Callable  # sent_ms -> arrived_ms, infinity where lost
    samples: np.ndarray = None
    sequences: list = None
    sent_ms: np.ndarray = None
    arrived_ms: np.ndarray = None


def _phone(folder, name, port, call, source):
    """A running baresip is configured here; its recordings are written below `folder`."""
    folder.mkdir(parents=True)
    (folder / "contacts").write_text("")
    (folder / "accounts").write_text(f"<sip:{name}@{HOST}:{port}>;regint=0;audio_codecs={CODECS[call.codec]};answermode=auto\n")
    modules = ["g711", "gsm", "g722", "l16"] + ["plc"] * (call.receiver.conceal and name == "b") + ["sndfile", "aufile", "aubridge"]
    (folder / "config").write_text(
        f"poll_method epoll\nsip_listen {HOST}:{port}\nnet_interface {HOST}\nrtp_ports {port + 2}-{port + 12}\naudio_source {source}\n"
        f"audio_player aubridge,{name}\naudio_alert aubridge,{name}\nausrc_srate {RATE}\nauplay_srate {RATE}\nausrc_channels 1\n"
        "auplay_channels 1\nausrc_format s16\nauplay_format s16\nauenc_format s16\naudec_format s16\naudio_txmode thread\naudio_level no\n"
        f"audio_buffer {call.receiver.audio_ms}\njitter_buffer_delay {call.receiver.frames}\nmodule_path /usr/lib/baresip/modules\n"
        + "".join(f"module {m}.so\n" for m in modules) + f"module_tmp account.so\nmodule_app menu.so\nsnd_path {folder}\n")


def _started(folder, *dial):
    with open(folder / "output", "w") as log:
        return subprocess.Popen(["baresip", "-f", str(folder), *dial], stdin=subprocess.DEVNULL, stdout=log, stderr=log)


class _Relay:
    """Two sockets of one call: signalling, and the caller's speech."""

    def __init__(self, call, port):
        self.call, self.caller, self.called, self.media = call, port, port + 14, None
        self.signal, self.speech = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        self.signal.bind((HOST, port + 28))
        self.speech.bind((HOST, port + 30))
        self.times, self.sequences, self.delay = [], [], None

    def signalling(self):
        data, source = self.signal.recvfrom(65536)
        if source[1] == self.caller:
            self.signal.sendto(data, (HOST, self.called))
            return
        answer = re.search(rb"m=audio (\d{5}) ", data)
        if answer:
            self.media = int(answer[1])
            data = data.replace(answer[0], b"m=audio %d " % self.speech.getsockname()[1])
        self.signal.sendto(data, (HOST, self.caller))

    def packet(self, now):
        """(when, data) of a packet that is to be delivered, or None for one that is lost."""
        data = self.speech.recv(65536)
        if len(data) < 12 or self.media is None:
            return None
        if self.delay is None:
            sent = np.arange(int(50 * (len(self.call.speech) / RATE + BEFORE))) * 20.0
            delay = self.call.deliver(sent) - sent
            self.delay = np.r_[delay, np.full(3000, delay[np.isfinite(delay)][-1])]
        delay = self.delay[len(self.times)]
        self.times.append(now * 1000)
        self.sequences.append(int.from_bytes(data[2:4], "big"))
        return (now + delay / 1000, data) if np.isfinite(delay) else None

    def close(self):
        n = len(self.times)
        if n:
            self.call.sequences, self.call.sent_ms = self.sequences, np.array(self.times) - self.times[0]
            self.call.arrived_ms = self.call.sent_ms + self.delay[:n]
        self.signal.close()
        self.speech.close()


def _relayed(relays, seconds):
    """Carries the calls for so many seconds."""
    poll, by_socket, waiting, count = select.epoll(), {}, [], 0
    for r in relays:
        for s, what in ((r.signal, "signal"), (r.speech, "speech")):
            poll.register(s, select.EPOLLIN)
            by_socket[s.fileno()] = r, what
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        while waiting and waiting[0][0] <= now:
            _, _, r, data = heapq.heappop(waiting)
            r.speech.sendto(data, (HOST, r.media))
        for fd, _ in poll.poll(min(end - now, max(0.0, waiting[0][0] - now) if waiting else 0.1)):
            r, what = by_socket[fd]
            if what == "signal":
                r.signalling()
            elif (due := r.packet(time.monotonic())) is not None:
                count += 1
                heapq.heappush(waiting, (due[0], count, r, due[1]))
    poll.close()


def _ended(phones):
    for p in phones:
        p.terminate()
    for p in phones:
        try:
            p.wait(5)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()


def run(calls, folder):
    """Makes all calls at the same time; a call without a recording keeps `samples` None. `folder` is emptied: its path has
    to be short, because baresip cuts names of recordings at 127 letters."""
    shutil.rmtree(folder, ignore_errors=True)
    relays, called, callers = [], [], []
    for i, call in enumerate(calls):
        port, home = FIRST_PORT + i * PORTS, folder / str(i)
        _phone(home / "b", "b", port + 14, call, "aubridge,b")
        quiet = [np.zeros(int(s * RATE), np.int16) for s in (BEFORE, AFTER)]
        _phone(home / "a", "a", port, call, f"aufile,{home}/speech.wav")
        sf.write(home / "speech.wav", np.r_[quiet[0], call.speech, quiet[1]], RATE, subtype="PCM_16")
        relays.append(_Relay(call, port))
        called.append(_started(home / "b"))
    time.sleep(1 + 0.05 * len(calls))
    for i, r in enumerate(relays):
        callers.append(_started(folder / str(i) / "a", "-e", f"/dial sip:b@{HOST}:{r.caller + 28}"))
    longest = max(len(c.speech) for c in calls) / RATE
    _relayed(relays, longest + BEFORE + AFTER + 2 + 0.05 * len(calls))
    _ended(callers)
    time.sleep(0.5)
    _ended(called)
    for i, (call, r) in enumerate(zip(calls, relays)):
        r.close()
        ending = "dec.wav" if call.receiver.decoded else "enc.wav"
        recording = next((folder / str(i) / "b").glob(f"*{ending}"), None)
        if recording and call.sequences:
            call.samples = sf.read(recording, dtype="int16")[0]
