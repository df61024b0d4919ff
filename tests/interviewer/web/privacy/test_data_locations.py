from __future__ import annotations

import pytest

from interviewer.planning.candidate_background import Background
from interviewer.storage.settings import Settings
from interviewer.web.dialogs.settings_form import Known, settings_html
from interviewer.web.privacy.data_locations import ALL_HERE, DataLocations

KNOWN = Known(interviews=1, recordings=0, documents=0, background=Background())


def told(**elsewhere: bool) -> str:
    return settings_html(Settings(), {}, KNOWN, keeps=False, locations=DataLocations(**elsewhere))


def test_one_machine_is_told_as_one() -> None:
    assert ALL_HERE.all_here
    assert ALL_HERE.subtitle.endswith("on your own machine.")
    assert ALL_HERE.documents == "The files stay on this machine."
    assert "stays on this machine" in ALL_HERE.self_assessment
    assert "everything you chose here and all of the above are on the machine that runs the interviews." in told()
    assert "Nothing is sent anywhere else." in told()


@pytest.mark.parametrize("name", DataLocations._fields)
def test_whatever_is_elsewhere_nobody_is_told_that_all_is_on_their_machine(name: str) -> None:
    locations = DataLocations(**{name: True})
    assert not locations.all_here
    assert "machine" not in locations.subtitle


def test_what_is_kept_elsewhere_is_named() -> None:
    both = told(has_database=True, has_file_store=True)
    assert (
        "interviews are in a database, recordings and documents in a file store, both maybe on other machines." in both
    )
    assert "Everything else is on the machine that runs the interviews." in both
    assert "all of the above" not in both
    assert "interviews are in a database, maybe on another machine." in told(has_database=True)
    assert "interviews are in" not in told(has_file_store=True)
    assert "store" in DataLocations(has_file_store=True).documents
    assert "stays on this machine" not in DataLocations(has_database=True).self_assessment
    assert "stay on this machine" not in DataLocations(is_shared=True).documents


def test_what_is_sent_is_named() -> None:
    assert (
        "What you say and type is sent to a judge server, and your code to a runner, maybe on other machines."
        in told(has_judges=True, has_runners=True)
    )
    assert "Your code is sent to a runner, maybe on another machine." in told(has_runners=True)
    assert "sent to a judge server" in DataLocations(has_judges=True).documents
