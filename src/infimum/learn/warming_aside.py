"""The second process of `warming`: the same contenders, from the last to the first."""

import pickle
import sys
from pathlib import Path

from infimum.learn.job import entrants
from infimum.learn.warming import Claims, both_grounds, try_out

__all__ = ["warm_aside"]


def warm_aside(folder: Path) -> None:
    """Make ready what nobody has claimed, for the disk alone.

    The folder holds the problem, written by the process that has started this one.
    """
    problem = pickle.loads((folder / "problem.pickle").read_bytes())
    claims, grounds = Claims(folder), both_grounds(problem)
    for contender in reversed(entrants(problem)):
        if claims.take(contender):
            try_out(contender, grounds)


if __name__ == "__main__":
    warm_aside(Path(sys.argv[1]))
