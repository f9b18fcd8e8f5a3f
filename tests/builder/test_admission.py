"""Whole verdicts on single programs: which inputs and loop are chosen, and what real ones do."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from deskcheck.builder.admission import judge
from deskcheck.builder.cases import Admitted, Rejected, Verdict
from deskcheck.builder.languages.python import PythonLanguage
from deskcheck.builder.parameters import Parameters
from deskcheck.oracles.programs import Program
from deskcheck.oracles.runtimes.python import PythonRuntime, find_interpreter
from deskcheck.oracles.sandbox import Sandbox
from deskcheck.sources.pools import Candidate, Input, Provenance

FIBONACCI = """\
n = int(input())
a, b = 0, 1
for _ in range(n):
    a, b = b, (a + b) % 1000
print(a * b)
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


def verdict(
    sandbox: Sandbox, source: str, *inputs: str, parameters: Parameters | None = None
) -> Verdict:
    """What becomes of a program with these inputs, named by their place."""
    parameters = parameters or Parameters()
    candidate = Candidate(
        id="test/program",
        pool="test",
        study="test-python",
        program=Program(language="python", source=source.encode()),
        provenance=Provenance(licence="CC0-1.0", author="tests", origin="program"),
        inputs=tuple(Input(name=str(n), data=text.encode()) for n, text in enumerate(inputs)),
    )
    runtime = PythonRuntime(sandbox, find_interpreter(), parameters.limits())
    return judge(candidate, {"python": PythonLanguage(runtime)}, parameters)


def admitted(given: Verdict) -> Admitted:
    assert isinstance(given, Admitted), given
    return given


def reasons(given: Verdict) -> list[tuple[str, str]]:
    assert isinstance(given, Rejected), given
    return [(finding.check, finding.reason) for finding in given.findings]


def test_an_input_past_the_limit_on_opcodes_gives_way_to_the_next(sandbox: Sandbox) -> None:
    """The limit is on counts: the longest input within it is the long one."""
    parameters = Parameters(max_trace_length=600)
    given = verdict(sandbox, FIBONACCI, "4\n", "30\n", "5000\n", parameters=parameters)
    assert admitted(given).case.long_input == "1"
    given = verdict(sandbox, FIBONACCI, "4\n", "5000\n", parameters=parameters)
    assert ("legal_inputs", "trace_too_long") in reasons(given)


def test_output_still_in_the_buffer_does_not_show_in_a_state_answer(sandbox: Sandbox) -> None:
    """A program that prints in its only loop is a case; its state answer is the state alone."""
    source = FIBONACCI.replace("% 1000\n", "% 1000\n    print(a)\n")
    given = admitted(verdict(sandbox, source, "4\n", "40\n"))
    assert given.case.printed_before
    assert all(json.loads(answer.text) for answer in given.answers[2:])


def test_output_flushed_before_the_checkpoint_is_no_part_of_a_state_answer(
    sandbox: Sandbox,
) -> None:
    """What the shown source has printed by then is the clean output's beginning, and is cut off."""
    source = FIBONACCI.replace("% 1000\n", "% 1000\n    print(a, {'a': a}, flush=True)\n")
    given = admitted(verdict(sandbox, source, "4\n", "40\n"))
    assert given.case.printed_before
    assert list(json.loads(given.answers[2].text)) == ["a", "b"]
    assert json.loads(given.answers[3].text) == {"a": 155, "b": 141}


def test_a_program_that_prints_from_a_finalizer_is_judged_as_it_is(sandbox: Sandbox) -> None:
    """A fast-output class flushed by its `__del__` at exit prints the same when measured."""
    source = (
        "import os\nfrom io import BytesIO, IOBase\n\n\nclass Fast(IOBase):\n"
        "    def __init__(self):\n        self.buffer = BytesIO()\n"
        "        self.put = lambda text: self.buffer.write(text.encode())\n\n"
        "    def flush(self):\n        os.write(1, self.buffer.getvalue())\n"
        "        self.buffer.truncate(0), self.buffer.seek(0)\n\n\nfast = Fast()\n"
    )
    source += FIBONACCI.replace("print(a * b)", "fast.put(str(a * b) + chr(10))")
    given = admitted(verdict(sandbox, source, "4\n", "40\n"))
    assert given.answers[0].text == f"{3 * 5}\n"


def test_blank_lines_at_the_end_of_a_file_do_not_matter(sandbox: Sandbox) -> None:
    """Trailing lines of blanks, common in submissions, reject nothing and are kept."""
    source = FIBONACCI + "   \n\n \t \t"
    given = admitted(verdict(sandbox, source, "4\n", "40\n"))
    assert all(task.source.endswith("   \n\n \t \t") for task in given.tasks)


def test_one_input_is_too_few(sandbox: Sandbox) -> None:
    """Two inputs are needed, and equal outputs make no pair."""
    assert reasons(verdict(sandbox, FIBONACCI, "40\n")) == [("pair", "too_few_inputs")]
    same = "n = int(input())\nt = 0\nfor i in range(n):\n    t += i % 7\nprint('done')\n"
    assert reasons(verdict(sandbox, same, "4\n", "40\n")) == [("loop", "no_short_input")]


@pytest.mark.slow
@pytest.mark.parametrize("number", [10, 15, 3])
def test_the_order_of_two_texts_in_a_set_is_found_out(sandbox: Sandbox, number: int) -> None:
    """Half of all hash seeds agree on it, so such programs run under many more."""
    source = (
        f"n, *a = map(int, open(0).read().split())\nk = list({{'p{number}', 'q{number}'}})\n"
        "s = ''\nfor x in a:\n    s = k[(x + len(s)) % 2] + s[:6]\nprint(len(a) * 3)\n"
    )
    long = "9 " + " ".join(str(i * i % 7) for i in range(40))
    assert reasons(verdict(sandbox, source, "3 1 2 3", long))[0] == ("determinism", "state_varies")


@pytest.mark.slow
@pytest.mark.parametrize(
    "reading",
    [
        "def main(f):\n    s = 1\n    for i in range(n):\n"
        "        s = s * 7 % 101 + len(f.readline())\n"
        "    print(s)\nmain(sys.stdin)\n",
        "from itertools import chain\ns = 1\nfor x in chain(sys.stdin, 'ab'):\n"
        "    s = s * 7 % 101 + len(x)\nprint(s)\n",
        "s = 1\nwith sys.stdin as f:\n    for i in range(n):\n"
        "        s = s * 7 % 101 + len(f.readline())\nprint(s)\n",
    ],
)
def test_a_loop_that_reads_by_any_name_is_found_out(sandbox: Sandbox, reading: str) -> None:
    """Where standard input stands is compared between the checkpoints."""
    lines = "".join("x" * (i * i % 5) + "\n" for i in range(50))
    given = verdict(
        sandbox, "import sys\nn = int(input())\n" + reading, "3\nab\n\nc\n", "40\n" + lines
    )
    assert ("loop", "reads_stdin") in reasons(given)


def test_builtins_put_in_the_place_of_others_mislead_nobody(sandbox: Sandbox) -> None:
    """What watches the program has builtins of its own."""
    source = "import builtins\nbuiltins.dict = list\nbuiltins.id = lambda value: 0\n" + FIBONACCI
    source += "builtins.sorted = lambda values, **key: []\n"
    assert admitted(verdict(sandbox, source, "4\n", "40\n")).case.iterations == 40


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "    for i in range(n): global s; s = (s * 7 + i) % 101\n",
        "    for i in range(n):\n        global s; s = (s * 7 + i) % 101\n",
        "    global s\n    for i in range(n): s = (s * 7 + i) % 101; \\\n\n",
        "    global s\n    for i in range(n):\n        s = (s * 7 + i) % 101  # a comment \\\n",
    ],
)
def test_declarations_and_continuations_are_instrumented(sandbox: Sandbox, body: str) -> None:
    """A body that begins with `global`, and a loop whose last line goes on or only seems to."""
    source = f"s = 1\nn = int(input())\ndef run():\n{body}run()\nprint(s)\n"
    given = admitted(verdict(sandbox, source, "4\n", "40\n"))
    assert [field.name for field in given.case.fields] == ["s"]


def test_the_width_of_data_flow_is_the_variables_still_to_be_read(sandbox: Sandbox) -> None:
    """Two numbers and a list are read again; the module, a function and what is done with are not
    counted."""
    source = (
        "import sys\n\n\ndef mixed(one, other):\n    return (one * 31 + other) % 997\n\n\n"
        "n = int(sys.stdin.readline())\ndone = n + 1\na, b, kept = done, 1, []\n"
        "for step in range(n):\n    a, b = b, mixed(a, b)\n    kept.append(a)\n"
        "print(a, b, sum(kept))\n"
    )
    given = admitted(verdict(sandbox, source, "4\n", "40\n"))
    assert {each.data_flow for each in given.measures} == {3}
