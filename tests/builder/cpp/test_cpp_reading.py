"""What a C++ program may not make its reader do: read other files, or end the builder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.oracles.cpp.compilers import needs_clang, runtime_with

from deskcheck.builder.languages.cpp import CppLanguage, require_own_text
from deskcheck.builder.syntax import UnreadableSourceError
from deskcheck.oracles.sandbox import Sandbox

MAIN = "int main() {}\n"


@pytest.mark.parametrize(
    "line",
    [
        '#include "/etc/passwd"',
        "#include </dev/stdin>",
        "  #  include  </dev/zero>",
        '#include "../secret.txt"',
        '#inc\\\nlude "/etc/passwd"',
        '#/* so */include "/etc/passwd"',
        '#include /* so */ "/etc/passwd"',
        '%:include "/etc/passwd"',
        '#define FILE "/etc/passwd"\n#include FILE',
        '#include_next "/etc/passwd"',
        '#import "/etc/passwd"',
    ],
)
def test_a_file_that_is_no_header_is_never_read(line: str) -> None:
    """Its words would stand in a message, or in the answer."""
    with pytest.raises(UnreadableSourceError) as refused:
        require_own_text(f"{line}\n{MAIN}".encode())
    assert refused.value.reason == "uses_files"


@pytest.mark.parametrize(
    "line",
    [
        "#include <bits/stdc++.h>  // and so on ...",
        '# include "vector"',
        "#include<ext/pb_ds/tree_policy.hpp>",
        "",
    ],
)
def test_headers_by_their_names_pass(line: str) -> None:
    require_own_text(f"{line}\n{MAIN}".encode())


@pytest.fixture(scope="module")
def language(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CppLanguage]:
    with Sandbox() as sandbox:
        yield CppLanguage(runtime_with(sandbox, tmp_path_factory.mktemp("builds")))


def doubled(operand: str, times: int) -> str:
    """Macros, each twice the one before: 2**times operands in a few lines."""
    lines = [f"#define A0(x) {operand}"]
    lines += [f"#define A{n}(x) A{n - 1}(A{n - 1}(x))" for n in range(1, times + 1)]
    return "\n".join(lines)


@needs_clang
@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        f"{doubled('-(x)', 15)}\nint main() {{ return A15(0); }}\n",
        "template <int N, class T> struct F { F<N - 1, F<N, T*>> a; F<N - 1, T&&> b; };\n"
        "int main() { F<900, int> f; }\n",
        "int main() { return nothing; }\n",
        "int other() { return 0; }\n",
    ],
    ids=["macros without end", "templates without end", "an unknown name", "no main"],
)
def test_what_the_compiler_does_not_survive_is_never_parsed_here(
    source: str, language: CppLanguage
) -> None:
    """The compiler runs within limits; libclang, in the builder's own process, has none."""
    with pytest.raises(UnreadableSourceError) as refused:
        language.read(source.encode())
    assert refused.value.reason == "does_not_parse"
    assert "\n" not in refused.value.detail


@needs_clang
@pytest.mark.slow
def test_a_header_that_is_not_here_is_a_missing_module(language: CppLanguage) -> None:
    with pytest.raises(UnreadableSourceError) as refused:
        language.read(b"#include <nowhere/at_all.hpp>\nint main() {}\n")
    assert refused.value.reason == "missing_module"
