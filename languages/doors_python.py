"""Which functions of the C library each public name of the Python package reaches, read from its
sources: from a class or function through the private names that it uses, its base classes and its
tables of functions, up to the next public name."""
import ast
import itertools
import re
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple

Node = Tuple[str, str]  # module, name at its top level
SUFFIX = "_float"


class Name(NamedTuple):
    """A public class or function: what it reaches, and the arguments of the call that makes it."""
    functions: Set[str]
    arguments: Set[str]


def strings(nodes: Iterable[ast.AST]) -> Set[str]:
    """The texts without blanks among some pieces of source."""
    return {node.value for node in nodes
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
            and node.value.isidentifier()}


def is_function(text: ast.JoinedStr) -> bool:
    """Is it f"armilla_..."?"""
    first = text.values[0] if text.values else None
    return isinstance(first, ast.Constant) and first.value.startswith("armilla_")


def filled(text: ast.JoinedStr, words: Set[str], functions: Set[str]) -> Iterator[str]:
    """The functions whose name is an f-string with some of the words in its holes."""
    hole = "(?:" + "|".join(sorted(words | {""})) + ")"
    parts = [hole if isinstance(part, ast.FormattedValue) else re.escape(part.value)
             for part in text.values]
    yield from filter(re.compile("".join(parts)).fullmatch, functions)


class Facts(NamedTuple):
    """What a definition names: other definitions, functions of the library, f-strings, its texts,
    those that stand together in a tuple of tuples (("to_leg", "from_alm"), ...), those that are
    arguments or subscripts, those that it gives to methods of private names, calls with their
    texts, and what it gives to `_noun`."""
    uses: Set[Optional[Node]]
    called: Set[str]
    shapes: List[ast.JoinedStr]
    words: Set[str]
    together: List[Set[str]]
    given: Set[str]
    asked: Set[str]
    calls: List[Tuple[Optional[Node], Set[str]]]
    nouns: Set[str]


class Module:
    """One file: its top-level names, and where those that it imports come from."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.package = name, name if path.name == "__init__.py" else \
            name.rpartition(".")[0]
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.nodes: Dict[str, List[ast.AST]] = {}
        self.imported: Dict[str, Node] = {}
        for statement in self.tree.body:
            self._take(statement)
        for statement in ast.walk(self.tree):
            if isinstance(statement, ast.ImportFrom):
                self._imports(statement)

    def _take(self, statement: ast.stmt) -> None:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            self.nodes.setdefault(statement.name, []).append(statement)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else \
                [statement.target]
            for target in targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        self.nodes.setdefault(name.id, []).append(statement)

    def _imports(self, statement: ast.ImportFrom) -> None:
        base = self.package.split(".")[:len(self.package.split(".")) - statement.level + 1] \
            if statement.level else []
        source = ".".join(base + ([statement.module] if statement.module else []))
        for alias in statement.names:
            self.imported[alias.asname or alias.name] = (source, alias.name)

    def public(self) -> List[str]:
        """The names in __all__."""
        for statement in self.nodes.get("__all__", []):
            return [node.value for node in ast.walk(statement) if isinstance(node, ast.Constant)]
        return []


class Package:
    """All modules, and which names use which."""

    def __init__(self, folder: Path, functions: Set[str]) -> None:
        self.functions = functions
        self._kept: Dict[Node, Facts] = {}
        self.modules = {}
        for path in sorted(folder.rglob("*.py")):
            parts = list(path.relative_to(folder.parent).with_suffix("").parts)
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            self.modules[name] = Module(name, path)
        self.title = self._titles()

    def _titles(self) -> Dict[Node, str]:
        """The shortest public name of each definition that has one."""
        found: Dict[Node, str] = {}
        public = [name for name in self.modules if not re.search(r"\._", name)]
        for module in sorted(public, key=lambda name: (name.count("."), name)):
            for name in self.modules[module].public():
                node = self.resolve(module, name)
                if node:
                    found.setdefault(node, f"{module}.{name}")
        return found

    def resolve(self, module: str, name: str) -> Optional[Node]:
        """Where a name of a module is defined; None: not in this package, or a module."""
        while module in self.modules:
            if name in self.modules[module].nodes:
                return module, name
            source = self.modules[module].imported.get(name)
            if source in (None, (module, name)):
                return None
            module, name = source
        return None

    def _facts(self, node: Node) -> Facts:
        """What a definition says by itself; kept, since many public names use the same ones."""
        if node not in self._kept:
            self._kept[node] = facts = Facts(set(), set(), [], set(), [], set(), set(), [], set())
            for tree in self.modules[node[0]].nodes[node[1]]:
                parts = list(ast.walk(tree))
                facts.words.update(strings(parts))
                for part in parts:
                    self._add(facts, self.modules[node[0]], part)
        return self._kept[node]

    def _add(self, facts: Facts, module: Module, part: ast.AST) -> None:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            facts.uses.add(self.resolve(module.name, part.id))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            if part.value.id == "lib":
                facts.called.add(part.attr)
            elif part.value.id in module.imported:
                source = ".".join(module.imported[part.value.id])
                facts.uses.add(self.resolve(source, part.attr))
        elif isinstance(part, ast.JoinedStr):
            facts.shapes.extend([part] if is_function(part) else [])
        elif isinstance(part, ast.Tuple):
            facts.together.extend(strings(row.elts) for row in part.elts
                                  if isinstance(row, ast.Tuple))
        elif isinstance(part, ast.Subscript):
            facts.given.update(strings(ast.walk(part.slice)))
        elif isinstance(part, ast.Call):
            self._add_call(facts, module, part)
        elif isinstance(part, ast.Assign):
            if any(getattr(target, "id", "") == "_noun" for target in part.targets):
                facts.nouns.update(strings([part.value]))

    def _add_call(self, facts: Facts, module: Module, call: ast.Call) -> None:
        texts = {value.value for value in call.args
                 if isinstance(value, ast.Constant) and isinstance(value.value, str)}
        facts.called.update(texts)
        facts.given.update(texts)
        if isinstance(call.func, ast.Name):
            facts.calls.append((self.resolve(module.name, call.func.id), strings(call.args)))
        elif isinstance(call.func, ast.Attribute) and call.func.attr.startswith("_"):
            facts.asked.update(texts)

    def _inside(self, start: Node) -> List[Node]:
        """The definition and all that it uses, up to the next public name."""
        seen, rest = [start], [start]
        while rest:
            for node in self._facts(rest.pop()).uses:
                if node and node not in seen and node not in self.title:
                    seen.append(node)
                    rest.append(node)
        return seen

    def _called(self, node: Node, inside: List[Node]) -> Set[str]:
        """The functions of the library that a definition names. The holes of its f-strings are
        filled with the nouns of the classes, the texts in calls of it, and those of its own texts
        that others give to something: of a table of functions the entries that are asked for."""
        facts = self._facts(node)
        others = [self._facts(one) for one in inside if one != node] if facts.shapes else []
        words = facts.words & set().union({SUFFIX}, *(one.given for one in others))
        words.update(*(row for row in facts.together if row & words))
        for other in others:
            words |= other.nouns
            words.update(*(texts for called, texts in other.calls if called == node))
        found = set(facts.called)
        for shape in facts.shapes:
            found.update(filled(shape, words | facts.nouns, self.functions))
        return found & self.functions

    def _asked(self, start: Node) -> Name:
        """Entries of the tables of public classes that a definition uses, where it asks a private
        method of theirs for them by name: `radial._apply("convolve_many", ...)`; and the arguments
        of these classes."""
        asked, found = self._facts(start).asked, Name(set(), set())
        for used in self._facts(start).uses if asked else ():
            for facts in map(self._facts, self._inside(used) if used in self.title else ()):
                for shape in facts.shapes if facts.words & asked else ():
                    found.functions.update(
                        filled(shape, facts.words & asked, self.functions))
                    found.arguments.update(self._arguments(used))
        return found

    def _fields(self, tree: Optional[ast.AST], module: str) -> Set[str]:
        """The arguments that `**more: Unpack[Struct]` stands for."""
        found: Set[str] = set()
        for part in ast.walk(tree) if tree else ():
            node = self.resolve(module, part.id) if isinstance(part, ast.Name) else None
            for struct in self.modules[node[0]].nodes[node[1]] if node else ():
                if isinstance(struct, ast.ClassDef):
                    found |= {one.target.id for one in struct.body
                              if isinstance(one, ast.AnnAssign)}
                    found |= set().union(*(self._fields(base, node[0]) for base in struct.bases))
        return found

    def _of(self, call: ast.FunctionDef, module: str) -> Set[str]:
        more = call.args.kwarg.annotation if call.args.kwarg else None
        return ({one.arg for one in call.args.args + call.args.kwonlyargs}
                | self._fields(more, module))

    def _arguments(self, node: Node) -> Set[str]:
        """Of the call of a function or of a class, whose base may have the constructor."""
        for tree in self.modules[node[0]].nodes[node[1]]:
            if isinstance(tree, ast.FunctionDef):
                return self._of(tree, node[0])
            if isinstance(tree, ast.ClassDef):
                for part in tree.body:
                    if isinstance(part, ast.FunctionDef) and part.name in ("__init__", "__new__"):
                        return self._of(part, node[0])
                for base in tree.bases:
                    found = self.resolve(node[0], getattr(base, "id", ""))
                    if found:
                        return self._arguments(found)
        return set()

    def names(self) -> Dict[str, Name]:
        """Every public name that reaches a function of the library."""
        found = {}
        for node, title in self.title.items():
            inside = self._inside(node)
            asked = self._asked(node)
            called = asked.functions.union(*(self._called(one, inside) for one in inside))
            if called:
                found[title] = Name(called, self._arguments(node) | asked.arguments)
        return found
