"""Reference material: sentence pairs of 8-10 s and single sentences of 2.5-6 s at RATE, -26 dBov, many talkers.

Recorded talkers come from the directory given by --speech and from Debian packages of voice prompts (read from where they are
installed, otherwise downloaded by name and unpacked into the cache); synthetic ones from the project's corpus, flite and
espeak-ng. Missing ones are skipped and listed in the record.
"""

import hashlib
import subprocess
from math import gcd
from pathlib import Path

import numpy as np
import soundfile as sf
from scipy import signal as sg

import degrade as dg
from codecs16k import G722
from speech_level import RATE, active_level, to_level
from texts import SENTENCES

PROMPTS = {  # talker -> (Debian package, folder of wave files)
    "allison": ("asterisk-core-sounds-en-wav", "usr/share/asterisk/sounds/en_US_f_Allison"),
    "june": ("asterisk-core-sounds-fr-wav", "usr/share/asterisk/sounds/fr_CA_f_June"),
    "carlo": ("asterisk-core-sounds-it-wav", "usr/share/asterisk/sounds/it_IT_m_Carlo"),
    "menardi": ("asterisk-prompt-it-menardi-wav", "usr/share/asterisk/sounds/it_IT_f_Menardi"),
    "ivrvoice": ("asterisk-core-sounds-ru-wav", "usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU"),
    "librivox": ("pocketsphinx-testdata", "usr/share/pocketsphinx/test/data/librivox"),
}
if RATE == 16000:  # prompts in G.722 have a wide band; the others are as narrow as a telephone
    PROMPTS = {
        "allison": ("asterisk-core-sounds-en-g722", "usr/share/asterisk/sounds/en_US_f_Allison"),
        "june": ("asterisk-core-sounds-fr-g722", "usr/share/asterisk/sounds/fr_CA_f_June"),
        "carlo": ("asterisk-core-sounds-it-g722", "usr/share/asterisk/sounds/it_IT_m_Carlo"),
        "ivrvoice": ("asterisk-core-sounds-ru-g722", "usr/share/asterisk/sounds/ru_RU_f_IvrvoiceRU"),
        "librivox": PROMPTS["librivox"],
    }
FLITE = ("awb", "kal" if RATE == 8000 else "kal16", "rms", "slt")
ESPEAK = {"es-us": "en-us", "es-gbf": "en-gb+f4", "es-scot": "en-gb-scotland+m2", "es-klatt": "en-us+klatt4"}
CORPUS_TALKER = {"F": "slt", "M": "rms"}


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def generator(seed, *words):
    """A random generator that depends on the seed and these words only, not on the order of work."""
    key = hashlib.sha256("|".join(map(str, (seed, *words))).encode()).digest()
    return np.random.default_rng(np.frombuffer(key[:16], np.uint32))


def read(path):
    if Path(path).suffix == ".g722":
        return G722().decode_file(path) / 32768.0
    x, rate = sf.read(path, dtype="float64", always_2d=True)
    x = x.mean(1)
    if rate != RATE:
        g = gcd(rate, RATE)
        x = sg.resample_poly(x, RATE // g, rate // g, window=("kaiser", 9.0))
    return x


def trimmed(x, keep=0.05):
    e = np.convolve(x**2, np.ones(RATE // 50) / (RATE // 50), "same")
    on = np.flatnonzero(e > e.max() * 10**-4.5)
    k = int(keep * RATE)
    return x[max(0, on[0] - k) : on[-1] + k]


def prompt_folder(talker, cache, notes):
    package, folder = PROMPTS[talker]
    installed = Path("/") / folder
    if installed.is_dir():
        return installed
    root = cache / "packages"
    if not (root / folder).is_dir():
        root.mkdir(parents=True, exist_ok=True)
        got = subprocess.run(["apt-get", "download", package], cwd=root, capture_output=True, text=True)
        debs = sorted(root.glob(f"{package}_*.deb"))
        if got.returncode or not debs:
            notes[talker] = f"package {package} is not installed and cannot be downloaded"
            return None
        subprocess.run(["dpkg", "-x", debs[0], root], check=True)
    return root / folder


def synthetic(command, text, cache, name):
    path = cache / "synthetic" / f"{name}.wav"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([*command, str(path)], input=text, text=True, check=True, capture_output=True)
    return read(path), path


def sentences_of(talker_rng, files, lo=2.2, hi=6.0, most=14):
    """Up to `most` recordings of lo..hi seconds, in a seeded order."""
    out = []
    for f in talker_rng.permutation(np.array(sorted(map(str, files)))):
        x = trimmed(read(f))
        if lo <= len(x) / RATE <= hi and active_level(x)[1] > 0.5:
            out.append((x, [f]))
        if len(out) == most:
            break
    return out


def collect(speech, corpus, cache, seed, notes):
    """talker -> list of (sentence, files), and ready-made long recordings as talker -> list."""
    short, long = {}, {}
    speech = Path(speech)
    for talker, stems in {"F1": ["harvard_F1", "dense_F1", "words_F1_03", "words_F1_06"], "M1": ["harvard_M1"],
                          "M3": ["dense_M3", "words_M3_02", "words_M3_07"]}.items():
        for stem in stems:
            path = speech / f"{stem}.flac"
            if not path.exists():
                notes[stem] = "not in the speech directory"
                continue
            x = read(path)
            if stem.startswith("harvard"):
                short.setdefault(talker, []).append((trimmed(x), [path]))
            elif stem.startswith("words"):
                long.setdefault(talker, []).append((x[: 9 * RATE], [path]))
            else:
                long.setdefault(talker, []).append((x[: int(9.5 * RATE)], [path]))
                for at in (0.3, 4.6):  # continuous speech also gives single segments
                    short.setdefault(talker, []).append((trimmed(x[int(at * RATE) : int((at + 3.9) * RATE)]), [path]))
    for talker in PROMPTS:
        folder = prompt_folder(talker, cache, notes)
        if folder:
            lo, hi = (2.2, 6.0) if talker != "librivox" else (2.2, 12.0)
            short[talker] = sentences_of(generator(seed, "prompts", talker), [*folder.glob("*.wav"), *folder.glob("*.g722")], lo, hi)
    order = generator(seed, "texts").permutation(len(SENTENCES))
    for i, voice in enumerate(FLITE):
        for k in range(8):
            text = SENTENCES[order[(i * 9 + k) % len(SENTENCES)]]
            x, path = synthetic(["flite", "-voice", voice, "-t", text, "-o"], "", cache, f"{voice}_{k}")
            short.setdefault(voice, []).append((trimmed(x), [path]))
    for i, (talker, voice) in enumerate(ESPEAK.items()):
        for k in range(8):
            text = SENTENCES[order[(i * 11 + k + 5) % len(SENTENCES)]]
            x, path = synthetic(["espeak-ng", "-v", voice, "-s", "150", text, "-w"], "", cache, f"{talker}_{k}")
            short.setdefault(talker, []).append((trimmed(x), [path]))
    for path in sorted(Path(corpus).glob("*.wav")):
        short.setdefault(CORPUS_TALKER[path.stem[0]], []).append((trimmed(read(path)), [path]))
    return short, long


def colour(x, which):
    narrowband = {0: lambda v: v, 1: dg.telephone_band, 2: dg.sending_response}
    wideband = {0: lambda v: v, 1: lambda v: v, 2: dg.wideband_sending}
    return (narrowband if RATE == 8000 else wideband)[which](x)


def finish(x, rng, quiet):
    """Levels to -26 dBov; `quiet` adds a room noise floor at -75 dBov, otherwise pauses are unchanged."""
    x = to_level(x, -26.0)
    if quiet:
        x = x + dg.coloured_noise(len(x), "pink", rng) * 10 ** (-75 / 20) / 2.2
    return dg.to_int16(x)


def build(speech, corpus, cache, seed):
    """List of dicts (name, talker, kind 'pair' or 'single', files, samples) and notes on missing sources."""
    notes, out = {}, []
    short, long = collect(speech, corpus, cache, seed, notes)
    for talker in sorted(set(short) | set(long)):
        rng = generator(seed, "source", talker)
        items = short.get(talker, [])
        made = []
        for x, files in long.get(talker, []):
            made.append((x, files))
        k, tries = 0, 0
        while len(made) < 4 and items and tries < 8:
            parts, files, length = [np.zeros(int(rng.uniform(0.25, 0.6) * RATE))], [], 0.0
            while length < 8.0:
                x, f = items[k % len(items)]
                parts += [to_level(x), np.zeros(int(rng.uniform(0.4, 0.9) * RATE))]
                files += f
                k += 1
                length = sum(map(len, parts)) / RATE
            x = np.concatenate(parts)
            made.append((x[: int(10.5 * RATE)], files))
            tries += 1
        for i, (x, files) in enumerate(made[:4]):
            y = finish(colour(x, (i + len(talker)) % 3), rng, quiet=bool((i + len(talker)) % 2))
            out.append(dict(name=f"{talker}_p{i}", talker=talker, kind="pair", files=files, samples=y))
        singles = [s for s in items if 2.4 <= len(s[0]) / RATE <= 5.6][:3]
        for i, (x, files) in enumerate(singles):
            pad = [np.zeros(int(rng.uniform(0.1, 0.3) * RATE)) for _ in range(2)]
            y = finish(colour(np.r_[pad[0], x, pad[1]], (i + 1) % 3), rng, quiet=bool(i % 2))
            out.append(dict(name=f"{talker}_s{i}", talker=talker, kind="single", files=files, samples=y))
    return out, notes
