"""A task whose contenders cost what they say: one solves, one cannot, one breaks."""

from benchmarks.task import Contender


class Fake:
    """Judges an answer by itself: the answer is half its setting."""

    title = "Fake, 1 × 1"
    tolerance = 1e-6

    def problem(self, *, quick):
        return {"quick": quick, "calls": []}

    def contenders(self):
        yield Contender("infimum", solve("infimum"), (1e-2, 1e-6, 1e-9))
        yield Contender("slow", solve("slow"), (1e-7,))
        yield Contender("careless", solve("careless"), (1e-1, 1e-3))
        yield Contender("broken", fail)

    def excess(self, problem, answer):
        return answer


def solve(name):
    def fit(problem, setting):
        problem["calls"].append((name, setting))
        return setting / 2

    return fit


def fail(problem, setting):
    raise RuntimeError("no such solver")


TASK = Fake()
