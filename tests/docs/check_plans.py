"""Plans, profiles and experiments, against what the program prints of them."""
import json
import re

import sources


def unquoted(text):
    return {"[]": "all", '""': "empty"}.get(text, text.strip('"'))


def plan_of(program):
    """"[table] key" -> (default as text, whether it holds unless given); the key of [tags] is any name."""
    found, table = {}, ""
    for line in program.run("plan", "new").splitlines():
        if head := re.match(r"\[(\w+)\]", line):
            table = head.group(1)
        elif key := re.match(r"(# )?(\w+) = (\"[^\"]*\"|\[\]|\S+)", line):
            name = "any name" if table == "tags" else key.group(2)
            default = "none" if table == "hooks" and key.group(3) == "[]" else unquoted(key.group(3))
            found[f"[{table}] {name}"] = (default, not key.group(1))
    return found


def plan_keys(holding, world):
    real, documented, table = plan_of(world.program), {}, ""
    for row in holding.table.rows:
        names = row.tokens(0)
        if names and names[0].startswith("["):
            table, names = names[0], names[1:] or ["any name"]
        defaults = [unquoted(re.sub(r"`", "", one.strip())) for one in row.cells[1].split(",")]
        for at, name in enumerate(names):
            key = f"{table} {name}"
            documented[key] = row.place
            default = defaults[min(at, len(defaults) - 1)]
            told, holds = real.get(key, (None, False))
            if not holds or table in ("[campaign]", "[tags]") or not default:
                continue
            if told != default and not (re.match(r"-?[\d.]", told) and float(told) == float(default)):
                holding.wrong(f"{key} is {told} unless given, not {default}", "correct the default", row.place)
    holding.exactly(real, "key", documented=documented)


def calls_plan(holding, world):
    """What the parser knows it lists when it refuses an unknown key."""
    real = set()
    for table in ("calls", "stimuli", "limits", "keep"):
        (world.folder / "unknown.toml").write_text(f"[calls]\nx = 1\n" if table == "calls" else f"[calls]\n[{table}]\nx = 1\n")
        known = re.search(r"known here: ([\w, ]+)", world.program.complaint("calls", "unknown.toml", "--out", "unknown"))
        real |= {f"[{table}] {key}" for key in known.group(1).split(", ")}
    documented = {" ".join(row.tokens(0)[:2]): row.place for row in holding.table.rows}
    holding.exactly(real, "key", documented=documented)


def measure_events(holding, world):
    rows = {row.tokens(0)[0]: row for row in holding.table.rows}
    events = [json.loads(line) for line in world.campaign_events.splitlines()]
    for name in sorted(set(rows) - {one["event"] for one in events}):
        holding.wrong(f"a campaign prints no event \"{name}\"", "correct the name, or take it out", rows[name].place)
    for event in events:
        row = rows.get(event["event"])
        if row is None:
            holding.wrong(f"the event \"{event['event']}\" is missing", "add a row for it")
            continue
        for key in set(event) - {"event"} - set(row.tokens(1)):
            holding.wrong(f"the member \"{key}\" is missing", "name it in this row", row.place)
    known = world.sources.literals(f"{sources.TOOLS}/measure")
    for name, row in rows.items():
        has = {key for event in events if event["event"] == name for key in event}
        for token in row.tokens(1):
            if token not in has and (token != "null" and token not in known):
                holding.wrong(f"\"{name}\" has no member \"{token}\"", "correct the name, or take it out", row.place)


def slot_outcomes(holding, world):
    holding.exactly(world.plan_status["counts"], "outcome")


def plan_status(holding, world):
    holding.exactly(world.plan_status, "member")


def hook_document(holding, world):
    """What `vqas hooks test` sends: each event once."""
    hook = world.folder / "hook.sh"
    hook.write_text("#!/bin/sh\ncat >> documents\n")
    hook.chmod(0o755)
    hooks = "".join(f'{key} = ["./hook.sh"]\n' for key in ("run_ended", "verdict_changed", "line_changed", "disk_full"))
    (world.folder / "hooks.toml").write_text(
        f"[campaign]\nname = \"docs\"\n[tags]\n[line]\n[precision]\nlimit_mos = 3.2\n[hooks]\n{hooks}")
    world.program.run("hooks", "test", "hooks.toml")
    documents = [json.loads(line) for line in (world.folder / "documents").read_text().splitlines()]
    for one in documents:
        if "verdict" in one:
            del one["verdict"]["run"]  # as in the member "run"
    holding.members(documents, world.sources.literals(f"{sources.ROOMS}/campaign", f"{sources.ROOMS}/store"))


def built_in_profiles(holding, world):
    real = [line.split()[0] for line in world.program.run("channel", "profiles").splitlines()]
    matched = set()
    for name, place in holding.tokens().items():
        pattern = re.sub(r"[A-Z]+", "[\\\\w.+-]+", re.escape(name).replace("\\-", "-"))
        fitting = {one for one in real if re.fullmatch(pattern, one)}
        matched |= fitting
        if not fitting:
            holding.wrong(f"there is no profile \"{name}\"", "correct the name, or take it out", place)
    for name in sorted(set(real) - matched):
        holding.wrong(f"the profile \"{name}\" is missing", "add a row for it")


def experiments(holding, world):
    listed = [line.split()[0] for line in world.program.run("experiment", "list").splitlines()]
    holding.exactly(listed, "experiment")


# How parse_profile.cpp reads a key, and how profile_fields.h names one.
READ_KEY = r'(?:\.(?:number|numbers|text|flag|integer|choice|section|sections)|\bvisit)\(\s*"(\w+)"'


def profile_keys(holding, world):
    """Both ways: every key that is read is in this table or in that of the kinds; what is there is known to the room."""
    tables = (holding.table, world.table("profile-error-kinds"))
    documented = {word for table in tables for row in table.rows for token in row.tokens()
                  for word in re.findall(r"[a-z]\w*", token)}
    for key in sorted(set(world.sources.found(READ_KEY, *sources.PROFILE_KEYS)) - documented):
        holding.wrong(f"the key \"{key}\" is missing", "add it to this table, or to that of the kinds of errors")
    for name in ("thunderstorm", "wander", "satellite-isdn", "bursts-1e-6-1e-2-1s"):
        text = world.program.run("channel", "profiles", name)
        printed = set(re.findall(r"^(\w+) = ", text, re.MULTILINE)) | set(re.findall(r"^\[+([\w.]+)\]+$", text, re.MULTILINE))
        for key in sorted(printed - documented):
            holding.wrong(f"the key \"{key}\" of the profile \"{name}\" is missing", "add a row for it")
    known_to_the_channel(holding, world)


def known_to_the_channel(holding, world):
    known = world.sources.literals(f"{sources.ROOMS}/channel")
    for row in holding.table.rows:
        for token in row.tokens():
            for word in re.findall(r"[a-z][a-z0-9_.-]*[a-z0-9]", token):
                if word not in known and word not in ("true", "false"):
                    holding.wrong(f"no \"{word}\" is in the sources", "correct the name, or take it out", row.place)


def release_networks(holding, world):
    holding.exactly(world.sources.found(r'network == "([\w-]+)"', sources.PROFILE), "network")


CHECKS = {"plan-keys": plan_keys, "calls-plan": calls_plan, "measure-events": measure_events, "slot-outcomes": slot_outcomes,
          "plan-status": plan_status, "hook-document": hook_document, "built-in-profiles": built_in_profiles,
          "experiments": experiments, "profile-keys": profile_keys, "profile-error-kinds": known_to_the_channel,
          "release-networks": release_networks}
