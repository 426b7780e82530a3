"""The same conditional random field, to an excess of 1e-6."""

from dataclasses import replace

from benchmarks.tasks import random_field

FINE, PEER = (1e-5, 3e-6, 1e-6), (100, 150, 200, 250, 300, 400, 600)

TASK = replace(
    random_field.TASK,
    title="CRF, 5,000 sequences of 20, 10 labels, from dicts, excess 1e-6",
    tolerance=1e-6,
    ladders={"infimum": FINE, "sklearn-crfsuite": PEER},
)
