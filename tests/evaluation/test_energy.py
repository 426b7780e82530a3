"""Energy: measured where the system lets one, estimated aloud elsewhere, compared."""

import json

import pytest

from infimum.errors import InvalidParameterError
from infimum.evaluation import EnergyMeter, job_energy, kilowatt_hours_a_day, watts
from infimum.evaluation.energy_scale import (
    DEVICE_WATTS,
    FOOTPRINT,
    TERAWATT_HOURS_A_YEAR,
)


def work():
    return sum(i * i for i in range(200_000))


@pytest.fixture
def counters(tmp_path):
    """Return a pretended directory of energy counters, with two packages."""
    for place in (0, 1):
        zone = tmp_path / f"intel-rapl:{place}"
        zone.mkdir()
        (zone / "energy_uj").write_text("1000000\n")
        (zone / "max_energy_range_uj").write_text("262143328850\n")
    part = tmp_path / "intel-rapl:0:0"
    part.mkdir()
    (part / "energy_uj").write_text("0\n")
    return tmp_path


def test_without_counters_the_energy_is_a_stated_estimate(tmp_path):
    with EnergyMeter(watts=20.0, counters=tmp_path) as meter:
        work()
    use = meter.use
    assert not use.measured
    assert use.processor_seconds > 0
    assert use.joules == pytest.approx(20.0 * use.processor_seconds)
    assert "estimated at 20 W" in use.sentence
    assert meter.use is use


def test_counters_of_whole_packages_are_added(counters):
    with EnergyMeter(counters=counters) as meter:
        (counters / "intel-rapl:0" / "energy_uj").write_text("3500000")
        (counters / "intel-rapl:1" / "energy_uj").write_text("2000000")
        (counters / "intel-rapl:0:0" / "energy_uj").write_text("999999999")
    assert meter.use.measured
    assert meter.use.joules == pytest.approx(3.5)
    assert "measured" in meter.use.sentence


def test_a_counter_that_starts_again_is_understood(counters):
    with EnergyMeter(counters=counters) as meter:
        (counters / "intel-rapl:0" / "energy_uj").write_text("0")
    assert meter.use.joules == pytest.approx((262143328850 - 1_000_000) * 1e-6)


def test_the_use_so_far_grows_and_becomes_plain_data():
    with EnergyMeter() as meter:
        first = meter.use
        work()
        assert meter.use.processor_seconds > first.processor_seconds
    plain = json.loads(json.dumps(meter.use.to_dict()))
    assert plain["kilowatt_hours"] == pytest.approx(plain["joules"] / 3.6e6)
    with pytest.raises(InvalidParameterError, match="watts"):
        EnergyMeter(watts=0)


@pytest.mark.syllabus("S4B-145")
def test_a_kilowatt_hour_a_day_is_a_light_bulb_that_is_never_off():
    assert watts(1.0) == pytest.approx(1000 / 24)
    assert watts(1.0, rounded=True) == 40.0
    assert kilowatt_hours_a_day(watts(7.0)) == pytest.approx(7.0)


@pytest.mark.syllabus("S4B-146")
def test_the_footprint_adds_up_and_its_shares_are_those_of_the_table():
    total = sum(FOOTPRINT.values())
    assert total == 182.0
    shares = {name: round(100 * value / total, 1) for name, value in FOOTPRINT.items()}
    assert shares == {
        "car": 22.0,
        "plane": 16.5,
        "food": 8.2,
        "heating": 20.3,
        "stuff": 33.0,
    }
    powers = [watts(value, rounded=True) for value in FOOTPRINT.values()]
    assert powers == pytest.approx([1600, 1200, 600, 1500, 2400], rel=0.02)


@pytest.mark.syllabus("S4B-147")
def test_devices_are_small_beside_a_car_except_where_they_are_many():
    daily = {
        name: kilowatt_hours_a_day(high) for name, (_, high) in DEVICE_WATTS.items()
    }
    assert daily["wifi router"] == pytest.approx(0.24)
    assert daily["small desktop computer"] == pytest.approx(2.04)
    assert daily["idle phone charger"] < 1e-4 * daily["65-inch television"]
    assert all(low <= high for low, high in DEVICE_WATTS.values())
    assert max(daily.values()) < FOOTPRINT["car"]


@pytest.mark.syllabus("S4B-148")
def test_a_server_that_is_never_off_eats_a_tenth_of_what_its_owner_eats():
    daily = kilowatt_hours_a_day(60.0)
    assert daily == pytest.approx(1.44)
    assert daily / FOOTPRINT["food"] == pytest.approx(0.096)


@pytest.mark.syllabus("S4B-149")
def test_a_week_on_ten_graphics_processors():
    job = job_energy(10, DEVICE_WATTS["graphics processor"][0], 7 * 24)
    assert job.kilowatt_hours == 504.0
    assert job.daily == pytest.approx(1.38, abs=0.005)
    assert job.relative_to("food") == pytest.approx(0.092, abs=0.001)
    assert job.joules == pytest.approx(504 * 3.6e6)


@pytest.mark.syllabus("S4B-150")
def test_large_undertakings_have_figures_with_their_year():
    google, year = TERAWATT_HOURS_A_YEAR["Google"]
    assert (google, year) == (6.0, 2017)
    assert TERAWATT_HOURS_A_YEAR["Bitcoin"][0] / google == pytest.approx(20 / 6)
    german, _ = TERAWATT_HOURS_A_YEAR["German electricity"]
    assert google / german == pytest.approx(0.01)
    # One watt for each of 82 million people, all year.
    per_head = DEVICE_WATTS["search and video, per German"][0]
    germany = 82e6 * kilowatt_hours_a_day(per_head) * 365 / 1e9
    assert germany == pytest.approx(0.72, abs=0.005)


@pytest.mark.syllabus("S4B-151")
def test_experiments_weigh_less_than_the_flight_to_the_conference():
    job = job_energy(10, 300.0, 7 * 24)
    assert job.relative_to("plane") == pytest.approx(0.046, abs=0.0005)
    assert "4.6 % of an intercontinental flight" in job.sentence
    # A rehearsal on a hundredth of the data costs a hundredth.
    rehearsal = job_energy(10, 300.0, 7 * 24 / 100)
    assert rehearsal.relative_to("plane") < 0.001
    with pytest.raises(InvalidParameterError, match="'train'"):
        job.relative_to("train")
