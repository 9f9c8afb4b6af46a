#!/usr/bin/env python3
"""Many calls with both ends on this machine: how many are scored, how late the packets leave, and what it costs. Beside
them a bare thread of the same real-time priority sleeps for a millisecond at a time: how late it wakes is the machine's. "Not
run" is how long the thread that sends was ready and the machine ran something else (schedstat), in all, and the most in a
fifth of a second. Late packets without it were not caused by waiting for a processor; look at the machine's own late wakes too.
usage: many_calls.py VQAS FOLDER [--calls 1 50 200] [--far-end echo|send] [--codec pcmu] [--rounds N] [--late-ms MS]"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

PORT = 15160
LATE_MS = 2


class Machine(threading.Thread):
    """Wakes each millisecond, as the thread that sends does."""

    def __init__(self):
        super().__init__()
        self.ends, self.worst_ms, self.late, self.wakes = False, 0, 0, 0

    def run(self):
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5))
        except PermissionError:
            print("no real-time priority here")
        due = time.monotonic()
        while not self.ends:
            due += 0.001
            time.sleep(max(0.0, due - time.monotonic()))
            late_ms = 1e3 * (time.monotonic() - due)
            self.worst_ms, self.wakes = max(self.worst_ms, late_ms), self.wakes + 1
            if late_ms > LATE_MS:
                self.late += 1
                due = time.monotonic()


def cost(process):
    """Seconds of processor time so far, and the peak of its memory in MB."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(peak.group(1)) / 1024 if peak else 0


class NotRun:
    """How long the thread that sends the packets of a process waited for a processor, in ms."""

    def __init__(self, process):
        self.tasks, self.thread, self.all_ms, self.worst_ms = Path(f"/proc/{process.pid}/task"), None, 0, 0

    def look(self):
        try:
            if self.thread is None:
                self.thread = next((one for one in self.tasks.iterdir()
                                    if (one / "comm").read_text().strip() == "vqas-media"), None)
                if self.thread is None:
                    return
            now_ms = int((self.thread / "schedstat").read_text().split()[1]) / 1e6
        except (OSError, IndexError):  # the process has ended
            return
        if self.all_ms:  # what was before the first look is of no fifth of a second
            self.worst_ms = max(self.worst_ms, now_ms - self.all_ms)
        self.all_ms = now_ms


def measure(options, count):
    out = options.folder / f"calls-{count}"
    shutil.rmtree(out, ignore_errors=True)
    end = f"4712@127.0.0.1:{PORT};codec={options.codec}"
    far = subprocess.Popen([options.vqas, "answer", "--line", f"sip:{end}", "--as", options.far_end, "--late-ms",
                            str(options.late_ms), "--json-lines"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while "answering" not in far.stderr.readline():
        pass
    answered = []
    reader = threading.Thread(target=lambda: answered.extend(json.loads(line) for line in far.stdout))
    reader.start()
    machine = Machine()
    machine.start()
    began = time.monotonic()
    near = subprocess.Popen([options.vqas, "calls", "--line", f"sip:4711@127.0.0.1;dial={end}", "--far-end", options.far_end,
                             "--at-once", str(count), "--per-s", "50", "--total", str(options.rounds * count),
                             "--late-ms", str(options.late_ms), "--out", str(out), "--json"], stdout=subprocess.PIPE, text=True)
    near_cost, near_peak = (0, 0), 0
    not_run = [NotRun(near), NotRun(far)]
    while near.poll() is None:
        time.sleep(0.2)
        for one in not_run:
            one.look()
        try:
            near_cost = max(near_cost, cost(near))
            near_peak = max(near_peak, near_cost[1])
        except (FileNotFoundError, AttributeError, IndexError):
            break
    seconds = time.monotonic() - began
    summary = json.loads(near.communicate()[0])
    far_cost = cost(far)
    machine.ends = True
    machine.join()
    far.send_signal(signal.SIGINT)
    far.wait()
    reader.join()
    talked = sum(json.loads(line).get("talked_s", 0) for line in (out / "calls.jsonl").read_text().splitlines())
    mos = summary["mos"] or {"mean": float("nan"), "half_width": None}
    print(f"| {count} | {summary['calls']} | {summary['scored']} | {summary['spoilt']} | {summary['failed']} | "
          f"{mos['mean']:.2f} ± {mos['half_width'] or 0:.2f} | "
          f"{summary['sent_late']}, {summary['worst_late_ms']:.2f} | "
          f"{sum(one['sent_late'] for one in answered)}, {max((one['worst_late_ms'] for one in answered), default=0):.2f} | "
          f"{not_run[0].all_ms:.1f}, {not_run[0].worst_ms:.2f} | {not_run[1].all_ms:.1f}, {not_run[1].worst_ms:.2f} | "
          f"{machine.late} of {machine.wakes}, {machine.worst_ms:.2f} | "
          f"{100 * near_cost[0] / seconds:.0f} %, {100 * far_cost[0] / seconds:.0f} % | "
          f"{1e3 * (near_cost[0] + far_cost[0]) / max(talked, 1):.2f} | {near_peak:.0f}, {far_cost[1]:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vqas", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--calls", type=int, nargs="+", default=[1, 50, 200])
    parser.add_argument("--far-end", default="echo", choices=["echo", "send"])
    parser.add_argument("--codec", default="pcmu")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--late-ms", type=float, default=LATE_MS)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    print(f"load before: {os.getloadavg()[0]:.1f}")
    print("| calls at a time | calls | scored | spoilt | failed | MOS | late here, worst ms | late there, worst ms | "
          "not run here, worst, ms | not run there, worst, ms | machine: late wakes, worst ms | "
          "processor here, there | ms of processor per s of call, both ends | MB here, there |")
    print("|" + "---|" * 14)
    for count in options.calls:
        measure(options, count)


main()
