"""Which backends are there: the built-in ones by table, third-party ones by entry point."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points

from deskcheck.evaluate.backends import Backend, BackendSpec
from deskcheck.oracles.errors import BackendError
from deskcheck.sources.registry import distribution, load_plugin, plugins

BUILT_IN = {
    "baseline": "deskcheck.evaluate.backends.baseline:BaselineBackend",
    "llamacpp": "deskcheck.evaluate.backends.llamacpp:LlamaCppBackend",
    "openai": "deskcheck.evaluate.backends.openai:OpenAIBackend",
    "replay": "deskcheck.evaluate.backends.replay:ReplayBackend",
    "vllm": "deskcheck.evaluate.backends.vllm:VllmBackend",
}
"""Backend name -> class, called with a `BackendSpec`. A built-in wins over a plugin of its name."""

READS_ORACLES = frozenset({"baseline"})
"""Backends that are no models and are given the dataset with its answers."""

GROUP = "deskcheck.backends"


def backend_names() -> list[str]:
    """Every backend that can be named, built-in ones first; nothing is imported."""
    third_party = sorted({point.name for point in entry_points(group=GROUP)} - BUILT_IN.keys())
    return [*BUILT_IN, *third_party]


def make_backend(name: str, spec: BackendSpec) -> Backend:
    """A backend that is not open yet; BackendError where there is none of this name.

    A class may itself raise BackendError for a model name or an argument that it does not know.
    """
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        backend: object = getattr(import_module(module), attribute)(spec)
        assert isinstance(backend, Backend)
        return backend
    points = plugins(GROUP, name)
    if not points:
        raise BackendError(
            f"there is no backend {name!r}", f"backends: {', '.join(backend_names())}"
        )
    factory = load_plugin(points, BackendError)
    backend = factory(spec) if callable(factory) else factory
    if not isinstance(backend, Backend):
        raise BackendError(
            f"backend {name!r} of {distribution(points[0])} is a {type(backend).__name__} that "
            "does not follow deskcheck.evaluate.backends.Backend",
            "its entry point must name a class that takes a BackendSpec",
        )
    return backend
