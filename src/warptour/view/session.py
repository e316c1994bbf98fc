"""What one server holds: files, problems, traces and runs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import fields
from itertools import count
from pathlib import Path
from threading import Lock, RLock
from typing import Any, Final, TypeVar

from warptour._version import __version__
from warptour.io.files import open_regular
from warptour.io.locked import with_plan
from warptour.io.read import SUFFIXES
from warptour.io.reading import ReadOptions
from warptour.io.source import STANDARD_INPUT
from warptour.io.streets import RoadOptions
from warptour.model.errors import InputError, UsageError
from warptour.model.vehicles import VRP
from warptour.observe.child import program
from warptour.observe.tours import tours_path
from warptour.view.by_hand import Locked, PlanStep, PlanWriter, changed, plan_under_way
from warptour.view.folder import UPLOAD_BYTES, Folder, Upload
from warptour.view.opened import NOTHING, OpenedTrace
from warptour.view.problems import (
    AS_IT_IS,
    SHOWN_FIELDS,
    GivenProblem,
    asked_problem,
    option_words,
    read_problem,
    said,
    specification,
)
from warptour.view.runs import MAX_RUNS, Run, run_words
from warptour.web.refusal import Refusal, missing, number_of, object_of

Thing = TypeVar("Thing")

DEVICES_SECONDS: Final = 120.0
"""How long finding the devices may take."""
MAX_PROBLEMS: Final = 4
"""Maximum number of problems kept that no run uses; the one asked for longest ago goes first."""
CHANGE_SHARE: Final = 0.05
"""Cost of a stop that changes its vehicle where none is given, as a share of what a stop of the plan costs on average:
planning again should not exchange stops that cost the same elsewhere."""

PLAN: Final = "plan.json"
"""Name of the file of a plan that is made again, which the page saves, too."""
MAX_TRACES: Final = 64
"""Maximum number of traces, those of runs included."""


class Session:
    """Everything that the page can ask for.

    Its methods may be called from several threads.

    ``given``: How the file of the command line is read. Its streets are those of uploads, too.
    """

    def __init__(self, given: ReadOptions = AS_IT_IS) -> None:
        self.given = given
        self.roads = RoadOptions(**{each.name: getattr(given, each.name) for each in fields(RoadOptions)})
        self.folder = Folder()
        self.files: dict[str, Upload] = {}
        self.problems: dict[str, GivenProblem] = {}
        self.traces: dict[str, OpenedTrace] = {}
        self.runs: dict[str, Run] = {}
        self.opened_problem: str | None = None
        self.opened_trace: str | None = None
        self.closed = False
        self._lock = RLock()
        self._reading = Lock()
        self._numbers = {letter: count(1) for letter in "fprt"}
        self._devices: dict[str, Any] | None = None
        self._devices_lock = Lock()

    def new_id(self, letter: str) -> str:
        """Return an id that was not used before."""
        return f"{letter}{next(self._numbers[letter])}"

    def open(self, source: str) -> None:
        """Open what the command line names, a trace or a problem."""
        if source == STANDARD_INPUT:
            raise UsageError("the view needs a file: its runs read it again")
        if _is_trace(Path(source)):
            check_unsaid(self.given, f"{source} is a trace")
            trace = OpenedTrace(self.new_id("t"), Path(source).name, Path(source), tours_path(source), roads=self.roads)
            trace.grow()
            if trace.trace.error is not None:
                raise trace.trace.error
            if not trace.trace.path.exists():
                raise InputError("no such file", source)
            trace.streets()
            self.traces[trace.id], self.opened_trace = trace, trace.id
        else:
            given = read_problem(self.new_id("p"), source, self.given)
            self.problems[given.id], self.opened_problem = given, given.id

    def facts(self) -> dict[str, Any]:
        """Return what the page starts with."""
        news = self.news({})
        with self._lock:
            problems = list(self.problems.values())
        return {
            "warptour": __version__,
            "limits": {"upload_bytes": UPLOAD_BYTES, "runs": MAX_RUNS},
            "problem": self.opened_problem,
            "trace": self.opened_trace,
            "problems": [given.facts() for given in problems],
            "traces": news["traces"],
            "runs": news["runs"],
        }

    def news(self, seen: dict[str, Any]) -> dict[str, Any]:
        """Return traces and runs that differ from ``seen``, which is brought up to date, and the ids of those gone."""
        with self._lock:
            runs, traces = dict(self.runs), dict(self.traces)
        for trace in traces.values():
            run = runs.get(trace.run or "")
            over = run is not None and not run.running
            trace.grow()
            trace.grows = trace.grows and not over
        now: dict[str, Any] = {id: trace.signature() for id, trace in traces.items()}
        now |= {id: run.state() for id, run in runs.items()}
        changed = {id for id, state in now.items() if seen.get(id) != state}
        gone = sorted(set(seen) - set(now))
        seen.clear()
        seen.update(now)
        return {
            "traces": [trace.facts() for id, trace in traces.items() if id in changed],
            "runs": [self.run_facts(run) for id, run in runs.items() if id in changed],
            "gone": gone,
        }

    def file(self, id: Any) -> Upload:
        """Return an upload."""
        return _found(self.files, id, "file")

    def problem(self, id: Any) -> GivenProblem:
        """Return a problem, which counts as used."""
        with self._lock:
            if not isinstance(id, str) or id not in self.problems:
                raise Refusal(404, "there is no such problem, or not any more: read it again")
            self.problems[id] = self.problems.pop(id)
            return self.problems[id]

    def trace(self, id: Any) -> OpenedTrace:
        """Return a trace."""
        return _found(self.traces, id, "trace")

    def run(self, id: Any) -> Run:
        """Return a run."""
        return _found(self.runs, id, "run")

    def read(self, wanted: Mapping[str, Any]) -> GivenProblem:
        """Read or generate a problem."""
        options = wanted.get("options")
        with self._reading:  # warnings are caught for the whole process
            if wanted.get("generate") is not None:
                given = asked_problem(self.new_id("p"), specification(wanted["generate"]), options, self.file)
            elif wanted.get("again") is not None:
                before = self.problem(wanted["again"])
                kept = {name: value for name, value in vars(before.given).items() if name not in SHOWN_FIELDS}
                given = asked_problem(self.new_id("p"), before.source, options, self.file, before.uploads, kept)
            else:
                upload, roads = self.file(wanted.get("file")), vars(self.roads)
                given = asked_problem(self.new_id("p"), str(upload.path), options, self.file, (upload,), roads)
        with self._lock:
            self.problems[given.id] = given
            self._drop_problems()
        return given

    def _drop_problems(self) -> None:
        """Forget problems that neither a run nor, of late, a page has used, with their uploads."""
        used = {self.opened_problem, *(run.given.id for run in self.runs.values())}
        used |= {trace.base for trace in self.traces.values()}
        spare = [given for id, given in self.problems.items() if id not in used]
        for given in spare[:-MAX_PROBLEMS]:
            del self.problems[given.id]
            self._release(*(upload.path for upload in given.uploads))

    def _release(self, *paths: Path) -> None:
        """Remove uploads unless a problem or a trace uses them."""
        used = {upload.path for given in self.problems.values() for upload in given.uploads}
        used |= {path for trace in self.traces.values() for path in (trace.trace.path, trace.tours.path)}
        for upload in [upload for upload in list(self.files.values()) if upload.path in set(paths) - used]:
            del self.files[upload.id]
            self.folder.release(upload.path, upload.size)

    def _check_traces(self) -> None:
        """Refuse one more trace above the limit."""
        if len(self.traces) >= MAX_TRACES:
            raise Refusal(429, f"{MAX_TRACES} runs and traces are open, as many as there may be; remove one first")

    def open_upload(self, wanted: Mapping[str, Any]) -> OpenedTrace:
        """Open an uploaded trace, with its uploaded tours if there are any."""
        upload = self.file(wanted.get("file"))
        tours = tours_path(upload.path) if wanted.get("tours") is None else self.file(wanted["tours"]).path
        trace = OpenedTrace(self.new_id("t"), upload.name, upload.path, tours, grows=False, roads=self.roads)
        trace.grow()
        error = trace.trace.error or trace.tours.error
        if error is not None:
            raise error
        if not trace.trace.lines:
            raise InputError("there is no line in this trace yet", upload.name)
        with self._lock:
            self._check_traces()
            self.traces[trace.id] = trace
        return trace

    def change(self, id: str, number: int, wanted: Mapping[str, Any]) -> OpenedTrace:
        """Put a stop on another vehicle, or lock stops and vehicles; return the plan that is changed by hand."""
        trace = self.trace(id)
        if trace.base is None:
            raise Refusal(400, "only plans that were made here can be changed")
        with self._lock:
            before = trace.routes(number)
            after, locked = changed(trace.vehicles, before, trace.locked_in(number), wanted)
            if trace.writer is None:
                trace, number = self._by_hand(trace, before), 0
            assert trace.writer is not None
            if after is before:
                trace.writer.lock(number, locked)
            else:
                trace.writer.add(after, PlanStep(number, locked))
            trace.grow()
        return trace

    def _by_hand(self, trace: OpenedTrace, routes: list[Any]) -> OpenedTrace:
        """Return a new plan to be changed by hand, which begins with routes of a trace."""
        self._check_traces()
        id = self.new_id("t")
        path = self.folder.place(id, "plan.jsonl")
        writer = PlanWriter(path, trace.vehicles)
        writer.add(routes, PlanStep(None, trace.locked))
        self.traces[id] = OpenedTrace(
            id, f"{trace.name}, changed", path, tours_path(path), problem=trace.problem, base=trace.base, writer=writer
        )
        return self.traces[id]

    def start(self, wanted: Mapping[str, Any]) -> Run:
        """Start a run, of a problem or of a plan that is made again."""
        plan = object_of(wanted.get("plan"), "a plan")
        before = self.trace(plan.get("trace")) if plan else None
        given = self.problem(before.base if before else wanted.get("problem"))
        start = None if wanted.get("start_file") is None else self.file(wanted["start_file"])
        words, hidden = run_words(given, wanted, start)
        problem = given.problem
        with self._lock:
            if self.closed or sum(run.running for run in self.runs.values()) >= MAX_RUNS:
                raise Refusal(429, f"{MAX_RUNS} runs are going on, as many as there may be; stop one first")
            self._check_traces()
            id = self.new_id("r")
            folder = self.folder.place(id, "run").parent
            locked = NOTHING
            if before is not None:
                problem, locked, told, kept = self._planned_again(before, plan, folder)
                words, hidden = [*words, *told], [*hidden, *kept]
            name = f"{'plan' if given.problem.kind == 'vrp' else 'run'} {id[1:]}"
            run = Run(id, name, given, words, hidden, folder)
            self.runs[id] = run
            trace = OpenedTrace(
                self.new_id("t"), run.name, run.trace, tours_path(run.trace), problem=problem, run=id,
                base=given.id if given.problem.kind == "vrp" else None, locked=locked,
            )  # fmt: skip
            self.traces[trace.id] = trace
            return run

    def _planned_again(
        self, before: OpenedTrace, plan: Mapping[str, Any], folder: Path
    ) -> tuple[VRP, Locked, list[str], list[str]]:
        """Return the problem of a plan that is made again, its locks, its options as shown and with private paths."""
        number = int(number_of(plan.get("tour"), "a tour") or 0)
        routes, locked = before.routes(number), before.locked_in(number)
        under_way = plan_under_way(routes, locked)
        given = self.problem(before.base).problem
        assert isinstance(given, VRP)
        cost = number_of(plan.get("change_cost"), "the cost of a change")
        if cost is None:
            cost = float(f"{CHANGE_SHARE * given.cost(routes) / max(1, sum(map(len, routes))):.2g}")
        problem = with_plan(given, under_way, change_cost=cost)
        path = folder / PLAN
        path.write_text(json.dumps(under_way))
        costs = option_words("--change-cost", cost) if cost else []
        return problem, locked, ["--locked", PLAN, *costs], ["--locked", str(path), *costs]

    def run_facts(self, run: Run) -> dict[str, Any]:
        """Return what the page is told of a run."""
        with self._lock:
            trace = next((trace.id for trace in self.traces.values() if trace.run == run.id), None)
        return run.facts() | {"trace": trace}

    def remove_run(self, id: str) -> None:
        """End a run, and forget it with its trace."""
        with self._lock:
            run = self.run(id)
            del self.runs[id]
            self.traces = {key: trace for key, trace in self.traces.items() if trace.run != id}
        run.end()
        self.folder.release(run.trace)

    def remove_trace(self, id: str) -> None:
        """Close a trace that is not of a run of this server."""
        with self._lock:
            trace = self.trace(id)
            if trace.run is not None:
                raise Refusal(400, "the trace of a run goes with its run")
            del self.traces[id]
            if trace.writer is not None:
                trace.writer.close()
                self.folder.release(trace.trace.path)
            self._release(trace.trace.path, trace.tours.path)

    def devices(self) -> dict[str, Any]:
        """Return the devices of this machine, found in a process of its own: drivers may be slow, or crash."""
        with self._devices_lock:
            if self._devices is None:
                try:
                    done = subprocess.run(
                        program("devices", "--json"),
                        capture_output=True,
                        timeout=DEVICES_SECONDS,
                        check=True,
                        stdin=subprocess.DEVNULL,
                    )
                    self._devices = json.loads(done.stdout)
                except (OSError, ValueError, subprocess.SubprocessError):
                    raise Refusal(500, "the devices could not be listed: try warptour devices") from None
            return self._devices

    def close(self) -> None:
        """End all runs and remove the folder."""
        with self._lock:
            self.closed = True
            runs = list(self.runs.values())
        for run in runs:
            run.stop()
        for run in runs:
            run.end()
        for writer in [trace.writer for trace in self.traces.values() if trace.writer is not None]:
            writer.close()
        self.folder.remove()


def _found(things: Mapping[str, Thing], id: Any, what: str) -> Thing:
    if not isinstance(id, str) or id not in things:
        raise missing(what)
    return things[id]


def check_unsaid(given: ReadOptions, why: str) -> None:
    """Raise :class:`UsageError` for an option that says how a file is read, but for those of its streets."""
    streets = {each.name for each in fields(RoadOptions)}
    for row, _ in said(given):
        if row.name not in streets:
            raise UsageError(f"{why}, so {row.names[0]} cannot apply")


def _is_trace(path: Path) -> bool:
    """Return whether a file is a trace by its suffix, or by its first byte if the suffix is unknown."""
    suffix = path.suffix.lower()
    if suffix == ".jsonl" or (suffix in SUFFIXES and suffix != ".txt"):
        return suffix == ".jsonl"
    try:
        with open_regular(path) as file:
            return file.read(1) == b"{"
    except (OSError, ValueError):
        return False
