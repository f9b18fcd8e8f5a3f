"""Whose rights a program runs with: nobody's where that is possible."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import PurePath

_FIRST_UID = 64000
"""Debian sets 60000 to 64999 aside; a uid per sandbox keeps their process counts apart."""
_PROBE_S = 20.0


class Accounts:
    """Chooses the uid for each executable; only root has a choice."""

    def __init__(self, number: int, folder: str) -> None:
        self._uid = _FIRST_UID + number
        self._folder = folder
        self._reachable: dict[str, bool] = {}

    def uid_for(self, executable: str) -> int | None:
        """The uid to run `executable` under, None to keep ours."""
        if os.getuid() != 0 or sys.platform != "linux":
            return None
        if executable not in self._reachable:
            self._reachable[executable] = self._reaches(executable)
        return self._uid if self._reachable[executable] else None

    def describe(self, executable: str) -> str:
        """The choice in words that are the same for every sandbox of this machine."""
        if self.uid_for(executable) is not None:
            return "unprivileged uid"
        return "kept, without capabilities" if sys.platform == "linux" else "kept"

    def _reaches(self, executable: str) -> bool:
        """Whether the uid can run `executable` from our folder, found by trying."""
        test = 'cd "$1" && { test "${0#/}" = "$0" || { test -r "$0" && test -x "$0"; }; }'
        if not self._succeeds(["/bin/sh", "-c", test, executable, self._folder]):
            return False
        if "py" not in PurePath(executable).name:
            return True
        # An interpreter needs its library too, which may lie where only root can look.
        return self._succeeds([executable, "-I", "-c", "pass"])

    def _succeeds(self, argv: list[str]) -> bool:
        try:
            done = subprocess.run(
                argv,
                user=self._uid,
                group=self._uid,
                extra_groups=[],
                cwd="/",
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_PROBE_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0
