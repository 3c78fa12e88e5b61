"""Print a random program: python -m tests.random_programs --seed N."""

from __future__ import annotations

import argparse
import sys

from tests.random_programs.program import LARGE, LIKE_MLIR, SMALL, random_program

PROFILES = {"small": SMALL, "large": LARGE, "like-mlir": LIKE_MLIR}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.random_programs")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--profile", choices=PROFILES, default="small")
    arguments = parser.parse_args()
    program = random_program(arguments.seed, PROFILES[arguments.profile])
    sys.stdout.write(f"// called with {list(program.arguments)}\n{program.text}")


main()
