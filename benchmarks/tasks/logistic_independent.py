"""L2 logistic regression where L-BFGS has it easiest: independent features."""

from benchmarks.tasks.logistic import LogisticL2

TASK = LogisticL2("independent features", 0.0)
