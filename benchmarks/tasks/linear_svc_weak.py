"""The dense support vector machine under a penalty ten times weaker."""

from benchmarks.tasks.linear_svc import HingeSVM, dense

TASK = HingeSVM(1e-2, "dense 200,000 × 100", dense)
