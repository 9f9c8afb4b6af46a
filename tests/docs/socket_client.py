"""As much of a WebSocket (RFC 6455) as a JSON-RPC client on loopback needs."""
import base64
import json
import os
import socket
import struct

PATIENCE_S = 120  # an overloaded machine


class SocketClient:
    def __init__(self, address):
        host, port = address.removeprefix("ws://").split(":")
        self.socket = socket.create_connection((host, int(port)), PATIENCE_S)
        self.bytes, self.told, self.requests = b"", [], 0
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.bytes:
            self._read()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"{address} is no WebSocket: {head!r}")

    def _read(self):
        more = self.socket.recv(65536)
        if not more:
            raise RuntimeError("the node ended the connection")
        self.bytes += more

    def _take(self, count):
        while len(self.bytes) < count:
            self._read()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def _send(self, kind, payload):
        length = struct.pack("!B", 0x80 | len(payload)) if len(payload) < 126 else struct.pack("!BH", 0xFE, len(payload))
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(payload))
        self.socket.sendall(bytes([0x80 | kind]) + length + mask + masked)

    def _message(self):
        text = b""
        while True:
            first, length = self._take(2)
            if length == 126:
                length, = struct.unpack("!H", self._take(2))
            elif length == 127:
                length, = struct.unpack("!Q", self._take(8))
            payload = self._take(length)
            if first & 15 == 9:  # ping
                self._send(10, payload)
            elif first & 15 in (0, 1):
                text += payload
                if first & 0x80:
                    return json.loads(text)

    def ask(self, method, **params):
        """The result; notifications that come meanwhile are kept in `told`."""
        self.requests += 1
        self._send(1, json.dumps({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params}).encode())
        while (message := self._message()).get("id") != self.requests:
            self.told.append(message)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    def wait_for(self, method):
        """The params of the next notification of that name."""
        while not any(one["method"] == method for one in self.told):
            self.told.append(self._message())
        return next(one for one in self.told if one["method"] == method)["params"]

    def close(self):
        self.socket.close()
