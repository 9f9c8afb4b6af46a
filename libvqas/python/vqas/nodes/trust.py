"""Who a node is, by its certificate's fingerprint, and who we are, by a token."""
from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional, Union

_CURE = 'write one at the node with "vqas node token add NAME --pairing FILE"'


class PairingError(ValueError):
    """A pairing file is missing, damaged or readable by others; or an address needs one."""


class UnknownNode(ConnectionError):
    """The node shows another certificate than expected. Nothing was sent to it."""


@dataclass(frozen=True)
class Pairing:
    """Address, fingerprint and token of a node that is reached over TLS."""

    address: str  #: "wss://HOST:PORT"
    fingerprint: str  #: "sha256:" and 64 hexadecimal digits
    token: str = field(repr=False)

    @staticmethod
    def read(path: "str | os.PathLike[str]") -> "Pairing":
        """The pairing file that `vqas node token add NAME --pairing FILE` wrote. Raises PairingError where it is missing,
        damaged, or its group or others may read or write it."""
        file = Path(path)
        try:
            mode, text = file.stat().st_mode, file.read_bytes()
        except OSError as fault:
            raise PairingError(f"cannot read the pairing file {file}: {fault.strerror}") from None
        if mode & 0o077:
            raise PairingError(f"{file} may be read or changed by others; give it to its owner alone: chmod 600 {file}")
        try:
            given = json.loads(text)
        except ValueError:
            given = None
        if not isinstance(given, dict) or given.get("schema") != "vqas-pairing/1":
            raise PairingError(f"{file} is not a pairing file; {_CURE}")
        words = [str(given.get(name) or "") for name in ("address", "fingerprint", "token")]
        if not all(words) or not is_fingerprint(words[1]):
            raise PairingError(f"{file} is not a pairing file; {_CURE}")
        return Pairing(*words)


#: Where a node is: "ws://HOST:PORT" on loopback, a Pairing, or the name of a pairing file.
Address = Union[str, "os.PathLike[str]", Pairing]


def is_fingerprint(text: str) -> bool:
    return re.fullmatch("sha256:[0-9a-f]{64}", text) is not None


def place_of(address: Address) -> "tuple[str, Optional[Pairing]]":
    """The URL of a node, and how it is known. Raises PairingError for TLS without a fingerprint."""
    if isinstance(address, Pairing):
        return address.address, address
    text = os.fspath(address)
    if text.startswith("ws://"):
        return text, None
    if text.startswith("wss://"):
        raise PairingError(f"{text} is reached over TLS: give its pairing file, or Pairing(address, fingerprint, token); "
                           f"{_CURE}")
    pairing = Pairing.read(text)
    return pairing.address, pairing


def context_of(pairing: Pairing) -> ssl.SSLContext:
    """A context that refuses any other certificate in the handshake, before anything is sent. A node signs its certificate
    itself, so neither its issuer nor its name says anything."""

    class Checked(ssl.SSLObject):
        def do_handshake(self) -> None:
            super().do_handshake()
            shown = "sha256:" + hashlib.sha256(self.getpeercert(True) or b"").hexdigest()
            if not hmac.compare_digest(shown, pairing.fingerprint):
                raise UnknownNode(f"the node at {pairing.address} has another certificate ({shown}) than its pairing says "
                                  f"({pairing.fingerprint}): another program may answer in its place; if the node was set "
                                  "up again, write a new pairing file there")

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.sslobject_class = Checked
    return context
