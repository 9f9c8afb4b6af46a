"""Unusual lines: for the confidence and for a separate table, neither fitted in the weights nor
counted in the validation. As in conditions.py, each has a family, a name and a function (int16 reference, generator) ->
int16 degraded. None adds or removes material before or after the speech, where the label is meaningless.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from scipy import signal as sg

import degrade as dg
from conditions import Condition, analogue
from speech_level import RATE, active_level, rms


def amplitude(x):
    return 10 ** (active_level(x)[0] / 20)


def time_of(x):
    return np.arange(len(x)) / RATE


def talking(x, below_db=28, hang_ms=150):
    """The samples that a voice activity detector would pass."""
    level = sg.lfilter([0.005], [1, -0.995], np.abs(x))
    on = level > amplitude(x) * 10 ** (-below_db / 20)
    last = np.maximum.accumulate(np.where(on, np.arange(len(x)), -len(x) - RATE))
    return np.arange(len(x)) - last <= hang_ms * RATE // 1000


def over(x, sound, snr):
    """`sound` added to x, `snr` dB under its active level while it sounds."""
    on = sound[sound != 0]
    return x + sound / rms(on if len(on) else sound) * amplitude(x) * 10 ** (-snr / 20)


STEPS = {"leftout", "adapted", "grown", "paused", "hopping", "deleted", "scaled", "periods", "longer", "ended"}  # what a step costs depends on the length of the recording

# --- signals and hum -------------------------------------------------------------------------------------------------


def tone(x, *hz):
    return sum(np.sin(2 * np.pi * f * time_of(x)) for f in hz)


def digits(x, rng, db, replace, apart=1.0, length=0.1):
    """DTMF digits, over the speech or in its place."""
    y = x.copy()
    n = int(length * RATE)
    for at in np.arange(0.6, len(x) / RATE - 0.3, apart):
        i = int(at * RATE)
        digit = tone(x[:n], (697, 770, 852, 941)[rng.integers(4)], (1209, 1336, 1477)[rng.integers(3)])
        y[i : i + n] = y[i : i + n] * (not replace) + digit * amplitude(x) * 10 ** (db / 20)
    return y


def cadence(x, hz, on, period):
    return tone(x, hz) * ((time_of(x) % period) < on)


def hum(x, hz, harmonics):
    return sum(tone(x, hz * k) / k for k in range(1, harmonics + 1))


def tdma(x):
    """The interference of a GSM telephone's bursts, 217 a second, in a wire."""
    return np.diff(np.r_[0, (time_of(x) * 217 % 1 < 0.125).astype(float)])


# --- impulses and music ----------------------------------------------------------------------------------------------


def clicks(x, rng, rate, db, length=24):
    y = x.copy()
    shape = np.exp(-np.arange(length) / (length / 4)) * amplitude(x) * 10 ** (db / 20)
    for i in rng.integers(0, len(x) - length, max(1, rng.poisson(rate * len(x) / RATE))):
        y[i : i + length] += rng.standard_normal(length) * shape
    return np.clip(y, -1, 1)


def music(n, rng):
    """Chords of three decaying notes of a scale, four a second."""
    y = np.zeros(n)
    for at in range(0, n, RATE // 4):
        t = np.arange(min(6000, n - at)) / RATE
        for hz in rng.choice([131, 165, 196, 262, 294, 330, 392, 440, 523, 659, 784], 3, replace=False):
            y[at : at + len(t)] += np.exp(-3 * t) * sum(np.sin(2 * np.pi * hz * k * t) / k for k in (1, 2, 3))
    return y / rms(y)


def quiet_place(x):
    """The quietest place of the middle half of the recording."""
    level = np.convolve(np.abs(x), np.ones(1600) / 1600, "same")
    first = len(x) // 4
    return first + int(np.argmin(level[first : 3 * first]))


def inserted(x, sound):
    at = quiet_place(x)
    return np.r_[x[:at], sound * amplitude(x), x[at:]]


def replaced(x, rng, seconds, sound):
    at = dg.active_spots(x, rng, 1, margin=seconds + 0.5)[0]
    y = x.copy()
    n = int(seconds * RATE)
    y[at : at + n] = sound(n) * amplitude(x)
    return y


# --- time ------------------------------------------------------------------------------------------------------------


def stretched(x, speed, window=240, reach=60):
    """Time scaling that keeps the pitch, by overlapping matching pieces; speed(seconds) > 1 is faster."""
    hop = window // 2
    taper = sg.get_window("hann", window)
    out = np.zeros(int(len(x) * 1.5) + window)
    at, to, before = 0.0, 0, None
    while at + window + reach < len(x) and to + window < len(out):
        i = int(at)
        if before is not None and before + hop + window < len(x):
            wanted = x[before + hop : before + hop + window]
            first = max(0, i - reach)
            pieces = np.lib.stride_tricks.sliding_window_view(x[first : i + reach + window], window)
            i = first + int(np.argmax(pieces @ wanted / np.sqrt((pieces**2).sum(1) + 1e-9)))
        out[to : to + window] += x[i : i + window] * taper
        before, to, at = i, to + hop, at + hop * speed(to / RATE)
    return out[: to + hop]


def period_at(x, i):
    """Samples, 2.5 to 12.5 ms: the period of the voice at i, by correlation."""
    least, most = RATE // 400, RATE // 80
    here = x[i : i + most]
    later = np.lib.stride_tricks.sliding_window_view(x[i + least : i + 2 * most + 1], most)
    return least + int(np.argmax(later @ here / np.sqrt((later**2).sum(1) + 1e-9)))


def in_periods(x, rng, count, apart_s, signs):
    """One period of the voice taken out (-1) or repeated (1), `count` times for each sign or to the end, each cross-faded,
    from a random place of the speech on: a play-out buffer that empties or fills."""
    for sign in signs:
        i = dg.active_spots(x, rng, 1)[0]
        for _ in range(count):
            if i + 2 * RATE // 80 >= len(x):
                break
            p = period_at(x, i)
            fade = np.linspace(1, 0, p)
            a, b = x[i : i + p], x[i + p : i + 2 * p]
            x = np.r_[x[:i], a * fade + b * (1 - fade), x[i + 2 * p :]] if sign < 0 else np.r_[x[: i + p], b * fade + a * (1 - fade), x[i + p :]]
            i += int(apart_s * RATE)
    return x


def wavering(x, samples, hz):
    """Delay that varies by this many samples at this rate per second."""
    at = np.arange(len(x)) + samples * np.sin(2 * np.pi * hz * time_of(x))
    i = np.clip(np.floor(at).astype(int), 1, len(x) - 3)
    t = at - i
    a, b, c, d = x[i - 1], x[i], x[i + 1], x[i + 2]
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


def slips(x, apart_s, samples):
    """A clock slip of this many samples (repeated or skipped) at a fixed interval."""
    step = int(apart_s * RATE)
    parts = [x[i : i + step] for i in range(0, len(x), step)]
    return np.concatenate([np.r_[p, p[-samples:]] if samples > 0 else p[:samples] for p in parts])


def frozen(x, rng, seconds, packet_ms):
    """One packet repeated for a while in place of the speech."""
    at = dg.active_spots(x, rng, 1, margin=seconds + 0.5)[0]
    n, packet = int(seconds * RATE), packet_ms * RATE // 1000
    y = x.copy()
    y[at : at + n] = np.resize(x[at - packet : at], n)
    return y


def stuttering(x, ms, share, rng):
    n = ms * RATE // 1000
    return np.concatenate([np.tile(x[i : i + n], 2 if rng.random() < share else 1) for i in range(0, len(x), n)])


def swapped(x, ms):
    n = ms * RATE // 1000
    return np.concatenate([np.r_[x[i + n : i + 2 * n], x[i : i + n]] for i in range(0, len(x), 2 * n)])


def unsteady(x, rng, ms, per_s, signs):
    """The delay steps by `ms` in the middle of speech: an adaptive buffer, or a player that leaves lost packets out."""
    steps = [ms * int(rng.choice(signs)) for _ in range(max(1, round(per_s * len(x) / RATE)))]
    return dg.delay_jumps(x, steps, rng)


def paused(y, rng):
    """One to three pauses of 0.3 to 1.5 s put into a recording (int16), at the quietest place near a random one."""
    for _ in range(rng.integers(1, 4)):
        level = np.convolve(np.abs(y.astype(float)), np.ones(RATE // 50), "same")
        first = int(rng.uniform(0.1, 0.75) * len(y))
        at = first + int(np.argmin(level[first : first + RATE * 3 // 4]))
        floor = np.resize(y[at : at + RATE // 50], int(rng.uniform(0.3, 1.5) * RATE))
        y = np.concatenate([y[:at], floor * int(rng.integers(2)), y[at:]]).astype(np.int16)
    return y


def longer(x, seconds, is_silent):
    """The pause at the quietest place of the middle lasts longer, in silence or in the noise that is there."""
    at = quiet_place(x)
    return np.r_[x[:at], np.resize(x[at : at + RATE // 20], int(seconds * RATE)) * (not is_silent), x[at:]]


def ended(x, share, is_front, is_short):
    """The recording begins late or ends early by a share of its speech: silent there, or not there at all."""
    on = np.flatnonzero(talking(x))
    at = int(on[0] + (share if is_front else 1 - share) * (on[-1] - on[0]))
    if is_short:
        return x[at:] if is_front else x[:at]
    return np.where((np.arange(len(x)) < at) == is_front, 0, x)


# --- room, radio, coding ---------------------------------------------------------------------------------------------


def room(x, rng, seconds, direct_db):
    n = int(seconds * RATE)
    h = rng.standard_normal(n) * 10 ** (-3 * np.arange(n) / n)
    h[: int(0.003 * RATE)] = 0
    h *= 10 ** (-direct_db / 20) / np.sqrt((h**2).sum())
    h[0] = 1
    return sg.fftconvolve(x, h)[: len(x)]


def fading(x, rng, depth, hz):
    low = sg.butter(2, hz, fs=RATE, output="sos")
    i, q = (sg.sosfilt(low, rng.standard_normal(len(x) + 2 * RATE))[2 * RATE :] for _ in range(2))
    envelope = np.hypot(i, q)
    return x * (envelope / rms(envelope)) ** depth + rng.standard_normal(len(x)) * amplitude(x) * 10 ** (-35 / 20)


def shifted(x, hz):
    return np.real(sg.hilbert(x) * np.exp(2j * np.pi * hz * time_of(x)))


def subtracted(x, factor):
    """Noise reduction by excessive spectral subtraction."""
    _, _, z = sg.stft(x, RATE, nperseg=256)
    floor = np.percentile(np.abs(z), 20, axis=1, keepdims=True) + amplitude(x) * 0.02
    kept = np.maximum(np.abs(z) - factor * floor, 0) * np.exp(1j * np.angle(z))
    return sg.istft(kept, RATE, nperseg=256)[1][: len(x)]


def adpcm(codec, container):
    """An ADPCM codec of the ffmpeg program."""
    def run(x, rng):
        with tempfile.TemporaryDirectory() as d:
            raw, coded, out = Path(d) / "in.raw", Path(d) / f"mid.{container}", Path(d) / "out.raw"
            x.tofile(raw)
            pcm = ["-f", "s16le", "-ar", "8000", "-ac", "1"]
            quiet = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
            subprocess.run([*quiet, *pcm, "-i", raw, "-c:a", codec, coded], check=True)
            subprocess.run([*quiet, "-i", coded, *pcm, out], check=True)
            return np.resize(np.r_[np.fromfile(out, np.int16), np.zeros(len(x), np.int16)], len(x))
    return run


def onset_cut(x, ms, comfort_db, rng):
    """A detector that opens late, with comfort noise (or silence) while it is closed."""
    on = talking(x)
    for start in np.flatnonzero(np.diff(np.r_[0, on.astype(int)]) == 1):
        on[start : start + ms * RATE // 1000] = False
    noise = rng.standard_normal(len(x)) * amplitude(x) * 10 ** (-comfort_db / 20) if comfort_db else 0
    return np.where(on, x, noise)


def requantised(x, bits):
    return np.clip(np.round(x * 2.0 ** (bits - 1)) / 2.0 ** (bits - 1), -1, 1)


def codes_with(x, change):
    return dg.DECODE["mu"][change(dg.g711_codes(x, "mu"))] / 32768


def strange_conditions(voices):
    """`voices`: recordings (floats) for another call."""
    out = []

    def add(family, name, f):
        out.append(Condition(family, name, analogue(f)))

    for db, replace in ((0, False), (-10, False), (0, True)):
        add("tones", f"dtmf{db}_{'instead' if replace else 'over'}", lambda x, r, a=(db, replace): digits(x, r, *a))
    for hz, snr in ((1000, 10), (1000, 25), (3000, 20), (2600, 5)):
        add("tones", f"tone{hz}_{snr}", lambda x, r, f=hz, s=snr: over(x, tone(x, f), s))
    for snr in (0, 15):
        add("tones", f"busy_{snr}", lambda x, r, s=snr: over(x, cadence(x, 425, 0.5, 1.0), s))
    add("tones", "call_waiting", lambda x, r: over(x, cadence(x, 440, 0.3, 4.0), 0))
    for rate, db in ((2, 10), (20, 0), (0.4, 22), (8, 10), (100, -5)):
        add("impulses", f"clicks{rate}_{db}", lambda x, r, a=(rate, db): clicks(x, r, *a))
    add("impulses", "crackle", lambda x, r: clicks(x, r, 5, 6, 160))
    for hz, harmonics, snr in ((50, 1, 0), (50, 11, 10), (60, 11, 20), (60, 11, 30), (150, 9, 15)):
        add("hum", f"hum{hz}_{harmonics}_{snr}", lambda x, r, a=(hz, harmonics), s=snr: over(x, hum(x, *a), s))
    for snr in (15, 25):
        add("hum", f"tdma{snr}", lambda x, r, s=snr: over(x, tdma(x), s))
    for snr in (0, 10, 20):
        add("music", f"music{snr}", lambda x, r, s=snr: over(x, music(len(x), r), s))
    for seconds in (1, 3):
        add("inserted", f"music_inserted{seconds}", lambda x, r, s=seconds: inserted(x, music(s * RATE, r)))
    add("inserted", "noise_inserted2", lambda x, r: inserted(x, r.standard_normal(2 * RATE)))
    add("inserted", "tone_inserted2", lambda x, r: inserted(x, tone(x[: 2 * RATE], 425)))
    add("replaced", "music_instead1", lambda x, r: replaced(x, r, 1, lambda n: music(n, r)))
    add("replaced", "noise_instead0.5", lambda x, r: replaced(x, r, 0.5, r.standard_normal))
    add("replaced", "noise_over1", lambda x, r: over(
        x, np.where(abs(time_of(x) - len(x) / RATE / 2) < 0.5, r.standard_normal(len(x)), 0), -3))
    for snr in (0, 10, 20, 30):
        add("crosstalk", f"other_call{snr}", lambda x, r, s=snr: over(x, np.resize(voices[r.integers(len(voices))], len(x)), s))
    add("crosstalk", "other_in_pauses", lambda x, r: x + np.resize(voices[r.integers(len(voices))], len(x)) * ~talking(x))
    for name, speed in {"-2": lambda t: 0.98, "+3": lambda t: 1.03, "-5": lambda t: 0.95, "+10": lambda t: 1.1,
                        "_swing": lambda t: 1 + 0.08 * np.sin(2 * np.pi * t / 3), "_piece": lambda t: 1.15 if 2 < t < 4 else 1.0}.items():
        add("scaled", f"scaled{name}", lambda x, r, s=speed: stretched(x, s))
    for speed in (0.8, 0.9, 1.1, 1.25):
        add("scaled", f"scaled_piece{speed}", lambda x, r, s=speed: (lambda at, to: stretched(x, lambda t: s if at < t < to else 1.0))(1, r.uniform(1.5, 4)))
    for count, apart in ((4, 0.02), (8, 0.1), (20, 0.1), (40, 0.04)):
        for rule, signs in (("out", (-1,)), ("in", (1,)), ("both", (1, -1))):
            add("periods", f"periods_{rule}{count}_{apart}", lambda x, r, a=(count, apart, signs): in_periods(x, r, *a))
    for percent in (1.5, -1.5, 2, -3, 5):
        add("speed", f"speed{percent}", lambda x, r, p=percent: dg.drift(x, p * 1e4))
    for seconds, direct in ((0.2, 6), (0.4, 3), (0.8, 0), (1.5, -3)):
        add("room", f"room{seconds}", lambda x, r, a=(seconds, direct): room(x, r, *a))
    for ms, db in ((20, 0), (50, 0), (100, 45), (0, 15), (0, 25), (50, 40), (0, 60)):
        add("vad", f"onset{ms}_comfort{db}", lambda x, r, a=(ms, db): onset_cut(x, *a, r))
    add("vad", "breath", lambda x, r: x + ~talking(x) * r.standard_normal(len(x)) * amplitude(x) * 0.3)
    for seconds, ms in ((0.5, 20), (0.2, 20), (0.5, 60)):
        add("freeze", f"freeze{seconds}_{ms}", lambda x, r, a=(seconds, ms): frozen(x, r, *a))
    add("freeze", "stutter50", lambda x, r: stuttering(x, 50, 0.1, r))
    add("freeze", "swapped20", lambda x, r: swapped(x, 20))
    for samples, hz in ((4, 12), (2, 6), (60, 0.7), (12, 3)):
        add("flutter", f"flutter{samples}_{hz}", lambda x, r, a=(samples, hz): wavering(x, *a))
    for apart, n in ((0.5, 1), (0.5, -1), (0.05, -1), (0.5, 8)):
        add("flutter", f"slips{apart}_{n}", lambda x, r, a=(apart, n): slips(x, *a))
    for ms in (20, 40, 60, 100):
        for per_s in (0.12, 0.4, 1.2):
            for rule, signs in (("leftout", (-1,)), ("adapted", (-1, 1))):
                add(rule, f"{rule}{ms}_{per_s}", lambda x, r, a=(ms, per_s, signs): unsteady(x, r, *a))
    for ms in (20, 40, 60, 100, 200, 300):
        add("grown", f"grown{ms}", lambda x, r, s=ms: dg.delay_jumps(x, [s], r, fill="silence"))
    for name, f in {"clean": lambda x, r: x, "white30": lambda x, r: dg.add_noise(x, 30, "white", r), "white15": lambda x, r: dg.add_noise(x, 15, "white", r),
                    "mu_ber1e-4": lambda x, r: dg.g711(x, "mu", r, 1e-4), "mu_ber1e-3": lambda x, r: dg.g711(x, "mu", r, 1e-3),
                    "clip10": lambda x, r: dg.clip(x, 10)}.items():
        out.append(Condition("paused", f"paused_{name}", analogue(f), paused))
    for hz in (5, 20, 80, 200):
        add("shift", f"shift{hz}", lambda x, r, f=hz: shifted(x, f))
    for depth, hz in ((1, 2), (0.5, 10), (1, 40)):
        add("fading", f"fading{depth}_{hz}", lambda x, r, a=(depth, hz): fading(x, r, *a))
    add("fading", "tremolo4", lambda x, r: x * (1 + 0.9 * np.sin(2 * np.pi * 4 * time_of(x))))
    add("fading", "ramp20", lambda x, r: x * 10 ** (np.linspace(0, -20, len(x)) / 20))
    for codec, container in (("adpcm_ima_wav", "wav"), ("adpcm_ms", "wav"), ("adpcm_yamaha", "wav")) if RATE == 8000 and shutil.which("ffmpeg") else ():
        out.append(Condition("adpcm", codec, adpcm(codec, container)))
    for bits in (8, 6, 5):
        add("quantised", f"bits{bits}", lambda x, r, b=bits: requantised(x, b))
    add("quantised", "low_bits_lost", lambda x, r: codes_with(x, lambda c: c & 0xFC))
    add("quantised", "robbed_bits", lambda x, r: codes_with(x, lambda c: np.where(np.arange(len(c)) % 6 == 0, c & 0xFE, c)))
    for share in (0.1, 0.3):
        add("bent", f"centre_clip{share}", lambda x, r, s=share: np.where(np.abs(x) > amplitude(x) * s, x, 0))
    add("bent", "asymmetric", lambda x, r: np.where(x > 0, x, x * 0.4))
    add("bent", "expanded", lambda x, r: np.sign(x) * x**2 * 3)
    for factor in (2, 6):
        add("bent", f"subtracted{factor}", lambda x, r, f=factor: subtracted(x, f))
    for hz, order in ((300, 8), (400, 8), (1500, 8), (2500, 8)):
        add("highpass", f"highpass{hz}_{order}", lambda x, r, a=(hz, order): dg.bandpass(x, a[0], 0, a[1]))
    for low, high in ((0, 1000), (0, 700), (900, 1100)):
        add("highpass", f"narrow{low}_{high}", lambda x, r, a=(low, high): dg.bandpass(x, *a, 4))
    for samples, share in ((16, 0.9), (80, 0.9), (4000, 0.3), (4000, 0.9)):
        add("echoes", f"echo{samples}_{share}", lambda x, r, n=samples, s=share: x + s * np.r_[np.zeros(n), x[:-n]])
    for ms in (5, 10, 20, 50):
        for per_s in (3, 8, 16):
            for rule, signs in (("out", (-1,)), ("in", (1,)), ("both", (-1, 1))):
                add("hopping", f"hopping_{rule}{ms}_{per_s}", lambda x, r, a=(ms, per_s, signs): unsteady(x, r, *a))
    for ms in (100, 200, 300, 500):
        add("deleted", f"deleted{ms}", lambda x, r, s=ms: dg.delay_jumps(x, [-s], r, margin=s / 1000 + 0.3))
        add("repeated", f"repeated{ms}", lambda x, r, s=ms: dg.delay_jumps(x, [s], r, margin=s / 1000 + 0.3))
    for seconds in (0.5, 1, 2, 4):
        for silent in (True, False):
            add("longer", f"longer{seconds}_{'silent' if silent else 'noise'}", lambda x, r, a=(seconds, silent): longer(x, *a))
    for share in (0.05, 0.1, 0.2, 0.3, 0.4):
        for front in (True, False):
            for short in (True, False):
                name = f"{'front' if front else 'tail'}{share}_{'short' if short else 'silent'}"
                add("ended", f"ended_{name}", lambda x, r, a=(share, front, short): ended(x, *a))
    return out
