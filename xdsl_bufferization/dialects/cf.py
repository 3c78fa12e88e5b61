from xdsl.dialects.cf import *  # noqa: F403
from xdsl.dialects.cf import Cf as Cf
