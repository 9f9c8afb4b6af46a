"""A manifest: a table of pairs, CSV or Parquet, read in pieces. The rules are those of `vqas score --manifest`."""
from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq

from .. import _native

_NAMES = ("reference", "degraded")
_PIECE = 1 << 20


class BadManifest(ValueError):
    """The manifest as a whole is missing or damaged; the message says how to mend it."""


@dataclass(frozen=True)
class Rows:
    """Successive pairs of a manifest."""

    index: int  #: of this piece, from 0
    table: Any  #: pyarrow.Table with the manifest's columns
    faults: "dict[int, str]"  #: rows that cannot be used as they are


@dataclass(frozen=True)
class Manifest:
    """A manifest that was looked through once."""

    address: str
    pairs: int
    sha256: str  #: of its bytes

    @property
    def folder(self) -> str:
        """To which paths are relative, with "/" behind it; empty for the working directory."""
        return self.address[:self.address.rfind("/") + 1]

    def pieces(self, size: int) -> Iterator[Rows]:
        """All pairs, `size` at a time. Holds one piece in memory, of Parquet a row group as well."""
        return _pieces(_rows_of(self.address), size)


def look_through(address: str, impairments: bool) -> Manifest:
    """Reads the whole manifest once. Raises BadManifest, OSError."""
    digest = hashlib.sha256()
    with _opened(address) as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    pairs = 0
    for table, _ in _rows_of(address):
        if pairs == 0:
            _check_header(address, table.column_names, _native.score_columns(impairments))
        pairs += table.num_rows
    if pairs == 0:
        raise BadManifest(f"the manifest {address} names no pair; add rows below its header")
    return Manifest(address, pairs, digest.hexdigest())


def _opened(address: str, mode: str = "rb", **how: Any) -> Any:
    try:
        return fsspec.open(address, mode, **how).open()
    except FileNotFoundError:
        raise BadManifest(f"there is no manifest {address}; name a CSV or Parquet file") from None


def _rows_of(address: str) -> "Iterator[tuple[Any, dict[int, str]]]":
    return _parquet_rows(address) if address.endswith((".parquet", ".pq")) else _csv_rows(address)


def _check_header(address: str, header: "list[str]", reserved: "list[str]") -> None:
    for name in _NAMES:
        if name not in header:
            cure = "separate its columns by commas" if len(header) == 1 and (";" in header[0] or "\t" in header[0]) else \
                "its header must name reference and degraded"
            raise BadManifest(f"the manifest {address} has no column {name}; {cure}")
    for name in header:
        if header.count(name) > 1:
            raise BadManifest(f'the manifest {address} names the column "{name}" twice; rename one')
        if name in reserved:
            raise BadManifest(f"the manifest {address} has a column {name}, which is a column of the scores; rename it")


def _parquet_rows(address: str) -> "Iterator[tuple[Any, dict[int, str]]]":
    with _opened(address) as file:
        try:
            parquet = pq.ParquetFile(file)
            for name in _NAMES:
                place = parquet.schema_arrow.get_field_index(name)
                if place >= 0 and not pa.types.is_string(parquet.schema_arrow.field(place).type) and \
                        not pa.types.is_large_string(parquet.schema_arrow.field(place).type):
                    raise BadManifest(f"the column {name} of the manifest {address} holds no text; give paths")
            for batch in parquet.iter_batches(batch_size=10_000):
                yield pa.Table.from_batches([batch]), {}
        except pa.ArrowInvalid as fault:
            raise BadManifest(f"the manifest {address} is no Parquet file: {fault}") from None


def _csv_rows(address: str) -> "Iterator[tuple[Any, dict[int, str]]]":
    with _opened(address, "rt", encoding="utf-8-sig", newline="") as file:
        try:
            reader = csv.reader(file, strict=True)
            header = next(reader, None)
            if not header:
                raise BadManifest(f"the manifest {address} is empty; its first row must name reference and degraded")
            rows: "list[list[str]]" = []
            faults: "dict[int, str]" = {}
            for row in reader:
                if not row:
                    continue
                if len(row) != len(header):
                    faults[len(rows)] = (f"the row has {len(row)} fields, but the manifest's header has {len(header)}; "
                                         "complete it, or quote a field that holds a comma")
                    row = (row + [""] * len(header))[:len(header)]
                rows.append(row)
                if len(rows) == 10_000:
                    yield _table(header, rows), faults
                    rows, faults = [], {}
            yield _table(header, rows), faults
        except csv.Error as fault:
            raise BadManifest(f"the manifest {address} is damaged at line {reader.line_num}: {fault}") from None
        except UnicodeDecodeError:
            raise BadManifest(f"the manifest {address} is not in UTF-8; save it as CSV in UTF-8") from None


def _table(header: "list[str]", rows: "list[list[str]]") -> Any:
    columns = [pa.array([row[n] for row in rows], pa.string()) for n in range(len(header))]
    return pa.Table.from_arrays(columns, names=header)


def _pieces(blocks: "Iterator[tuple[Any, dict[int, str]]]", size: int) -> Iterator[Rows]:
    index = 0
    held: Any = None
    faults: "dict[int, str]" = {}
    for table, found in blocks:
        before = 0 if held is None else held.num_rows
        faults.update({before + row: why for row, why in found.items()})
        held = table if held is None else pa.concat_tables([held, table])
        while held.num_rows >= size:
            yield Rows(index, _first(held, size), {k: v for k, v in faults.items() if k < size})
            held = held.slice(size)
            faults = {row - size: why for row, why in faults.items() if row >= size}
            index += 1
    if held is not None and held.num_rows > 0:
        yield Rows(index, _first(held, held.num_rows), faults)


def _first(table: Any, count: int) -> Any:
    """A copy: a slice is sent to a worker with all of the table that it was cut from."""
    return table.take(pa.array(range(count)))
