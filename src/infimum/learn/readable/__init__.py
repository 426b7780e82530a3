"""Models that a person can read: few weights or a few questions."""

from infimum.learn.readable.finer_look import Candidate, finer_look, of_the_race
from infimum.learn.readable.trials import FEW, strange_trees, written

__all__ = ["FEW", "Candidate", "finer_look", "of_the_race", "strange_trees", "written"]
