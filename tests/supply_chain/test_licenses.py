"""Which licenses are accepted, and how that is told."""

from __future__ import annotations

import io
import json
from importlib.metadata import distributions

import pytest

from tests.supply_chain import licenses
from tests.supply_chain.licenses import AGREED, READ, Package, license_of, permits, refused, table


@pytest.mark.parametrize(
    ("expression", "holds"),
    [
        ("MIT", True),
        ("GPL-3.0-only", False),
        ("GPL-3.0-only OR MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("MPL-2.0 AND (Apache-2.0 OR GPL-2.0-only)", True),
        ("MPL-2.0 AND (AGPL-3.0-only OR GPL-2.0-only)", False),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", True),
        ("MIT WITH GPL", False),
        ("(MIT", False),
        ("MIT MIT", False),
        ("", False),
        ("MIT AND", False),
        ("All rights reserved", False),
    ],
)
def test_an_expression_is_met_with_allowed_licenses_or_not(expression: str, holds: bool) -> None:
    assert permits(expression) is holds


def test_what_packages_write_is_understood() -> None:
    assert license_of(Package("a", "1", "Apache Software License; MIT License")) == "Apache-2.0 AND MIT"
    assert license_of(Package("pytest_timeout", "1", "DFSG approved; MIT License")) == "MIT"


def test_a_license_that_nobody_agreed_to_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"Name": "fine", "Version": "1", "License": "MIT"},
        {"Name": "intel-openmp", "Version": "2", "License": "Other/Proprietary License"},
        {"Name": "other", "Version": "3", "License": "UNKNOWN"},
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(rows)))
    assert licenses.main() == 1
    said = capsys.readouterr()
    assert said.err.startswith("other 3 has the license “UNKNOWN”.\nRead their licenses")
    assert "| MIT | 1: fine 1 |" in said.out
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(rows[:2])))
    assert licenses.main() == 0


def test_nothing_installed_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("[]"))
    with pytest.raises(ValueError, match="no package"):
        licenses.main()


def test_the_table_has_the_most_frequent_license_first() -> None:
    packages = [Package("b", "1", "ISC"), Package("c", "2", "MIT"), Package("a", "3", "MIT License")]
    assert table(packages)[2:] == ["| MIT | 2: a 3, c 2 |", "| ISC | 1: b 1 |"]
    assert refused(packages) == []


def test_licenses_were_read_only_of_packages_that_are_installed() -> None:
    installed = {each.metadata["Name"].lower().replace("_", "-") for each in distributions()}
    assert set(READ) <= installed
    assert all(AGREED.values())
