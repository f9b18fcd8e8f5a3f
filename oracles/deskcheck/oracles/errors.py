"""The one family of errors that a user can do something about."""

from __future__ import annotations


class DeskcheckError(Exception):
    """A known error: one line that names the thing and its value, and what to do about it.

    The command line prints it and ends with exit code 3; anything else that escapes is a fault
    of ours and ends with exit code 1.
    """

    def __init__(self, what: str, hint: str = "") -> None:
        self.what = what
        self.hint = hint
        super().__init__(f"{what}; {hint}" if hint else what)


class SandboxError(DeskcheckError):
    """The sandbox itself failed, so nothing was learnt about the program."""


class InterpreterError(DeskcheckError):
    """The interpreter that programs are measured with is missing or too old."""


class CompilerError(DeskcheckError):
    """A tool that C++ programs are measured with is missing, or does not go with the others."""


class PoolError(DeskcheckError):
    """A pool cannot be found, loaded or read."""


class DatasetError(DeskcheckError):
    """A dataset folder is missing, damaged, unfinished or of another configuration."""


class SettingsError(DeskcheckError):
    """A setting, or the file that names settings, cannot be used as it stands."""


class BackendError(DeskcheckError):
    """A model's engine or server cannot be used at all, so nothing was learnt about the model."""


class ClusterError(DeskcheckError):
    """A cluster cannot be reached, or its nodes cannot all do the same work."""


class RunError(DeskcheckError):
    """A run folder is missing, damaged, held by another process or of another configuration."""
