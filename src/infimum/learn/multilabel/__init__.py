"""Several labels at once: each its own yes or no, one family for all of them."""

from infimum.learn.multilabel.running import MultilabelJob

__all__ = ["MultilabelJob"]
