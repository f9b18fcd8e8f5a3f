"""Settings: which model answers, how it is asked to reason and sample, and within which limits."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)

from deskcheck.builder.cases import ARMS, Arm
from deskcheck.oracles.errors import SettingsError
from deskcheck.oracles.identity import canonical_json, content_id

REASONING_TIMEOUT_S = 3_600.0
PLAIN_TIMEOUT_S = 1_800.0

NAME = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$"
"""A setting's name is part of file names, so it has no slash, colon or blank."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _in_order(arms: tuple[Arm, ...]) -> tuple[Arm, ...]:
    return tuple(arm for arm in ARMS if arm in arms)


class Price(_Strict):
    """US dollars for a million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class Setting(_Strict):
    """One model in one reasoning mode with one kind of sampling: a row of the report.

    `sampling` is sent as it stands; empty, nothing is overridden, and that is what is recorded.
    `request` holds further fields of the request's body, for what only one provider has.
    """

    name: str = Field(pattern=NAME)
    model: str = Field(pattern=r"^[a-z0-9-]+/.+$")
    """BACKEND/NAME, such as `vllm/Qwen/Qwen3-8B`."""
    reasoning: str = Field(default="default", pattern=NAME)
    """`high`, `off`, `default` (nothing is asked), or a word of your own for what stands below."""
    reasoning_effort: str | None = None
    chat_template_kwargs: Mapping[str, JsonValue] = {}
    thinking_budget: int | None = Field(default=None, ge=0)
    """Tokens of thinking, where the engine can limit them."""
    reasoning_tags: tuple[str, str] = ("<think>", "</think>")
    """What encloses the thinking where it comes as a part of the text."""
    sampling: Mapping[str, JsonValue] = {}
    request: Mapping[str, JsonValue] = {}
    send_seed: bool = True
    """Each request carries a seed of its own; not where a provider refuses one."""
    max_tokens: int | None = Field(default=None, ge=1)
    """Of one reply, thinking included; None leaves it to the engine or provider."""
    context_window: int | None = Field(default=None, ge=1)
    """Tokens of prompt and reply together, where the engine cannot tell."""
    timeout_s: Annotated[float | None, Field(default=None, gt=0)] = None
    max_attempts: int = Field(default=4, ge=1, le=20)
    repeats: int = Field(default=1, ge=1)
    limit: int | None = Field(default=None, ge=1)
    """Cases, drawn by the run's seed; all arms of each."""
    arms: Annotated[tuple[Arm, ...], AfterValidator(_in_order), Field(min_length=1)] = ARMS
    template: str | None = None
    """A folder of Jinja2 templates that replace those of the same name."""
    concurrency: int | None = Field(default=None, ge=1)
    base_urls: tuple[str, ...] = ()
    engine: Mapping[str, JsonValue] = {}
    """Arguments of the engine, such as `dtype`, `tensor_parallel_size`."""
    price: Price | None = None
    expected_output_tokens: int | None = Field(default=None, ge=1)
    """Of one reply, for estimates."""

    @model_validator(mode="after")
    def _mode_is_explained(self) -> Self:
        explained = (
            self.reasoning_effort is not None
            or self.thinking_budget is not None
            or self.chat_template_kwargs
            or self.request
        )
        if self.reasoning not in ("default", "high", "off") and not explained:
            raise ValueError(
                f"reasoning {self.reasoning!r} is a word of your own, so say what it asks for: "
                "reasoning_effort, chat_template_kwargs, thinking_budget or request"
            )
        return self

    @property
    def backend(self) -> str:
        """The part of `model` before the first slash."""
        return self.model.partition("/")[0]

    @property
    def model_name(self) -> str:
        """The part of `model` after the first slash."""
        return self.model.partition("/")[2]

    @property
    def timeout(self) -> float:
        """Seconds in all for one request, retries included."""
        if self.timeout_s is not None:
            return self.timeout_s
        return PLAIN_TIMEOUT_S if self.reasoning in ("default", "off") else REASONING_TIMEOUT_S

    @property
    def identity(self) -> str:
        """Hash of all that may change an answer; a part of the key of every request.

        Left out is what only decides how many questions are put, where, how fast and for how
        much, and the name. The template is in the prompt's own hash. What is left at its default
        is left out, so that a later version may have further fields.
        """
        return content_id(
            "setting", hashable(self.model_dump(include=_IDENTITY, exclude_defaults=True))
        )


_IDENTITY = {
    "model",
    "reasoning",
    "reasoning_effort",
    "chat_template_kwargs",
    "thinking_budget",
    "sampling",
    "request",
    "send_seed",
    "max_tokens",
    "context_window",
    "engine",
}


class SettingsFile(_Strict):
    """What a TOML file of settings says."""

    seed: int = 0
    settings: tuple[Setting, ...] = Field(min_length=1)


def hashable(value: Any) -> Any:
    """The value with floats as text, since floats have no canonical JSON of their own."""
    match value:
        case float():
            return {"float": repr(value)}
        case Mapping():
            return {key: hashable(item) for key, item in value.items()}
        case list() | tuple():
            return [hashable(item) for item in value]
        case _:
            return value


def read_settings(path: Path) -> SettingsFile:
    """The settings of a TOML file; SettingsError in one line that names what is wrong with it."""
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsError(f"no settings file at {path}") from None
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is no TOML: {error}") from None
    for number, setting in enumerate(_listed(content.get("settings")), start=1):
        setting.setdefault("name", default_name(setting) or f"setting-{number}")
    return _checked(SettingsFile, content, str(path))


def without_password(url: str) -> str:
    """The URL without a user's name and password, as it may be shown and written down."""
    return re.sub(r"//[^/?#]*@", "//", url)


def make_setting(**values: Any) -> Setting:
    """One setting from flags; SettingsError in one line that names what is wrong with it."""
    named = {"name": default_name(values) or "model", **values}
    return _checked(Setting, named, "the flags")


def default_name(values: Mapping[str, Any]) -> str:
    """A name made of model and reasoning mode; empty where there is no model."""
    model, reasoning = values.get("model"), values.get("reasoning", "default")
    if not isinstance(model, str) or not isinstance(reasoning, str):
        return ""
    stem = model.partition("/")[2].rstrip("/").rpartition("/")[2] or model
    if model.startswith(("baseline/", "replay/")):
        stem = model.rstrip("/").replace("/", "-")
    stem = "".join(letter if letter.isalnum() or letter in "._+-" else "-" for letter in stem)
    name = stem if reasoning == "default" else f"{stem}-{reasoning}"
    return name.encode("ascii", "replace").decode("ascii").replace("?", "-").lstrip("._+-")[:100]


def require_distinct(
    settings: Sequence[Setting], templates: Mapping[str, Mapping[str, str]] | None = None
) -> None:
    """SettingsError where two settings share a name, or ask for the same under two names.

    `templates` has the texts by the folder that a setting names, or "": two folders of the same
    texts ask for the same.
    """
    names: set[str] = set()
    identities: dict[tuple[str, bytes], str] = {}
    for setting in settings:
        if setting.name in names:
            raise SettingsError(
                f"two settings are called {setting.name!r}", "give each a `name` of its own"
            )
        names.add(setting.name)
        folder = setting.template or ""
        texts = dict((templates or {}).get(folder, {"": folder}))
        same = (setting.identity, canonical_json(texts))
        other = identities.setdefault(same, setting.name)
        if other != setting.name:
            raise SettingsError(
                f"settings {other!r} and {setting.name!r} ask for the same under two names",
                "use `repeats` to ask more than once",
            )


def _listed(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _checked[M: _Strict](kind: type[M], content: Any, where: str) -> M:
    try:
        return kind.model_validate_json(_as_json(content, where))
    except ValidationError as error:
        raise SettingsError(f"{where}: {_first_fault(error, kind)}") from None


def _as_json(content: Any, where: str) -> str:
    """Through JSON, since strict validation of Python objects would refuse lists for tuples."""
    import json

    try:
        return json.dumps(content, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise SettingsError(f"{where}: {error}") from None


def _keys_beside(place: tuple[int | str, ...], kind: type[_Strict]) -> list[str]:
    if len(place) > 1:
        kind = Price if place[-2] == "price" else Setting
    return sorted(kind.model_fields)


def _first_fault(error: ValidationError, kind: type[_Strict]) -> str:
    # A setting that is refused leaves the list too short, which is no fault of its own.
    faults = [each for each in error.errors() if each["type"] != "too_short" or each["loc"][1:]]
    fault, more = (faults or error.errors())[0], max(0, len(faults) - 1)
    place = ".".join(
        f"{part + 1}" if isinstance(part, int) else part for part in fault["loc"]
    ).replace("settings.", "setting ")
    said = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        said = f"there is no such key; known: {', '.join(_keys_beside(fault['loc'], kind))}"
    if fault["loc"][-1:] == ("model",) and fault["type"] == "string_pattern_mismatch":
        said = "write BACKEND/NAME, such as openai/NAME or vllm/ORG/NAME"
    given = repr(fault["input"]) if fault["type"] != "extra_forbidden" else ""
    shown = f" ({given[:60]})" if given and not isinstance(fault["input"], dict) else ""
    return f"{place}{': ' * bool(place)}{said}{shown}" + (f", and {more} more" if more else "")
