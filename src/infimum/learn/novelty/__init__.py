"""Novelty: a table without a target; a detector with a promise about false alarms."""

from infimum.learn.novelty.running import NoveltyJob

__all__ = ["NoveltyJob"]
