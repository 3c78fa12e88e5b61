from xdsl.dialects.tensor import *  # noqa: F403
from xdsl.dialects.tensor import Tensor as Tensor
