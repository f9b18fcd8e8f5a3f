"""A warm interpreter that measured runs are forked from; see `deskcheck.oracles.sandbox.forking`.

It loads the agent and a warden, prepares programs, and forks a child for each run. The warden
isolates the child, which is then made to look like an interpreter that has just been started.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import gc
import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to import than the whole agent
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    from deskcheck.oracles.inside.session import Wanted
    from deskcheck.oracles.sandbox.isolation.wire import Report, Request

    Load = Callable[[str], Any]

VERSIONS = ((3, 12), (3, 13))
"""Where equality with a fresh interpreter has been tested."""
AGENT = {
    "count": ("counting",),
    "count-fast": ("bytecode", "flow", "fast_counting", "rewriting", "counting"),
    "observe": ("counting", "observing", "markers", "encode", "sizes"),
}
"""Modules beside `session` that a run in each mode may load."""
MOST_PROGRAMS = 8
"""Programs kept prepared."""
QUICK_S, LITTLE_MEMORY, SHORT = 2.0, 256 * 1024**2, 1024**2
"""Bounds on a program that is prepared here: on its length, and on the run of it before."""

_handlers = {number: _signal.getsignal(number) for number in _signal.valid_signals()}


class Loaded:
    """Modules beside the agent, each loaded once."""

    def __init__(self, load: Load, names: Collection[str]) -> None:
        self._load = load
        self._modules: dict[str, Any] = {}
        for name in names:
            self(name)

    def __call__(self, name: str) -> Any:
        if name not in self._modules:
            self._modules[name] = self._load(name)
        return self._modules[name]


def serve(load: Load, sandbox: str, mode: str) -> tuple[Loaded, Mapping[Wanted, Any], list[str]]:
    """Fork runs in one mode for as long as somebody asks for them.

    Returns in each child alone: the agent, programs made ready, and the arguments of the run.
    `sandbox` is the folder that has the warden's package.
    """
    if sys.version_info[:2] not in VERSIONS:
        raise SystemExit(f"forked runs of Python {sys.version.split()[0]} are untried")
    loaded = Loaded(load, ("session", *AGENT[mode]))
    import _blake2  # noqa: F401  (this and json are what `session` imports in a run)

    if mode == "observe":
        import json  # noqa: F401
    gc.collect()
    gc.disable()  # so that what is loaded from here on has no part in the timing of collections
    shown, searched = frozenset(sys.modules), frozenset(sys.path_importer_cache)
    programs = Programs(loaded)
    forking, warden = _warden(sandbox)

    class Zygote(warden.Warden):  # type: ignore[misc, name-defined]
        """Prepares programs between the runs that it forks."""

        launching = forking.ForkedLaunch

        def run(self, request: Request) -> Report | None:
            wanted = _wanted(request)
            programs.make_ready(wanted)
            report: Report | None = super().run(request)
            if report is not None:
                programs.ran(wanted, report)
            return report

    try:
        warden.main(Zygote)
    except forking.Born as born:
        argv, env = born.argv, born.env
    else:
        raise SystemExit
    try:
        loaded("session").forget(shown)
        for path in sys.path_importer_cache.keys() - searched:
            del sys.path_importer_cache[path]
        _begin_anew(env)
    except BaseException:
        os._exit(loaded("session").SETUP_FAILED)  # little memory, say; a fresh one may have enough
    return loaded, programs.ready, _arguments(argv)


class Programs:
    """The programs of the last runs, prepared as soon as a child has shown that it can be done."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._came_back: dict[Wanted, bool] = {}
        self.ready: dict[Any, Any] = {}
        self.ready["itself"] = self.ready  # never freed, which every child would have to wait for

    def make_ready(self, wanted: Wanted) -> None:
        """Prepare a program before its child is forked, if one has come back well before."""
        if not self._came_back.pop(wanted, False):
            return
        self._came_back[wanted] = True  # now the last of them
        if wanted in self.ready:
            return
        prepared = self._prepared(wanted)
        if prepared is None:
            self._came_back[wanted] = False
            return
        self.ready[wanted] = prepared
        gc.freeze()

    def ran(self, wanted: Wanted, report: Report) -> None:
        """A child has come back: it prepared this program itself, or had it given."""
        if wanted in self._came_back:
            return
        well = (
            os.WIFEXITED(report["status"])
            and os.WEXITSTATUS(report["status"]) != self._loaded("session").SETUP_FAILED
            and report["cpu_s"] <= QUICK_S
            and report["peak_rss"] <= LITTLE_MEMORY
            and _is_plain(wanted[2])
        )
        self._came_back[wanted] = well and not report["failed"]
        while len(self._came_back) > MOST_PROGRAMS:
            oldest = next(iter(self._came_back))
            del self._came_back[oldest]
            self.ready.pop(oldest, None)

    def _prepared(self, wanted: Wanted) -> Any:
        """None where the compiler warns, which each run has to show for itself."""
        import _warnings

        everything = ("error", None, Warning, None, 0)
        _warnings.filters.insert(0, everything)
        try:
            return self._loaded("session").prepare(self._loaded, *wanted)
        except Exception:
            return None
        finally:
            _warnings.filters.remove(everything)


def _is_plain(source: bytes) -> bool:
    """Whether the compiler needs no codec for it, which would stay loaded."""
    return len(source) <= SHORT and b"coding" not in b"\n".join(source.splitlines()[:2])


def _warden(sandbox: str) -> tuple[Any, Any]:
    """The modules `forking` and `warden` of the package `isolation` in the folder `sandbox`."""
    sys.path.insert(0, sandbox)
    try:
        from isolation import forking, warden  # type: ignore[import-not-found]
    finally:
        del sys.path[0]
    return forking, warden


def _arguments(argv: list[str]) -> list[str]:
    """What follows the name of this script on a run's command line."""
    return argv[argv.index(sys.argv[0]) + 1 :]


def _wanted(request: Request) -> Wanted:
    _, _, program, mode, _ = _arguments(request["argv"])
    with open(f"{request['scratch']}/{program}", "rb") as file:  # noqa: PTH123
        return mode, program, file.read()


def _begin_anew(env: dict[str, str]) -> None:
    """Look like an interpreter that was started in this process, with this environment."""
    for name, value in env.items():
        os.environ[name] = value
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        stream = _stream(getattr(sys, name), number, mode)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    for number, handler in _handlers.items():
        if _signal.getsignal(number) is not handler:
            _signal.signal(number, handler)
    gc.enable()


def _stream(old: io.TextIOWrapper, number: int, mode: str) -> io.TextIOWrapper:
    """A standard stream as `create_stdio` in CPython's pylifecycle.c makes it."""
    binary: Any = io.open(number, f"{mode}b", -1, closefd=False)  # noqa: UP020, SIM115
    binary.raw.name = old.name
    stream = io.TextIOWrapper(
        binary, old.encoding, old.errors, "\n", line_buffering=number == 2, write_through=False
    )
    stream.mode = mode  # type: ignore[misc]
    return stream
