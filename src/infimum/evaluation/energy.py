"""Energy: what a computation cost, in processor seconds and joules."""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from infimum.parameters import check_domain, positive
from infimum.theory.plain_record import PlainRecord

__all__ = ["JOULES_PER_KILOWATT_HOUR", "EnergyMeter", "EnergyUse"]

JOULES_PER_KILOWATT_HOUR = 3.6e6
_COUNTERS = Path("/sys/class/powercap")


@dataclass(frozen=True)
class EnergyUse(PlainRecord, told=("kilowatt_hours", "sentence")):
    """What was used between two moments.

    Attributes
    ----------
    seconds : float
        By the clock.
    processor_seconds : float
        Of this process and its finished children, all cores added.
    joules : float
    measured : bool
        Whether the joules come from the processor's counters, which count everything
        that ran meanwhile; else they are `processor_seconds` times `watts`.
    watts : float
        Assumed power of one busy core; used only where nothing could be measured.
    """

    seconds: float
    processor_seconds: float
    joules: float
    measured: bool
    watts: float

    @property
    def kilowatt_hours(self) -> float:
        """The energy in kWh."""
        return self.joules / JOULES_PER_KILOWATT_HOUR

    @property
    def sentence(self) -> str:
        """The use in words, which say how it is known."""
        how = (
            "measured by the processor's energy counters"
            if self.measured
            else f"estimated at {self.watts:g} W a busy core"
        )
        return (
            f"{self.processor_seconds:.3g} processor seconds and {self.joules:.3g} J "
            f"({1000 * self.kilowatt_hours:.2g} Wh), {how}."
        )


class EnergyMeter:
    """A context that measures the energy of what runs inside it.

    The counters of the processor (RAPL) are read where the system lets one; elsewhere
    the energy is estimated from processor time at a stated power.

    Parameters
    ----------
    watts : float, default=15.0
        Power of one busy core with its share of memory, for the estimate: 100 W for a
        desktop processor of six to eight cores.
    counters : path, optional
        Where the system keeps energy counters.

    Examples
    --------
    >>> from infimum.evaluation import EnergyMeter
    >>> with EnergyMeter() as meter:
    ...     total = sum(range(100_000))
    >>> meter.use.joules > 0
    True
    """

    def __init__(self, watts: float = 15.0, counters: Path | str = _COUNTERS) -> None:
        check_domain("EnergyMeter.watts", watts, positive)
        self.watts = watts
        self._zones = _readable_zones(Path(counters))
        self._start: tuple[float, float, list[int | None]] | None = None
        self._use: EnergyUse | None = None

    def __enter__(self) -> Self:
        self._use = None
        self._start = self._now()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._use = self._since()

    @property
    def use(self) -> EnergyUse:
        """The use so far, or of the whole context once it is left."""
        return self._since() if self._use is None else self._use

    def _now(self) -> tuple[float, float, list[int | None]]:
        children = os.times()
        processor = time.process_time()  # finer than the ticks of os.times
        processor += children.children_user + children.children_system
        readings = [_read(zone / "energy_uj") for zone in self._zones]
        return time.perf_counter(), processor, readings

    def _since(self) -> EnergyUse:
        clock, processor, before = self._start or self._now()
        later, busy, after = self._now()
        spent = busy - processor
        joules = _microjoules(self._zones, before, after)
        return EnergyUse(
            seconds=later - clock,
            processor_seconds=spent,
            joules=spent * self.watts if joules is None else joules * 1e-6,
            measured=joules is not None,
            watts=self.watts,
        )


def _readable_zones(root: Path) -> list[Path]:
    # Packages only (intel-rapl:0): their parts (intel-rapl:0:1) are counted in them.
    zones = sorted(root.glob("intel-rapl:?")) if root.is_dir() else []
    return [zone for zone in zones if _read(zone / "energy_uj") is not None]


def _read(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def _microjoules(
    zones: list[Path], before: list[int | None], after: list[int | None]
) -> int | None:
    if not zones or None in before or None in after:
        return None
    total = 0
    for zone, first, last in zip(zones, before, after, strict=True):
        used = (last or 0) - (first or 0)
        if used < 0:  # the counter started again from 0
            used += _read(zone / "max_energy_range_uj") or 0
        total += used
    return total
