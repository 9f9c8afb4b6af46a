"""Completion for bash and zsh."""
import re
from pathlib import Path

from pages import brief


def walk(command, path=()):
    path = (*path, command["name"])
    yield " ".join(path), command
    for one in command["commands"]:
        yield from walk(one, path)


def names(options):
    return " ".join(name for option in options for name in option["names"])


def bash(program):
    """Tables of the commands, and a function that reads them."""
    function = "_" + program["name"].replace("-", "_")
    tables = []
    for path, command in walk(program):
        valued = [option for option in command["options"] if option["names"] and option["type"]]
        tables += [f"    '{path}')",
                   f"      commands='{' '.join(one['name'] for one in command['commands'])}'",
                   f"      options='{names(command['options'])}'",
                   f"      valued=' {names(valued)} '",
                   "      choices='" + " ".join(f"{name}={','.join(option['choices'])}" for option in valued if option["choices"]
                                                for name in option["names"]) + "' ;;"]
    body = Path(__file__).with_name("bash_body.sh").read_text()
    return (body.replace("PROGRAM_FUNCTION", function).replace("PROGRAM", program["name"])
            .replace("    TABLES\n", "\n".join(tables) + "\n"))


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_option(option):
    """One specification of _arguments for each name; the names of one option exclude each other."""
    told = brief(option["text"]).replace("[", "\\[").replace("]", "\\]")
    together = f"({' '.join(option['names'])})" if len(option["names"]) > 1 else ""
    if option["many"] or option["repeatable"]:
        together = "*"
    action = ""
    if option["type"]:
        value = option["type"].partition(":")[0]
        action = f":{value}:" + (f"({' '.join(option['choices'])})" if option["choices"] else "_files")
    for name in option["names"]:
        ends = "=" if action and name.startswith("--") else ""
        yield quoted(f"{together}{name}{ends}[{told}]{action}")


def zsh(program):
    lines = [f"#compdef {program['name']}", ""]
    for path, command in walk(program):
        function = "_" + re.sub(r"[ -]", "_", path)
        operands = any(option["operand"] for option in command["options"])
        specifications = [one for option in command["options"] if option["names"] for one in zsh_option(option)]
        lines.append(f"{function}() {{")
        if command["commands"]:
            lines += ["  local context state state_descr line ret=1", "  local -A opt_args"]
            specifications += ["'1: :->first'", "'*:: :->rest'"]
        elif operands:
            specifications.append("'*:operand:_files'")
        lines.append("  _arguments " + ("-C " if command["commands"] else "") + "\\\n    " + " \\\n    ".join(specifications) +
                     (" && ret=0" if command["commands"] else ""))
        if command["commands"]:
            lines += ["  case $state in", "    first)", "      local -a commands=("]
            lines += ["        " + quoted(f"{one['name']}:{brief(one['text'])}") for one in command["commands"]]
            lines += ["      )", "      _describe -t commands command commands && ret=0"]
            lines += ["      _files && ret=0"] if operands else []
            lines += ["      ;;", "    rest)", "      case $line[1] in"]
            lines += [f"        {one['name']}) {function}_{one['name'].replace('-', '_')} && ret=0 ;;" for one in command["commands"]]
            lines += ["        *) _files && ret=0 ;;", "      esac", "      ;;", "  esac", "  return ret"]
        lines += ["}", ""]
    start = "_" + program["name"].replace("-", "_")
    # Read by zsh as the body of the completion function, or by "source" to define it.
    lines += [f'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then {start} "$@"; else compdef {start} {program["name"]}; fi']
    return "\n".join(lines) + "\n"
