"""Attacks in processes that can be ended: a fit that hangs or crashes stops nothing."""

import multiprocessing
import os
import time
from multiprocessing.connection import wait
from pathlib import Path

__all__ = ["attack_all"]

#: Seconds of work until a problem is given up, and how many times that by the clock.
LIMIT, PATIENCE = 40.0, 10.0


class _Worker:
    """A process that attacks one seed after the other."""

    def __init__(self, context, options):
        self.here, there = context.Pipe()
        self.process = context.Process(target=_work, args=(there, options), daemon=True)
        self.process.start()
        there.close()
        self.seed, self.stage, self.report = None, "start", {}
        self.began = self.worked = 0.0

    def give(self, seed):
        self.seed, self.stage = seed, "draw"
        self.began, self.worked = time.monotonic(), self.work()
        self.report = {"seed": seed}
        self.here.send(seed)

    def work(self):
        """Return the processor time of the process in seconds."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.is_file():
            return time.monotonic()
        spent = stat.read_text().rsplit(")", 1)[1].split()[11:13]
        return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")

    def over(self, limit):
        """Tell whether the time for a problem is over."""
        if self.seed is None:
            return False
        late = time.monotonic() - self.began > PATIENCE * limit
        return late or self.work() - self.worked > limit

    def end(self):
        self.process.kill()
        self.process.join()
        self.here.close()


def _work(there, options):
    from benchmarks.adversary.attack import attack

    there.send(("ready", None))
    while (seed := there.recv()) is not None:
        try:
            found = attack(
                seed, options["families"], tampering=options["tampering"],
                say=lambda report: there.send(("stage", _brief(report))),
            )  # fmt: skip
        except Exception as error:
            found = {"seed": seed, "judge": f"{type(error).__name__}: {error}"}
        there.send(("done", found))


def _brief(report):
    kept = ("seed", "family", "model", "notes")
    fitted = "warned" in report
    return {**{key: report[key] for key in kept}, "stage": "judge" if fitted else "fit"}


def attack_all(seeds, processes, options, limit=LIMIT):
    """Yield the report of each seed, in the order in which they are done."""
    context = multiprocessing.get_context("fork")
    todo = list(reversed(seeds))
    workers = [_Worker(context, options) for _ in range(min(processes, len(todo)))]
    left = len(todo)
    while left:
        wait([worker.here for worker in workers], timeout=1.0)
        for k, worker in enumerate(workers):
            found, alive = _hear(worker, limit)
            if found is not None:
                left -= 1
                yield found
            if not alive:
                worker.end()
                workers[k] = _Worker(context, options)
            elif worker.seed is None and worker.stage == "ready" and todo:
                worker.give(todo.pop())
    for worker in workers:
        worker.end()


def _hear(worker, limit):
    """Return what a worker has to say: a report or None, and whether it goes on."""
    try:
        while worker.here.poll():
            what, told = worker.here.recv()
            if what == "stage":
                worker.report, worker.stage = told, told["stage"]
            elif what == "done":
                worker.seed, worker.stage = None, "ready"
                return told, True
            else:
                worker.stage = "ready"
    except EOFError:
        return _ended(worker, "crash"), False
    if worker.over(limit):
        return _ended(worker, "hang"), False
    return None, True


def _ended(worker, kind):
    """Return the report of a problem whose process had to be ended, or ended itself."""
    spent = time.monotonic() - worker.began
    if worker.seed is None:
        raise RuntimeError("a process of the adversary ended before its first problem")
    if worker.stage == "judge" and kind == "hang":
        return {**worker.report, "judge": f"no verdict within {spent:.0f} s"}
    detail = f"{worker.stage}: {kind} after {spent:.0f} s"
    finding = {"kind": kind, "size": spent, "detail": detail}
    return {**worker.report, "findings": [finding], "seconds": spent}
