"""The conditions: each has a family, a name and a function (int16 reference, generator) -> int16 degraded. What `after` does to
the degraded recording, the label does not hear: it must not cost a listener anything."""

from dataclasses import dataclass
from typing import Callable

import numpy as np

import degrade as dg
from codecs8k import G726, Concealer, all_codecs
from packets import Network, Playout, call
from speech_level import RATE


@dataclass
class Condition:
    family: str
    name: str
    run: Callable
    after: Callable | None = None


def analogue(f):
    """Wraps a function of floats as one of int16."""
    return lambda x, rng: dg.to_int16(f(x / 32768.0, rng))


def frame_loss(x, rng, rate, ms, fill, burst):
    """Losses of `ms` milliseconds in plain samples, filled with zeros, a fading repetition or concealment."""
    return call(x, Network(loss=rate, burst=burst), Playout(rule="fixed", buffer_ms=1e6, conceal=fill), rng, frame=ms * RATE // 1000)


def tandem(codecs, *names):
    def f(x, rng):
        for n in names:
            x = dg.to_int16(dg.g711(x / 32768, n, rng)) if n in ("mu", "a") else codecs[n].run(x)
        return x
    return f


def wild_combination(x, rng, codecs, babble):
    """Two or three simultaneous impairments, all parameters random."""
    y = x / 32768.0
    kinds = rng.permutation(["noise", "filter", "level", "codec", "ber", "loss", "clip", "echo"])[: rng.integers(2, 4)]
    for k in [k for k in ("noise", "filter", "clip", "level", "codec", "ber", "loss", "echo") if k in kinds]:
        if k == "noise":
            kind = ["white", "pink", "modulated", "babble", "hoth"][rng.integers(5)]
            y = dg.add_noise(y, rng.uniform(8, 38), kind, rng, babble)
        elif k == "filter":
            y = dg.bandpass(y, rng.uniform(150, 600), rng.uniform(2000, 3700))
        elif k == "clip":
            y = dg.clip(y, rng.uniform(3, 14))
        elif k == "level":
            y = y * 10 ** (rng.uniform(-18, 6) / 20)
        elif k == "codec":
            names = ["gsm", "amr59", "amr122", "amr74", "opus12", "speex4", "g726_32", "g726_24"]
            name = names[rng.integers(len(names))]
            if name in codecs:
                y = codecs[name].run(dg.to_int16(y)) / 32768
        elif k == "ber":
            y = dg.g711(y, "mu", rng, 10 ** rng.uniform(-4.5, -2))
        elif k == "loss":
            fill = ["zero", "repeat", "plc"][rng.integers(3)]
            y = frame_loss(dg.to_int16(y), rng, rng.uniform(0.005, 0.12), [10, 20, 40][rng.integers(3)], fill, 1.5) / 32768
        else:
            y = dg.echo(y, rng.uniform(20, 250), rng.uniform(12, 40))
    return dg.to_int16(y)


def wild_call(x, rng, codecs):
    """A packet call with random parameters."""
    rule = ["fixed", "talkspurt", "segment", "gap"][rng.integers(4)]
    names = [None, None, "gsm", "amr59", "amr122", "amr795", "speex4", "opus12", "speex6"]
    name = names[rng.integers(len(names))]
    codec = codecs.get(name)
    net = Network(loss=max(0, rng.uniform(-0.02, 0.1)), burst=rng.uniform(1, 3), jitter_ms=rng.gamma(1.5, 5),
                  shape=rng.uniform(0.6, 3), spikes=max(0, rng.uniform(-0.3, 0.6)), spike_ms=rng.uniform(60, 300),
                  route_ms=[0, 0, 0, 30, -25, 80][rng.integers(6)])
    conceal = ["zero", "repeat", "plc", "plc"][rng.integers(4)] if not codec else "codec"
    play = Playout(rule=rule, buffer_ms=rng.uniform(10, 90), conceal=conceal, suppress=bool(rng.random() < 0.3))
    if codec and rule != "fixed":
        play.conceal = "codec" if rng.random() < 0.7 else "plc"
    return call(x, net, play, rng, codec, frame=[80, 160, 160, 240, 320][rng.integers(5)])


def all_conditions(babble):
    """All conditions that this machine can make, and those that it cannot."""
    codecs, missing = all_codecs()
    out = []

    def add(family, name, f):
        out.append(Condition(family, name, f))

    for q in (0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 42, 50):
        add("mnru", f"mnru{q}", analogue(lambda x, r, q=q: dg.mnru(x, q, r)))
    for law in ("mu", "a"):
        add("g711", f"g711{law}", analogue(lambda x, r, law=law: dg.g711(x, law, r)))
        for ber in ("1e-5", "1e-4", "3e-4", "1e-3", "3e-3", "1e-2", "3e-2", "1e-1"):
            if law == "a" and ber in ("1e-5", "3e-4", "3e-2"):
                continue
            add("ber", f"{law}_ber{ber}", analogue(lambda x, r, law=law, b=float(ber): dg.g711(x, law, r, b)))
    for back, inside, length, gap in ((1e-6, 1e-2, 0.5, 3), (1e-6, 1e-1, 0.1, 2), (1e-5, 3e-2, 0.3, 2), (1e-5, 1e-3, 2, 2),
                                      (1e-4, 1e-2, 1, 2), (0, 0.3, 0.05, 1.0)):
        add("burst", f"burst{back}_{inside}_{length}_{gap}",
            analogue(lambda x, r, b=back, u=(inside, length, gap): dg.g711(x, "mu", r, b, u)))
    for name in codecs:
        family = {"g7": "g726", "co": "vocoder", "lp": "vocoder", "op": "opus", "sp": "celp", "am": "celp", "gs": "celp"}[name[:2]]
        if name == "g7231":
            family = "celp"
        add(family, name, lambda x, r, c=codecs[name]: c.run(x))
    for ber in (1e-4, 1e-3, 1e-2):
        add("g726", f"g726_32_ber{ber}", lambda x, r, b=ber: G726(32000).run(x, b, r))
    for chain in (("gsm", "gsm"), ("amr122", "amr122"), ("gsm", "mu", "amr59"), ("g726_32",) * 4, ("mu", "a", "mu", "a"),
                  ("speex4", "gsm"), ("amr475", "amr475"), ("opus12", "mu", "amr122"), ("g726_32", "gsm"), ("gsm",) * 3):
        if all(c in codecs or c in ("mu", "a") for c in chain):
            add("tandem", "+".join(chain), tandem(codecs, *chain))
    for kind, levels in {"white": (0, 10, 20, 30, 40), "pink": (5, 15, 25, 35), "modulated": (0, 10, 20, 30), "hoth": (10, 20, 30, 40),
                         "babble": (0, 8, 16, 24, 32), "pauses": (10, 20, 30, 40)}.items():
        for snr in levels:
            add("noise" if kind != "pauses" else "pausenoise", f"{kind}{snr}",
                analogue(lambda x, r, k=kind, s=snr: dg.add_noise(x, s, k, r, babble)))
    for low, high in ((300, 3400), (0, 3000), (0, 2500), (0, 2000), (0, 1500), (500, 0), (800, 0), (400, 2700), (600, 1800)):
        add("filter", f"band{low}_{high}", analogue(lambda x, r, lo=low, hi=high: dg.bandpass(x, lo, hi)))
    for name, points in {"tilt_down": [(100, 6), (4000, -9)], "tilt_up": [(100, -9), (4000, 6)],
                         "bump": [(300, 0), (1000, 8), (2500, 0)], "notch": [(700, 0), (1000, -25), (1300, 0)],
                         "lossy_loop": [(200, 0), (1000, -3), (2000, -8), (3400, -15)]}.items():
        add("filter", name, analogue(lambda x, r, p=points: dg.shaped(x, p)))
    for over in (3, 6, 10, 15, 20, 26):
        add("clip", f"clip{over}", analogue(lambda x, r, o=over: dg.clip(x, o)))
    add("clip", "overdrive12", analogue(lambda x, r: np.clip(x * 10**0.9, -1, 1)))
    for ms in (10, 20, 40):
        for rate in (0.01, 0.03, 0.06, 0.1, 0.2, 0.3):
            for fill in ("zero", "repeat", "plc"):
                if (ms == 10 and rate not in (0.03, 0.1)) or (ms == 40 and rate in (0.06, 0.3) and fill != "zero"):
                    continue
                add("loss", f"loss{ms}_{rate}_{fill}", lambda x, r, a=(rate, ms, fill): frame_loss(x, r, *a, 1.0))
    for rate, burst, fill in ((0.03, 3, "zero"), (0.1, 4, "zero"), (0.05, 3, "plc"), (0.15, 4, "plc"), (0.08, 2.5, "repeat")):
        add("lossburst", f"bursty{rate}_{burst}_{fill}", lambda x, r, a=(rate, 20, fill, burst): frame_loss(x, r, *a))
    for name in ("gsm", "amr122", "amr59", "opus12", "speex6"):
        for rate in (0.01, 0.03, 0.1):
            if name in codecs:
                add("celploss", f"{name}_loss{rate}", lambda x, r, c=codecs[name], p=rate: call(
                    x, Network(loss=p, burst=1.3), Playout(buffer_ms=1e6, conceal="codec"), r, c))
    for db, period in ((3, 1.5), (6, 1), (10, 1), (16, 0.8), (6, 0.3)):
        add("level", f"steps{db}_{period}", analogue(lambda x, r, d=db, p=period: dg.gain_steps(x, d, p, r)))
    for s, a, rel in ((0.5, 0.02, 0.5), (1, 0.02, 0.5), (1, 0.005, 0.15)):
        add("level", f"agc{s}_{a}_{rel}", analogue(lambda x, r, k=(s, a, rel): dg.agc(x, *k)))
    add("level", "quiet20", analogue(lambda x, r: x * 0.1))
    add("level", "quiet35", analogue(lambda x, r: x * 10**-1.75))
    for ms, loss in ((20, 20), (60, 15), (120, 25), (250, 12), (250, 30), (40, 6)):
        add("echo", f"echo{ms}_{loss}", analogue(lambda x, r, e=(ms, loss): dg.echo(x, *e)))
    for thr, hang in ((30, 200), (22, 60), (16, 30)):
        add("gate", f"gate{thr}_{hang}", analogue(lambda x, r, e=(thr, hang): dg.muted_noise_gate(x, *e)))
    for steps, where, fill in (((20,), "speech", "repeat"), ((-20,), "speech", ""), ((60,), "speech", "repeat"), ((-60,), "speech", ""),
                               ((150,), "speech", "zero"), ((-150,), "speech", ""), ((300,), "speech", "zero"), ((-300,), "speech", ""),
                               ((40,), "pause", "zero"), ((-40,), "pause", ""), ((150, -100), "pause", "zero"), ((250,), "pause", "zero"),
                               ((5, -8, 12), "speech", "repeat"), ((30, -30, 30, -30), "speech", "repeat"), ((2,), "speech", "repeat")):
        add("jump", f"jump_{where}_" + "_".join(map(str, steps)),
            analogue(lambda x, r, a=(steps, where, fill): dg.delay_jumps(x, a[0], r, a[1], a[2])))
    for ppm in (50, -100, 300, -1000, 3000, 5000, -10000):
        add("drift", f"drift{ppm}", analogue(lambda x, r, p=ppm: dg.drift(x, p)))
    for where, lengths in {"front": (0.1, 0.3, 1.0), "middle": (0.1, 0.3, 1.0), "tail": (0.3, 1.0, 3.0)}.items():
        for s in lengths:
            add("cut", f"cut_{where}{s}", analogue(lambda x, r, w=where, s=s: dg.cut(x, w, s, r)))
    for rule in ("fixed", "talkspurt", "segment", "gap"):
        for name, net in {"calm": Network(0.0, 1, 4), "busy": Network(0.005, 1.5, 8, 1.0, 0.15, 100),
                          "bad": Network(0.03, 2, 16, 0.8, 0.4, 180)}.items():
            for codec, conceal in ((None, "plc"), ("amr122", "codec")):
                if codec is None or codec in codecs:
                    add("call_" + rule, f"call_{rule}_{name}_{codec or 'pcm'}", lambda x, r, n=net, rr=rule, c=codec, k=conceal: call(
                        x, n, Playout(rule=rr, buffer_ms=30, conceal=k), r, codecs.get(c)))
        add("call_" + rule, f"call_{rule}_vad_gsm", lambda x, r, rr=rule: call(
            x, Network(0.01, 1.5, 9, 1.0, 0.15, 100), Playout(rule=rr, buffer_ms=30, conceal="codec", suppress=True), r, codecs.get("gsm")))
    for i in range(12):
        add("call_wild", f"call_wild{i}", lambda x, r: wild_call(x, r, codecs))
    for i in range(10):
        add("combo", f"combo{i}", lambda x, r: wild_combination(x, r, codecs, babble))
    for a, f in {"mu_pink30_amr59": ("pink", 30, "amr59"), "white20_gsm": ("white", 20, "gsm"), "babble15_amr122": ("babble", 15, "amr122"),
                 "white30_opus12": ("white", 30, "opus12")}.items():
        if f[2] in codecs:
            add("combo", a, lambda x, r, f=f: codecs[f[2]].run(dg.to_int16(dg.add_noise(x / 32768, f[1], f[0], r, babble))))
    return out, missing
