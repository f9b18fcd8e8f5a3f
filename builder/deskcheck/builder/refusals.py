"""Programs that are refused on sight: what they use cannot be measured or shown soundly."""

from __future__ import annotations

import libcst as cst

from deskcheck.builder.syntax import Source

_NAMES = {
    "exec": "runs program text",
    "eval": "runs program text",
    "__file__": "asks where its source lies",
    "__loader__": "asks how it was loaded",
    "__spec__": "asks how it was loaded",
}
_ATTRIBUTES = {
    "settrace": "traces itself",
    "setprofile": "traces itself",
    "monitoring": "traces itself",
    "_getframe": "looks at its own frames",
    "currentframe": "looks at its own frames",
    "getframeinfo": "looks at its own frames",
    "f_lineno": "depends on line numbers",
    "tb_lineno": "depends on line numbers",
    "co_firstlineno": "depends on line numbers",
    "getsource": "reads its own source",
    "getsourcelines": "reads its own source",
    "print_exc": "prints line numbers",
    "format_exc": "prints line numbers",
}


def refusal(source: Source) -> tuple[str, str] | None:
    """The first use that rules the program out, as (reason, detail), or None."""
    for node in source.walk(source.module):
        if not isinstance(node, cst.Name):
            continue
        above = source.parents.get(node)
        if (isinstance(above, cst.Attribute) and above.attr is node) or isinstance(
            above, cst.ImportAlias
        ):
            why = _ATTRIBUTES.get(node.value)
        elif node.value == "compile" and isinstance(above, cst.Call) and above.func is node:
            why = "runs program text"
        else:
            why = _NAMES.get(node.value)
        if why is not None:
            line = source.line(source.start(node))
            return why.replace(" ", "_"), f"line {line}: `{node.value}` {why}"
    return None
