"""The pass tosa-to-linalg-named."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.conversion.tosa.common import Lowering, lower_tosa
from xdsl_bufferization.conversion.tosa.contractions import (
    conv2d,
    depthwise_conv2d,
    matmul,
    transpose,
)
from xdsl_bufferization.conversion.tosa.pooling import average_pool, max_pool
from xdsl_bufferization.module_pass import ModulePass


@dataclass(frozen=True)
class TosaToLinalgNamedPass(ModulePass):
    """Replace the tosa ops for which linalg has a named op.

        %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
        %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<1x4x8xf32>, tensor<1x8x16xf32>,
            tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x16xf32>

    becomes

        %zero = arith.constant 0.0 : f32
        %1 = tensor.empty() : tensor<1x4x16xf32>
        %2 = linalg.fill ins(%zero : f32)
            outs(%1 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
        %0 = linalg.batch_matmul ins(%a, %b : tensor<1x4x8xf32>, tensor<1x8x16xf32>)
            outs(%2 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>

    These are matmul, conv2d, depthwise_conv2d, max_pool2d, avg_pool2d and transpose.
    Zero points must be constant, and so must sizes except for matmul and transpose.
    `tosa-to-linalg` includes this pass.

    Options:
    - prefer-conv2d-kernel-layout-hwcf: transpose the weights of conv2d, for
      linalg.conv_2d_nhwc_hwcf in place of linalg.conv_2d_nhwc_fhwc (false).
    """

    name = "tosa-to-linalg-named"

    prefer_conv2d_kernel_layout_hwcf: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        layout = self.prefer_conv2d_kernel_layout_hwcf
        convolution = partial(conv2d, kernel_layout_hwcf=layout)
        lower_tosa(op, {**NAMED, "tosa.conv2d": convolution})


NAMED: dict[str, Lowering] = {
    "tosa.avg_pool2d": average_pool,
    "tosa.conv2d": conv2d,
    "tosa.depthwise_conv2d": depthwise_conv2d,
    "tosa.matmul": matmul,
    "tosa.max_pool2d": max_pool,
    "tosa.transpose": transpose,
}
