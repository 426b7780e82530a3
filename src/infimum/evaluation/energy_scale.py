"""Energy in proportion: computing jobs beside cars, flights, food and other devices.

The figures are orders of magnitude for a person in Europe around 2017; they serve to
compare, not to account.
"""

from dataclasses import dataclass

from infimum.errors import InvalidParameterError
from infimum.evaluation.energy import JOULES_PER_KILOWATT_HOUR
from infimum.parameters import check_domain, nonnegative
from infimum.theory.plain_record import PlainRecord

__all__ = [
    "DEVICE_WATTS",
    "FOOTPRINT",
    "TERAWATT_HOURS_A_YEAR",
    "JobEnergy",
    "job_energy",
    "kilowatt_hours_a_day",
    "watts",
]

_HOURS_A_DAY, _DAYS_A_YEAR = 24.0, 365.0

#: What a person in Europe uses, in kilowatt-hours a day.
FOOTPRINT = {
    "car": 40.0,  # 50 km a day
    "plane": 30.0,  # one intercontinental flight a year
    "food": 15.0,
    "heating": 37.0,  # and cooling
    "stuff": 60.0,  # making the things one buys
}

#: Power of devices, from the least to the most, in watts.
DEVICE_WATTS = {
    "fridge": (20.0, 150.0),
    "heat pump": (50.0, 150.0),
    "old light bulb": (40.0, 100.0),
    "floodlight": (0.0, 500.0),
    "LED lamp": (3.0, 15.0),
    "30-inch screen": (50.0, 50.0),
    "65-inch television": (150.0, 150.0),
    "small desktop computer": (85.0, 85.0),
    "wifi router": (10.0, 10.0),
    "idle phone charger": (0.012, 0.012),
    "busy phone charger": (0.0, 1.0),
    "search and video, per German": (1.0, 1.0),
    "processor": (100.0, 100.0),
    "graphics processor": (300.0, 300.0),
}

#: What whole undertakings use, in terawatt-hours a year, with the year. Germany's
#: production is about 600; a figure of 250 that is often quoted is too low.
TERAWATT_HOURS_A_YEAR = {
    "Google": (6.0, 2017),
    "Bitcoin": (20.0, 2017),
    "German electricity": (600.0, 2017),
}


def kilowatt_hours_a_day(power: float) -> float:
    """Return what a device of that many watts uses if it is never switched off.

    Examples
    --------
    >>> kilowatt_hours_a_day(60.0)
    1.44
    """
    check_domain("kilowatt_hours_a_day's power", power, nonnegative)
    return power * _HOURS_A_DAY / 1000.0


def watts(daily: float, *, rounded: bool = False) -> float:
    """Return the average power of so many kilowatt-hours a day.

    Exactly, 1 kWh a day is 41.67 W; `rounded` uses 40 W, good enough for the head.

    Examples
    --------
    >>> round(watts(1.0), 2), watts(15.0, rounded=True)
    (41.67, 600.0)
    """
    check_domain("watts' daily", daily, nonnegative)
    return daily * (40.0 if rounded else 1000.0 / _HOURS_A_DAY)


@dataclass(frozen=True)
class JobEnergy(PlainRecord, told=("daily", "sentence")):
    """The energy of a computing job, in kilowatt-hours."""

    kilowatt_hours: float

    @property
    def daily(self) -> float:
        """Kilowatt-hours a day if the job is one year's only one."""
        return self.kilowatt_hours / _DAYS_A_YEAR

    @property
    def joules(self) -> float:
        """The energy in joules."""
        return self.kilowatt_hours * JOULES_PER_KILOWATT_HOUR

    def relative_to(self, habit: str) -> float:
        """Return the job's share of a habit of `FOOTPRINT`, such as "plane"."""
        if habit not in FOOTPRINT:
            known = ", ".join(repr(name) for name in FOOTPRINT)
            raise InvalidParameterError(
                f"JobEnergy.relative_to knows {known}, got {habit!r}."
            )
        return self.daily / FOOTPRINT[habit]

    @property
    def sentence(self) -> str:
        """The job in proportion."""
        return (
            f"{self.kilowatt_hours:.3g} kWh; once a year that is "
            f"{100 * self.relative_to('plane'):.2g} % of an intercontinental flight."
        )


def job_energy(machines: int, power: float, hours: float) -> JobEnergy:
    """Return the energy of a job on some machines of that many watts.

    Examples
    --------
    A week on ten graphics processors:

    >>> from infimum.evaluation import job_energy
    >>> job = job_energy(10, power=300.0, hours=7 * 24)
    >>> job.kilowatt_hours, round(job.daily, 2)
    (504.0, 1.38)
    """
    for name, value in (("machines", machines), ("power", power), ("hours", hours)):
        check_domain(f"job_energy's {name}", value, nonnegative)
    return JobEnergy(machines * power * hours / 1000.0)
