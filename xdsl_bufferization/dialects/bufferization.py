from xdsl.dialects.bufferization import *  # noqa: F403
from xdsl.dialects.bufferization import Bufferization as Bufferization
