"""The pages of a report: one template each, everything inline, nothing that runs but our script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from deskcheck.analysis.blocks import Drawing, Figure, Notice, Section, Table, Text
from deskcheck.analysis.report.values import is_number, shown, with_intervals
from deskcheck.analysis.texts import harmless

HERE = Path(__file__).parent


def render(template: str, **values: Any) -> str:
    """The page that the template makes of the values.

    Every value is made harmless and escaped on its way in. The page's policy names the hashes of
    our style and script: the browser would run no other, even if one got in.
    """
    style, script = _asset("report.css") + _asset("chart.css"), _asset("report.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"style-src {_hash(style)}",
            f"script-src {_hash(script)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    page = _environment().get_template(template)
    return page.render(style=Markup(style), script=Markup(script), policy=policy, **values)


def render_report(
    title: str, facts: Sequence[str], sections: Sequence[Section], *, index: str
) -> str:
    """The main page. `index` is where the index of cases lies, or nothing."""
    return render("report.html.j2", title=title, facts=facts, sections=sections, index=index)


def standalone(drawing: Drawing) -> str:
    """The drawing as an SVG file of its own."""
    style = f"<style>{_asset('chart.css')}</style>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_svg(drawing, style)}\n'


def _svg(drawing: Drawing, style: str = "") -> Markup:
    from markupsafe import escape

    title = escape(harmless(drawing.title))
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" '
        f'viewBox="0 0 {drawing.width} {drawing.height}" width="{drawing.width}" '
        f'height="{drawing.height}" aria-label="{title}">{style}{drawing.body}</svg>'
    )


@cache
def _asset(name: str) -> str:
    return (HERE / name).read_text("utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        keep_trailing_newline=True,
    )
    environment.globals |= {
        "shown": shown,
        "is_number": is_number,
        "with_intervals": with_intervals,
        "svg": _svg,
        "kind": _kind,
    }
    return environment


def _finalize(value: Any) -> Any:
    return value if isinstance(value, Markup) else harmless(str(value))


def _kind(block: Any) -> str:
    for kind in (Text, Notice, Table, Figure):
        if isinstance(block, kind):
            return kind.__name__.lower()
    raise TypeError(f"{block!r} is no block")
