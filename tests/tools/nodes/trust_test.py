"""How vqas measure decides to trust nodes over TLS, and how an operator releases one.

usage: trust_test.py VQAS CORPUS FOLDER"""
import json
import os
import pty
import shutil
import subprocess
import sys
import time
from pathlib import Path

from line import Line

UNKNOWN_PEER, BAD_INPUT, LINE_LOST = 8, 3, 5
vqas, corpus, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
line = Line(vqas, corpus, folder, ber=0, node_arguments=("--tls",))
a, b = (address.replace("ws://", "wss://") for address in (line.node_a, line.node_b))
known = folder / "known-peers"
runs = 0


def command(*more, cap="5"):
    global runs
    runs += 1
    return [vqas, "measure", "--node-a", a, "--node-b", b, "--out", str(folder / f"run-{runs}"), "--stimuli", "M4", "--cap",
            cap, "--corpus", corpus, "--known-peers", str(known), *map(str, more)]


def measure(*more):
    return subprocess.run(command(*more), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def vqas_node(*arguments):
    return subprocess.run([vqas, "node", *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def refused(run, code, *words):
    assert run.returncode == code, (run.returncode, run.stderr)
    assert all(word in run.stderr for word in words), run.stderr


try:
    prints = [line.ready[end]["fingerprint"] for end in ("a", "b")]
    assert line.ready["a"]["control"] == a
    for end in ("a", "b"):
        (folder / f"token-{end}").write_text(vqas_node("token", "add", "anna", "--data", folder / end))
        (folder / f"token-{end}").chmod(0o600)
    tokens = ["--token-file-a", folder / "token-a", "--token-file-b", folder / "token-b"]

    # No person can be asked, and the node is unknown.
    refused(measure(*tokens), UNKNOWN_PEER, a, prints[0], "--peer-fingerprint")
    trusted = ["--peer-fingerprint", prints[0], "--peer-fingerprint", prints[1]]
    assert measure(*trusted, *tokens).returncode == 0
    # A given fingerprint is remembered.
    assert known.read_text().split() == [a, prints[0], b, prints[1]]
    assert measure(*tokens).returncode == 0
    known.write_text(f"{a} {prints[1]}\n{b} {prints[1]}\n")
    refused(measure(*tokens), UNKNOWN_PEER, "another certificate", prints[0], prints[1])
    known.unlink()
    # The node is known, its token is missing.
    refused(measure(*trusted), BAD_INPUT, "requires a token", "--pairing FILE")
    (folder / "token-a").chmod(0o644)
    refused(measure(*trusted, *tokens), BAD_INPUT, f"chmod 600 {folder / 'token-a'}")
    (folder / "token-a").chmod(0o600)
    swapped = ["--token-file-a", folder / "token-b", "--token-file-b", folder / "token-a"]
    refused(measure(*trusted, *swapped), BAD_INPUT, "token")
    wrong = "sha256:" + "0" * 64
    refused(measure("--peer-fingerprint", wrong, *tokens), UNKNOWN_PEER, wrong)
    refused(measure("--peer-fingerprint", "sha256:00"), BAD_INPUT, "sha256:")

    # By pairing files of the nodes.
    for end, address in (("a", a), ("b", b)):
        printed = vqas_node("token", "add", "berta", "--data", folder / end, "--pairing", folder / f"{end}.json", "--address",
                            address)
        assert printed == "" and (folder / f"{end}.json").stat().st_mode & 0o077 == 0
    assert measure("--pairing", folder / "a.json", "--pairing", folder / "b.json").returncode == 0
    assert known.read_text().split() == [a, prints[0], b, prints[1]]
    # Every command that uses nodes accepts the same options.
    pairings = ["--pairing", folder / "a.json", "--pairing", folder / "b.json"]
    nodes = ["--node-a", a, "--node-b", b, "--corpus", corpus, "--known-peers", known]
    for words in (["line", "check", *nodes, "--stimuli", "M4"],
                  ["experiment", "characterize", *nodes, "--out", folder / "experiment"]):
        def ask(*more):
            return subprocess.run([vqas, *map(str, words), *map(str, more)], stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=300)
        refused(ask(), BAD_INPUT, "requires a token", "--pairing FILE")
        refused(ask("--peer-fingerprint", wrong), UNKNOWN_PEER, wrong)
        shutil.rmtree(folder / "experiment", ignore_errors=True)
        if words[0] == "line":
            checked = ask(*pairings)
            assert checked.returncode in (0, 4) and "a to b" in checked.stdout, (checked.returncode, checked.stderr)
    other = folder / "other.json"
    other.touch(mode=0o600)
    other.write_text((folder / "a.json").read_text().replace(prints[0], prints[1]))
    refused(measure("--pairing", other, "--pairing", folder / "b.json"), UNKNOWN_PEER, "pairing file", prints[0], prints[1])
    assert vqas_node("token", "list", "--data", folder / "a").split() == ["anna", "berta"]
    vqas_node("token", "remove", "berta", "--data", folder / "a")
    refused(measure("--pairing", folder / "a.json", "--pairing", folder / "b.json"), BAD_INPUT, "token")

    known.unlink()
    # By a person at a terminal, who is asked once for each node.
    for answers, code in (("no\n", UNKNOWN_PEER), ("yes\nyes\n", 0), ("", 0)):
        master, terminal = pty.openpty()
        process = subprocess.Popen(command(*tokens), stdin=terminal, stderr=terminal, stdout=subprocess.DEVNULL)
        os.write(master, answers.encode())
        assert process.wait(120) == code, answers
        os.close(terminal)
        os.close(master)
    assert known.read_text().split() == [a, prints[0], b, prints[1]]

    # Another certificate than before.
    known.write_text(f"{a} {prints[1]}\n{b} {prints[1]}\n")
    refused(measure(*tokens), UNKNOWN_PEER, "another certificate", prints[0], prints[1])

    # Released in the middle of a run, which keeps its measurements and reports the reason.
    process = subprocess.Popen(command(*trusted, *tokens, "--json-lines", cap="1000"), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while json.loads(process.stdout.readline())["event"] != "measured":
        pass
    vqas_node("release", "--data", folder / "b")
    said, complaint = process.communicate(timeout=120)
    if process.returncode != 0:  # else it had finished before
        assert process.returncode == LINE_LOST and "operator" in complaint, complaint
    assert json.loads(said.splitlines()[-1])["event"] == "finished"
finally:
    line.stop()
late = subprocess.run([vqas, "node", "release", "--data", folder / "b"], capture_output=True, text=True)
refused(late, BAD_INPUT, "no node uses the data folder")
shutil.rmtree(folder)
print("trusted and refused as it should be")
