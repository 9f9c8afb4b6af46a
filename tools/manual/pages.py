"""Manual pages: one for the program, and one for each command with the commands below it."""
import re
from dataclasses import dataclass

import roff


@dataclass
class Edition:
    """What a page says of the release."""
    version: str
    date: str
    docs: str  # the folder of the installed documents
    commands_md: str  # the page whose tables of exit codes and variables are taken


def brief(text):
    """The first clause, for a line of NAME or of a list."""
    return re.split(r"\. |; |: |, (?:in|until)\b| \(", " ".join(text.split()), maxsplit=1)[0].rstrip(".")


def value_and_limits(option):
    """What --help calls the value, and the words on its limits: "UINT:5 to 1000" is UINT, from 5 to 1000."""
    value, _, limits = option["type"].partition(":")
    if option["choices"]:
        return "|".join(option["choices"]), ""
    inside = re.fullmatch(r"\w+ in \[(.+) - (.+)\]", limits)
    return value, f"{inside.group(1)} to {inside.group(2)}" if inside else limits


def facts(option):
    """What --help says by signs beside an option."""
    found = []
    if option["required"] and option["names"]:
        found.append("Required.")
    limits = value_and_limits(option)[1]
    if limits:
        found.append(f"Value: {limits}.")
    if option["type"] and option["default"]:
        found.append(f"Default: {option['default']}.")
    if option["many"] and option["names"]:
        found.append("Takes several values.")
    for key, words in (("needs", "Only with"), ("excludes", "Not with")):
        if option[key]:
            found.append(f"{words} {', '.join(option[key])}.")
    return " ".join(found)


def entry(option):
    value = value_and_limits(option)[0]
    if option["operand"]:
        head = roff.italic(option["operand"])
    else:
        head = ", ".join(map(roff.bold, option["names"])) + (f" {roff.italic(value)}" if value else "")
    return [".TP", head, roff.sentences(f"{option['text'].rstrip('.')}. {facts(option)}")]


def synopsis(words, command):
    parts = [roff.bold(" ".join(words))]
    if any(option["names"] for option in command["options"]):
        parts.append(f"[{roff.italic('OPTIONS')}]")
    for option in command["options"]:
        if option["operand"]:
            name = roff.italic(option["operand"]) + ("\\&..." if option["many"] else "")
            parts.append(name if option["required"] else f"[{name}]")
    if command["commands"]:
        name = roff.italic("COMMAND")
        parts.append(name if command["needs_command"] else f"[{name}]")
    return " ".join(parts)


def footer(text):
    """Examples as they are typed, the rest as text."""
    lines, typed = [], False
    for one in text.splitlines():
        one = re.sub(r"^Examples?: *", "  ", one)
        is_typed = one.startswith(" ") and one.strip()
        if is_typed and not typed:
            lines.append(".nf")
        if typed and not is_typed:
            lines.append(".fi")
        typed = is_typed
        if one.strip():
            lines.append(("    " if typed else "") + roff.line(one.strip()))
    return lines + [".fi"] if typed else lines


def body(command, section, inherited=""):
    """What is said of one command. `section` is the macro for its headings, `inherited` the footer of the command above,
    which --help repeats where a command has none."""
    lines = [f"{section} DESCRIPTION", roff.sentences(command["text"])]
    operands = [option for option in command["options"] if option["operand"]]
    if operands:
        lines.append(f"{section} OPERANDS")
        for option in operands:
            lines += entry(option)
    groups = {}
    for option in command["options"]:
        if option["names"]:
            groups.setdefault(option["group"], []).append(option)
    for group, options in groups.items():
        lines.append(f'{section} "{roff.escaped(group.upper())}"')
        for option in options:
            lines += entry(option)
    if command["footer"].strip() and command["footer"] != inherited:
        lines += [f"{section} {'EXAMPLES' if 'Example' in command['footer'] else 'NOTES'}", *footer(command["footer"])]
    return lines


def below(words, command):
    """Sections for the commands below a command."""
    lines = []
    for one in command["commands"]:
        path = [*words, one["name"]]
        lines += [f'.SH "{" ".join(path).upper()}"', synopsis(path, one)]
        lines += body(one, ".SS", command["footer"]) + below(path, one)
    return lines


def header(name, command, edition):
    return [f'.TH "{roff.escaped(name.upper())}" 1 "{edition.date}" "vqas {edition.version}" "VQAS"', ".ad l", ".nh", ".SH NAME",
            f"{name} \\- {roff.escaped(brief(command['text']).removeprefix(name + ' '))}"]


def references(names):
    return [".SH \"SEE ALSO\"", ",\n".join(f".BR {roff.escaped(name)} (1)" for name in names).replace(",\n", " ,\n")]


def definition_list(rows):
    lines = []
    for name, meaning in rows:
        lines += [".TP", roff.bold(name.replace("`", "")), roff.from_markdown(meaning)]
    return lines


def command_page(program, command, edition):
    words = [program["name"], command["name"]]
    lines = header("-".join(words), command, edition)
    lines += [".SH SYNOPSIS", synopsis(words, command), *body(command, ".SH")]
    lines += below(words, command)
    lines += [".SH \"EXIT STATUS\"", "See", f".BR {program['name']} (1).", *references([program["name"]])]
    return "\n".join(lines) + "\n"


def program_page(program, edition):
    name = program["name"]
    lines = header(name, program, edition)
    lines += [".SH SYNOPSIS", synopsis([name], program), *body(program, ".SH")]
    if program["commands"]:
        lines += [".SH COMMANDS", "Each has a page of its own and says more with", roff.bold("--help") + "."]
        for one in program["commands"]:
            lines += [".TP", f".BR {roff.escaped(name)}\\-{roff.escaped(one['name'])} (1)", roff.sentences(brief(one["text"]))]
    lines += [".SH \"EXIT STATUS\"", *definition_list(roff.table(edition.commands_md, "Exit codes"))]
    lines += [".SH ENVIRONMENT", *definition_list(roff.table(edition.commands_md, "Environment"))]
    lines += [".SH FILES", ".TP", roff.italic(f"{edition.docs}/index.md"),
              "The pages of VQAS: guides, references, and what a score means."]
    others = [f"{name}-{one['name']}" for one in program["commands"]] or ["vqas", "vqas-measure"]
    return "\n".join(lines + references(others)) + "\n"


def pages(program, edition):
    """Of each page the name and the text."""
    yield program["name"], program_page(program, edition)
    for command in program["commands"]:
        yield f"{program['name']}-{command['name']}", command_page(program, command, edition)
