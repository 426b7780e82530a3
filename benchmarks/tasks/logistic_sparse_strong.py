"""The sparse logistic problem under a penalty ten times as strong."""

from benchmarks.tasks.logistic_sparse import SparseLogisticL2

TASK = SparseLogisticL2(1.0)
