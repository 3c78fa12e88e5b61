from xdsl.dialects.scf import *  # noqa: F403
from xdsl.dialects.scf import Scf as Scf
