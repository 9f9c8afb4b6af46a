"""Folders and recordings, local or at any address that fsspec knows."""
from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import uuid
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, Optional

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from .. import _native

_KEPT_REFERENCES = 32  # files of one partition that are kept at hand


class Folder:
    """A folder in which files appear whole or not at all."""

    def __init__(self, address: str) -> None:
        self._fs, path = url_to_fs(address)
        self._path = path.rstrip("/")
        self._local = isinstance(self._fs, LocalFileSystem)

    def make(self) -> None:
        self._fs.makedirs(self._path, exist_ok=True)

    def names(self, prefix: str = "") -> "list[str]":
        """Of its files, sorted."""
        self._fs.invalidate_cache()
        try:
            found = self._fs.ls(self._path, detail=False)
        except FileNotFoundError:
            return []
        return sorted(name for name in (one.rstrip("/").rsplit("/", 1)[-1] for one in found) if name.startswith(prefix))

    def read(self, name: str) -> Optional[bytes]:
        """None where there is no such file."""
        try:
            return bytes(self._fs.cat_file(f"{self._path}/{name}"))
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Puts a file there, by another name first. A reader of tables ignores names with an underscore in front."""
        before, after = f"{self._path}/_{uuid.uuid4().hex}.tmp", f"{self._path}/{name}"
        if not self._local:
            self._fs.pipe_file(before, content)
            self._fs.mv(before, after)
            return
        try:
            with open(before, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(before, after)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(before)
            raise

    def remove(self, name: str) -> None:
        """Of a file that is gone already: nothing."""
        with contextlib.suppress(FileNotFoundError):
            self._fs.rm_file(f"{self._path}/{name}")


def is_remote(address: str) -> bool:
    return "://" in address and not address.startswith(("file://", "local://"))


def beside(folder: str, name: str) -> str:
    """The address of a name in a manifest; an absolute one stays as it is."""
    return name if "://" in name or os.path.isabs(name) else folder + name


def local_path(address: str) -> str:
    """The path of an address that is not remote."""
    return str(url_to_fs(address)[1]) if "://" in address else address


def exists(address: str) -> bool:
    return os.path.exists(local_path(address)) if not is_remote(address) else bool(_at(address)[0].exists(_at(address)[1]))


def state_of(address: str, channel: int) -> str:
    """Channel, size and time of change, as the column made_from has them; an object without a time by its tag."""
    if not is_remote(address):
        path = local_path(address)
        states: str = _native.made_from(path, channel, path, channel)
        return states.split(" ")[0]
    fs, path = _at(address)
    try:
        size = fs.info(path).get("size")
    except FileNotFoundError:
        return f"{channel}:none"
    try:
        return f"{channel}:{size}@{fs.modified(path).timestamp():.9f}"
    except (NotImplementedError, AttributeError, KeyError):
        return f"{channel}:{size}@{fs.ukey(path)}"


def _at(address: str) -> "tuple[Any, str]":
    fs, path = url_to_fs(address)
    return fs, str(path)


class Fetched:
    """Remote recordings as files of a temporary folder: the last references, and each degraded recording while it is used.
    For one thread."""

    def __init__(self) -> None:
        self._folder: Optional[str] = None
        self._references: "OrderedDict[str, str]" = OrderedDict()

    def __enter__(self) -> "Fetched":
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def reference(self, address: str) -> str:
        """The path of a reference. Raises OSError where it cannot be fetched."""
        if not is_remote(address):
            return local_path(address)
        if address not in self._references:
            self._references[address] = self._fetch(address)
            if len(self._references) > _KEPT_REFERENCES:
                os.unlink(self._references.popitem(last=False)[1])
        self._references.move_to_end(address)
        return self._references[address]

    @contextlib.contextmanager
    def degraded(self, address: str) -> Iterator[str]:
        """The path of a degraded recording."""
        if not is_remote(address):
            yield local_path(address)
            return
        path = self._fetch(address)
        try:
            yield path
        finally:
            os.unlink(path)

    def _fetch(self, address: str) -> str:
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="vqas-batch-")
        fs, path = _at(address)
        # The name's end tells libsndfile the format of a file without a header.
        to = os.path.join(self._folder, uuid.uuid4().hex + os.path.splitext(path)[1])
        fs.get_file(path, to)
        return to
