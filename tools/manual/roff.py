"""Text as the man macros of roff want it."""
import re
import textwrap

SPECIAL = {"&": "&\\:", "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}


def escaped(text):
    """Plain text. Signs outside ASCII are named by their code, so that a page reads the same in each locale."""
    return "".join(SPECIAL.get(one, one if ord(one) < 128 else f"\\[u{ord(one):04X}]") for one in text)


def line(text):
    """A line of text: one that begins with a point would be a request."""
    return "\\&" + escaped(text) if text.startswith(".") else escaped(text)


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def sentences(text):
    """A paragraph that begins with a capital and ends with a full stop."""
    text = " ".join(text.split())
    if not text:
        return ""
    if text[-1] not in ".!?":
        text += "."
    if not text.startswith("vqas"):
        text = text[0].upper() + text[1:]
    told = re.split(r"(?<=\.) (?=[A-Z])", text)
    return "\n".join(line(part) for one in told for part in textwrap.wrap(one, 70, break_long_words=False, break_on_hyphens=False))


def from_markdown(text):
    """A cell of a table: code in bold, of a link its words."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("\\|", "|")
    return "".join(bold(part) if odd % 2 else escaped(part) for odd, part in enumerate(text.split("`")))


def table(page, heading):
    """The rows of the first table below this heading of a Markdown page."""
    below = page.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = [row.strip().strip("|") for row in below.splitlines() if row.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)] for row in rows[2:]]
