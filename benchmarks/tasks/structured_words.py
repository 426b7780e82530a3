"""Handwritten words by a structured hinge to a gap of 1e-3, against our own CRF."""

from benchmarks.tasks._sequences import ocr_words
from benchmarks.tasks._simple import SimpleTask


def problem(quick):
    return ocr_words(100 if quick else 600)[:2]


def hinge(problem, _):
    from infimum.models.structured import StructuredSVM

    return StructuredSVM(C=0.1, tol=1e-3, max_iter=5_000).fit(*problem)


def field(problem, _):
    from infimum.models.sequence import CRF

    return CRF(c2=1.0, tol=1e-3).fit(*problem)


def judge(problem, answer):
    return answer.certify(*problem).relative_gap


TASK = SimpleTask(
    "600 OCR words, structured hinge, gap 1e-3",
    1e-3,
    problem,
    judge,
    {"infimum": hinge, "our CRF": field},
)
