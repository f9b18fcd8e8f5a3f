"""Programs are built in the sandbox, kept by content, and built again where that is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.oracles.cpp.compilers import Counting, needs_clang, needs_gnu

from deskcheck.oracles.runtimes.cpp.building import Builder, Built, Unbuilt
from deskcheck.oracles.runtimes.cpp.headers import begins_with_header
from deskcheck.oracles.runtimes.cpp.stored import BuildStore, default_folder
from deskcheck.oracles.runtimes.cpp.toolchain import find_toolchain
from deskcheck.oracles.sandbox import Sandbox

pytestmark = [needs_clang, pytest.mark.slow]

SMALL = b"int main() { return 0; }\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as box:
        yield box


@pytest.fixture
def counting(sandbox: Sandbox) -> Counting:
    return Counting(sandbox)


def builder_with(counting: Counting, folder: Path | None, compiler: str | None = None) -> Builder:
    store = None if folder is None else BuildStore(folder)
    return Builder(counting, find_toolchain(compiler), store)


def built(builder: Builder, source: bytes = SMALL, standard: str | None = "gnu++17") -> bytes:
    made = builder.build(source, builder.variants.plain, standard)
    assert isinstance(made, Built), made
    return made.binary


def test_a_build_is_kept_for_all_processes(counting: Counting, tmp_path: Path) -> None:
    """A second builder finds it on disk, and the first had it in memory."""
    first = builder_with(counting, tmp_path)
    binary = built(first)
    assert counting.started == ["clang++", "ld"]
    assert built(first) == built(builder_with(counting, tmp_path)) == binary
    assert counting.started == ["clang++", "ld"]


def test_a_damaged_build_is_made_again(counting: Counting, tmp_path: Path) -> None:
    """One changed byte, or a torn file, is noticed, and what is made instead is sound again."""
    binary = built(builder_with(counting, tmp_path))
    (entry,) = (path for path in tmp_path.rglob("*") if path.is_file())
    for damaged in (entry.read_bytes()[:-1] + b"?", entry.read_bytes()[:100], b""):
        entry.write_bytes(damaged)
        assert built(builder_with(counting, tmp_path)) == binary
    built(builder_with(counting, tmp_path))
    assert len(counting.started) == 8


def test_a_failure_is_remembered(counting: Counting, tmp_path: Path) -> None:
    """What does not compile is not compiled twice, and nothing of it is kept on disk."""
    builder = builder_with(counting, tmp_path)
    for _ in range(2):
        made = builder.build(b"int main() {\n  return x;\n}\n", builder.variants.plain, "gnu++17")
        assert isinstance(made, Unbuilt)
        assert made.reason == "program.cpp:2:10: error: use of undeclared identifier 'x'"
    assert counting.started == ["clang++"]
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_linked_says_so(counting: Counting) -> None:
    builder = builder_with(counting, None)
    made = builder.build(b"int f(); int main() { return f(); }", builder.variants.plain)
    assert isinstance(made, Unbuilt)
    assert "undefined reference to `f()'" in made.reason


def test_what_is_said_of_headers_names_no_place(counting: Counting) -> None:
    """Where they lie differs between machines; what does not compile in them does not."""
    builder = builder_with(counting, None)
    source = b"#include <utility>\nstd::pair<int, void> p;\nint main() {}\n"
    made = builder.build(source, builder.variants.plain, "gnu++17")
    assert isinstance(made, Unbuilt)
    assert made.reason.startswith("stl_pair.h:")
    made = builder.build(b"#include <no/such/file>\n", builder.variants.plain, "gnu++17")
    assert isinstance(made, Unbuilt)
    assert "no/such/file" in made.reason


def test_the_newer_standard_is_for_what_needs_it(counting: Counting, tmp_path: Path) -> None:
    """A program is of the older standard where it can be."""
    builder = builder_with(counting, tmp_path)
    newer = b"consteval int f() { return 0; }\nint main() { return f(); }\n"
    assert builder.standard(newer) == "gnu++20"
    assert builder.standard(SMALL) == builder.standard(b"int main() { return x; }") == "gnu++17"


@needs_gnu
def test_the_other_compiler_builds_too(counting: Counting, sandbox: Sandbox) -> None:
    """Its driver would start three processes; each is started on its own."""
    built(builder_with(counting, None, "g++"))
    assert counting.started == ["cc1plus", "as", "ld"]


def test_no_place_to_keep_builds_is_no_hindrance(counting: Counting, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert built(builder_with(counting, blocked / "builds")) == built(builder_with(counting, None))


def test_the_store_keeps_what_was_used_last(tmp_path: Path) -> None:
    """Past its bound, the entries that were used longest ago go."""
    for number in range(3):
        assert BuildStore(tmp_path, most=10_000).put(f"{number:064}", bytes(3000))
    assert BuildStore(tmp_path).get(f"{0:064}") is not None
    store = BuildStore(tmp_path, most=7_000)
    store.put(f"{3:064}", b"new")
    assert [store.get(f"{number:064}") is None for number in range(4)] == [
        False,
        True,
        False,
        False,
    ]


def test_where_builds_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DESKCHECK_CACHE", str(tmp_path))
    assert default_folder() == tmp_path / "cpp"
    monkeypatch.delenv("DESKCHECK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "deskcheck" / "cpp"


HEADER = b"#include <bits/stdc++.h>\nint main() {}\n"


@pytest.mark.parametrize(
    ("before", "same"),
    [
        (b"", True),
        (b"\n  \t\r\n", True),
        (b"// a comment\n/* and\n another */ ", True),
        (b"#define NDEBUG\n", False),
        (b'#pragma GCC optimize("O3")\n', False),
        (b"#include <vector>\n", False),
        (b"// goes on \\\n", False),
        (b"// goes on \\\r\n", False),
        (b"/* never ends\n", False),
        (b"\xef\xbb\xbf", False),
        (b"int x;\n", False),
    ],
)
def test_a_header_is_precompiled_only_for_programs_that_begin_with_it(
    before: bytes, same: bool
) -> None:
    """Whatever stands before might change what it says; comments do not."""
    assert begins_with_header(before + HEADER) is same


CONTEST = b"""\
// everything at once
#include <bits/stdc++.h>
using namespace std;
#define all(x) begin(x), end(x)
template <class T> T best(const vector<T> &from) { return *max_element(all(from)); }
int main() {
    int n;
    cin >> n;
    map<string, vector<long long>> rows;
    for (int i = 0; i < n; ++i) {
        string name;
        long long value;
        cin >> name >> value;
        rows[name].push_back(value);
    }
    for (auto &[name, values] : rows) {
        sort(all(values), greater<>());
        assert(best(values) == values[0]);
        cout << name << ' ' << accumulate(all(values), 0LL) << endl;
    }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["plain", "filled", "zeroed"])
def test_a_precompiled_header_makes_the_same_program(
    variant: str, counting: Counting, tmp_path: Path
) -> None:
    """Byte for byte, by both compilers."""
    builder = builder_with(counting, tmp_path)
    way = getattr(builder.variants, variant)
    quick = builder.build(CONTEST, way, "gnu++17")
    slow = builder_with(counting, None).build(CONTEST, way, "gnu++17", begun_as=b"something else")
    assert isinstance(quick, Built) and isinstance(slow, Built)
    assert quick.binary == slow.binary
    assert any(path.stat().st_size > 10_000_000 for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.slow
def test_a_header_that_no_compiler_takes_is_left_out(counting: Counting, tmp_path: Path) -> None:
    """Where it does not fit, the program is built without."""
    builder = builder_with(counting, tmp_path)
    binary = built(builder, CONTEST)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            BuildStore(tmp_path).put(path.name, b"no header")
    other = CONTEST.replace(b"everything", b"all things")
    assert built(builder_with(counting, tmp_path), other) == binary
