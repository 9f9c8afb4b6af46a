"""A simulated line with its two nodes as processes, for tests that kill them."""
import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

START_S = 60  # an overloaded machine


def free_ports(count):
    """Ports that are free now; they are released before use, so another program may take one."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Line:
    """Simulator, node a and node b; each can be killed and started again at its old place."""
    real_time = False

    def __init__(self, vqas, corpus, folder, ber=1e-4, seed=1, node_arguments=()):
        self.vqas, self.corpus, self.folder = vqas, corpus, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        sim, a, b = free_ports(3)
        self.node_a, self.node_b = f"ws://127.0.0.1:{a}", f"ws://127.0.0.1:{b}"
        self.commands = {"sim": ["sim", "--ber", str(ber), "--seed", str(seed), "--port", str(sim)]}
        for end, port in (("a", a), ("b", b)):
            self.commands[end] = ["node", "--end", end, "--line", f"sim:127.0.0.1:{sim}/{end}", "--control",
                                  f"127.0.0.1:{port}", "--data", str(self.folder / end), "--corpus", str(corpus),
                                  *node_arguments]
        self.processes = {}
        self.ready = {}
        for name in ("sim", "a", "b"):
            self.start(name)

    def start(self, name):
        """Starts a part and waits until it serves; the simulator may still hold the end of a killed one."""
        deadline = time.monotonic() + START_S
        while True:
            log = open(self.folder / f"{name}.log", "a")
            process = subprocess.Popen([self.vqas, *self.commands[name]], stdout=subprocess.PIPE, stderr=log, text=True)
            line = process.stdout.readline()
            if line:
                self.processes[name], self.ready[name] = process, json.loads(line)
                return
            process.wait()
            if name != "sim" and self.processes["sim"].poll() is not None:
                self.start("sim")
            if time.monotonic() > deadline:
                raise RuntimeError(f"{name} does not start; see {self.folder / (name + '.log')}")
            time.sleep(0.02)

    def kill(self, name):
        os.kill(self.processes[name].pid, signal.SIGKILL)
        self.processes[name].wait()

    def stop(self):
        for process in self.processes.values():
            if process.poll() is None:
                process.terminate()
        for process in self.processes.values():
            process.wait()

    def journal(self, end, session):
        """Measurements of a session on the disk of the node at `end`, in the order of its journal."""
        found = []
        for line in open(self.folder / end / "node-journal.jsonl"):
            try:
                entry = json.loads(line)
            except ValueError:
                continue  # torn by a kill
            if entry.get("session") == session and "measurement" in entry:
                found.append(entry["measurement"])
        return found


class RtpLine(Line):
    """Two nodes in real time that speak RTP through a relay, which puts bit errors in; `sim` is the relay."""
    real_time = True

    def __init__(self, vqas, corpus, folder, ber=1e-4, seed=1, node_arguments=()):
        self.vqas, self.corpus, self.folder = vqas, corpus, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        a, b = free_ports(2)
        self.node_a, self.node_b = f"ws://127.0.0.1:{a}", f"ws://127.0.0.1:{b}"
        rtp = {"a": 21000 + 8 * (a % 1000), "b": 21004 + 8 * (a % 1000)}
        relayed = {end: port + 2 for end, port in rtp.items()}
        self.commands = {"sim": ["relay", "rtp", "--json", "--seed", str(seed), "--ber", str(ber)]}
        for end, port in (("a", a), ("b", b)):
            self.commands["sim"] += [f"--listen-{end}", f"127.0.0.1:{relayed[end]}", f"--peer-{end}", f"127.0.0.1:{rtp[end]}"]
            self.commands[end] = ["node", "--end", end, "--line", f"rtp:127.0.0.1:{rtp[end]}/127.0.0.1:{relayed[end]}",
                                  "--control", f"127.0.0.1:{port}", "--data", str(self.folder / end), "--corpus",
                                  str(corpus), *node_arguments]
        self.processes, self.ready = {}, {}
        for name in ("sim", "a", "b"):
            self.start(name)
