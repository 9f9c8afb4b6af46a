"""The conditions of the wideband model, at 16 kHz; otherwise as conditions.py, which names the families."""

import numpy as np

import degrade as dg
from codecs16k import all_codecs, narrow
from conditions import Condition, analogue, frame_loss
from packets import Network, Playout, call


def g711(law):
    return lambda x: dg.to_int16(dg.g711(x / 32768, law, None))


def chain(*stages):
    def f(x, rng):
        for stage in stages:
            x = stage(x)
        return x
    return f


def combination(x, rng, codecs, babble):
    """Two or three impairments at once, all parameters random."""
    y = x / 32768.0
    kinds = rng.permutation(["noise", "filter", "level", "codec", "loss", "clip", "echo"])[: rng.integers(2, 4)]
    for k in [k for k in ("noise", "filter", "clip", "level", "codec", "loss", "echo") if k in kinds]:
        if k == "noise":
            y = dg.add_noise(y, rng.uniform(8, 40), ["white", "pink", "modulated", "babble", "hoth"][rng.integers(5)], rng, babble)
        elif k == "filter":
            y = dg.bandpass(y, rng.uniform(60, 500), rng.uniform(2500, 7400))
        elif k == "clip":
            y = dg.clip(y, rng.uniform(3, 14))
        elif k == "level":
            y = y * 10 ** (rng.uniform(-18, 6) / 20)
        elif k == "codec":
            names = sorted(codecs)
            y = codecs[names[rng.integers(len(names))]].run(dg.to_int16(y)) / 32768
        elif k == "loss":
            fill = ["zero", "repeat", "plc"][rng.integers(3)]
            y = frame_loss(dg.to_int16(y), rng, rng.uniform(0.005, 0.12), [10, 20, 40][rng.integers(3)], fill, 1.5) / 32768
        else:
            y = dg.echo(y, rng.uniform(20, 250), rng.uniform(12, 40))
    return dg.to_int16(y)


def wild_call(x, rng, codecs):
    """A packet call with random parameters."""
    rule = ["fixed", "talkspurt", "segment", "gap"][rng.integers(4)]
    names = [None, None, *sorted(codecs)]
    codec = codecs.get(names[rng.integers(len(names))])
    net = Network(loss=max(0, rng.uniform(-0.02, 0.1)), burst=rng.uniform(1, 3), jitter_ms=rng.gamma(1.5, 5),
                  shape=rng.uniform(0.6, 3), spikes=max(0, rng.uniform(-0.3, 0.6)), spike_ms=rng.uniform(60, 300),
                  route_ms=[0, 0, 0, 30, -25, 80][rng.integers(6)])
    conceal = "codec" if codec else ["zero", "repeat", "plc", "plc"][rng.integers(4)]
    play = Playout(rule=rule, buffer_ms=rng.uniform(10, 90), conceal=conceal, suppress=bool(rng.random() < 0.3))
    return call(x, net, play, rng, codec, frame=[160, 320, 320, 640][rng.integers(4)])


def all_conditions(babble):
    """All conditions that this machine can make, and those that it cannot."""
    codecs, narrowband, missing = all_codecs()
    out = []

    def add(family, name, f):
        out.append(Condition(family, name, f))

    def lossy(name, codec, rate, conceal):
        add("codecloss", f"{name}_loss{rate}_{conceal}", lambda x, r: call(
            x, Network(loss=rate, burst=1.3), Playout(buffer_ms=1e6, conceal=conceal), r, codec))

    add("clean", "clean", lambda x, r: x)
    for q in (0, 5, 10, 15, 20, 25, 30, 36, 44):
        add("mnru", f"mnru{q}", analogue(lambda x, r, q=q: dg.mnru(x, q, r)))
    for name, codec in codecs.items():
        add({"g": "g722", "a": "amrwb", "o": "opus"}[name[0]], name, lambda x, r, c=codec: c.run(x))
    for name, conceals in {"g722_64": ("zero", "repeat", "plc"), "g722_48": ("plc",), "amrwb1265": ("codec",), "amrwb2385": ("codec",),
                           "opus16": ("codec",), "opus24": ("codec",)}.items():
        for conceal in conceals if name in codecs else ():
            for rate in (0.01, 0.03, 0.08):
                lossy(name, codecs[name], rate, conceal)
    for ber in (1e-4, 1e-3, 1e-2):
        add("ber", f"g722_ber{ber}", lambda x, r, b=ber: codecs["g722_64"].with_errors(x, b, r))
    lines = {"plain": lambda x: x, "mu": g711("mu"), "a": g711("a")}
    lines |= {n: narrowband[n].run for n in ("gsm", "amr122", "amr74", "amr475", "opus12", "g726_32") if n in narrowband}
    for name, run in lines.items():
        add("narrowband", f"nb_{name}", lambda x, r, f=narrow(run): f(x))
    band = lambda x: dg.to_int16(dg.bandpass(x / 32768, 300, 3400))
    for name in ("mu", "amr122"):
        if name in lines:
            add("narrowband", f"nb_phone_{name}", chain(band, narrow(lines[name])))
    for rate in (0.01, 0.05):
        add("narrowband", f"nb_mu_loss{rate}", lambda x, r, p=rate: frame_loss(narrow(lines["mu"])(x), r, p, 20, "plc", 1.2))
    add("narrowband", "nb_mu_white25", lambda x, r: narrow(lines["mu"])(dg.to_int16(dg.add_noise(x / 32768, 25, "white", r))))
    add("narrowband", "nb_mu_pink30", lambda x, r: dg.to_int16(dg.add_noise(narrow(lines["mu"])(x) / 32768, 30, "pink", r)))
    for low, high in ((50, 7000), (0, 7000), (0, 6000), (0, 5000), (0, 4000), (0, 3400), (0, 2500), (0, 1600), (200, 0), (300, 0), (500, 0), (800, 0),
                      (300, 3400), (200, 5500), (500, 2500)):
        add("filter", f"band{low}_{high}", analogue(lambda x, r, lo=low, hi=high: dg.bandpass(x, lo, hi)))
    for low, high in ((0, 3400), (0, 3820), (0, 5000), (0, 6400), (300, 3400)):
        add("steep", f"steep{low}_{high}", analogue(lambda x, r, lo=low, hi=high: dg.steep_band(x, lo, hi)))
    for name, points in {"tilt_down": [(100, 6), (8000, -12)], "tilt_up": [(100, -12), (8000, 6)], "bump": [(300, 0), (1500, 8), (5000, 0)],
                         "notch": [(1500, 0), (2000, -25), (2500, 0)], "shelf": [(3000, 0), (4000, -12), (8000, -12)]}.items():
        add("filter", name, analogue(lambda x, r, p=points: dg.shaped(x, p)))
    for kind, levels in {"white": (0, 10, 20, 30, 40), "pink": (5, 15, 25, 35), "modulated": (0, 10, 20, 30), "hoth": (10, 25, 40),
                         "babble": (0, 10, 20, 30), "pauses": (10, 20, 30, 40)}.items():
        for snr in levels:
            add("noise" if kind != "pauses" else "pausenoise", f"{kind}{snr}",
                analogue(lambda x, r, k=kind, s=snr: dg.add_noise(x, s, k, r, babble)))
    for over in (3, 6, 10, 15, 20, 26):
        add("clip", f"clip{over}", analogue(lambda x, r, o=over: dg.clip(x, o)))
    for ms, rates in {10: (0.03, 0.1), 20: (0.01, 0.03, 0.06, 0.1, 0.2), 40: (0.03, 0.1)}.items():
        for rate in rates:
            for fill in ("zero", "repeat", "plc"):
                add("loss", f"loss{ms}_{rate}_{fill}", lambda x, r, a=(rate, ms, fill): frame_loss(x, r, *a, 1.0))
    for rate, burst, fill in ((0.03, 3, "zero"), (0.1, 4, "zero"), (0.05, 3, "plc"), (0.15, 4, "plc")):
        add("lossburst", f"bursty{rate}_{burst}_{fill}", lambda x, r, a=(rate, 20, fill, burst): frame_loss(x, r, *a))
    for db, period in ((3, 1.5), (6, 1), (10, 1), (16, 0.8), (6, 0.3)):
        add("level", f"steps{db}_{period}", analogue(lambda x, r, d=db, p=period: dg.gain_steps(x, d, p, r)))
    for s, a, rel in ((0.5, 0.02, 0.5), (1, 0.02, 0.5), (1, 0.005, 0.15)):
        add("level", f"agc{s}_{a}_{rel}", analogue(lambda x, r, k=(s, a, rel): dg.agc(x, *k)))
    for db in (20, 35):
        add("level", f"quiet{db}", analogue(lambda x, r, g=10 ** (-db / 20): x * g))
    for ms, loss in ((20, 20), (60, 15), (120, 25), (250, 12), (250, 30)):
        add("echo", f"echo{ms}_{loss}", analogue(lambda x, r, e=(ms, loss): dg.echo(x, *e)))
    for thr, hang in ((30, 200), (22, 60), (16, 30)):
        add("gate", f"gate{thr}_{hang}", analogue(lambda x, r, e=(thr, hang): dg.muted_noise_gate(x, *e)))
    for steps, where, fill in (((20,), "speech", "repeat"), ((-20,), "speech", ""), ((60,), "speech", "repeat"), ((-60,), "speech", ""),
                               ((150,), "speech", "zero"), ((300,), "speech", "zero"), ((40,), "pause", "zero"), ((-40,), "pause", ""),
                               ((150, -100), "pause", "zero"), ((5, -8, 12), "speech", "repeat"), ((30, -30, 30, -30), "speech", "repeat")):
        add("jump", f"jump_{where}_" + "_".join(map(str, steps)),
            analogue(lambda x, r, a=(steps, where, fill): dg.delay_jumps(x, a[0], r, a[1], a[2])))
    for ppm in (50, -100, 300, -1000, 3000):
        add("drift", f"drift{ppm}", analogue(lambda x, r, p=ppm: dg.drift(x, p)))
    for where, s in (("front", 0.3), ("middle", 0.3), ("tail", 1.0)):
        add("cut", f"cut_{where}{s}", analogue(lambda x, r, w=where, s=s: dg.cut(x, w, s, r)))
    pairs = (("g722_64", "g722_48"), ("amrwb1265", "amrwb1265"), ("opus16", "g722_64"), ("g722_64",) * 3, ("amrwb2385", "opus24"))
    for names in pairs:
        if all(n in codecs for n in names):
            add("tandem", "+".join(names), chain(*(codecs[n].run for n in names)))
    if "amrwb1265" in codecs and "amr122" in narrowband:
        add("tandem", "amrwb1265+amr122", chain(codecs["amrwb1265"].run, narrow(narrowband["amr122"].run)))
    for rule in ("fixed", "talkspurt", "segment", "gap"):
        for name, net in {"calm": Network(0.0, 1, 4), "busy": Network(0.005, 1.5, 8, 1.0, 0.15, 100),
                          "bad": Network(0.03, 2, 16, 0.8, 0.4, 180)}.items():
            for codec, conceal in ((None, "plc"), ("g722_64", "plc"), ("opus24", "codec")):
                if codec is None or codec in codecs:
                    add("call_" + rule, f"call_{rule}_{name}_{codec or 'pcm'}", lambda x, r, n=net, rr=rule, c=codec, k=conceal: call(
                        x, n, Playout(rule=rr, buffer_ms=30, conceal=k), r, codecs.get(c)))
        if "amrwb1265" in codecs:
            add("call_" + rule, f"call_{rule}_vad_amrwb", lambda x, r, rr=rule: call(
                x, Network(0.01, 1.5, 9, 1.0, 0.15, 100), Playout(rule=rr, buffer_ms=30, conceal="codec", suppress=True), r, codecs["amrwb1265"]))
    for i in range(10):
        add("call_wild", f"call_wild{i}", lambda x, r: wild_call(x, r, codecs))
    for i in range(10):
        add("combo", f"combo{i}", lambda x, r: combination(x, r, codecs, babble))
    for kind, snr, name in (("pink", 30, "amrwb1265"), ("white", 20, "g722_64"), ("babble", 15, "opus24")):
        if name in codecs:
            add("combo", f"{kind}{snr}_{name}", lambda x, r, k=kind, s=snr, c=codecs[name]: c.run(dg.to_int16(dg.add_noise(x / 32768, s, k, r, babble))))
    return out, missing
