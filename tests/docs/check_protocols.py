"""The control sockets of nodes and relays and the blocks of the simulated line: against a measurement by the protocol
alone, and against the sources where a short measurement does not come by."""
import functools
import json
import re
import sys
from pathlib import Path

import sources
from socket_client import SocketClient

sys.path.append(str(Path(__file__).resolve().parent.parent / "tools/nodes"))
from line import Line  # noqa: E402

METHOD = r'(?:method == |\{)"(\w+\.\w+)"'


@functools.cache
def talk(world):
    """What two nodes answer and tell while they measure one sentence from a to b."""
    line = Line(world.program.vqas, world.source / "corpus", world.folder / "talk", ber=1e-3)
    try:
        a, b = SocketClient(line.node_a), SocketClient(line.node_b)
        said = {"node.hello": a.ask("node.hello")}
        for node in (a, b):
            said["session.open"] = node.ask("session.open", protocol=said["node.hello"]["protocol"], holder="docs",
                                            session="d-1", run_id=1, stimuli=["M4"])
        said["node.status"] = a.ask("node.status")
        a.ask("round.run", number=1, send=[{"stimulus": "M4", "sequence": 1}], expect=[])
        b.ask("round.run", number=1, send=[], expect=[{"stimulus": "M4", "sequence": 1, "within_s": 15}])
        measured = b.wait_for("measurement")
        b.wait_for("round.done")
        a.wait_for("round.done")
        said["recording.get"] = b.ask("recording.get", name=measured["recording"])
        said["results.list"] = b.ask("results.list")
        said["round.cancel"], said["round.abandon"] = a.ask("round.cancel"), a.ask("round.abandon")
        said["session.close"] = a.ask("session.close")
        told = a.told + b.told
        a.close()
        b.close()
        return said, told, measured
    finally:
        line.stop()


def of_nodes(world):
    return world.sources.literals(f"{sources.ROOMS}/node", f"{sources.ROOMS}/run", f"{sources.ROOMS}/line",
                                  f"{sources.ROOMS}/receive", f"{sources.ROOMS}/score")


def notifications(world):
    return set(world.sources.found(r'\btell\("([\w.]+)"', *sources.NODE_SERVICE))


def node_methods(holding, world):
    holding.exactly(world.sources.found(METHOD, *sources.NODE_SERVICE), "method")
    rows = {row.tokens(0)[0]: row for row in holding.table.rows}
    for method, result in talk(world)[0].items():
        for key in set(result) - set(rows[method].tokens(2) if method in rows else result):
            holding.wrong(f"the member \"{key}\" is missing", "name it in the results of this row", rows[method].place)
    holding.written(of_nodes(world) | {"true", "code", "message"})


def node_hello_line(holding, world):
    holding.members([talk(world)[0]["node.hello"]["line"]], of_nodes(world), elsewhere=("simulated",))


def rpc_errors(holding, world):
    real = world.sources.found(r"= (-32\d{3}),", sources.RPC_ERRORS)
    documented = {code: row.place for row in holding.table.rows for code in re.findall(r"-32\d{3}", row.cells[0])}
    holding.exactly(real, "code", documented=documented)


def node_notifications(holding, world):
    real = notifications(world) | {"measurement"}
    holding.exactly(real, "notification")
    rows = {row.tokens(0)[0]: row for row in holding.table.rows}
    for one in talk(world)[1]:
        name = one["method"]
        if name in rows and name != "measurement":
            for key in set(one["params"]) - set(rows[name].tokens(1)):
                holding.wrong(f"the member \"{key}\" is missing", "name it in this row", rows[name].place)
    holding.written(of_nodes(world))


def measurement_notification(holding, world):
    holding.members([talk(world)[2]], of_nodes(world), elsewhere=("findings",))


def line_counts(holding, world):
    holding.written(world.sources.literals(f"{sources.ROOMS}/run"))


def sim_header(holding, world):
    """Offsets, types and names of the header's members, each as wide as it is aligned."""
    body = re.search(r"struct Header \{(.*?)\n\};", world.sources.text(sources.LINE_WIRE), re.DOTALL).group(1)
    short = {"std::uint32_t": ("u32", 4), "Kind": ("u32", 4), "std::uint64_t": ("u64", 8), "std::int64_t": ("i64", 8)}
    real, offset = [], 0
    for of_type, name in re.findall(r"^  (std::u?int\d+_t|Kind) (\w+) =", body, re.MULTILINE):
        real.append([str(offset), short[of_type][0], name.removesuffix("_ns")])
        offset += short[of_type][1]
    for row, member in zip(holding.table.rows, real):
        if row.cells[:2] + [re.match(r"\w+", row.cells[2]).group()] != member:
            holding.wrong(f"this member is {' '.join(member)}", "correct the row", row.place)
    if len(real) != len(holding.table.rows):
        holding.wrong(f"the header has {len(real)} members", "name each in a row")


def sim_kinds(holding, world):
    body = re.search(r"enum class Kind : \S+ \{(.*?)\n\};", world.sources.text(sources.LINE_WIRE), re.DOTALL).group(1)
    real = {f"{number} `{name}`" for name, number in re.findall(r"(\w+) = (\d+),", body)}
    holding.exactly(real, "kind", documented={row.cells[0]: row.place for row in holding.table.rows})


def relay_line(world, mode, *arguments):
    """The first line of counters that a relay prints."""
    text = world.program.run("relay", mode, *arguments, "--json", "--interval-s", "0.1", "--duration-s", "0.3")
    return next(told for told in map(json.loads, text.splitlines()) if "t_s" in told and "calls" in told)


def relay_counters(holding, world):
    told = relay_line(world, "rtp", "--listen-a", "127.0.0.1:0", "--listen-b", "127.0.0.1:0")
    holding.exactly(told["calls"][0]["a_to_b"]["counters"], "counter")


def relay_sip_counters(holding, world):
    holding.exactly(relay_line(world, "sip", "--listen", "127.0.0.1:0")["sip"], "counter")


def relay_methods(holding, world):
    holding.exactly(world.sources.found(r'"(relay\.\w+)"', sources.RELAY_CONTROL), "method")
    holding.written(world.sources.literals(f"{sources.ROOMS}/relay"))


def relay_keys(holding, world):
    """--help names all keys but the one of the control socket alone."""
    keys = re.search(r"Keys: ([\w, ]+)", world.program.run("relay", "rtp", "--help")).group(1)
    holding.exactly(set(keys.split(", ")) | {"toml"}, "key")


CHECKS = {"node-methods": node_methods, "node-hello-line": node_hello_line, "rpc-errors": rpc_errors,
          "node-notifications": node_notifications, "measurement-notification": measurement_notification,
          "line-counts": line_counts, "rtp-counts": line_counts, "sim-header": sim_header, "sim-kinds": sim_kinds,
          "relay-methods": relay_methods, "relay-counters": relay_counters, "relay-sip-counters": relay_sip_counters,
          "relay-keys": relay_keys}
