"""Two nodes on a simulated line, and the client that commands them."""
import asyncio
import contextlib
import dataclasses
import subprocess
import sys

import pytest
import vqas
from vqas import nodes

pytest.importorskip("websockets", reason="the client of nodes needs the package websockets")
try:
    COMMAND = nodes.find_command()
except nodes.CommandMissing:
    COMMAND = None
needs_command = pytest.mark.skipif(COMMAND is None, reason="the command vqas is not built")


@pytest.fixture(scope="module")
def line(tmp_path_factory):
    with vqas.two_nodes(ber=1e-4, seed=7, command=COMMAND, folder=tmp_path_factory.mktemp("line")) as nodes_of_a_line:
        yield nodes_of_a_line


def test_without_the_command_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setenv("VQAS_COMMAND", "/no/such/vqas")
    with pytest.raises(nodes.CommandMissing, match="install the Debian package vqas"):
        with vqas.two_nodes():
            pass


@needs_command
def test_a_line_that_does_not_start_says_why():
    with pytest.raises(nodes.LineStartError, match="no-such-line"):
        with vqas.two_nodes(profile="no-such-line", command=COMMAND):
            pass


@needs_command
def test_measure_gives_each_transmission_by_direction(line):
    found = nodes.measure(line.a, line.b, ["M6", "F4"], repeats=2)
    assert [(one.direction, one.sequence, one.stimulus) for one in found] == [
        (direction, n + 1, name) for direction in ("a-to-b", "b-to-a") for n, name in enumerate(["M6", "F4", "M6", "F4"])]
    for one in found:
        assert one.scored and 1.5 < one.mos_lqo < 4.55 and one.marks_found == "both" and one.recording
        assert one.delay_basis == "virtual_time" and abs(one.delay_ms - 250) < 2
        assert isinstance(one.findings, nodes.Findings) and one.findings.band_high_hz > 3000
        assert one.to_dict()["findings"]["band_high_hz"] == one.findings.band_high_hz


@needs_command
def test_measure_refuses_wrong_arguments(line):
    with pytest.raises(ValueError, match="ends b and a"):
        nodes.measure(line.b, line.a, ["M6"])
    with pytest.raises(ValueError, match="direction"):
        nodes.measure(line.a, line.b, ["M6"], directions=["c-to-a"])
    with pytest.raises(ValueError, match="transmissions"):
        nodes.measure(line.a, line.b, [])
    with pytest.raises(nodes.NodeError, match="Z9") as refused:
        nodes.measure(line.a, line.b, ["Z9"])
    assert refused.value.code == -32602
    with pytest.raises(OSError):
        nodes.measure("ws://127.0.0.1:9", line.b, ["M6"])


@needs_command
def test_a_client_follows_a_round_by_its_events(line):
    async def run():
        async with nodes.connect(line.a) as a, nodes.connect(line.b) as b:
            hello = await a.hello()
            assert hello.end == "a" and hello.score_version == vqas.SCORE_VERSION and "M6" in hello.stimuli
            assert hello.corpus_digest == vqas.corpus.default().digest
            number = 1
            for node in (a, b):
                opened = await node.open_session(["M6"], session="events-1", run_id=77)
                assert opened.last_sent == 0 and not opened.resumed
                number = max(number, opened.last_round + 1)
            async with nodes.connect(line.a) as other:
                assert (await other.status())["held_by"] == "python"
                with pytest.raises(nodes.NodeError) as refused:
                    await other.open_session(["M6"])
                assert refused.value.code == -32001
            await b.run_round(number, expect=[("M6", 1, 15.0)])
            await a.run_round(number, send=[("M6", 1)])
            sent = [event async for event in a.events_of_round(number)]
            heard = [event async for event in b.events_of_round(number)]
            assert [type(one) for one in sent if not isinstance(one, nodes.Played)] == [nodes.Sent, nodes.RoundDone]
            measured, done = [one for one in heard if isinstance(one, (nodes.Measurement, nodes.RoundDone))]
            assert measured.scored and measured.direction is None and done.number == number and done.line_time_ns > 10**9
            assert (await b.recording(measured.recording)).startswith(b"fLaC")
            told = await b.results()
            assert told.measurements == (dataclasses.replace(measured),) and told.round.state == "done"
            with pytest.raises(nodes.NodeError, match="recording"):
                await b.recording("no-such-recording")
            for node in (a, b):
                await node.close_session()
            assert (await a.hello()).held_by is None
        with pytest.raises(ConnectionError):
            await a.hello()
    asyncio.run(run())


@needs_command
def test_a_node_that_dies_ends_its_events_and_its_requests(tmp_path):
    async def run():
        with contextlib.ExitStack() as stack:
            line = stack.enter_context(vqas.two_nodes(command=COMMAND, folder=tmp_path))
            async with nodes.connect(line.a) as node:
                await node.hello()
                telling = asyncio.ensure_future(node.events().__anext__())
                await asyncio.to_thread(stack.close)  # the nodes end
                with pytest.raises(ConnectionError):
                    await telling
                with pytest.raises(ConnectionError):
                    await node.status()
    asyncio.run(run())


@needs_command
def test_a_node_over_tls_is_known_by_its_pairing_file(tmp_path):
    def token(end, address):
        pairing = tmp_path / f"{end}.json"
        subprocess.run([COMMAND, "node", "token", "add", "anna", "--data", str(tmp_path / end), "--pairing", str(pairing),
                        "--address", address], check=True, capture_output=True)
        return pairing

    async def hello(address):
        async with nodes.connect(address) as node:
            return await node.hello()

    with vqas.two_nodes(command=COMMAND, folder=tmp_path, node_options=["--tls"]) as line:
        files = [token("a", line.a), token("b", line.b)]
        assert nodes.measure(*files, ["M6"], directions=["b-to-a"])[0].scored
        pairing = nodes.Pairing.read(files[0])
        assert pairing.address == line.a and pairing.token not in repr(pairing)
        assert asyncio.run(hello(pairing)).end == "a"
        with pytest.raises(nodes.PairingError, match="over TLS"):
            asyncio.run(hello(line.a))
        with pytest.raises(nodes.UnknownNode, match="another certificate"):
            asyncio.run(hello(dataclasses.replace(pairing, fingerprint="sha256:" + "0" * 64)))
        with pytest.raises(nodes.NodeError, match="token") as refused:
            asyncio.run(hello(dataclasses.replace(pairing, token="wrong")))
        assert refused.value.code == -32007
    files[0].chmod(0o644)
    with pytest.raises(nodes.PairingError, match="chmod 600"):
        nodes.Pairing.read(files[0])
    files[0].chmod(0o600)
    files[0].write_text("{}")
    with pytest.raises(nodes.PairingError, match="not a pairing file"):
        nodes.Pairing.read(files[0])
    with pytest.raises(nodes.PairingError, match="cannot read"):
        nodes.Pairing.read(tmp_path / "missing.json")


def test_unknown_members_and_events_are_passed_over():
    from vqas.nodes.events import event_of
    given = {"sequence": 3, "stimulus": "M6", "outcome": "not_found", "of_a_later_version": 1,
             "heard": {"kind": "tone", "tone_hz": 425.0, "new": 0}, "findings": None}
    found = event_of("measurement", given)
    assert found.sequence == 3 and found.heard == nodes.Heard("tone", tone_hz=425.0) and found.mos_lqo is None
    assert event_of("of.a.later.version", {}) is None


def test_the_package_works_without_websockets():
    code = "import sys; sys.modules['websockets'] = None; import vqas\n" \
           "import asyncio\n" \
           "async def run():\n    async with vqas.nodes.connect('ws://127.0.0.1:9'): pass\n" \
           "try:\n    asyncio.run(run())\nexcept ImportError as fault:\n    print(fault)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'vqas[nodes]'" in said
