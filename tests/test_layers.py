"""Imports point downward only, and optional libraries are imported in one place each, when used."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

LAYERS = (
    "cli view papers compare bench api cluster strategies routes tours search bound candidates neighborhoods"
    " devices kernels observe io model"
).split()
"""Top to bottom; each may import those to its right."""

OPTIONAL = set(
    "cupy pyopencl mpi4py ray matplotlib amaranth starlette uvicorn pymatching openpyxl pandas IPython".split()
)

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "warptour"
FILES = sorted(PACKAGE.rglob("*.py"))
FRONT = {"__init__", "__main__", "_names"}
"""The package's own face, above all layers."""


def place(path: Path) -> str:
    """The layer of a file, or the name of a module of the package's own."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, int, bool]]:
    """Yield (absolute module, line, whether it runs when the file is imported) for every import in a file."""
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
            inner = at_import and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
                inner = False
            for child in ast.iter_child_nodes(node):
                yield from visit(child, inner)

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), True)


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
                homes[library].add(str(path.relative_to(PACKAGE)))
                if at_import:
                    early.append(f"{path.relative_to(PACKAGE)}:{line} imports {module}")
    assert early == []
    assert {library: files for library, files in homes.items() if len(files) > 1} == {}
