"""Holds vqas.score() of arrays against the same calls from C++, in processor time of one thread.

usage: python_speed.py VQAS_SCORE_SPEED [REPEATS] [ROUNDS]     default 15 repeats of 20 rounds
VQAS_SCORE_SPEED is the program of tools/bench, built as the wheel is (Release). Both score the same pairs of 8 s in the same
order: another pair, the pair with a new reference, the pair again. They take turns, so that the machine's load meets both;
medians of each turn, then the median of all."""
import statistics
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

import numpy as np
import vqas
from vqas.channel import G711Line


def write_wav(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(np.round(samples * 32767).clip(-32768, 32767).astype("<i2").tobytes())


def pairs_in(folder):
    corpus = vqas.corpus.default()
    speech = np.resize(corpus.recording("M6"), 64000)
    noise = np.random.default_rng(1).normal(0, 1, speech.size).astype(np.float32)
    noisy = speech + noise * np.sqrt(np.mean(speech**2)) / 10
    lines = {"identity": speech, "mu-law": G711Line()(speech), "bit errors 1e-4": G711Line(ber=1e-4)(speech),
             "bit errors 1e-2": G711Line(ber=1e-2)(speech), "noise 20 dB": noisy}
    write_wav(folder / "reference.wav", speech)
    for name, heard in lines.items():
        write_wav(folder / f"{name}.wav", heard)
    return {name: (folder / "reference.wav", folder / f"{name}.wav") for name in lines}


def in_cpp(program, pair, rounds):
    said = subprocess.run([program, "--pairs", str(rounds)], input=f"{pair[0]}\t{pair[1]}\n", capture_output=True, text=True,
                          check=True).stdout.splitlines()[1].split(",")
    return float(said[0]), float(said[1]), float(said[3])


def in_python(pair, rounds, kind, diagnose=False):
    another = vqas.corpus.default().recording("F1")[:16000]
    reference, degraded = (vqas.read_audio(one)[0] for one in pair)
    if kind is not np.float32:
        scale = 32768 if kind is np.int16 else 1
        reference, degraded = ((one * scale).astype(kind) for one in (reference, degraded))
    fresh, same = [], []
    for _ in range(rounds):
        vqas.score(another, another, 8000, diagnose=False)
        for times in (fresh, same):
            start = time.thread_time_ns()
            found = vqas.score(reference, degraded, 8000, diagnose=diagnose)
            times.append((time.thread_time_ns() - start) * 1e-6)
    return statistics.median(fresh), statistics.median(same), found.mos_lqo


def main():
    program = sys.argv[1]
    repeats, rounds = ([int(one) for one in sys.argv[2:]] + [15, 20][len(sys.argv) - 2:])[:2]
    kinds = {"float32": np.float32, "float64": np.float64, "int16": np.int16}
    print("| pair | new: C++, ms | " + " | ".join(kinds) + " | same: C++, ms | " + " | ".join(kinds) + " |")
    print("|---|" + "---|" * (2 + 2 * len(kinds)))
    with tempfile.TemporaryDirectory() as folder:
        for name, pair in pairs_in(Path(folder)).items():
            turns = {one: [] for one in ["C++", *kinds]}
            for _ in range(repeats):
                turns["C++"].append(in_cpp(program, pair, rounds))
                for one, kind in kinds.items():
                    turns[one].append(in_python(pair, rounds, kind))
            scores = {found[2] for one in turns.values() for found in one}
            assert len(scores) == 1, scores
            cells = []
            for which in (0, 1):
                cpp = statistics.median(one[which] for one in turns["C++"])
                cells.append(f"{cpp:.3f}")
                for one in kinds:
                    mine = statistics.median(found[which] for found in turns[one])
                    cells.append(f"{mine:.3f} ({cpp / mine:.2f})")
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


main()
