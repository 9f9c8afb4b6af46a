"""Manual pages and completion, against --help: each command has its page or section, each option is named there and completed.

usage: manual_test.py VQAS SOURCE MANUAL FOLDER
MANUAL has the folders man, bash and zsh of vqas."""
import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

vqas, source, manual, folder = map(Path, sys.argv[1:])
sys.path.insert(0, str(source / "tests/docs"))
from program import Program  # noqa: E402: its folder must be known

# Prints what bash offers for each line of standard input, one answer a line; the last word is the one to complete.
ASK = r"""
source "$1"
complete -p vqas >/dev/null
while IFS= read -r line; do
  IFS=' ' read -r -a COMP_WORDS <<<"$line"
  [[ $line != *' ' ]] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  _vqas vqas "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
  echo "${COMPREPLY[*]}"
done
"""
faults = []


def expect(condition, what):
    if not condition:
        faults.append(what)


def completed(lines):
    done = subprocess.run(["bash", "-euc", ASK, "bash", manual / "bash/vqas"], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=False)
    expect(done.returncode == 0 and not done.stderr, f"the completion of bash failed: {done.stderr}")
    return dict(zip(lines, (answer.split() for answer in done.stdout.splitlines())))


shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
commands = Program(vqas, source, folder).commands()
pages = {path.name.removesuffix(".1.gz"): gzip.decompress(path.read_bytes()).decode("ascii")
         for path in (manual / "man").iterdir()}

# The words of a line that bash splits at '=' stand apart.
fixed = {"vqas sc": ["score"], "vqas node tok": ["token"], "vqas node token ": ["add", "list", "remove"],
         "vqas quickstart --law ": ["mu", "a"], "vqas quickstart --law m": ["mu"], "vqas quickstart --law =": ["mu", "a"],
         "vqas quickstart --law = a": ["a"], "vqas quickstart --law = a --dir": ["--directions"],
         "vqas node --data token ": ["token", "release"], "vqas channel in.wav ou": [], "vqas score --plot ": [],
         "vqas measure --node-": ["--node-a", "--node-b"], "vqas nothing --": ["--help", "--version"]}
questions = list(fixed)
for name in commands:
    questions += [" ".join(["vqas", *name.split(), ""]), " ".join(["vqas", *name.split(), "--"])]
answers = completed(questions)
for line, wanted in fixed.items():
    expect(answers.get(line) == wanted, f"\"{line}\" is completed by {answers.get(line)}, not {wanted}")
for name, command in commands.items():
    path = " ".join(["vqas", *name.split()])
    below = [one.removeprefix(name).split()[0] for one in commands
             if one and one != name and one.startswith(f"{name} " if name else "") and len(one.split()) == len(name.split()) + 1]
    expect(sorted(answers.get(f"{path} ", ())) == sorted(below), f"\"{path} \" is completed by {answers.get(f'{path} ')}, not {below}")
    options = sorted(one for names, _ in command.options for one in names if one.startswith("--"))
    expect(sorted(answers.get(f"{path} --", ())) == options, f"\"{path} --\" is completed by {answers.get(f'{path} --')}, not {options}")

    page = pages.get("-".join(["vqas", *name.split()[:1]]), "")
    if len(name.split()) > 1:  # a section of the page of the command above
        begin = page.find(f'\n.SH "{path.upper()}"\n')
        end = page.find("\n.SH ", begin + 1)
        page = page[begin:end] if begin >= 0 else ""
    expect(page, f"no manual page has \"{path}\"")
    for option in options:
        expect(f"\\fB{option.replace('-', chr(92) + '-')}\\fR" in page, f"the manual of \"{path}\" lacks {option}")

# The page of the Python command, which its package has.
batch = source / "libvqas/python/vqas/batch/command.py"
described = subprocess.run([sys.executable, "-B", source / "tools/manual/describe_python.py", batch], capture_output=True, check=True)
(folder / "batch.json").write_bytes(described.stdout)
subprocess.run([sys.executable, "-B", source / "tools/manual/write.py", folder / "batch.json", "0", "2026-01-01", source, "docs", folder],
               check=True)
pages["vqas-batch"] = gzip.decompress((folder / "man/vqas-batch.1.gz").read_bytes()).decode("ascii")
for option in re.findall(r'"(--[a-z-]+)"', batch.read_text()):
    expect(f"\\fB{option.replace('-', chr(92) + '-')}\\fR" in pages["vqas-batch"], f"the manual of vqas-batch lacks {option}")

for name, page in pages.items():
    plain = folder / f"{name}.1"
    plain.write_text(page)
    for check in (["mandoc", "-Tlint", "-Wwarning", plain], ["groff", "-man", "-ww", "-Tutf8", plain]):
        if shutil.which(check[0]):
            done = subprocess.run(check, capture_output=True, text=True, check=False)
            told = done.stderr + (done.stdout if check[0] == "mandoc" else "")
            expect(done.returncode == 0 and not told, f"{check[0]}: {told}")
        else:
            expect(check[0] != "mandoc", "mandoc is not installed")
if shutil.which("zsh"):
    done = subprocess.run(["zsh", "-n", manual / "zsh/_vqas"], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"zsh: {done.stderr}")

for fault in faults:
    print(fault)
print(f"manual: {len(commands)} commands, {len(pages)} pages, {len(faults)} faults")
sys.exit(1 if faults else 0)
