"""What documents tell the reader to run: commands in blocks, in indented lines and in spans of prose."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from documents import ROOT, blocks
from warptour.bench import SUITES
from warptour.cli.commands import COMMANDS, command_of
from warptour.cli.declare import table_of
from warptour.papers import PAPERS
from warptour.search.parameters import parameters
from warptour.strategies.registry import STRATEGIES

SPAN = re.compile(r"(?<!`)`([^`\n]+(?:\n(?!\n)[^`\n]+)*)`(?!`)")
OPTION = re.compile(r"(?<!\S)(--[a-z][a-z-]*)")
FOLDERS = ("benchmarks", "docs", "release", "src", "tests", "kernels")
"""Folders of the source tree that documents name files in; ``kernels`` is below ``src/warptour``."""
GONE = re.compile(
    r"\bby (?:a|the same) (?:shell )?script|\bscripts? (?:\w+ )*?(?:not kept|outside the tree|not (?:in|part of))"
)
"""How a figure says that nobody can measure it again."""


def cited(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line of a block, each indented line and each span of a document with its number."""
    lines = text.splitlines()
    for block in blocks(text):
        continued = re.sub(r"\\\n", " \0", block.text)
        number = block.line
        for line in continued.splitlines():
            yield number, line.replace("\0", "").strip().removeprefix("$ ")
            number += 1 + line.count("\0")
        inside = block.text.count("\n")
        lines[block.line - 2 : block.line + inside] = [""] * (inside + 2)
    for number, line in enumerate(lines, 1):
        if line.startswith("    "):
            yield number, line.strip()
            lines[number - 1] = ""
    prose = "\n".join(lines)
    for match in SPAN.finditer(prose):
        yield prose.count("\n", 0, match.start()) + 1, re.sub(r"\s+", " ", match[1])


def faults(command: str) -> Iterator[str]:
    """Yield what a cited line names that is not there: a command, an option, a parameter, a target or a file."""
    for part in re.split(r"\s(?:\||;|&&|#)\s", command):
        yield from _program(part)
        yield from _others(part)
    for path in re.findall(rf"(?<![\w/.-])(?:{'|'.join(FOLDERS)})/[\w./-]+\.(?:py|c|h|java)\b", command):
        if "your_" not in path and not (ROOT / path).exists() and not (ROOT / "src" / "warptour" / path).exists():
            yield f"there is no {path}"


def _program(command: str) -> Iterator[str]:
    found = re.search(r"(?:^|\s)warptour ([a-z]+)(?= |$)(.*)", command)
    if found is None or re.search(r"(?:^|\s)pip |^from |^import ", command):
        return
    name, rest = found[1], re.sub(r"\"[^\"]*\"|'[^']*'", "TEXT", found[2])
    known = _options(name)
    if known is None:
        yield f"there is no command {name}"
        return
    yield from (f"{name} has no {option}" for option in OPTION.findall(rest) if option not in known)
    for parameter in re.findall(r"--set ([a-z_.]+)=", rest):
        if parameter.rpartition(".")[2] not in _parameters():
            yield f"no strategy has the parameter {parameter}"
    word = next((word for word in rest.split() if re.fullmatch(r"[a-z][\w-]*", word)), None)
    choices = {"bench": SUITES, "reproduce": PAPERS}.get(name)
    if choices and word and word not in choices:
        yield f"{name} has no {word}"


def _others(command: str) -> Iterator[str]:
    script = re.match(r"python (?!-)(\S+\.py)(.*)", command)
    if script and (ROOT / script[1]).exists():
        text = (ROOT / script[1]).read_text(encoding="utf-8")
        yield from (f"{script[1]} has no {option}" for option in OPTION.findall(script[2]) if f'"{option}"' not in text)
    make = re.match(r"make ([a-z][a-z-]*)", command)
    if make and not re.search(rf"^{make[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M):
        yield f"the Makefile has no {make[1]}"
    for extras in re.findall(r"warptour\[([\w,]+)\]", command):
        yield from (f"there is no extra {extra}" for extra in extras.split(",") if extra not in _extras())


@cache
def _options(name: str) -> set[str] | None:
    if name not in COMMANDS:
        return None
    return {"--help"} | {option for row in table_of(command_of(name)) for option in (*row.names, row.denial)}


@cache
def _parameters() -> set[str]:
    found: set[str] = set()
    for kind in STRATEGIES.values():
        for name, value in parameters(kind()).items():
            found |= {name, *(value if isinstance(value, dict) else ())}
    return found


@cache
def _extras() -> set[str]:
    return set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"])


def gone(path: Path) -> list[str]:
    """Return the places of a document whose figures nobody can measure again."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        both = " ".join(lines[number - 1 : number + 1])
        found += [f"{path.name}:{number}: {match[0]}" for match in GONE.finditer(both) if match.start() < len(line)]
    return found
