"""What is known of people who signed in by a provider, and of their groups."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from interviewer.planning.assigned import AssignmentWish
from interviewer.storage.assignments.registry import open_assignments
from interviewer.storage.sqlite_journal import Journal
from interviewer.web.assignments.mentor_assignments import MentorAssignments, member_of
from interviewer.web.mentor.group_reader import GroupReader
from interviewer.web.sign_in.people import People, Person
from knowledge.bank.parser import load_bank
from serving.errors import BadInputError


def person(subject: str, *groups: str, mentor: bool = False) -> Person:
    return Person(subject=subject, groups=frozenset(groups), mentor=mentor)


@pytest.fixture
def people(tmp_path: Path) -> People:
    made = People(tmp_path)
    made.sign_in("ada", person("1", "autumn", "evening"))
    made.sign_in("ben", person("2", "spring"))
    made.sign_in("cy", person("3"))
    made.sign_in("grace", person("4", "autumn", mentor=True))
    made.sign_in("alan", person("5", "spring", "evening", mentor=True))
    made.sign_in("joan", person("6", mentor=True))
    return made


def test_a_mentor_has_the_candidates_of_any_of_their_groups(people: People) -> None:
    names = (*people.names, "nobody", "", None)
    assert {name: found for name in names if (found := people.candidates_of(name))} == {
        "grace": ("ada",),
        "alan": ("ada", "ben"),
    }
    assert {name: found for name in names if (found := people.mentors_of(name))} == {
        "ada": ("alan", "grace"),
        "ben": ("alan",),
    }
    assert [name for name in names if people.is_mentor(name)] == ["alan", "grace", "joan"]
    assert {name: found for name in names if (found := people.groups_of(name))} == {
        **{"ada": ("autumn", "evening"), "ben": ("spring",)},
        **{"grace": ("autumn",), "alan": ("evening", "spring")},
    }


def test_a_mentor_of_several_groups_assigns_to_each_its_own_candidates(people: People, tmp_path: Path) -> None:
    store = open_assignments(tmp_path)
    given = MentorAssignments(
        store, people, GroupReader(people, lambda _: None, lambda _: Journal(tmp_path / "none.db")), load_bank
    )
    assert given.groups("alan") == {"evening": ("ada",), "spring": ("ben",)}
    now = datetime.now(UTC)
    due = f"{now + timedelta(days=1):%Y-%m-%d %H:%M}"
    given.give("alan", AssignmentWish("Leaves", "evening", "autograd, any, 5", due, "UTC"), "1" * 32, now)
    for who, seen in (("ada", 1), ("ben", 0), ("cy", 0), ("grace", 0), ("alan", 1)):
        assert len(store.seen_by(member_of(people, who))) == seen
    assert [row.candidate for row in given.one("alan", "1" * 32, now).rows] == ["ada"]
    store.close()


def test_who_signs_in_again_belongs_to_whom_the_provider_says_now(people: People, tmp_path: Path) -> None:
    people.sign_in("ada", person("1", "spring"))
    assert People(tmp_path).mentors_of("ada") == ("alan",)
    assert stat.S_IMODE((tmp_path / "ada" / "signed-in.json").stat().st_mode) == 0o600


def test_a_name_that_was_given_to_somebody_else_stays_with_the_first(people: People) -> None:
    with pytest.raises(BadInputError, match="belongs to somebody else"):
        people.sign_in("ada", person("7", "autumn", mentor=True))
    assert not people.is_mentor("ada")


@pytest.mark.parametrize("name", ["", ".", "..", "../ada", "Ada", "a/b", "ada@example.org", "a" * 33, "ada\n", "ä"])
def test_what_is_no_name_of_a_folder_signs_nobody_in(people: People, name: str) -> None:
    before = people.names
    with pytest.raises(BadInputError, match="cannot be the name"):
        people.sign_in(name, person("8"))
    assert people.names == before


def test_what_cannot_be_read_lets_nobody_take_the_name(people: People, tmp_path: Path) -> None:
    (tmp_path / "ada" / "signed-in.json").write_text("{")
    with pytest.raises(BadInputError, match="cannot be read"):
        people.sign_in("ada", person("7"))
