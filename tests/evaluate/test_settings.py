"""Settings are read strictly, and what they leave open is recorded as left open."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck.evaluate.settings import (
    SettingsFile,
    make_setting,
    read_settings,
    require_distinct,
)
from deskcheck.oracles.errors import SettingsError

GOOD = """
seed = 7

[[settings]]
model = "vllm/Qwen/Qwen3-8B"
reasoning = "high"
max_tokens = 32768
repeats = 3

[settings.sampling]
temperature = 0.6

[settings.engine]
dtype = "bfloat16"
tensor_parallel_size = 2

[[settings]]
name = "mini"
model = "openai/gpt-x-mini"
reasoning = "off"
arms = ["post-loop-state", "short-trace-final"]
price = { input = 0.25, output = 2.0 }
"""


def read(folder: Path, text: str) -> SettingsFile:
    path = folder / "settings.toml"
    path.write_text(text, "utf-8")
    return read_settings(path)


def test_a_file_names_several_settings(tmp_path: Path) -> None:
    """Names follow from model and mode where none is given, arms stand in their usual order."""
    content = read(tmp_path, GOOD)
    high, mini = content.settings
    assert content.seed == 7
    assert (high.name, high.backend, high.model_name) == ("Qwen3-8B-high", "vllm", "Qwen/Qwen3-8B")
    assert high.sampling == {"temperature": 0.6}
    assert mini.arms == ("short-trace-final", "post-loop-state")
    assert mini.sampling == {}  # no override, and that is what is recorded


def test_thinking_gets_twice_the_time() -> None:
    """3,600 s with reasoning, 1,800 s without, or what the setting says."""
    limits = {
        mode: make_setting(model="openai/x", reasoning=mode).timeout
        for mode in ("high", "off", "default")
    }
    assert limits == {"high": 3600, "off": 1800, "default": 1800}
    assert make_setting(model="openai/x", timeout_s=5.0).timeout == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "settings: Field required"),
        (
            "sed = 1\n[[settings]]\nmodel = 'openai/x'",
            "there is no such key; known: seed, settings",
        ),
        (
            "[[settings]]\nmodel = 'openai/x'\nprice = {input = 1, output = 1, cached = 1}",
            "setting 1.price.cached: there is no such key; known: input, output",
        ),
        ("settings = 3", "settings: "),
        ("[[settings]]\nname = 'x'", "setting 1.model: Field required"),
        ("[[settings]]\nmodel = 'gpt'", "setting 1.model: "),
        (
            "[[settings]]\nmodel = 'openai/x'\ntemprature = 1",
            "setting 1.temprature: there is no such",
        ),
        ("[[settings]]\nmodel = 'openai/x'\nrepeats = 0", "setting 1.repeats: "),
        ("[[settings]]\nmodel = 'openai/x'\nrepeats = '2'", "setting 1.repeats: "),
        ("[[settings]]\nmodel = 'openai/x'\nmax_tokens = -1", "setting 1.max_tokens: "),
        ("[[settings]]\nmodel = 'openai/x'\narms = ['short']", "setting 1.arms.1: "),
        ("[[settings]]\nmodel = 'openai/x'\nname = 'a/b'", "setting 1.name: "),
        ("[[settings]]\nmodel = 'openai/x'\nreasoning = 'odd'", "a word of your own"),
        ("[[settings]]\nmodel = 'openai/x'\n[settings.sampling]\ntop_p = nan", "settings.toml: "),
        ("[[settings]]\nmodel = 'openai/x'\nwhen = 2026-01-01", "settings.toml: "),
        ("not toml", "is no TOML"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    """The file, the place and the value are named; nothing is guessed or ignored."""
    with pytest.raises(SettingsError) as error:
        read(tmp_path, text)
    assert said in str(error.value)
    assert "settings.toml" in str(error.value)
    assert "more" not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere is said."""
    with pytest.raises(SettingsError, match="no settings file at"):
        read_settings(tmp_path / "none.toml")


def test_two_settings_cannot_be_told_apart_by_name_alone() -> None:
    """Equal names collide, and so does one request under two names: it would be paid twice."""
    one = make_setting(model="openai/x")
    with pytest.raises(SettingsError, match="two settings are called 'x'"):
        require_distinct([one, one])
    with pytest.raises(SettingsError, match="ask for the same under two names"):
        require_distinct([one, make_setting(model="openai/x", name="y")])
    require_distinct([one, make_setting(model="openai/x", name="y", max_tokens=5)])


def test_templates_of_one_text_in_two_folders_are_one_template() -> None:
    """The same questions under two names are refused, wherever their words were taken from."""
    ours, mine, other = {"final.j2": "a"}, {"final.j2": "a"}, {"final.j2": "b"}
    folders = [make_setting(model="openai/x", name=each, template=each) for each in ("m", "n")]
    with pytest.raises(SettingsError, match="ask for the same under two names"):
        require_distinct(folders, {"m": ours, "n": mine})
    require_distinct(folders, {"m": ours, "n": other})


def test_a_model_of_any_name_has_a_setting() -> None:
    """Where nothing of the model's name can stand in a file's name, the setting still has one."""
    names = [make_setting(model=model).name for model in ("openai/\u65e5\u672c", "openai/--")]
    assert names == ["model", "model"]


def test_no_stop_string_is_ever_added() -> None:
    """A stop string could fire inside the thinking; unless a user gives one, there is none."""
    assert "stop" not in make_setting(model="openai/x").model_dump_json()
