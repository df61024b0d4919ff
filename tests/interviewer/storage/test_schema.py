"""Programs of an earlier version and a database whose newer migrations they do not know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import Script, ScriptDirectory

from interviewer.session.journal import EventJournal
from interviewer.storage.registry import open_journal
from interviewer.storage.schema import HEAD, MIGRATIONS
from interviewer.web.health.routes import HealthRoutes
from serving.errors import NewerError
from serving.warmup import Warmup
from tests.interviewer.storage.test_journal_contract import STARTED, hint

NEWER = "9999"


def migrations() -> list[Script]:
    """All migrations, the first one first."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return list(ScriptDirectory.from_config(config).walk_revisions())[::-1]


def test_the_newest_migration_is_the_one_that_is_looked_for() -> None:
    assert [each.revision for each in migrations()] == [f"{number:04}" for number in range(1, int(HEAD) + 1)]


@pytest.mark.parametrize("migration", migrations(), ids=lambda each: each.revision)
def test_a_migration_states_which_programs_go_on(migration: Script) -> None:
    stated = getattr(migration.module, "compatible_from", None)
    assert stated is not None, f"{migration.path}: write compatible_from, as CONTRIBUTING.md says"
    assert stated in {each.revision for each in migrations()}
    assert stated <= migration.revision


def test_the_database_keeps_the_newest_of_the_statements(
    journal: EventJournal, behind: Callable[[str], Any], url: str
) -> None:
    newest = max(each.module.compatible_from for each in migrations())
    behind(f"UPDATE alembic_version SET version_num = '{NEWER}'")
    for allowed in (newest, HEAD):
        behind(f"UPDATE compatibility SET compatible_from = '{allowed}'")
        with open_journal(url) as earlier:
            assert earlier.append("one", hint(int(allowed)))
            assert len(earlier.events("one")) == len(journal.events("one")) > 0


def test_what_this_version_cannot_use_is_left_alone_by_who_runs_and_by_who_comes(
    journal: EventJournal, behind: Callable[[str], Any], url: str
) -> None:
    assert journal.append("one", STARTED)
    behind(f"UPDATE alembic_version SET version_num = '{NEWER}'")
    behind(f"UPDATE compatibility SET compatible_from = '{NEWER}'")
    told = "changed by a newer version of this program, and this version cannot use it any more"
    for refused in (
        lambda: journal.append("one", hint(2)),
        lambda: journal.delete("one"),
        lambda: journal.delete(None),
        lambda: open_journal(url),
    ):
        with pytest.raises(NewerError, match=told):
            refused()
    assert journal.events("one") == (STARTED,)
    # So a proxy sends people to a page of the newer version.
    assert not HealthRoutes(journal, Warmup(()))._stores()


def test_a_newer_database_that_says_nothing_is_left_alone(
    journal: EventJournal, behind: Callable[[str], Any], url: str
) -> None:
    behind("DROP TABLE compatibility")
    behind(f"UPDATE alembic_version SET version_num = '{NEWER}'")
    with pytest.raises(NewerError, match="Update this program, or name another folder or database"):
        open_journal(url)
