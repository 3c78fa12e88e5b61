"""How fast the code is that comes out: four kernels, this package against mlir-opt.

Every kernel is a function on tensors. It is lowered by this package and by mlir-opt, from
tensors to the LLVM dialect, and both texts run under mlir-runner -O3, so that nothing but
the lowering differs.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.tables import ratio, table
from tests.oracle.location import missing_oracle, mlir_tool, runner_library
from tests.oracle.tools import xdsl_opt
from xdsl_bufferization import jit

OURS = "tensor-to-llvm-pipeline"
THEIRS = (
    "--one-shot-bufferize=bufferize-function-boundaries allow-return-allocs-from-loops",
    *("--buffer-deallocation-pipeline", "--convert-bufferization-to-memref"),
    *("--convert-linalg-to-loops", "--lower-affine", "--convert-scf-to-cf"),
    *("--expand-strided-metadata", "--lower-affine", "--convert-math-to-llvm"),
    *("--convert-math-to-libm", "--finalize-memref-to-llvm", "--convert-arith-to-llvm"),
    *("--convert-index-to-llvm", "--convert-cf-to-llvm", "--convert-func-to-llvm"),
    "--reconcile-unrealized-casts",
)


@dataclass(frozen=True)
class Kernel:
    name: str
    text: str
    """Has @kernel, from tensors of static shape to one tensor."""
    shapes: Sequence[tuple[int, ...]]
    result: tuple[int, ...]
    dtype: str
    numpy: Callable[..., Any]


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def convolution(x: Any, w: Any) -> Any:
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[:2], (1, 2))
    return np.tensordot(windows, w, ((4, 5, 3), (0, 1, 2)))


HEAT_STEPS = 20


def heat(u: Any) -> Any:
    for _ in range(HEAT_STEPS):
        new = u.copy()
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        new[1:-1, 1:-1] += 0.1 * (around - 4 * u[1:-1, 1:-1])
        u = new
    return u


KERNELS = (
    Kernel(
        "matmul 256",
        """
        func.func private @kernel(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>)
            -> tensor<256x256xf32> {
          %zero = arith.constant 0.0 : f32
          %e = tensor.empty() : tensor<256x256xf32>
          %z = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>)
            -> tensor<256x256xf32>
          %c = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>)
            outs(%z : tensor<256x256xf32>) -> tensor<256x256xf32>
          return %c : tensor<256x256xf32>
        }
        """,
        ((256, 256), (256, 256)),
        (256, 256),
        "f32",
        np.matmul,
    ),
    Kernel(
        "conv2d 66x66x8, 3x3x8x16",
        """
        func.func private @kernel(%x: tensor<1x66x66x8xf32>, %w: tensor<3x3x8x16xf32>)
            -> tensor<1x64x64x16xf32> {
          %zero = arith.constant 0.0 : f32
          %e = tensor.empty() : tensor<1x64x64x16xf32>
          %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64x64x16xf32>)
            -> tensor<1x64x64x16xf32>
          %y = linalg.conv_2d_nhwc_hwcf
            {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
            ins(%x, %w : tensor<1x66x66x8xf32>, tensor<3x3x8x16xf32>)
            outs(%z : tensor<1x64x64x16xf32>) -> tensor<1x64x64x16xf32>
          return %y : tensor<1x64x64x16xf32>
        }
        """,
        ((1, 66, 66, 8), (3, 3, 8, 16)),
        (1, 64, 64, 16),
        "f32",
        convolution,
    ),
    Kernel(
        "softmax 512x512",
        """
        #ij = affine_map<(i, j) -> (i, j)>
        #i = affine_map<(i, j) -> (i)>
        func.func private @kernel(%x: tensor<512x512xf32>) -> tensor<512x512xf32> {
          %low = arith.constant 0xFF800000 : f32
          %zero = arith.constant 0.0 : f32
          %e1 = tensor.empty() : tensor<512xf32>
          %m0 = linalg.fill ins(%low : f32) outs(%e1 : tensor<512xf32>) -> tensor<512xf32>
          %m = linalg.generic {indexing_maps = [#ij, #i],
                               iterator_types = ["parallel", "reduction"]}
              ins(%x : tensor<512x512xf32>) outs(%m0 : tensor<512xf32>) {
            ^bb0(%a: f32, %b: f32):
              %c = arith.maximumf %a, %b : f32
              linalg.yield %c : f32
          } -> tensor<512xf32>
          %e2 = tensor.empty() : tensor<512x512xf32>
          %p = linalg.generic {indexing_maps = [#ij, #i, #ij],
                               iterator_types = ["parallel", "parallel"]}
              ins(%x, %m : tensor<512x512xf32>, tensor<512xf32>)
              outs(%e2 : tensor<512x512xf32>) {
            ^bb0(%a: f32, %b: f32, %out: f32):
              %c = arith.subf %a, %b : f32
              %d = math.exp %c : f32
              linalg.yield %d : f32
          } -> tensor<512x512xf32>
          %e3 = tensor.empty() : tensor<512xf32>
          %s0 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<512xf32>)
            -> tensor<512xf32>
          %s = linalg.generic {indexing_maps = [#ij, #i],
                               iterator_types = ["parallel", "reduction"]}
              ins(%p : tensor<512x512xf32>) outs(%s0 : tensor<512xf32>) {
            ^bb0(%a: f32, %b: f32):
              %c = arith.addf %a, %b : f32
              linalg.yield %c : f32
          } -> tensor<512xf32>
          %r = linalg.generic {indexing_maps = [#i, #ij],
                               iterator_types = ["parallel", "parallel"]}
              ins(%s : tensor<512xf32>) outs(%p : tensor<512x512xf32>) {
            ^bb0(%b: f32, %a: f32):
              %c = arith.divf %a, %b : f32
              linalg.yield %c : f32
          } -> tensor<512x512xf32>
          return %r : tensor<512x512xf32>
        }
        """,
        ((512, 512),),
        (512, 512),
        "f32",
        softmax,
    ),
    Kernel(
        f"heat 512x512, {HEAT_STEPS} steps",
        """
        #id = affine_map<(i, j) -> (i, j)>
        func.func private @kernel(%u0: tensor<512x512xf64>) -> tensor<512x512xf64> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %steps = arith.constant STEPS : index
          %k = arith.constant 0.1 : f64
          %four = arith.constant 4.0 : f64
          %r = scf.for %s = %c0 to %steps step %c1 iter_args(%u = %u0)
              -> (tensor<512x512xf64>) {
            %n = tensor.extract_slice %u[0, 1] [510, 510] [1, 1]
              : tensor<512x512xf64> to tensor<510x510xf64>
            %s0 = tensor.extract_slice %u[2, 1] [510, 510] [1, 1]
              : tensor<512x512xf64> to tensor<510x510xf64>
            %w = tensor.extract_slice %u[1, 0] [510, 510] [1, 1]
              : tensor<512x512xf64> to tensor<510x510xf64>
            %e = tensor.extract_slice %u[1, 2] [510, 510] [1, 1]
              : tensor<512x512xf64> to tensor<510x510xf64>
            %c = tensor.extract_slice %u[1, 1] [510, 510] [1, 1]
              : tensor<512x512xf64> to tensor<510x510xf64>
            %t = tensor.empty() : tensor<510x510xf64>
            %new = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id],
                                   iterator_types = ["parallel", "parallel"]}
                ins(%n, %s0, %w, %e, %c : tensor<510x510xf64>, tensor<510x510xf64>,
                    tensor<510x510xf64>, tensor<510x510xf64>, tensor<510x510xf64>)
                outs(%t : tensor<510x510xf64>) {
              ^bb0(%a0: f64, %a1: f64, %a2: f64, %a3: f64, %mid: f64, %out: f64):
                %b0 = arith.addf %a0, %a1 : f64
                %b1 = arith.addf %b0, %a2 : f64
                %b2 = arith.addf %b1, %a3 : f64
                %m4 = arith.mulf %mid, %four : f64
                %d = arith.subf %b2, %m4 : f64
                %kd = arith.mulf %d, %k : f64
                %y = arith.addf %mid, %kd : f64
                linalg.yield %y : f64
            } -> tensor<510x510xf64>
            %v = tensor.insert_slice %new into %u[1, 1] [510, 510] [1, 1]
              : tensor<510x510xf64> into tensor<512x512xf64>
            scf.yield %v : tensor<512x512xf64>
          }
          return %r : tensor<512x512xf64>
        }
        """.replace("STEPS", str(HEAT_STEPS)),
        ((512, 512),),
        (512, 512),
        "f64",
        heat,
    ),
)


def with_entry(kernel: Kernel, repeats: int) -> str:
    """The kernel, and @entry, which prints its shortest time and an element of the
    result.
    """
    types = [tensor_type(shape, kernel.dtype) for shape in kernel.shapes]
    result = tensor_type(kernel.result, kernel.dtype)
    arguments = "\n".join(
        argument(f"%a{n}", shape, type_, kernel.dtype)
        for n, (shape, type_) in enumerate(zip(kernel.shapes, types, strict=True))
    )
    names = ", ".join(f"%a{n}" for n in range(len(types)))
    at = ", ".join(["%c1"] * len(kernel.result))
    at = at if kernel.result[0] > 1 else at.replace("%c1", "%c0", 1)
    wide = "%x" if kernel.dtype == "f64" else "%w"
    return f"""{kernel.text}
    func.func private @rtclock() -> f64
    func.func private @printF64(f64)
    func.func private @printNewline()
    func.func @entry() {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant {repeats} : index
      %long = arith.constant 1.0e9 : f64
      %zero = arith.constant 0.0 : f64
      {arguments}
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%best = %long, %last = %zero)
          -> (f64, f64) {{
        %t0 = func.call @rtclock() : () -> f64
        %y = func.call @kernel({names}) : ({", ".join(types)}) -> {result}
        %t1 = func.call @rtclock() : () -> f64
        %x = tensor.extract %y[{at}] : {result}
        {"" if kernel.dtype == "f64" else "%w = arith.extf %x : f32 to f64"}
        %t = arith.subf %t1, %t0 : f64
        %less = arith.minimumf %best, %t : f64
        scf.yield %less, {wide} : f64, f64
      }}
      call @printF64(%r#0) : (f64) -> ()
      call @printNewline() : () -> ()
      call @printF64(%r#1) : (f64) -> ()
      call @printNewline() : () -> ()
      return
    }}
    """


def tensor_type(shape: Sequence[int], dtype: str) -> str:
    return f"tensor<{'x'.join(map(str, shape))}x{dtype}>"


def argument(name: str, shape: Sequence[int], type_: str, dtype: str) -> str:
    """Numbers between 0 and 1 made of an element's place."""
    indices = ", ".join(f"%i{dim}: index" for dim in range(len(shape)))
    lines = [f"{name} = tensor.generate {{", f"^bb0({indices}):"]
    lines.append("%h0 = arith.constant 1 : index")
    for dim in range(len(shape)):
        lines.append(f"%p{dim} = arith.constant {(7, 13, 29, 31)[dim]} : index")
        lines.append(f"%m{dim} = arith.muli %i{dim}, %p{dim} : index")
        lines.append(f"%h{dim + 1} = arith.addi %h{dim}, %m{dim} : index")
    return "\n".join(
        [
            *lines,
            "%q = arith.constant 17 : index",
            f"%rem = arith.remui %h{len(shape)}, %q : index",
            "%int = arith.index_cast %rem : index to i32",
            f"%float = arith.sitofp %int : i32 to {dtype}",
            f"%s = arith.constant 0.0625 : {dtype}",
            f"%number = arith.mulf %float, %s : {dtype}",
            f"tensor.yield %number : {dtype}",
            f"}} : {type_}",
        ]
    )


def python_arguments(kernel: Kernel) -> list[Any]:
    """The same numbers as `argument` makes."""
    made: list[Any] = []
    for shape in kernel.shapes:
        places = np.indices(shape)
        weights = np.array((7, 13, 29, 31)[: len(shape)])
        hashed = 1 + np.tensordot(weights, places, (0, 0))
        made.append(((hashed % 17) * 0.0625).astype(f"f{int(kernel.dtype[1:]) // 8}"))
    return made


def run_under_mlir_runner(lowered: str) -> tuple[float, float]:
    """The shortest time in milliseconds, and an element of the result."""
    done = subprocess.run(
        [
            *(mlir_tool("mlir-runner"), "-e", "entry", "-entry-point-result=void"),
            *("-O3", f"-shared-libs={runner_library()}"),
        ],
        input=lowered,
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, element = map(float, re.findall(r"[-+.\de]+", done.stdout))
    return seconds * 1e3, element


def theirs(text: str) -> str:
    return subprocess.run(
        [mlir_tool("mlir-opt"), *THEIRS],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def ours(text: str) -> str:
    lowered = xdsl_opt(text, OURS)
    if not lowered.accepted:
        raise SystemExit(lowered.error)
    return lowered.text


def shortest(call: Callable[[], Any], repeats: int) -> float:
    times: list[float] = []
    for _ in range(repeats):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return min(times) * 1e3


@dataclass(frozen=True)
class Times:
    """Milliseconds; the first two are None without mlir-opt and its runner."""

    kernel: str
    ours: float | None
    theirs: float | None
    jit: float
    numpy: float


def measure(kernel: Kernel, repeats: int) -> Times:
    ours_best = theirs_best = None
    if missing_oracle() is None:
        ours_best, theirs_best = compare_lowerings(kernel, repeats)
    module = jit.compile(kernel.text.replace("func private", "func"), OURS, opt_level=3)
    arguments = python_arguments(kernel)
    expected = kernel.numpy(*arguments)
    np.testing.assert_allclose(
        module.kernel(*(a.copy() for a in arguments)), expected, 1e-4
    )
    return Times(
        kernel.name,
        ours_best,
        theirs_best,
        shortest(lambda: module.kernel(*arguments), repeats),
        shortest(lambda: kernel.numpy(*arguments), repeats),
    )


def compare_lowerings(kernel: Kernel, repeats: int) -> tuple[float, float]:
    text = with_entry(kernel, repeats)
    our_text, their_text = ours(text), theirs(text)
    # Turn by turn, so that a machine that slows down slows both.
    rounds = [
        (run_under_mlir_runner(our_text), run_under_mlir_runner(their_text))
        for _ in range(3)
    ]
    (_, our_element), (_, their_element) = rounds[0]
    if not np.isclose(our_element, their_element, rtol=1e-4):
        raise SystemExit(f"{kernel.name}: {our_element} is not {their_element}")
    return min(t for (t, _), _ in rounds), min(t for _, (t, _) in rounds)


def section(quick: bool = False) -> Iterator[str]:
    yield "\n## Kernels\n"
    yield (
        "Functions on tensors, lowered to the LLVM dialect by this package and by\n"
        "mlir-opt, both run under mlir-runner -O3; this package's JIT; NumPy.\n"
        "Wall-clock milliseconds, the minimum of several calls, including the\n"
        "allocation of the result. A ratio above 1 states how many times faster than\n"
        "mlir-opt's code ours is.\n"
    )
    repeats = 2 if quick else 20
    rows = (
        (
            row.kernel,
            f"{row.ours:.2f}" if row.ours else "not run",
            f"{row.theirs:.2f}" if row.theirs else "not run",
            ratio(row.theirs, row.ours),
            f"{row.jit:.2f}",
            f"{row.numpy:.2f}",
        )
        for row in (measure(kernel, repeats) for kernel in KERNELS)
    )
    yield from table(("kernel", "ours", "mlir-opt", "ratio", "jit", "NumPy"), rows)
