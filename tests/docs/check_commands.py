"""Commands, options and exit codes, against --help and the header of exit codes."""
import re

import sources

OF_ALL = {"--help", "--version"}


def name_and_operands(cell):
    name, rest = re.fullmatch(r"`([^`]*)`(.*)", cell).groups()
    return name, [one.strip("[]….") for one in rest.split()]


def commands(holding, world):
    real = {name: one for name, one in world.commands.items() if name and not one.is_group}
    documented = {name_and_operands(row.cells[0])[0]: row.place for row in holding.table.rows}
    holding.exactly(real, "command", documented=documented)
    for row in holding.table.rows:
        name, operands = name_and_operands(row.cells[0])
        if name in real and operands != [one.upper() for one in real[name].operands]:
            holding.wrong(f"\"{name}\" takes {real[name].operands}, not {operands}", "name what --help names", row.place)


def documented_options(world):
    """command -> {option: row}, with the shared ones."""
    groups, options = {}, {}
    for row in world.table("shared-options").rows:
        for group in row.tokens(0):
            groups.setdefault(group, {})[row.tokens(1)[0].split()[0]] = row
    for row in world.table("commands").rows:
        name, _ = name_and_operands(row.cells[0])
        options[name] = {}
        for group in row.tokens(2):
            options[name].update(groups.get(group, {}))
    for row in world.table("options").rows:
        options.setdefault(row.tokens(0)[0], {})[row.tokens(1)[0].split()[0]] = row
    return groups, options


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def same_default(holding, name, option, told, row):
    """Where both name a figure for an option that is not given."""
    documented = re.search(r"\(([^()]+)\)$", row.cells[2])
    real = re.match(r" [A-Z]+(?::[^=]*)?=(\S+)", told.split("  ")[0])  # " UINT:5 to 1000=30"
    if documented and real and number(documented.group(1)) is not None and number(real.group(1)) is not None:
        if number(documented.group(1)) != number(real.group(1)):
            holding.wrong(f"of \"{name}\" {option} is {real.group(1)} unless given, not {documented.group(1)}",
                          "correct the figure in brackets", row.place)


def options(holding, world):
    _, documented = documented_options(world)
    for name, rows in documented.items():
        if name not in world.commands:
            place = next((row.place for row in rows.values()), None)
            holding.wrong(f"there is no command \"{name}\"", "correct the name, or take it out", place)
            continue
        real = set()
        for names, told in world.commands[name].options:
            real.update(names)
            row = next((rows[one] for one in names if one in rows), None)
            if OF_ALL & set(names):
                continue
            if row is None:
                holding.wrong(f"option {names[0]} of \"{name}\" is missing", "add a row for it, or a group of shared options")
                continue
            for one in names:
                if not any(one == token.split()[0] for token in row.tokens()):
                    holding.wrong(f"{one} of \"{name}\" is missing", f"name it in the row of {names[0]}", row.place)
            same_default(holding, name, names[0], told, row)
        for option, row in rows.items():
            if option not in real:
                holding.wrong(f"\"{name}\" has no option {option}", "correct it, or take it or its group out", row.place)


def shared_options(holding, world):
    groups, _ = documented_options(world)
    used = {group for row in world.table("commands").rows for group in row.tokens(2)}
    for group in sorted(used - set(groups)):
        holding.wrong(f"the group {group} is missing", "add its options")
    for group in sorted(set(groups) - used):
        holding.wrong(f"no command has the group {group}", "take it out", next(iter(groups[group].values())).place)


def exit_codes(holding, world):
    real = set(world.sources.found(r"\bk\w+ = (\d+),", sources.EXIT_CODES))
    documented = {code: row.place for row in holding.table.rows for code in re.findall(r"\d+", row.cells[0])}
    holding.exactly(real, "exit code", documented=documented)


def batch_options(holding, world):
    """Those of vqas-batch, which is Python and not installed here."""
    real = world.sources.found(r'add_argument\("(--[a-z-]+)"', sources.BATCH_COMMAND)
    documented = {row.tokens(0)[0].split()[0]: row.place for row in holding.table.rows}
    holding.exactly(set(real), "option", documented=documented)


CHECKS = {"commands": commands, "options": options, "shared-options": shared_options, "exit-codes": exit_codes,
          "batch-options": batch_options}
