"""One partition of a table of scores, as a worker makes it. Depends on nothing but its job, so it may be made twice."""
from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .. import _native
from ..scoring import scorer_of_this_thread
from . import storage
from .manifest import Rows

#: Columns that hold text; all others of the scores hold numbers.
TEXTS = ("outcome", "impairment", "error", "score_version", "made_from")


class NotWritten(OSError):
    """The scores cannot be kept: more of them would be lost, too."""


@dataclass(frozen=True)
class Job:
    """What a worker is given."""

    rows: Rows
    folder: str  #: to which paths are relative
    out: str
    impairments: bool
    reference_channel: int
    degraded_channel: int


@dataclass(frozen=True)
class Report:
    """What a worker gives back."""

    index: int
    pairs: int
    outcomes: "dict[str, int]"
    was_there: bool  #: made by an earlier run


@dataclass(frozen=True)
class _Pair:
    """A pair by its addresses, or why it cannot be used."""

    reference: str
    degraded: str
    fault: str
    made_from: str


def prefix_of(index: int) -> str:
    """With what the name of a partition begins."""
    return f"part-{index:06d}-"


def make_partition(job: Job) -> Report:
    """Writes the partition unless it is there. Its name holds a digest of all that its scores depend on."""
    pairs = [_pair(job, row) for row in range(job.rows.table.num_rows)]
    name = f"{prefix_of(job.rows.index)}{_digest(job, pairs)}.parquet"
    out = storage.Folder(job.out)
    present = out.names(prefix_of(job.rows.index))
    found = out.read(name) if name in present else None
    if found is None:
        table = _scored(job, pairs)
        try:
            out.write(name, _parquet(table))
        except OSError as fault:
            raise NotWritten(f"cannot write {name} into {job.out}: {fault}; check its space and rights") from None
    else:
        table = pq.read_table(io.BytesIO(found), columns=["outcome"])
    for other in present:
        if other != name:  # of recordings that have changed since
            out.remove(other)
    return Report(job.rows.index, len(pairs), dict(Counter(table.column("outcome").to_pylist())), found is not None)


def _pair(job: Job, row: int) -> _Pair:
    names = [job.rows.table.column(column)[row].as_py() or "" for column in ("reference", "degraded")]
    fault = job.rows.faults.get(row, "")
    for column, name in zip(("reference", "degraded"), names):
        if fault:
            break
        if not name:
            fault = f"the field {column} is empty; name a recording"
        elif "\0" in name:
            fault = f"the field {column} holds a zero byte; write the name again"
        elif name != name.strip(" \t") and not storage.exists(storage.beside(job.folder, name)):
            fault = f'the field {column} has blanks around the path, and no file is named "{name}"; remove them'
    reference, degraded = (storage.beside(job.folder, name) for name in names)
    if fault:
        states = [f"{channel}:none" for channel in (job.reference_channel, job.degraded_channel)]
    else:
        states = [storage.state_of(reference, job.reference_channel), storage.state_of(degraded, job.degraded_channel)]
    return _Pair(reference, degraded, fault, " ".join(states))


def _digest(job: Job, pairs: "list[_Pair]") -> str:
    content = [_native.SCORE_VERSION, job.rows.index, job.impairments, str(job.rows.table.schema),
               job.rows.table.to_pylist(), [[one.made_from, one.fault] for one in pairs]]
    return hashlib.sha256(json.dumps(content, default=repr).encode()).hexdigest()[:16]


def _scored(job: Job, pairs: "list[_Pair]") -> Any:
    with storage.Fetched() as fetched:
        rows = [_row(job, one, fetched) for one in pairs]
    table = job.rows.table
    for place, name in enumerate(_native.score_columns(job.impairments)):
        values = [row[place] or None for row in rows]
        if name in TEXTS:
            table = table.append_column(name, pa.array(values, pa.string()))
        else:
            numbers = [None if value is None else float(value) for value in values]
            table = table.append_column(name, pa.array(numbers, pa.float64()))
    return table


def _row(job: Job, pair: _Pair, fetched: storage.Fetched) -> "list[str]":
    if pair.fault:
        return [*_native.bad_row(pair.fault, job.impairments), pair.made_from]
    try:
        reference = fetched.reference(pair.reference)
        with fetched.degraded(pair.degraded) as degraded:
            row = scorer_of_this_thread().row(reference, job.reference_channel, degraded, job.degraded_channel,
                                              job.impairments)
    except (FileNotFoundError, PermissionError) as fault:  # others may pass, so the partition is tried again
        why = f"{pair.reference} or {pair.degraded} cannot be fetched ({type(fault).__name__}); check address and rights"
        return [*_native.bad_row(why, job.impairments), pair.made_from]
    named = {reference: pair.reference, degraded: pair.degraded}
    for local, address in named.items():
        row = [field.replace(local, address) for field in row] if local != address else row
    return [*row, pair.made_from]


def _parquet(table: Any) -> bytes:
    content = io.BytesIO()
    pq.write_table(table, content, compression="zstd")
    return content.getvalue()
