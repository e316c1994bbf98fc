"""Imports point downward only, and optional libraries are imported in one place each, when used."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

LAYERS = (
    "cli service view web papers compare bench api cluster strategies routes tours search bound candidates"
    " neighborhoods devices observe io roads kernels model"
).split()
"""Top to bottom; each may import those to its right."""

OPTIONAL = set(
    (
        "cupy pyopencl mpi4py ray matplotlib amaranth starlette uvicorn pymatching openpyxl pandas IPython osmium"
        " highspy"
    ).split()
)

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "warptour"
FILES = sorted(PACKAGE.rglob("*.py"))
FRONT = {"__init__", "__main__", "_names"}
"""The package's own face, above all layers."""


ABOVE_PAPERS = {"cli", "view", "papers", "_names.py"}
"""What may import papers: all else knows them by the names of modules in :data:`REGISTRIES`, if at all."""

PROGRAMS = {"routes/engine/partition_routes.py"}
"""Files that run as programs of their own and import nothing of the package."""

REGISTRIES = {"strategies/registry.py", "bench/__init__.py"}

CIRCLES = {
    # to be cut with the rest of cluster/: a member knows the plan, the plan its links, a link its members
    ("warptour.cluster.links.threads", "warptour.cluster.member"),
}
"""Imports that are let be, as they close a circle."""


def place(path: Path) -> str:
    """The layer of a file, or the name of a module of the package's own."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[tuple[str, int, bool], ...]:
    """(Absolute module, line, whether it runs when the file is imported) for every import in a file."""
    package = ["warptour", *path.relative_to(PACKAGE).parts[:-1]]

    def visit(node: ast.AST, at_import: bool) -> Iterator[tuple[str, int, bool]]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, at_import
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield (f"{module}.{alias.name}" if module == "warptour" else module), node.lineno, at_import
        else:
            inner = at_import and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
                inner = False
            for child in statements(node):
                yield from visit(child, inner)

    return tuple(visit(tree(path), True))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes just below one in which an import may stand."""
    return (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))


def upward(path: Path) -> list[str]:
    """What a file imports of layers that are not below its own."""
    here = place(path)
    if here in FRONT:
        return []
    assert here in LAYERS or here.startswith("_"), f"{here} has no place among the layers"
    allowed = {"_version", here, *(LAYERS[LAYERS.index(here) + 1 :] if here in LAYERS else ())}
    return [
        f"{path.relative_to(PACKAGE)}:{line} imports {module}"
        for module, line, _ in imports(path)
        if module.split(".")[0] == "warptour" and [*module.split("."), ""][1] not in allowed
    ]


def test_imports_point_downward() -> None:
    assert {place(path) for path in FILES} >= set(LAYERS)
    assert [line for path in FILES for line in upward(path)] == []


def test_an_optional_library_is_imported_in_one_file_and_only_when_used() -> None:
    homes = defaultdict(set)
    early = []
    for path in FILES:
        for module, line, at_import in imports(path):
            library = module.split(".")[0]
            if library in OPTIONAL:
                if path.relative_to(PACKAGE).as_posix() not in PROGRAMS:
                    homes[library].add(str(path.relative_to(PACKAGE)))
                if at_import:
                    early.append(f"{path.relative_to(PACKAGE)}:{line} imports {module}")
    assert early == []
    assert {library: files for library, files in homes.items() if len(files) > 1} == {}


def name_of(path: Path) -> str:
    """The dotted name of a file's module."""
    return ".".join(("warptour", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def modules(path: Path, known: set[str]) -> set[str]:
    """The modules of the package that a file imports, also when it is used or typed only."""
    package = ["warptour", *path.relative_to(PACKAGE).parts[:-1]]
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = {f"{module}.{alias.name}" for alias in node.names}
            found |= {name if name in known else module for name in names}
    return found & known


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = {name_of(path): path for path in FILES}
    drawn = {name: modules(path, set(known)) - {name} for name, path in known.items()}
    for above, below in CIRCLES:
        drawn[above].remove(below)
    try:
        TopologicalSorter(drawn).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_papers_are_known_by_name_alone() -> None:
    naming = defaultdict(set)
    for path in FILES:
        file = path.relative_to(PACKAGE).as_posix()
        if file.split("/")[0] in ABOVE_PAPERS:
            continue
        for module, _, _ in imports(path):
            if module.startswith("warptour.papers"):
                naming["imports"].add(file)
        if re.search(r"papers\.\w", path.read_text(encoding="utf-8")):
            naming["names"].add(file)
    assert naming == {"names": REGISTRIES}
