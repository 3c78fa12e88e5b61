"""Cases of the kit for the ops whose models come with this package."""

from __future__ import annotations

import numpy as np

from xdsl_bufferization.testing import OpCase

T, P, M = "tensor<4xf32>", "tensor<2xf32>", "tensor<2x2xf32>"
BLOCK = "tensor<2x4xf32>"


TENSOR = {
    "tensor.insert": OpCase(
        f"%r = tensor.insert %x into %t[%i] : {T}", {"%x": "f32", "%t": T, "%i": "index"}
    ),
    "tensor.extract": OpCase(
        f"%r = tensor.extract %t[%i] : {T}", {"%t": T, "%i": "index"}
    ),
    "tensor.extract_slice": OpCase(
        f"%r = tensor.extract_slice %t[1] [2] [1] : {T} to {P}",
        {"%t": T},
        meaning=lambda t: t[1:3],
    ),
    "tensor.insert_slice": OpCase(
        f"%r = tensor.insert_slice %s into %t[1] [2] [1] : {P} into {T}",
        {"%s": P, "%t": T},
    ),
    "tensor.expand_shape": OpCase(
        f"%r = tensor.expand_shape %t [[0, 1]] output_shape [2, 2] : {T} into {M}",
        {"%t": T},
        meaning=lambda t: t.reshape(2, 2),
    ),
    "tensor.collapse_shape": OpCase(
        f"%r = tensor.collapse_shape %t [[0, 1]] : {M} into {T}",
        {"%t": M},
        meaning=lambda t: t.reshape(4),
    ),
    "tensor.reshape": OpCase(
        f"%r = tensor.reshape %t(%s) : ({T}, tensor<2xindex>) -> {M}",
        {"%t": T, "%s": "tensor<2xindex>"},
        integers=(2, 3),
    ),
    "tensor.cast": OpCase(f"%r = tensor.cast %t : {T} to {T}", {"%t": T}),
    "tensor.bitcast": OpCase(
        f"%r = tensor.bitcast %t : {T} to tensor<4xi32>",
        {"%t": T},
        meaning=lambda t: t.view("int32"),
    ),
    "tensor.dim": OpCase(
        f"%c = arith.constant 0 : index\n%r = tensor.dim %t, %c : {T}",
        {"%t": T},
        meaning=lambda t: 4,
    ),
    "tensor.rank": OpCase(f"%r = tensor.rank %t : {T}", {"%t": T}, meaning=lambda t: 1),
    "tensor.empty": OpCase(f"%r = tensor.empty() : {T}", {}),
    "tensor.splat": OpCase(
        f"%r = tensor.splat %x : {T}", {"%x": "f32"}, meaning=lambda x: [x] * 4
    ),
    "tensor.from_elements": OpCase(
        f"%r = tensor.from_elements %x, %x : {P}",
        {"%x": "f32"},
        meaning=lambda x: [x, x],
    ),
    "tensor.generate": OpCase(
        f"""%r = tensor.generate {{
        ^bb0(%i: index):
          %e = tensor.extract %t[%i] : {T}
          tensor.yield %e : f32
        }} : {T}""",
        {"%t": T},
        meaning=lambda t: t,
    ),
    "tensor.pad": OpCase(
        f"""%r = tensor.pad %t low[1] high[1] {{
        ^bb0(%i: index):
          tensor.yield %x : f32
        }} : {P} to {T}""",
        {"%t": P, "%x": "f32"},
        meaning=lambda t, x: np.pad(t, 1, constant_values=x),
    ),
    "tensor.concat": OpCase(
        f"%r = tensor.concat dim(0) %a, %b : ({P}, {P}) -> {T}",
        {"%a": P, "%b": P},
        meaning=lambda a, b: np.concatenate([a, b]),
    ),
    "tensor.gather": OpCase(
        f"""%i = arith.constant dense<[[3], [1]]> : tensor<2x1xindex>
        %r = tensor.gather %t[%i] gather_dims([0]) :
          ({T}, tensor<2x1xindex>) -> {P}""",
        {"%t": T},
        meaning=lambda t: t[[3, 1]],
    ),
    "tensor.scatter": OpCase(
        f"""%i = arith.constant dense<[[3], [1]]> : tensor<2x1xindex>
        %r = tensor.scatter %s into %t[%i] scatter_dims([0]) unique :
          ({P}, {T}, tensor<2x1xindex>) -> {T}""",
        {"%s": P, "%t": T},
    ),
    "tensor.parallel_insert_slice": OpCase(
        f"""%r = scf.forall (%i) in (4) shared_outs(%a = %t) -> ({T}) {{
          %e = tensor.extract_slice %s[%i] [1] [1] : {T} to tensor<1xf32>
          scf.forall.in_parallel {{
            tensor.parallel_insert_slice %e into %a[%i] [1] [1] :
              tensor<1xf32> into {T}
          }}
        }}""",
        {"%s": T, "%t": T},
        meaning=lambda s, t: s,
    ),
}

ARITH = {
    "arith.constant": OpCase(f"%r = arith.constant dense<1.0> : {T}", {}),
    "arith.select": OpCase(
        f"%r = arith.select %c, %a, %b : {T}",
        {"%c": "i1", "%a": T, "%b": T},
        meaning=lambda c, a, b: a if c else b,
    ),
}

BUFFERIZATION = {
    "bufferization.alloc_tensor": OpCase(f"%r = bufferization.alloc_tensor() : {T}", {}),
    "bufferization.alloc_tensor, a copy": OpCase(
        f"%r = bufferization.alloc_tensor() copy(%t) : {T}",
        {"%t": T},
        meaning=lambda t: t,
    ),
}

_CALLEE = f"""
func.func private @callee(%t: {T}, %x: f32) -> {T} {{
  %i = arith.constant 1 : index
  %r = tensor.insert %x into %t[%i] : {T}
  return %r : {T}
}}"""

FUNC = {
    "func.call": OpCase(
        f"%r = func.call @callee(%t, %x) : ({T}, f32) -> {T}",
        {"%t": T, "%x": "f32"},
        functions=_CALLEE,
    ),
    "func.call_indirect": OpCase(
        f"""%f = func.constant @callee : ({T}, f32) -> {T}
        %r = func.call_indirect %f(%t, %x) : ({T}, f32) -> {T}""",
        {"%t": T, "%x": "f32"},
        functions=_CALLEE,
    ),
}

LINALG = {
    "linalg.fill": OpCase(
        f"%r = linalg.fill ins(%x : f32) outs(%t : {T}) -> {T}",
        {"%x": "f32", "%t": T},
        meaning=lambda x, t: [x] * 4,
    ),
    "linalg.add": OpCase(
        f"%r = linalg.add ins(%a, %b : {T}, {T}) outs(%t : {T}) -> {T}",
        {"%a": T, "%b": T, "%t": T},
        meaning=lambda a, b, t: a + b,
    ),
    "linalg.copy": OpCase(
        f"%r = linalg.copy ins(%a : {T}) outs(%t : {T}) -> {T}",
        {"%a": T, "%t": T},
        meaning=lambda a, t: a,
    ),
    "linalg.matmul": OpCase(
        f"%r = linalg.matmul ins(%a, %b : {M}, {M}) outs(%t : {M}) -> {M}",
        {"%a": M, "%b": M, "%t": M},
        meaning=lambda a, b, t: t + a @ b,
    ),
    "linalg.conv_1d": OpCase(
        f"%r = linalg.conv_1d ins(%a, %b : {T}, {P}) outs(%t : tensor<3xf32>) "
        "-> tensor<3xf32>",
        {"%a": T, "%b": P, "%t": "tensor<3xf32>"},
        meaning=lambda a, b, t: t + np.correlate(a, b),
    ),
    "linalg.map": OpCase(
        f"""%r = linalg.map ins(%a : {T}) outs(%t : {T})
        (%in: f32, %out: f32) {{
          %s = arith.addf %in, %in : f32
          linalg.yield %s : f32
        }}""",
        {"%a": T, "%t": T},
        meaning=lambda a, t: a + a,
    ),
    "linalg.reduce": OpCase(
        f"""%r = linalg.reduce ins(%a : {M}) outs(%t : {P}) dimensions = [0]
        (%in: f32, %out: f32) {{
          %s = arith.addf %in, %out : f32
          linalg.yield %s : f32
        }}""",
        {"%a": M, "%t": P},
        meaning=lambda a, t: t + a.sum(0),
    ),
    "linalg.transpose": OpCase(
        f"%r = linalg.transpose ins(%a : {M}) outs(%t : {M}) permutation = [1, 0]",
        {"%a": M, "%t": M},
        meaning=lambda a, t: a.T,
    ),
    "linalg.broadcast": OpCase(
        f"%r = linalg.broadcast ins(%a : {P}) outs(%t : {M}) dimensions = [0]",
        {"%a": P, "%t": M},
        meaning=lambda a, t: np.stack([a, a]),
    ),
    "linalg.generic": OpCase(
        f"""%r = linalg.generic {{
          indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]
        }} ins(%a : {T}) outs(%t : {T}) {{
        ^bb0(%in: f32, %out: f32):
          %s = arith.subf %in, %out : f32
          linalg.yield %s : f32
        }} -> {T}""",
        {"%a": T, "%t": T},
        meaning=lambda a, t: a - t,
    ),
    "linalg.generic, reversed": OpCase(
        f"""%r = linalg.generic {{
          indexing_maps = [affine_map<(d0) -> (3 - d0)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]
        }} ins(%a : {T}) outs(%t : {T}) {{
        ^bb0(%in: f32, %out: f32):
          %s = arith.addf %in, %out : f32
          linalg.yield %s : f32
        }} -> {T}""",
        {"%a": T, "%t": T},
        meaning=lambda a, t: a[::-1] + t,
    ),
    "linalg.softmax": OpCase(
        f"%r = linalg.softmax dimension(0) ins(%a : {T}) outs(%t : {T}) -> {T}",
        {"%a": T, "%t": T},
    ),
    "linalg.pack": OpCase(
        f"""%r = linalg.pack %a inner_dims_pos = [0] inner_tiles = [2] into %t :
          {T} -> {M}""",
        {"%a": T, "%t": M},
        meaning=lambda a, t: a.reshape(2, 2),
    ),
    "linalg.unpack": OpCase(
        f"""%r = linalg.unpack %a inner_dims_pos = [0] inner_tiles = [2] into %t :
          {M} -> {T}""",
        {"%a": M, "%t": T},
        meaning=lambda a, t: a.reshape(4),
    ),
}

_GLOBAL = f"ml_program.global private mutable @g(dense<2.0> : {T}) : {T}\n"

ML_PROGRAM = {
    "ml_program.global_load": OpCase(
        f"%r = ml_program.global_load @g : {T}", {}, functions=_GLOBAL
    ),
    "ml_program.global_load_const": OpCase(
        f"%r = ml_program.global_load_const @g : {T}",
        {},
        functions=_GLOBAL.replace("mutable ", ""),
    ),
    "ml_program.global_store": OpCase(
        f"ml_program.global_store @g = %t : {T}", {"%t": T}, functions=_GLOBAL
    ),
}

SCF = {
    "scf.if": OpCase(
        f"""%r = scf.if %c -> ({T}) {{
          scf.yield %a : {T}
        }} else {{
          scf.yield %b : {T}
        }}""",
        {"%c": "i1", "%a": T, "%b": T},
        meaning=lambda c, a, b: a if c else b,
    ),
    "scf.index_switch": OpCase(
        f"""%r = scf.index_switch %i -> {T}
        case 1 {{
          scf.yield %a : {T}
        }}
        default {{
          scf.yield %b : {T}
        }}""",
        {"%i": "index", "%a": T, "%b": T},
        meaning=lambda i, a, b: a if i == 1 else b,
    ),
    "scf.execute_region": OpCase(
        f"""%r = scf.execute_region -> {T} {{
          cf.cond_br %c, ^first, ^second(%b : {T})
        ^first:
          cf.br ^end(%a : {T})
        ^second(%s: {T}):
          cf.switch %i : i32, [default: ^end(%s : {T}), 1: ^end(%a : {T})]
        ^end(%e: {T}):
          scf.yield %e : {T}
        }}""",
        {"%c": "i1", "%i": "i32", "%a": T, "%b": T},
        meaning=lambda c, i, a, b: a if c or i == 1 else b,
    ),
    "scf.for": OpCase(
        f"""%c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> ({T}) {{
          %w = tensor.insert %x into %a[%i] : {T}
          scf.yield %w : {T}
        }}""",
        {"%x": "f32", "%t": T, "%n": "index"},
        integers=(2, 4),
    ),
    "scf.while": OpCase(
        f"""%zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %count, %r = scf.while (%i = %zero, %a = %t) : (index, {T}) -> (index, {T}) {{
          %more = arith.cmpi slt, %i, %n : index
          scf.condition(%more) %i, %a : index, {T}
        }} do {{
        ^bb0(%j: index, %b: {T}):
          %w = tensor.insert %x into %b[%j] : {T}
          %next = arith.addi %j, %one : index
          scf.yield %next, %w : index, {T}
        }}""",
        {"%x": "f32", "%t": T, "%n": "index"},
        integers=(2, 4),
    ),
    "scf.parallel": OpCase(
        f"""%c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %zero = arith.constant 0.0 : f32
        %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> f32 {{
          %e = tensor.extract %t[%i] : {T}
          scf.reduce(%e : f32) {{
          ^bb0(%a: f32, %b: f32):
            %s = arith.addf %a, %b : f32
            scf.reduce.return %s : f32
          }}
        }}
        %r = tensor.insert %sum into %u[%c0] : {T}""",
        {"%t": T, "%u": T},
    ),
}

VECTOR = {
    "vector.transfer_write": OpCase(
        f"""%c0 = arith.constant 0 : index
        %p = arith.constant 0.0 : f32
        %v = vector.transfer_read %s[%c0], %p : {P}, vector<2xf32>
        %r = vector.transfer_write %v, %t[%c0] : vector<2xf32>, {T}""",
        {"%s": P, "%t": T},
    ),
    "vector.transfer_write, masked": OpCase(
        f"""%c0 = arith.constant 0 : index
        %m = arith.constant dense<[true, false]> : vector<2xi1>
        %v = arith.constant dense<7.0> : vector<2xf32>
        %r = vector.mask %m {{
          vector.transfer_write %v, %t[%c0] : vector<2xf32>, {T}
        }} : vector<2xi1> -> {T}""",
        {"%t": T},
    ),
    "vector.scatter": OpCase(
        f"""%c0 = arith.constant 0 : index
        %i = arith.constant dense<[3, 1]> : vector<2xindex>
        %m = arith.constant dense<true> : vector<2xi1>
        %p = arith.constant dense<0.0> : vector<2xf32>
        %v = vector.gather %s[%c0][%i], %m, %p :
          {T}, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32>
        %r = vector.scatter %t[%c0][%i], %m, %v :
          {T}, vector<2xindex>, vector<2xi1>, vector<2xf32> -> {T}""",
        {"%s": T, "%t": T},
    ),
}

CASES: dict[str, OpCase] = {
    **TENSOR,
    **ARITH,
    **BUFFERIZATION,
    **FUNC,
    **LINALG,
    **ML_PROGRAM,
    **SCF,
    **VECTOR,
}

UNTESTED = {
    "arith.index_cast": "on memrefs it is a cast that no pass lowers",
    "bufferization.dealloc_tensor": "it frees its operand, which programs use afterwards",
    "bufferization.materialize_in_destination": (
        "it demands to overwrite its operand, which programs use afterwards"
    ),
    "bufferization.to_buffer": "its result is a memref, which the program may write",
    "bufferization.to_tensor": "its operand is a memref, which the program may write",
}
"""Ops with a model that the kit cannot execute, and why."""
