"""lit's configuration: xdsl-opt and filecheck come from the environment lit runs in."""
# ruff: noqa: F821  (lit defines `config`)

import atexit
import os
import sys
from contextlib import ExitStack
from pathlib import Path

import lit.formats

config.name = "xdsl-bufferization"

root = Path(__file__).parent
tools = Path(sys.executable).parent

config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = str(root)
config.test_exec_root = str(root.parent.parent / "build" / "filecheck")

# Most of the time of a command would go into loading xDSL.
sys.path.insert(0, str(root.parent.parent))
from tests.preloaded.server import preloaded_commands  # noqa: E402

serving = ExitStack()
atexit.register(serving.close)
scripts = serving.enter_context(
    preloaded_commands(
        "xdsl.dialects",
        "xdsl.transforms",
        "xdsl_bufferization.dialects",
        "xdsl_bufferization.models",
        "xdsl_bufferization.transforms",
    )
)
paths = (str(scripts), str(tools), os.environ["PATH"])
config.environment["PATH"] = os.pathsep.join(paths)

# Few tests need mlir-opt; those say `REQUIRES: mlir-opt`.
from tests.oracle.location import find_mlir_opt  # noqa: E402

mlir_opt, _ = find_mlir_opt()
if mlir_opt:
    config.available_features.add("mlir-opt")
    config.environment["XDSL_MLIR_OPT"] = mlir_opt
    config.substitutions.append((r"\bmlir-opt\b", mlir_opt))
