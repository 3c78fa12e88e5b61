"""compile(..., cache=...): machine code in a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from tests.jit.programs import LOWER, MAKE, SUM
from xdsl_bufferization import jit
from xdsl_bufferization.jit.lowering import read_pipeline
from xdsl_bufferization.universe import new_context

SET = """
func.func @set(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.insert %x into %t[%c0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
"""


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*"))


def is_cached(module: jit.Module) -> bool:
    return list(module.seconds) == ["cache"]


@pytest.mark.parametrize("count", [False, True])
def test_second_time_is_from_the_cache(tmp_path: Path, count: bool) -> None:
    first, second = (
        jit.compile(SUM + MAKE, LOWER, cache=tmp_path, count=count) for _ in range(2)
    )
    assert not is_cached(first) and is_cached(second)
    assert repr(first) == repr(second)
    assert first.sum.written == second.sum.written
    assert second.sum(np.ones((3, 4), "f")) == 12
    matrix, number = second.make(2, 1.5)
    assert matrix.tolist() == [[1.5, 1.5]] * 2 and number[()] == 1.5
    assert "@jit.function.sum(" in second.llvm_ir
    if count:
        assert second.stats().allocations == 2
    else:
        first.save(tmp_path / "first.ll")
        second.save(tmp_path / "second.ll")
        assert (tmp_path / "first.ll").read_text() == (tmp_path / "second.ll").read_text()


def test_functions_from_outside(tmp_path: Path) -> None:
    text = """
    func.func private @f(i32) -> i32
    func.func @main(%x: i32) -> i32 {
      %r = call @f(%x) : (i32) -> i32
      return %r : i32
    }
    """
    for add in (1, 2):
        module = jit.compile(
            text, LOWER, functions={"f": lambda x, by=add: x + by}, cache=tmp_path
        )
        assert module.main(5) == 5 + add
    assert is_cached(module)


def test_globals_of_a_cached_module(tmp_path: Path) -> None:
    text = """
    memref.global "private" @v : memref<2xi16> = dense<[1, 2]>
    memref.global "private" constant @c : memref<2xi16> = dense<[3, 4]>
    func.func @get() -> (memref<2xi16>, memref<2xi16>) {
      %v = memref.get_global @v : memref<2xi16>
      %c = memref.get_global @c : memref<2xi16>
      return %v, %c : memref<2xi16>, memref<2xi16>
    }
    """
    for _ in range(2):
        variable, constant = jit.compile(text, LOWER, cache=tmp_path).get()
        assert variable.flags.writeable and not constant.flags.writeable
        variable[:] = 9  # in this module only


@pytest.mark.parametrize(
    "change",
    [
        {"source": SET.replace("%c0]", "%c0] ")},
        {"opt_level": 1},
        {"functional": True},
        {"count": True},
        {"plan_memory": True},
        {"pipeline": jit.DEFAULT_PIPELINE + ",cse"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_decides_about_the_code_is_in_the_key(
    tmp_path: Path, change: dict[str, object]
) -> None:
    jit.compile(SET, cache=tmp_path)
    given: dict[str, object] = {"source": SET, "cache": tmp_path, **change}
    assert not is_cached(jit.compile(**given))  # type: ignore[arg-type]
    assert len(entries(tmp_path)) == 2


def test_module_and_path(tmp_path: Path) -> None:
    module = Parser(new_context(), SUM).parse_module()
    path = tmp_path / "sum.mlir"
    path.write_text(SUM)
    for source in (module, path):
        folder = tmp_path / type(source).__name__
        assert not is_cached(jit.compile(source, LOWER, cache=folder))
        assert is_cached(jit.compile(source, LOWER, cache=folder))


def test_damage_is_compiled_again(tmp_path: Path) -> None:
    jit.compile(SUM, LOWER, cache=tmp_path)
    (entry,) = entries(tmp_path)
    good = entry.read_bytes()
    for damaged in (b"", good[:40], good[:-1], good[:99] + b"?" + good[100:], b"x" * 99):
        entry.write_bytes(damaged)
        module = jit.compile(SUM, LOWER, cache=tmp_path)
        assert not is_cached(module)
        assert module.sum(np.ones((3, 4), "f")) == 12
        assert entry.read_bytes()[:32] == good[:32] or entry.read_bytes() != damaged


def test_many_write_at_once(tmp_path: Path) -> None:
    def compile_and_call(number: int) -> tuple[float, bool]:
        module = jit.compile(SUM, LOWER, cache=tmp_path)
        return module.sum(np.full((2, 2), number, "f")), is_cached(module)

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(compile_and_call, range(32)))
    assert [result for result, _ in results] == [4 * n for n in range(32)]
    assert len(entries(tmp_path)) == 1


def test_folder_that_cannot_be_written_costs_a_warning(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.warns(RuntimeWarning, match="cannot be kept in .*file"):
        module = jit.compile(SUM, LOWER, cache=tmp_path / "file" / "folder")
    assert module.sum(np.ones((3, 4), "f")) == 12


def test_folder_must_be_one() -> None:
    with pytest.raises(DiagnosticException, match="cache is 42; it must be True"):
        jit.compile(SUM, LOWER, cache=42)  # type: ignore[arg-type]


def test_pass_without_a_source_file_is_not_cached(tmp_path: Path) -> None:
    namespace: dict[str, object] = {"__name__": "nowhere"}
    exec(
        "from xdsl.passes import ModulePass\n"
        "class P(ModulePass):\n    name = 'p'\n    def apply(self, ctx, op): pass\n",
        namespace,
    )
    own = namespace["P"]
    assert isinstance(own, type) and issubclass(own, ModulePass)
    stages = [own(), *read_pipeline(LOWER)]
    for _ in range(2):
        assert not is_cached(jit.compile(SUM, stages, cache=tmp_path))
    assert not entries(tmp_path)


def test_calls_of_cached_modules_import_no_compiler(tmp_path: Path) -> None:
    """With the user's cache folder, in another process."""
    script = (
        "import sys, numpy\n"
        "from xdsl_bufferization import jit\n"
        f"module = jit.compile({SUM!r}, {LOWER!r}, cache=True)\n"
        "print(module.sum(numpy.ones((3, 4), 'f')), 'xdsl.ir' in sys.modules)\n"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    for imported in ("True", "False"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env=environment,
        )
        assert done.stdout == f"12.0 {imported}\n"
    assert len(entries(tmp_path / "xdsl-bufferization" / "jit")) == 1
