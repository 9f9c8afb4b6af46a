"""The command vqas-batch."""
from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from distributed import Client

    from .driver import Options, Progress

# Exit codes of all commands: README.md.
_FAULT, _USAGE, _BAD_INPUT, _PARTNER_LOST, _STOPPED, _SYSTEM = 1, 2, 3, 5, 6, 7
_REPORT_S = 1.0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "vqas-batch", description="Scores every pair of a manifest into a folder of Parquet files, on this machine or on a "
        "Dask cluster. The same command continues what was interrupted. The page: libvqas/doc/batch.md",
        epilog="Example: vqas-batch pairs.csv scores --workers 4")
    parser.add_argument("manifest", help="CSV or Parquet with the columns reference and degraded; a file or an fsspec "
                        "address. Paths are relative to its folder")
    parser.add_argument("out", help="folder of the scores; a file name or an fsspec address")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, such as tcp://10.0.0.5:8786")
    where.add_argument("--workers", type=int, metavar="N", help="worker processes on this machine, 0 to 1024; 0: score in "
                       "this process (one for each processor)")
    parser.add_argument("--partition-pairs", type=int, default=500, metavar="N",
                        help="pairs of a partition, 1 to 100000 (500)")
    parser.add_argument("--no-impairments", action="store_true",
                        help="leave out impairments and indices, which cost several times the score")
    parser.add_argument("--channel", type=int, default=0, metavar="N", help="channel of both recordings, from 1")
    parser.add_argument("--reference-channel", type=int, metavar="N", help="of the reference alone")
    parser.add_argument("--degraded-channel", type=int, metavar="N", help="of the degraded recording alone")
    parser.add_argument("--json", action="store_true", help="print JSON in place of text")
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command; gives its exit code."""
    given = _parser().parse_args(arguments)
    if given.workers is not None and not 0 <= given.workers <= 1024:
        _parser().error("--workers is 0 to 1024")
    try:
        from .driver import BatchError, Options, PartitionsLost, score_manifest
        from .manifest import BadManifest
    except ImportError as fault:
        print(f"vqas-batch: the package {fault.name} is not installed: pip install 'vqas[batch]'", file=sys.stderr)
        return _SYSTEM
    reference, degraded = (given.channel if one is None else one for one in (given.reference_channel, given.degraded_channel))
    options = Options(given.manifest, given.out, not given.no_impairments, reference, degraded, given.partition_pairs)
    display = _Display()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with _cluster(given.scheduler, given.workers) as client:
            summary = score_manifest(options, client, display.show)
    except KeyboardInterrupt:
        display.end()
        print("vqas-batch: stopped; what was scored is kept, and the same command continues", file=sys.stderr)
        return _STOPPED
    except (BadManifest, BatchError, ValueError, OSError) as fault:
        display.end()
        print(f"vqas-batch: {fault}", file=sys.stderr)
        kinds = ((PartitionsLost, _PARTNER_LOST), (BadManifest, _BAD_INPUT), (BatchError, _BAD_INPUT), (OSError, _SYSTEM))
        return next((code for kind, code in kinds if isinstance(fault, kind)), _BAD_INPUT)
    display.end()
    _print(options, summary.progress, summary.outcomes, given.json)
    return 0


@contextlib.contextmanager
def _cluster(scheduler: Optional[str], workers: Optional[int]) -> "Iterator[Optional[Client]]":
    """The cluster at an address, or one of this machine for as long as the context lasts, or none."""
    if workers == 0:
        yield None
        return
    from distributed import Client, LocalCluster
    if scheduler is not None:
        with Client(scheduler, set_as_default=False) as client:
            yield client
        return
    count = workers if workers is not None else len(os.sched_getaffinity(0))
    with LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        with Client(cluster, set_as_default=False) as client:
            yield client


class _Display:
    """One line on a terminal that is written again, or a line each ten seconds in a log."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._every_s = _REPORT_S if self._terminal else 10 * _REPORT_S
        self._last = time.monotonic()

    def show(self, now: "Progress") -> None:
        if time.monotonic() - self._last < self._every_s and now.written < now.pairs:
            return
        self._last = time.monotonic()
        left = f", {_duration((now.pairs - now.written) / now.rate)} left" if now.rate > 0 else ""
        waiting = "" if now.workers else ", waiting for a worker"
        text = (f"{now.written} of {now.pairs} pairs ({100 * now.written // now.pairs} %), {now.rate:.1f} a second{left}, "
                f"{now.unscored} without a score{waiting}")
        print(f"\r{text:<100}" if self._terminal else text, end="" if self._terminal else "\n", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._terminal:
            print(file=sys.stderr)


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _print(options: "Options", progress: "Progress", outcomes: "dict[str, int]", as_json: bool) -> None:
    if as_json:
        print(json.dumps({"out": options.out, "pairs": progress.pairs, "found": progress.found, "seconds": progress.seconds,
                          "pairs_a_second": progress.rate, "outcomes": outcomes}))
        return
    print(f"{progress.pairs} pairs in {options.out}: " + ", ".join(f"{n} {name}" for name, n in outcomes.items()))
    if progress.found:
        print(f"{progress.found} of them were there")
    if progress.written > progress.found:
        print(f"{progress.seconds:.1f} s, {progress.rate:.1f} pairs a second")


if __name__ == "__main__":
    sys.exit(main())
