"""The journal in a real PostgreSQL database: many writers, many owners, and a server that is killed."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from interviewer.session.events import HintGiven
from interviewer.storage import postgres_journal
from interviewer.storage.postgres_journal import CONNECTIONS, PostgresJournal
from serving.errors import BadInputError, ServiceMissingError, StorageError
from tests.interviewer.storage.test_journal_contract import STARTED, hint
from tests.postgres import PASSWORD, QUOTED, PostgresServer

_WRITERS = """
import os, sys
from interviewer.storage.postgres_journal import PostgresJournal
from tests.interviewer.storage.test_journal_contract import hint

url = sys.argv[1]
PostgresJournal(url).close()
go, begin = os.pipe()
children = []
for writer in range(8):
    child = os.fork()
    if child:
        children.append(child)
        continue
    os.close(begin)
    os.read(go, 1)  # until all are there
    with PostgresJournal(url) as journal:
        for number in range(10):
            assert journal.append("plain", hint(100 * writer + number))
            with journal.lock("held"):
                assert journal.append("held", hint(len(journal.events("held"))))
    os._exit(0)
os.close(go)
os.close(begin)
sys.exit(sum(os.waitpid(child, 0)[1] for child in children) != 0)
"""


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.database()


def _name(url: str) -> str:
    return url.rpartition("/")[2]


def test_eight_processes_on_one_session_meet_no_error_and_keep_its_order(url: str, postgres: PostgresServer) -> None:
    done = subprocess.run([sys.executable, "-c", _WRITERS, url], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with PostgresJournal(url) as journal:
        plain = [int(event.id[1:]) for event in journal.events("plain")]
        assert len(plain) == 80
        for writer in range(8):
            assert [n for n in plain if n // 100 == writer] == [100 * writer + n for n in range(10)]
        # Whoever holds a session alone reads how long it is and appends the next: no number twice, none left out.
        assert [event.id for event in journal.events("held")] == [f"h{number}" for number in range(80)]
    places = postgres.sql("SELECT seq FROM events WHERE session_id = 'plain' ORDER BY seq", _name(url))
    assert places == [(number,) for number in range(1, 81)]


def test_a_session_that_somebody_else_holds_is_waited_for_and_then_told(url: str) -> None:
    with PostgresJournal(url) as one, PostgresJournal(url, patience_s=0.1) as other, one.lock("one"):
        with pytest.raises(StorageError, match="somebody else holds the interview"):
            other.append("one", STARTED)
        with pytest.raises(StorageError, match="somebody else holds the interview"), other.lock("one"):
            pass
        assert other.append("two", STARTED)
        assert one.append("one", STARTED)


def test_who_is_killed_while_holding_a_session_keeps_nobody_out(url: str) -> None:
    code = (
        "import sys, time; from interviewer.storage.postgres_journal import PostgresJournal\n"
        "with PostgresJournal(sys.argv[1]).lock('one'):\n    print('held', flush=True)\n    time.sleep(600)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code, url], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    holder.kill()
    holder.communicate()
    with PostgresJournal(url, patience_s=60) as journal, journal.lock("one"):
        assert journal.append("one", STARTED)


def test_what_was_acknowledged_survives_the_death_of_the_server_and_it_goes_on(
    url: str, postgres: PostgresServer
) -> None:
    acknowledged: list[HintGiven] = []
    some = threading.Event()
    refused: list[StorageError] = []

    def write() -> None:
        with PostgresJournal(url) as journal:
            for number in range(100_000):
                try:
                    journal.append("one", hint(number))
                except StorageError as error:
                    refused.append(error)
                    return
                acknowledged.append(hint(number))
                if number == 20:
                    some.set()

    writer = threading.Thread(target=write)
    with PostgresJournal(url) as journal:
        writer.start()
        assert some.wait(120)
        postgres.kill()
        try:
            writer.join(120)
            assert len(refused) == 1
            assert "cannot be used" in str(refused[0])
            with pytest.raises(StorageError, match="no PostgreSQL server answers there"):
                journal.events("one")
        finally:
            postgres.start()
        # The very same journal goes on; what was sent as the server died may be there, and what was answered for is.
        stored = journal.events("one")
        assert list(stored[: len(acknowledged)]) == acknowledged
        assert len(stored) <= len(acknowledged) + 1
        assert journal.append("one", STARTED)


def test_a_hold_that_was_lost_with_the_connection_lets_nothing_be_stored(url: str, postgres: PostgresServer) -> None:
    with PostgresJournal(url) as journal:
        with journal.lock("one"):
            assert journal.append("one", STARTED)
            postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            for _ in range(2):
                with pytest.raises(StorageError, match=r"connection to the (server|database .*) was lost"):
                    journal.append("one", hint(1))
        with journal.lock("one"):
            assert journal.append("one", hint(1))


def test_nobody_sees_or_deletes_what_belongs_to_somebody_else(url: str) -> None:
    with PostgresJournal(url, "ada") as ada, PostgresJournal(url, "ben") as ben:
        assert ada.append("one", STARTED)
        assert ben.append("one", hint(1))
        assert ada.events("one") == (STARTED,)
        assert ben.events("one") == (hint(1),)
        assert [one.id for one in ada.sessions()] == ["one"]
        assert ben.sessions() == ()
        assert ben.delete(None)
        assert ada.holds("one")
        assert not ben.holds("one")
        assert ada.last_at("one") == STARTED.at
        assert ben.last_at("one") is None


@pytest.mark.parametrize("sql", ["UPDATE events SET payload = '{}'", "DELETE FROM events", "TRUNCATE events"])
def test_the_database_itself_refuses_to_forget(url: str, postgres: PostgresServer, sql: str) -> None:
    import psycopg

    with PostgresJournal(url) as journal:
        journal.append("one", STARTED)
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            postgres.sql(sql, _name(url))
        assert journal.delete("one")
        journal.append("one", STARTED)
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            postgres.sql(sql, _name(url))


@pytest.mark.parametrize("column", ["type", "at", "payload", "event_id"])
def test_what_was_changed_behind_its_back_is_told_and_left_out(url: str, postgres: PostgresServer, column: str) -> None:
    with PostgresJournal(url) as journal:
        for event in (STARTED, hint(1), hint(2)):
            journal.append("one", event)
        postgres.sql("ALTER TABLE events DISABLE TRIGGER ALL", _name(url))
        postgres.sql(f"UPDATE events SET {column} = {column} || ' ' WHERE seq = 2", _name(url))
        stored = journal.read("one")
        assert stored.events == (STARTED, hint(2))
        assert [(one.number, one.changed) for one in stored.damaged] == [(2, True)]
        assert [one.damaged for one in journal.sessions()] == [1]


def test_several_open_an_empty_database_at_once(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        for journal in pool.map(lambda _: PostgresJournal(url), range(4)):
            journal.close()


def test_many_who_hold_sessions_share_few_connections_with_every_owner(url: str, postgres: PostgresServer) -> None:
    most = Counter[str]()
    count = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{_name(url)}'"

    def hold(number: int) -> None:
        with PostgresJournal(url, f"owner {number % 5}") as journal, journal.lock(f"s{number}"):
            journal.append(f"s{number}", STARTED)
            # Another session is read over the connection that is held already, so nobody waits for a second one.
            journal.sessions()
            most["seen"] = max(most["seen"], int(str(postgres.sql(count)[0][0])))

    with PostgresJournal(url), ThreadPoolExecutor(2 * CONNECTIONS) as pool:
        list(pool.map(hold, range(4 * CONNECTIONS)))
    assert 0 < most["seen"] <= CONNECTIONS


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"password": "wr0ng"}, "refused the user name or the password"),
        ({"user": "stranger"}, "refused the user name or the password"),
        ({"name": "nothing"}, "has no database of that name"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_without_the_password(
    postgres: PostgresServer, caplog: pytest.LogCaptureFixture, change: dict[str, str], told: str
) -> None:
    caplog.set_level(logging.DEBUG)
    name = change.pop("name", "postgres")
    with pytest.raises(StorageError, match=told) as caught:
        PostgresJournal(postgres.url(name, **change))
    shown = f"{caught.value}\n{caught.getrepr(chain=True, style='short')}\n{caplog.text}"
    assert f"@127.0.0.1:{postgres.port}/{name}" in str(caught.value)
    assert not [secret for secret in (PASSWORD, QUOTED, "wr0ng") if secret in shown]


def test_a_server_that_is_not_there_is_told(postgres: PostgresServer) -> None:
    with pytest.raises(StorageError, match="no PostgreSQL server answers there"):
        PostgresJournal(postgres.url("x").replace(f":{postgres.port}", ":1"))


def test_a_url_that_cannot_be_read_says_how_one_looks_and_not_what_stood_there() -> None:
    with pytest.raises(BadInputError, match="cannot be read") as caught:
        PostgresJournal("postgresql://ada:hush@host:hush/x")
    assert "hush" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_without_psycopg_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_journal.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ServiceMissingError, match=r"pip install 'psycopg\[binary\]'"):
        PostgresJournal("postgresql://ada@host/x")


def test_who_keeps_interviews_in_a_file_loads_nothing_of_it() -> None:
    code = (
        "import sys, tempfile, pathlib; from interviewer.storage.registry import open_journal\n"
        "with tempfile.TemporaryDirectory() as folder: open_journal(f'sqlite:///{folder}/journal.db').close()\n"
        "sys.exit(bool({'psycopg', 'interviewer.storage.postgres_journal'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
