"""Scores a manifest, in this process or by the workers of a Dask cluster."""
from __future__ import annotations

import asyncio
import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Optional

from .. import _native
from . import storage
from .manifest import Manifest, look_through
from .partition import Job, NotWritten, Report, make_partition, prefix_of

if TYPE_CHECKING:
    from distributed import Client

_BATCH, _DONE = "_batch.json", "_done.json"
_SCHEMA = "vqas-batch/1"
_AHEAD = 4  # partitions for each thread of the cluster that wait there, so that no thread waits for us
_RETRIES = 3  # of a partition whose recordings could not be fetched, or whose worker was lost


class BatchError(RuntimeError):
    """The folder holds another batch, or the scores cannot be written; the message names the cure."""


class PartitionsLost(BatchError):
    """Some partitions could not be made; all others are there, and the same call tries these again."""


@dataclass(frozen=True)
class Options:
    """What is scored, and into which folder. Local names or fsspec addresses."""

    manifest: str
    out: str
    impairments: bool = True  #: the diagnosis, too; it takes several times as long as the score
    reference_channel: int = 0  #: from 1; 0: the files must be mono
    degraded_channel: int = 0
    partition_pairs: int = 500  #: 1..100000; the unit of work, of memory, and of what a lost worker has to do again


@dataclass
class Progress:
    """How far a batch is."""

    pairs: int  #: in the manifest
    written: int = 0  #: of these, in the table
    found: int = 0  #: of these, from earlier runs
    unscored: int = 0  #: of the written ones, those without a score
    partitions: int = 0
    seconds: float = 0.0
    workers: int = 0  #: threads that score

    @property
    def rate(self) -> float:
        """Pairs a second in this run."""
        return (self.written - self.found) / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class Summary:
    """What a finished batch holds."""

    progress: Progress
    outcomes: "dict[str, int]" = field(default_factory=dict)


OnProgress = Callable[[Progress], None]


def score_manifest(options: Options, client: "Optional[Client]" = None,
                   on_progress: Optional[OnProgress] = None) -> Summary:
    """Scores every pair of a manifest into a folder of Parquet files, each pair exactly once.

    client
        Of a Dask cluster whose workers have this package and reach recordings and folder by the same addresses; None: all
        is done in this process. The files are the same.
    on_progress
        Called in this thread after each partition, and once a second at least.

    The same call continues where an earlier one was ended or killed. A pair that cannot be scored has a row that says why.
    Raises BadManifest, BatchError, PartitionsLost, ValueError for options out of range, OSError. One at a time for each
    folder."""
    options = _checked(options)
    manifest = look_through(options.manifest, options.impairments)
    out = storage.Folder(options.out)
    _claim(out, options, manifest)
    progress = Progress(manifest.pairs)
    outcomes: "Counter[str]" = Counter()
    began = time.monotonic()

    def told(report: Optional[Report]) -> None:
        if report is not None:
            progress.written += report.pairs
            progress.found += report.pairs if report.was_there else 0
            progress.unscored += report.pairs - report.outcomes.get("scored", 0)
            progress.partitions += 1
            outcomes.update(report.outcomes)
        progress.seconds = time.monotonic() - began
        if on_progress:
            on_progress(progress)

    jobs = _jobs(options, manifest)
    try:
        if client is None:
            progress.workers = 1
            for job in jobs:
                told(make_partition(job))
        else:
            _distribute(client, jobs, progress, told)
    except NotWritten as fault:
        raise BatchError(str(fault)) from None
    _finish(out, options, manifest, outcomes)
    return Summary(progress, dict(sorted(outcomes.items())))


def _checked(options: Options) -> Options:
    if not 1 <= options.partition_pairs <= 100_000:
        raise ValueError(f"partition_pairs is {options.partition_pairs}; give 1 to 100000")
    if min(options.reference_channel, options.degraded_channel) < 0:
        raise ValueError("a channel is counted from 1; 0: the files must be mono")
    values = asdict(options)
    for name in ("manifest", "out"):  # workers have other working directories
        if not storage.is_remote(values[name]):
            values[name] = os.path.abspath(storage.local_path(values[name]))
    return Options(**values)


def _claim(out: storage.Folder, options: Options, manifest: Manifest) -> None:
    """Writes what the folder is for; refuses one that is for something else."""
    wanted = {"schema": _SCHEMA, "score_version": _native.SCORE_VERSION, "manifest_sha256": manifest.sha256,
              "pairs": manifest.pairs, **{name: value for name, value in asdict(options).items()
                                          if name not in ("manifest", "out")}}
    out.make()
    held = out.read(_BATCH)
    if held is None:
        if out.names("part-"):
            raise BatchError(f"{options.out} holds the scores of something else; name another folder")
        out.write(_BATCH, (json.dumps(wanted, indent=2) + "\n").encode())
        return
    found = json.loads(held)
    differing = [name for name in wanted if found.get(name) != wanted[name]]
    if differing:
        raise BatchError(f"{options.out} was begun with another " + " and another ".join(
            f"{name} ({found.get(name)}, now {wanted[name]})" for name in differing) + "; nothing was changed: name another "
            "folder")
    out.remove(_DONE)


def _jobs(options: Options, manifest: Manifest) -> Iterator[Job]:
    for rows in manifest.pieces(options.partition_pairs):
        yield Job(rows, manifest.folder, options.out, options.impairments, options.reference_channel,
                  options.degraded_channel)


def _distribute(client: "Client", jobs: Iterator[Job], progress: Progress,
                told: "Callable[[Optional[Report]], None]") -> None:
    """Keeps a few partitions for each thread at the cluster, which gives those of a lost worker to another."""
    from distributed import wait
    run = uuid.uuid4().hex
    under_way: "dict[Any, int]" = {}
    lost: "dict[int, str]" = {}
    left = True
    while left or under_way:
        progress.workers = sum(client.nthreads().values())
        while left and len(under_way) < _AHEAD * max(1, progress.workers):
            job = next(jobs, None)
            left = job is not None
            if job is not None:
                key = f"vqas-{run}-{job.rows.index}"
                under_way[client.submit(make_partition, job, key=key, retries=_RETRIES, pure=False)] = job.rows.index
        if not under_way:
            break
        try:
            with client.as_current():  # else it takes whichever client is the default one
                done = wait(list(under_way), timeout=1.0, return_when="FIRST_COMPLETED").done
        except (TimeoutError, asyncio.TimeoutError):  # two classes before Python 3.11
            told(None)  # nothing is finished; the cluster may have no worker just now
            continue
        for future in done:
            index = under_way.pop(future)
            fault = future.exception()
            if isinstance(fault, NotWritten):
                client.cancel(list(under_way))
                raise fault
            if fault is not None:
                lost[index] = f"{type(fault).__name__}: {fault}"
            else:
                told(future.result())
    if lost:
        first = min(lost)
        raise PartitionsLost(f"{len(lost)} partitions could not be made, the first is number {first} ({lost[first]}); all "
                             "others are written: give the same command again")


def _finish(out: storage.Folder, options: Options, manifest: Manifest, outcomes: "Counter[str]") -> None:
    """Checks that each partition is there once, removes what kills have left, and says that the table is whole."""
    partitions = -(-manifest.pairs // options.partition_pairs)
    names = out.names()
    held = [name for name in names if name.startswith("part-")]
    if [name[:len(prefix_of(0))] for name in held] != [prefix_of(index) for index in range(partitions)]:
        raise BatchError(f"{options.out} was changed by another program; give the same command again")
    for name in names:
        if name.startswith("_") and name.endswith(".tmp"):
            out.remove(name)
    done = {"schema": _SCHEMA, "pairs": manifest.pairs, "partitions": partitions, "outcomes": dict(sorted(outcomes.items()))}
    out.write(_DONE, (json.dumps(done, indent=2) + "\n").encode())
