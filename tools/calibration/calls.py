"""tools/calibrate --mode calls or calls-wb: packet calls made by GStreamer and baresip, labelled as pairs.py does it.

pairs.csv: the columns of the calibration, then packets, lost (by the network) and missed (delivered, but never given to the
decoder; empty where the program does not tell). packets/NAME.csv has a line for each packet: sequence, sent_ms, arrived_ms
(empty if the network lost it), given_ms (when the jitter buffer passed it on; empty if never).
The network is drawn by the seed. The programs run in real time, so a packet at the limit can be late in one run and not in
the next.
"""

import csv
import multiprocessing
from functools import partial
from pathlib import Path

import numpy as np
import soundfile as sf

import baresip_calls
import call_plan
import call_report
import gst_calls
import options
from measuring import measure
from packets import arrivals
from pairs import FIELDS, label, make_sources
from sources import generator
from speech_level import RATE

EXTRA = ["packets", "lost", "missed"]


def arguments():
    p = options.parser("calibrate --mode calls", __doc__, jobs=1)
    p.add_argument("--at-once", type=int, default=40, help="calls that run side by side")
    p.add_argument("--programs", default="gstreamer,baresip")
    p.add_argument("--every", type=int, default=1, help="each condition on every so many talkers")
    return p.parse_args()


def plan(sources, conditions, every):
    """(source, condition): every condition on one sentence pair of every talker, or of every `every`th."""
    pairs = {}
    for s in sources:
        if s["kind"] == "pair":
            pairs.setdefault(s["talker"], []).append(s)
    return [(pairs[t][(i + j // every) % len(pairs[t])], c) for i, c in enumerate(conditions) for j, t in enumerate(sorted(pairs)) if (i + j) % every == 0]


def name_of(source, condition):
    return f"{source['name']}-{condition.name}"


def is_there(out, source, condition):
    return (out / "packets" / f"{name_of(source, condition)}.csv").exists()


def delivered(sent_ms, net, rng):
    """When each packet arrives, by a network of packets.py, after a lead of 0 to 250 ms."""
    n = len(sent_ms)
    return sent_ms + arrivals(n, 20.0, net, rng) - np.arange(n) * 20.0 + rng.uniform(0, 250)


def keep(out, name, call, given):
    """Writes a recording, then its packets, so that a call with packets is finished. `given` is empty where the program
    does not tell."""
    sf.write(out / "degraded" / f"{name}.wav", call.samples, RATE, subtype="PCM_16")
    with open(out / "packets" / f"{name}.csv", "w", newline="") as f:
        w = csv.writer(f)
        w.writerow(["sequence", "sent_ms", "arrived_ms", "given_ms"])
        for q, s, t in zip(call.sequences, call.sent_ms, call.arrived_ms):
            w.writerow([q, f"{s:.1f}", f"{t:.2f}" if np.isfinite(t) else "", f"{given[q]:.1f}" if q in given else ""])


def row(out, source, condition):
    """The line of a finished call in pairs.csv."""
    name = name_of(source, condition)
    samples = sf.read(out / "degraded" / f"{name}.wav", dtype="int16")[0]
    with open(out / "packets" / f"{name}.csv", newline="") as f:
        packets = list(csv.DictReader(f))
    value = label(source["samples"], samples) if len(samples) > RATE else None
    lost = sum(not p["arrived_ms"] for p in packets)
    given = sum(p["given_ms"] != "" for p in packets)
    return [f"references/{source['name']}.wav", f"degraded/{name}.wav", source["talker"], source["name"], "pair", condition.family, condition.name,
            "" if value is None else f"{value:.6f}", len(packets), lost, len(packets) - lost - given if given else ""]


def _calls(a, part, kind):
    made = []
    for s, c in part:
        rng = generator(a.seed, s["name"], c.name)
        codec, net, receiver = c.draw(rng)
        made.append(kind(codec, receiver, s["samples"], partial(delivered, net=net, rng=rng)))
    return made


def by_gstreamer(a, part):
    calls = _calls(a, part, gst_calls.Call)
    print(f"a packet was handed over up to {gst_calls.run(calls):.0f} ms late", flush=True)
    for (s, c), call in zip(part, calls):
        keep(a.out, name_of(s, c), call, call.given)


def by_baresip(a, part):
    calls = _calls(a, part, baresip_calls.Call)
    baresip_calls.run(calls, a.out / "baresip")
    for (s, c), call in zip(part, calls):
        if call.samples is None:
            print(f"no recording of {name_of(s, c)}", flush=True)
        else:
            keep(a.out, name_of(s, c), call, {})


PROGRAMS = {"gstreamer": (call_plan.gstreamer, by_gstreamer), "baresip": (baresip_calls.conditions, by_baresip)}


def made(a, program, sources):
    """The rows of one program. A second run makes only the calls that are not there."""
    conditions, make = PROGRAMS[program]
    tasks = plan(sources, conditions(RATE), a.every)
    missing = [(s, c) for s, c in tasks if not is_there(a.out, s, c)]
    for at in range(0, len(missing), a.at_once):
        part = missing[at : at + a.at_once]
        for _ in range(3):  # in a process of its own: one that has run about 150 of GStreamer's pipelines crashes
            child = multiprocessing.get_context("fork").Process(target=make, args=(a, part))
            child.start()
            child.join()
            if child.exitcode == 0:
                break
            print(f"{program} ended by {child.exitcode}; once more", flush=True)
        print(f"{program}: {at + len(part)} of {len(missing)} calls", flush=True)
    return [row(a.out, s, c) for s, c in tasks if is_there(a.out, s, c)]


def main():
    a = arguments()
    sources, _ = make_sources(a, a.out)
    for folder in ("degraded", "packets"):
        (a.out / folder).mkdir(exist_ok=True)
    rows = [dict(zip(FIELDS + EXTRA, map(str, r))) for p in a.programs.split(",") for r in made(a, p, sources)]
    with open(a.out / "pairs.csv", "w", newline="") as f:
        w = csv.DictWriter(f, FIELDS + EXTRA)
        w.writeheader()
        w.writerows(rows)
    kept = [r for r in rows if r["label"]]
    text = call_report.tables(kept, measure(a.out, kept, a.measure, a.jobs), len(rows) - len(kept))
    (a.out / "tables.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
