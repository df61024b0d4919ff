"""What is told of an audit: a flaw, nothing wrong, and above all that nothing was found out."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tests.supply_chain.audit import Answer, Flaw, answer_of, pins, report

TWO = ["lxml==6.1.3", "pdfminer-six==1.0"]


def told(**rows: Mapping[str, object]) -> str:
    return json.dumps({"dependencies": [{"name": name.replace("_", "."), **row} for name, row in rows.items()]})


def test_every_package_that_was_looked_up_and_has_no_flaw_is_fine() -> None:
    fine = {"version": "1", "vulns": []}
    answer = answer_of(TWO, told(lxml=fine, pdfminer_six=fine))
    assert answer == Answer()
    assert report(answer, 2, "OSV") == (0, ["2 packages were looked up in OSV; none has a known flaw."])


def test_a_flaw_is_told_with_what_mends_it() -> None:
    flaw = {"id": "CVE-1", "fix_versions": ["6.2"]}
    answer = answer_of(TWO[:1], told(lxml={"version": "6.1.3", "vulns": [flaw]}))
    assert answer.flaws == (Flaw("lxml", "6.1.3", "CVE-1", ("6.2",)),)
    status, lines = report(answer, 1, "OSV")
    assert (status, lines[0]) == (1, "lxml 6.1.3: CVE-1, mended in 6.2")


def test_what_could_not_be_asked_about_is_no_success() -> None:
    skipped = answer_of(TWO, told(lxml={"skip_reason": "not found"}, pdfminer_six={"version": "1", "vulns": []}))
    silent = answer_of(TWO, told(lxml={"version": "1", "vulns": []}))
    broken = answer_of(TWO, "Traceback (most recent call last):")
    empty = answer_of(TWO, "")
    assert [len(each.unknown) for each in (skipped, silent, broken, empty)] == [1, 1, 2, 2]
    for answer in (skipped, silent, broken, empty):
        status, lines = report(answer, 2, "OSV")
        assert status == 3
        assert lines[0].startswith(f"NOT AUDITED: {len(answer.unknown)} of 2 packages")


def test_packages_of_several_locks_are_asked_about_once_and_builds_by_their_version() -> None:
    lock = "torch==2.13.0+cpu \\\n    --hash=sha256:00\nlxml==6.1.3 \\\n"
    assert pins([lock, "lxml==6.1.3 \\\n"]) == ["lxml==6.1.3", "torch==2.13.0"]
