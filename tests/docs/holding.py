"""How a table is held against what is so."""
import re


class Holding:
    """One table, with the ways to compare it."""

    def __init__(self, table, faults):
        self.table, self.faults = table, faults

    def wrong(self, wrong, cure, place=None):
        self.faults.add(place or self.table.place, f"table \"{self.table.mark}\": {wrong}", cure)

    def tokens(self, column=0):
        """token -> place"""
        return {token.strip('"').removesuffix("[]"): place for place, token in self.table.tokens(column)}

    def exactly(self, real, what, column=0, documented=None):
        """Both ways: what the column names is all of `real`, and nothing else."""
        documented = self.tokens(column) if documented is None else documented
        for name in sorted(set(real) - set(documented)):
            self.wrong(f"{what} \"{name}\" is missing", "add a row or a name for it")
        for name in sorted(set(documented) - set(real)):
            self.wrong(f"there is no {what} \"{name}\"", "correct the name, or take it out", documented[name])

    def members(self, objects, known, elsewhere=()):
        """JSON: each member of `objects` is in the first column, and what it holds in its row or in the members'
        own rows of `elsewhere`; each name in the table is a member, or one of `known` (texts of the sources)."""
        rows = {token.strip('"').removesuffix("[]"): row for row in self.table.rows for token in row.tokens(0)}
        seen = set()

        def inside(value, row, path):
            for one in value if isinstance(value, list) else [value]:
                if not isinstance(one, dict):
                    return
                for key, held in one.items():
                    seen.add(key)
                    if key != "b-to-a" and key not in {token.strip('"') for token in row.tokens()}:
                        self.wrong(f"the member \"{path}.{key}\" is missing", "name it in this row", row.place)
                    inside(held, row, f"{path}.{key}")

        for one in objects:
            for key, value in one.items():
                seen.add(key)
                if key not in rows:
                    self.wrong(f"the member \"{key}\" is missing", "add a row for it")
                elif key not in elsewhere:
                    inside(value, rows[key], key)
        for place, name in self._names():
            if name not in seen and name not in known:
                self.wrong(f"no \"{name}\" is in the program's output, nor in its sources", "correct the name, or take it out",
                           place)

    def _names(self):
        for row in self.table.rows:
            for column in range(len(row.cells)):
                for token in row.tokens(column):
                    token = token.strip('"').removesuffix("[]")
                    if re.fullmatch(r"[a-z][a-z0-9_]*", token):
                        yield row.place, token

    def written(self, known, column=None):
        """One way: each name of the table is one of `known`."""
        columns = range(len(self.table.head)) if column is None else [column]
        for at in columns:
            for token, place in self.tokens(at).items():
                if re.fullmatch(r"[a-z][\w.-]*", token) and token not in known:
                    self.wrong(f"no \"{token}\" is in the sources", "correct the name, or take it out", place)
