"""A fit with a time limit, for peers that may never come back."""

import multiprocessing
from typing import Any

from benchmarks.task import Contender

__all__ = ["StoppedError", "fit_within_limit"]


class StoppedError(Exception):
    """The contender was still at work when its time was over."""


def fit_within_limit(contender: Contender, problem: Any, setting: Any) -> Any:
    """Return the answer of a contender, or raise if it takes longer than its limit.

    Compiled code does not listen to signals, so that one with a limit works in a
    process of its own, a copy of this one.
    """
    if contender.limit is None:
        return contender.fit(problem, setting)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def work() -> None:
        try:
            sender.send((contender.fit(problem, setting), None))
        except Exception as error:
            sender.send((None, error))

    child = context.Process(target=work)
    child.start()
    try:
        if not receiver.poll(contender.limit):
            raise StoppedError(f"stopped after {contender.limit:.3g} s")
        answer, error = receiver.recv()
    finally:
        child.kill()
        child.join()
    if error is not None:
        raise error
    return answer
