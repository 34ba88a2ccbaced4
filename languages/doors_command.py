"""Which functions of the C library each subcommand of `armilla` reaches, read from the sources in
cli: from the entry of a subcommand through every function and table that it names."""
import re
from pathlib import Path
from typing import Dict, List, NamedTuple, Set, Tuple

# A function definition, or a table with its values; both end with a brace in the first column.
BLOCK = re.compile(r"^(?!typedef|struct|enum|union)[a-z][\w *]*?\b(\w+)"
                   r"(?:\([^;{}]*\)\n|(?:\[\w*\])* = )\{(?:[^\n]*\};$|.*?^\})",
                   re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"(\w+)_command$")
Node = Tuple[str, str]  # file, name


class Command(NamedTuple):
    """A subcommand: what it reaches, its options, and whether armilla-mpi has it."""
    functions: Set[str]
    options: Set[str]
    over_ranks: bool


def without_comments(text: str) -> str:
    """The source without comments."""
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def blocks(folder: Path) -> Dict[Node, str]:
    """The text of every function and table of the folder's sources."""
    found = {}
    for path in sorted(folder.glob("*.c")):
        for match in BLOCK.finditer(without_comments(path.read_text(encoding="utf-8"))):
            found[path.name, match.group(1)] = match.group(0)
    return found


def named(text: str) -> List[str]:
    """The words of a block outside texts."""
    return re.findall(r"\b[A-Za-z_]\w*", re.sub(r'"(?:\\.|[^"\\])*"', " ", text))


class Sources:
    """The functions and tables of the command, and which of them name which."""

    def __init__(self, folder: Path) -> None:
        self.text = blocks(folder)
        self.shared = {name: (file, name) for file, name in self.text
                       if not re.match("static", self.text[file, name])}
        self.files = {file for file, _ in self.text}

    def _next(self, node: Node) -> Set[Node]:
        found = set()
        for word in named(self.text[node]):
            if (node[0], word) in self.text:
                found.add((node[0], word))
            elif word in self.shared:
                found.add(self.shared[word])
        return found

    def reach(self, node: Node) -> Set[Node]:
        """All that the node names, and what that names."""
        seen, rest = {node}, [node]
        while rest:
            new = self._next(rest.pop()) - seen
            seen |= new
            rest += new
        return seen

    def command(self, node: Node) -> Command:
        """What the entry of a subcommand says, and reaches."""
        reached = self.reach(node)
        words = {word for one in reached for word in named(self.text[one])}
        words = {word for word in words
                 if word.startswith("armilla_") and self._has_file(word, reached)}
        tables = re.search(r"\.tables = \{(.*?)\}", self.text[node], re.DOTALL).group(1)
        options = {name for table in named(tables)
                   for name in self._options(node[0], table)}
        return Command(words, options,
                       ".over_ranks = 1" in self.text[node])

    def _has_file(self, word: str, reached: Set[Node]) -> bool:
        """Functions of an object with a source file of its own (armilla_asymmetric_new,
        asymmetric.c), which reads what the plan is made from, need something of that file: what
        several subcommands share names such functions for those of them that have read it."""
        files = {file for file in self.files if word.startswith(f"armilla_{file[:-2]}_")}
        return not files or bool(files & {file for file, _ in reached})

    def _options(self, file: str, table: str) -> List[str]:
        node = (file, table) if (file, table) in self.text else self.shared[table]
        return re.findall(r'^\s*\{"([a-z0-9-]+)",', self.text[node], re.MULTILINE)


def commands(folder: Path) -> Dict[str, Command]:
    """The subcommands by name, in the sequence in which they are listed."""
    sources = Sources(folder)
    listed = named(sources.text["commands.c", "all_commands"])
    found = {}
    for word in listed:
        match = ENTRY.match(word)
        if match:
            found[match.group(1)] = sources.command(sources.shared[word])
    return found
