"""Scores an archive by the command, by one process and by a cluster that loses a worker, and compares tables and costs.

usage: batch_cluster.py VQAS [PAIRS] [FOLDER]     default 10000 pairs in a temporary folder; 0.13 MB a pair
VQAS is the command, built as the wheel is. Pairs are the corpus's sentences, cut or repeated to 8 s, behind lines with bit
errors. Prints a table for libvqas/doc/record/batch.md."""
import csv
import itertools
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import wave
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import vqas
from distributed import Client, LocalCluster
from vqas.batch import Options, score_manifest
from vqas.channel import G711Line


def write_wav(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(np.round(samples * 32767).clip(-32768, 32767).astype("<i2").tobytes())


def make(folder, count):
    """The archive and its manifest, sorted by reference."""
    corpus = vqas.corpus.default()
    rows = []
    for one in corpus.stimuli:
        write_wav(folder / f"{one.id}.wav", np.resize(corpus.recording(one.id), 64000))
    ratios = itertools.cycle((0, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2))
    for n, ber in zip(range(count), ratios):
        name = corpus.stimuli[n * len(corpus.stimuli) // count].id
        heard = f"{n // 1000:03d}/{n:06d}.wav"
        (folder / heard).parent.mkdir(exist_ok=True)
        write_wav(folder / heard, G711Line(ber=ber, seed=n)(np.resize(corpus.recording(name), 64000)))
        rows.append([f"site {n % 50}", f"{name}.wav", heard])
    with open(folder / "pairs.csv", "w", newline="") as file:
        csv.writer(file).writerows([["site", "reference", "degraded"], *rows])


def spent():
    """Processor seconds of this process and of its children that have ended."""
    return sum(one.ru_utime + one.ru_stime for one in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def timed(name, count, cores, work):
    wall, cpu = time.monotonic(), spent()
    note = work()
    wall, cpu = time.monotonic() - wall, spent() - cpu
    print(f"| {name} | {wall:.1f} | {cpu:.1f} | {1e3 * cpu / count:.2f} | {count / cpu:.1f} | {count / wall / cores:.1f} | "
          f"{note} |", flush=True)


def parts(folder):
    return {one.name: one.read_bytes() for one in sorted(folder.glob("part-*.parquet"))}


def largest_mb():
    return f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB at most in a child so far"


def by_command(command, folder, name, options=()):
    out = folder / f"{name}.csv"
    out.unlink(missing_ok=True)
    subprocess.run([command, "score", "--manifest", folder / "pairs.csv", "--out", out, "--jobs", "2", *options], check=True,
                   capture_output=True)
    return f"{out.stat().st_size / 1e6:.1f} MB of CSV, {largest_mb()}"


def options_of(folder, out, count):
    return Options(str(folder / "pairs.csv"), str(out), partition_pairs=max(1, min(500, count // 20)))


def by_cluster(folder, out, workers, count):
    killed = []
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        pids = list(client.run(os.getpid).values())

        def on_progress(progress):
            if progress.written >= count // 2 and not killed:
                killed.append(pids[0])
                os.kill(pids[0], signal.SIGKILL)

        score_manifest(options_of(folder, out, count), client, on_progress)
    size = sum(map(len, parts(out).values())) / 1e6
    return f"{len(killed)} worker killed, {size:.1f} MB of Parquet, {largest_mb()}"


def alone(folder, out, count):
    found = score_manifest(options_of(folder, out, count)).progress.found
    return f"{found} pairs were there"


def main():
    command, count = sys.argv[1], int((sys.argv[2:] + ["10000"])[0])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path((sys.argv[3:] + [temporary])[0])
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "pairs.csv").exists():
            make(folder, count)
        out = Path(temporary) / "out"
        print("| what | wall, s | processor, s | ms a pair | pairs a processor second | pairs a second a core | |")
        print("|---|---|---|---|---|---|---|", flush=True)
        timed("`vqas score --manifest --jobs 2`", count, 2, lambda: by_command(command, folder, "whole"))
        timed("the same, `--no-impairments`", count, 2,
              lambda: by_command(command, folder, "scores", ["--no-impairments"]))
        timed("`vqas-batch --workers 2`, one killed", count, 2, lambda: by_cluster(folder, out / "cluster", 2, count))
        timed("`vqas-batch --workers 0`", count, 1, lambda: alone(folder, out / "alone", count))
        timed("the same once more", count, 1, lambda: alone(folder, out / "alone", count))
        assert parts(out / "cluster") == parts(out / "alone"), "the tables differ"
        told = list(csv.DictReader(open(folder / "whole.csv", newline="")))
        ours = [row for one in sorted((out / "alone").glob("part-*.parquet")) for row in pq.read_table(one).to_pylist()]
        assert len(told) == len(ours) == count
        assert all(float(one["mos_lqo"] or "nan") == two["mos_lqo"] or not one["mos_lqo"] and two["mos_lqo"] is None
                   for one, two in zip(told, ours)), "the command has other scores"
        print(f"Equal bytes of {len(parts(out / 'alone'))} partitions, equal scores in the command's table.")


if __name__ == "__main__":
    main()
