"""Penalties Ω(w), one file each. To add one: write the file, add two lines here."""

from infimum.penalties._base import Penalty, SeparablePenalty
from infimum.penalties.ball import Ball
from infimum.penalties.box import Box
from infimum.penalties.elastic_net import ElasticNet
from infimum.penalties.group_lasso import GroupLasso
from infimum.penalties.lasso import Lasso
from infimum.penalties.none import NoPenalty
from infimum.penalties.ridge import Ridge

__all__ = [
    "Ball",
    "Box",
    "ElasticNet",
    "GroupLasso",
    "Lasso",
    "NoPenalty",
    "Penalty",
    "Ridge",
    "SeparablePenalty",
]
