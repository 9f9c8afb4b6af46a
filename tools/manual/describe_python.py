"""Prints what the option parser of a Python command tells, in the form of describe.h.

usage: describe_python.py COMMAND.PY     the file has a function _parser() and imports nothing that must be built"""
import argparse
import importlib.util
import json
import sys


def described(parser, action, excluded):
    names = [] if not action.option_strings else list(action.option_strings)
    takes_value = action.nargs != 0
    value = (action.metavar or action.dest.upper()) if takes_value and names else ""
    return {"names": names, "operand": "" if names else action.metavar or action.dest, "type": value,
            "choices": list(action.choices or []), "default": "", "required": action.required,
            "many": action.nargs in ("*", "+"), "repeatable": False, "excludes": excluded, "needs": [], "group": "Options",
            "text": parser._get_formatter()._expand_help(action)}


def describe(parser):
    others = {}
    for group in parser._mutually_exclusive_groups:
        for action in group._group_actions:
            others[action] = [one.option_strings[-1] for one in group._group_actions if one is not action]
    return {"name": parser.prog, "text": parser.description, "footer": parser.epilog or "", "needs_command": False,
            "options": [described(parser, action, others.get(action, [])) for action in parser._actions
                        if action.help != argparse.SUPPRESS],
            "commands": []}


if __name__ == "__main__":
    found = importlib.util.spec_from_file_location("command", sys.argv[1])
    command = importlib.util.module_from_spec(found)
    found.loader.exec_module(command)
    print(json.dumps(describe(command._parser())))
