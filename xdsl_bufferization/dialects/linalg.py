from xdsl.dialects.linalg import *  # noqa: F403
from xdsl.dialects.linalg import Linalg as Linalg
