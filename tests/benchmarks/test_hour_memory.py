from __future__ import annotations

import psutil
import pytest

from serving.sandbox.cgroup import limited
from tests.benchmarks.hour_memory import Hour, Moment, hold, told
from tests.benchmarks.interview_memory import Held
from tests.benchmarks.memory import libraries, mapped, own

LIMIT_MB = 4_500

SMAPS = """\
55f0-55f1 r-xp 00000000 fe:00 26 /usr/lib/one library.so
Rss:                  16 kB
Anonymous:             4 kB
55f1-55f2 rw-p 00010000 fe:00 26 /usr/lib/one library.so
Rss:                   8 kB
Anonymous:             8 kB
7f00-7f10 rw-p 00000000 00:00 0
Rss:                 100 kB
Anonymous:           100 kB
7f20-7f30 r--p 00000000 fe:00 27 /usr/lib/other.so
Rss:                  40 kB
Anonymous:             0 kB
VmFlags: rd mr mw me
"""


def test_of_a_file_counts_what_was_not_changed() -> None:
    assert mapped(SMAPS) == {"/usr/lib/one library.so": 12, "/usr/lib/other.so": 40}


def test_a_library_of_two_processes_counts_once() -> None:
    this = psutil.Process()
    once = libraries([this])
    assert once > 1
    assert libraries([this, this]) == pytest.approx(once, rel=0.05)
    assert own([this]) > 1


def test_what_was_seen_is_told_with_its_growth() -> None:
    moments = [Moment(15.0 * at, Held(1000, 3000), 900.0 + at, 2800.0, 500.0) for at in range(41)]
    said = "\n".join(told(Hour(moments, 3, 18, 4400.0, 0)))
    assert "3 interviews, 18 answers" in said
    assert "| 0 | 900 | 2800 | 500 | 4200 | 1000 | 3000 |" in said
    assert "| 10 | 940 | 2800 | 500 | 4240 | 1000 | 3000 |" in said
    assert "The most at any moment: 4240 MB." in said
    assert "Growth over the second half: +240 ± 0 MB an hour." in said
    assert "held 4400 MB at most, files included; 0 processes were ended" in said


def test_growth_is_told_from_what_is_held_at_rest() -> None:
    rests = tuple(Moment(900.0 * at, Held(1000, 3000), 900.0 + 5 * at, 2800.0, 500.0) for at in range(1, 4))
    first = Moment(0.0, Held(1000, 3000), 800.0, 2800.0, 500.0)
    said = "\n".join(told(Hour([first, *rests], 3, 18, rests=rests)))
    assert "| 15 | 905 | 2800 | 500 | 4205 |" in said
    assert "Growth from the first rest to the last: +20 MB an hour." in said


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.skipif(limited().memory is None, reason="no control group that limits memory can be made on this machine")
def test_a_whole_spoken_interview_fits_into_four_and_a_half_gigabytes() -> None:
    seen = hold(0.0, limit_mb=LIMIT_MB, rest_s=0.0)
    assert not seen.wrong
    assert seen.interviews == 1
    assert seen.answers >= 6
    assert seen.killed == 0
    assert seen.peak <= LIMIT_MB
