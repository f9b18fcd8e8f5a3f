"""`builder evaluate`: put a dataset's questions to models, store every reply, and grade."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from deskcheck.evaluate.commands.telling import over_thresholds, print_marks, tell_damage
from deskcheck.evaluate.plan import Plan, RunConfig, configure
from deskcheck.evaluate.settings import Setting, make_setting, read_settings
from deskcheck.oracles.errors import BackendError, SettingsError

if TYPE_CHECKING:
    from deskcheck.evaluate.runner import Group, Tally

FLOORS = ("commonest-constant", "last-literal", "loop-entry", "short-output")
OVER_THRESHOLD = 4


def parsed(text: str) -> tuple[str, Any]:
    """`key=value`, the value as JSON where it is JSON, else as text."""
    key, given, value = text.partition("=")
    if not key or not given:
        raise click.UsageError(f"{text!r} is not KEY=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


@click.command()
@click.option(
    "-d",
    "--dataset",
    type=click.Path(path_type=Path),
    help="The dataset.  [default: the only one in ./datasets or ./quickstart]",
)
@click.option(
    "--settings",
    "settings_file",
    type=click.Path(path_type=Path),
    help="A TOML file of settings; the flags for one setting below are for the simple case.",
)
@click.option(
    "-m",
    "--model",
    "models",
    multiple=True,
    help="BACKEND/NAME, such as vllm/Qwen/Qwen3-8B or openai/NAME; may be repeated.",
)
@click.option("--floors", is_flag=True, help="Add the baselines that read no program.")
@click.option("--reasoning", default="default", help="high, off, or default: nothing is asked for.")
@click.option("--reasoning-effort", help="Sent as it stands, in place of what the mode maps to.")
@click.option("--max-tokens", type=int, help="Of one reply, thinking included.")
@click.option(
    "--sampling", multiple=True, metavar="KEY=VALUE", help="Such as temperature=0.6.  [none]"
)
@click.option("-M", "engine", multiple=True, metavar="KEY=VALUE", help="An argument of the engine.")
@click.option("--base-url", "base_urls", multiple=True, help="A server; may be repeated.")
@click.option(
    "--timeout", "timeout_s", type=float, help="Seconds for one request, retries and all."
)
@click.option("--repeats", type=int, default=1, show_default=True, help="Of every question.")
@click.option(
    "--limit", type=int, help="Cases, drawn by the seed; all arms of each, in every setting."
)
@click.option("--template", help="A folder of Jinja2 templates in place of the built-in ones.")
@click.option("--seed", type=int, help="Of the run: requests' seeds and drawn cases.  [default: 0]")
@click.option("--concurrency", type=click.IntRange(min=1), help="Requests at once, per engine.")
@click.option(
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default="runs",
    show_default=True,
    help="The run appears in it as DATE-NAME-ID; one that is there goes on.",
)
@click.option("--fresh", is_flag=True, help="Begin another run of the same plan.")
@click.option(
    "--resume",
    type=click.Path(path_type=Path),
    help="Go on with this run, whose plan stands; of the flags for a setting, only --concurrency "
    "and --base-url may be given.",
)
@click.option(
    "--reuse",
    "reused",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Take over replies to the very same requests from this run; may be repeated.",
)
@click.option("--retry-missing", is_flag=True, help="Ask again what had no response or an error.")
@click.option("--dry-run", is_flag=True, help="Print plan, estimates and example prompts only.")
@click.option(
    "--max-spend",
    type=click.FloatRange(min=0),
    help="Stop when this session has spent so many US dollars.",
)
@click.option(
    "--max-truncated",
    type=click.FloatRange(0, 1),
    default=0.1,
    show_default=True,
    help="End with status 4 when a larger share of a setting's replies was cut off.",
)
@click.option(
    "--max-unparsed",
    type=click.FloatRange(0, 1),
    default=0.25,
    show_default=True,
    help="The same for replies without a readable answer.",
)
@click.option(
    "--max-missing",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="The same for over-length questions, missing responses and engine errors.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
def evaluate(
    dataset: Path | None,
    settings_file: Path | None,
    models: tuple[str, ...],
    floors: bool,
    output_dir: Path,
    resume: Path | None,
    reused: tuple[Path, ...],
    fresh: bool,
    retry_missing: bool,
    dry_run: bool,
    max_spend: float | None,
    seed: int | None,
    concurrency: int | None,
    base_urls: tuple[str, ...],
    as_json: bool,
    **flags: Any,
) -> None:
    """Put a dataset's questions to models, store every reply as it comes, and grade them.

    Stopped at any moment, the same command goes on where it was. A setting is one model in one
    reasoning mode; a TOML file (--settings) names several, flags name one for each --model.
    """
    from deskcheck.builder.dataset import locate, read_answers, read_dataset
    from deskcheck.evaluate.collating import dataset_of, grade_run
    from deskcheck.evaluate.runner import groups_of
    from deskcheck.evaluate.store import RunFolder, begin, locate_run

    thresholds = {name: flags.pop(f"max_{name}") for name in ("truncated", "unparsed", "missing")}
    where = locate_run(resume) if resume else None
    if where:
        _refuse_other_flags(where, settings_file, models, floors, fresh, seed)
        config = RunFolder(where).config
        place = dataset_of(where, config, dataset)
        settings: Sequence[Setting] = config.settings
        seed = config.seed
    else:
        config = None
        place = locate(dataset)
        seed, settings = _settings(settings_file, models, floors, seed, flags)
    settings = [_operated(setting, concurrency, base_urls) for setting in settings]
    if max_spend is not None:
        _require_prices(settings)
    read = read_dataset(place)
    read_answers(place)  # without them nothing could be graded, so nothing is asked
    groups = groups_of(settings, place)
    if config is None:
        arms = {name: group.backend.arms for group in groups for name in group.names}
        config = configure(read, str(place), settings, seed=seed, arms=arms)
    else:
        config = replace(config, settings=tuple(settings))
    plan = Plan(config, read)
    if dry_run:
        _tell_plan(plan, groups, as_json)
        return
    folder = where or begin(output_dir, plan, _slug(config), fresh=fresh)
    click.echo(f"run: {folder}", err=True)
    tally = _asked(plan, groups, folder, reused, retry_missing, max_spend)
    run = RunFolder(folder)
    marks = grade_run(run, place)
    print_marks(folder, marks, as_json)
    tell_damage(run)
    loud = over_thresholds(marks, thresholds)
    if tally.stopped:
        loud.append(f"{tally.stopped}; go on with --resume {folder}")
    for line in loud:
        click.echo(f"builder: {line}", err=True)
    if loud:
        click.get_current_context().exit(OVER_THRESHOLD)


def _asked(
    plan: Plan,
    groups: Sequence[Group],
    folder: Path,
    reused: Sequence[Path],
    retry_missing: bool,
    max_spend: float | None,
) -> Tally:
    """Take over what can be, and ask the rest."""
    from deskcheck.evaluate.reuse import reuse
    from deskcheck.evaluate.runner import collect
    from deskcheck.evaluate.store import RunWriter, discard_empty, locate_run

    try:
        with RunWriter(folder) as writer:
            writer.log("session", deskcheck=plan.config.deskcheck, seed=plan.config.seed)
            for source in reused:
                taken = reuse(plan, writer, locate_run(source))
                click.echo(f"taken over from {source}: {taken}", err=True)
            return collect(plan, groups, writer, retry_missing=retry_missing, max_spend=max_spend)
    except (BackendError, SettingsError):
        discard_empty(folder)
        raise
    except KeyboardInterrupt:
        click.echo(
            f"builder: the same command goes on; builder grade {folder} grades what is there",
            err=True,
        )
        raise


def _settings(
    file: Path | None,
    models: Sequence[str],
    floors: bool,
    seed: int | None,
    flags: Mapping[str, Any],
) -> tuple[int, Sequence[Setting]]:
    """The run's seed and settings, from a file or from flags, with the floors where asked for."""
    added = [_of_flags(f"baseline/{name}", flags) for name in FLOORS] if floors else []
    if file:
        given = [f"--{name.replace('_', '-')}" for name in _given(flags) if name != "limit"]
        if models or given:
            named = ", ".join([*(["--model"] if models else []), *given])
            raise click.UsageError(f"the file of --settings says that, so leave out {named}")
        content = read_settings(file)
        settings = content.settings
        if flags["limit"] is not None:
            update = {"limit": flags["limit"]}
            settings = tuple(setting.model_copy(update=update) for setting in settings)
        return content.seed if seed is None else seed, [*settings, *added]
    if not models and not floors:
        raise click.UsageError("name a model with --model, or a file of settings with --settings")
    return seed or 0, [*(_of_flags(model, flags) for model in models), *added]


def _of_flags(model: str, flags: Mapping[str, Any]) -> Setting:
    given = _given(flags)
    if model.startswith("baseline/"):  # reads no prompt, so only what it is asked applies
        given = {name: value for name, value in given.items() if name in ("limit", "repeats")}
    for name in ("engine", "sampling"):
        if name in given:
            given[name] = dict(map(parsed, given[name]))
    return make_setting(model=model, **given)


def _given(flags: Mapping[str, Any]) -> dict[str, Any]:
    defaults = {"reasoning": "default", "repeats": 1}
    return {
        name: value
        for name, value in flags.items()
        if value not in (None, ()) and value != defaults.get(name)
    }


def _operated(setting: Setting, concurrency: int | None, base_urls: tuple[str, ...]) -> Setting:
    """The setting with what a resumed run may change."""
    changes: dict[str, Any] = {}
    if concurrency:
        changes["concurrency"] = concurrency
    if base_urls and setting.backend == "openai":
        changes["base_urls"] = base_urls
    return setting.model_copy(update=changes)


def _require_prices(settings: Sequence[Setting]) -> None:
    """SettingsError where a model's replies would not count towards --max-spend."""
    for setting in settings:
        if setting.price is None and setting.backend not in ("baseline", "replay"):
            raise SettingsError(
                f"--max-spend cannot hold, since setting {setting.name!r} has no price",
                "give it one in a file of settings, of zeros where it costs nothing",
            )


def _refuse_other_flags(
    run: Path,
    file: Path | None,
    models: Sequence[str],
    floors: bool,
    fresh: bool,
    seed: int | None,
) -> None:
    context = click.get_current_context()
    source = click.core.ParameterSource.COMMANDLINE
    given = [
        option.opts[-1]
        for option in context.command.params
        if option.name in _OF_A_PLAN and context.get_parameter_source(option.name) == source
    ]
    named = {"--settings": file, "--model": models, "--floors": floors, "--fresh": fresh}
    given += [flag for flag, value in named.items() if value]
    if seed is not None:
        given.append("--seed")
    if given:
        raise SettingsError(
            f"the plan of {run} stands, so {', '.join(given)} cannot change it",
            "leave that out, or begin another run",
        )


_OF_A_PLAN = {
    *("reasoning", "reasoning_effort", "max_tokens", "sampling", "engine", "timeout_s"),
    *("repeats", "limit", "template", "output_dir"),
}


def _slug(config: RunConfig) -> str:
    models = [setting.name for setting in config.settings if setting.backend != "baseline"]
    named = models or ["floors"]
    return f"{config.dataset_name}-{named[0]}" + (f"-and-{len(named) - 1}" if named[1:] else "")


def _tell_plan(plan: Plan, groups: Sequence[Group], as_json: bool) -> None:
    from deskcheck.builder.commands.stats import aligned
    from deskcheck.evaluate.estimates import (
        PLAIN_TOKENS,
        THINKING_TOKENS,
        estimate,
        example_prompts,
    )

    estimates = asyncio.run(estimate(plan, groups))
    examples = example_prompts(plan)
    if as_json:
        prompts = {
            arm: {"task": planned.task.id, "prompt": text}
            for arm, (planned, text) in examples.items()
        }
        click.echo(
            json.dumps({"estimates": [asdict(each) for each in estimates], "prompts": prompts})
        )
        return
    rows = [["setting", "questions", "prompt tokens", "reply tokens", "hours", "US$", "too long"]]
    rows += [
        [
            each.setting,
            f"{each.questions:,}",
            f"{'' if each.exact else '~'}{each.prompt_tokens:,}",
            f"~{each.reply_tokens:,}",
            f"~{each.seconds / 3600:.2f}",
            "no price" if each.dollars is None else f"~{each.dollars:.2f}",
            str(len(each.too_long)),
        ]
        for each in estimates
    ]
    click.echo(aligned(rows))
    click.echo(
        f"{sum(each.questions for each in estimates):,} questions, those that are answered already "
        f"among them; ~ marks what is assumed: {PLAIN_TOKENS} tokens a reply, with reasoning "
        f"{THINKING_TOKENS:,}, where expected_output_tokens and max_tokens say no less"
    )
    for each in estimates:
        if each.unreachable:
            click.echo(f"{each.setting}: its tokenizer is not at hand: {each.unreachable}")
        for long in each.too_long:
            click.echo(f"{each.setting}: {long.candidate} {long.arm} is too long: {long.why}")
    for arm, (planned, text) in examples.items():
        click.echo(f"\n=== {arm}: {planned.task.candidate} {planned.task.id[:16]} ===\n{text}")
