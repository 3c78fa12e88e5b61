from xdsl.dialects.memref import *  # noqa: F403
from xdsl.dialects.memref import MemRef as MemRef
