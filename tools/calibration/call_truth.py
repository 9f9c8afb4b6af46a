"""How well the delay is followed in calls whose delay is known: the family gst_left_out of tools/calibrate --mode calls.

There each packet that reached the decoder is written behind the one before, and the others leave nothing. So the delay at a
packet is minus 20 ms for each packet before it that did not reach the decoder, plus the codec's own delay.
usage: call_truth.py VQAS OUT ...
    VQAS: the program vqas; OUT: folders of tools/calibrate --mode calls
"""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import soundfile as sf

PACKET_MS = 20.0
RIGHT_MS = 3.0  # a frame is 32 ms
CODEC_MS = {"opus12": 6.5, "opus24wb": 6.5}  # Opus looks ahead
SPEECH_DB = 25.0  # below the loudest packet: what counts as speech


def truth(out, row):
    """(start in s, true delay in ms, reached the decoder, holds speech) of each packet."""
    samples, rate = sf.read(out / row["reference"])
    with open(out / "packets" / (Path(row["degraded"]).stem + ".csv"), newline="") as f:
        given = np.array([p["given_ms"] != "" for p in csv.DictReader(f)])
    step = int(rate * PACKET_MS / 1000)
    n = min(len(given), len(samples) // step)
    power = (samples[: n * step].reshape(n, step) ** 2).mean(1)
    before = np.cumsum(~given) - ~given
    delay = -PACKET_MS * before[:n] + CODEC_MS.get(row["condition"].rsplit("_", 1)[1], 0.0)
    return np.arange(n) * PACKET_MS / 1000, delay, given[:n], power > power.max() * 10 ** (-SPEECH_DB / 10)


def told(vqas, out, row, mode):
    done = subprocess.run([vqas, "score", "--json", "--mode", mode, out / row["reference"], out / row["degraded"]], capture_output=True, text=True)
    return json.loads(done.stdout)


def compared(vqas, out, row, mode):
    """(share of speech that is placed right, largest error in ms, speech left out in ms, told missing in ms, error of the score), or
    None if the recording was not recognised."""
    start, delay, given, speech = truth(out, row)
    score = told(vqas, out, row, mode)
    track = score["delay_track"]
    if not track or score["mos_lqo"] is None:
        return None
    piece = np.searchsorted([p["start_s"] for p in track], start + PACKET_MS / 2000, side="right") - 1
    found = np.array([p["delay_ms"] for p in track])[np.maximum(piece, 0)]
    error = abs(found - delay)[given & speech]
    missing = score["indices"]["missing_ms"]
    return (float((error <= RIGHT_MS).mean()), error.max(), PACKET_MS * (~given & speech).sum(), sum(missing[k] for k in ("front", "middle", "tail")),
            score["mos_lqo"] - float(row["label"]))


def main():
    vqas, results = sys.argv[1], {}
    print("| pair | label | error | speech placed right | largest error, ms | speech left out, ms | told missing, ms |\n|---|---|---|---|---|---|---|")
    for out in map(Path, sys.argv[2:]):
        with open(out / "pairs.csv", newline="") as f:
            rows = [r for r in csv.DictReader(f) if r["family"] == "gst_left_out" and r["label"]]
        mode = "nb" if sf.info(out / rows[0]["reference"]).samplerate == 8000 else "wb"
        for row in rows:
            if one := compared(vqas, out, row, mode):
                share, largest, left_out, missing, error = one
                print(f"| {row['source']} {row['condition']} | {float(row['label']):.2f} | {error:+.2f} | {share:.1%} | {largest:.0f} | {left_out:.0f} | {missing:.0f} |")
                results.setdefault(row["condition"], []).append(one)
    print("\n| condition | calls | speech placed right | calls with 98 % of it right | speech left out, ms | told missing, ms | error of the score |\n|---|---|---|---|---|---|---|")
    for condition, of in results.items():
        share, _, left_out, missing, error = np.array(of).T
        print(f"| {condition} | {len(of)} | {share.mean():.1%} | {(share >= 0.98).sum()} | {left_out.mean():.0f} | {missing.mean():.0f} | {error.mean():+.2f} |")


if __name__ == "__main__":
    main()
