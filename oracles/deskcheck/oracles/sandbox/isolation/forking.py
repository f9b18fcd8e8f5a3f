"""A warden that is the program's own interpreter: its children become programs without an exec.

A child takes the very steps that one takes which executes a program, and then two more that an
exec would have taken: it closes every file that it has inherited, and is dumpable again, which a
change of uid ended. What an interpreter has to put right is the affair of whoever catches Born.
"""

from __future__ import annotations

import os

from . import libc
from .launch import Born, Launch

_FIRST_OWN_FILE = 3
_MOST_FILES = 2**31 - 1


class ForkedLaunch(Launch):
    """One program, ready to be gone on with once in a fork of this process."""

    def _shed(self) -> None:
        super()._shed()
        libc.dumpable()

    def _execute(self) -> None:
        # Among them are the pipes by which runs are asked for and answered.
        os.closerange(_FIRST_OWN_FILE, _MOST_FILES)
        self._files.clear()
        raise Born(self._argv, self._env)
