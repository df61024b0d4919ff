"""A folder and an S3 bucket keep files alike, and say in a person's terms what is wrong with them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interviewer.storage.files import keys
from interviewer.storage.files.store import AwayError, FileStore, open_store, refusal
from serving import paths
from serving.errors import BadInputError, StorageError
from tests.s3 import S3Server


def test_a_file_is_kept_replaced_listed_and_deleted(store: FileStore) -> None:
    assert (store.get("a/b/one"), store.names("a/b"), store.below("a")) == (None, (), ())
    store.put("a/b/one", b"1")
    store.put("a/b/one", b"2")
    store.put("a/b/two", b"")
    store.put("a/other", b"3")
    assert (store.get("a/b/one"), store.get("a/b/two")) == (b"2", b"")
    assert store.names("a/b") == ("one", "two")
    assert store.below("a") == ("a/b/one", "a/b/two", "a/other")
    assert store.get_all(["a/b/one", "a/b/none", "a/other"]) == {"a/b/one": b"2", "a/other": b"3"}
    store.delete(["a/b/one", "a/b/none"])
    assert store.below("a") == ("a/b/two", "a/other")


def test_a_name_that_begins_another_is_another(store: FileStore) -> None:
    store.put("a/one", b"1")
    store.put("ab/two", b"2")
    assert store.below("a") == ("a/one",)
    assert store.get("a/one/two") is None


def test_of_a_file_that_is_written_nobody_sees_a_part(store: FileStore) -> None:
    contents = {bytes([number]) * 300_000 for number in range(6)}
    store.put("a/one", next(iter(contents)))
    seen: list[bytes | None] = []
    writers = [threading.Thread(target=store.put, args=("a/one", each)) for each in contents]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        seen.append(store.get("a/one"))
    assert set(seen) <= contents
    assert store.names("a") == ("one",)


def test_a_store_that_is_away_is_told_once_and_comes_back(s3: S3Server) -> None:
    now = 0.0
    opened = open_store(s3.bucket(), os.environ)
    store = FileStore(opened._system, opened._root, opened.name, opened._write, lambda: now)
    store.put("a", b"1")
    with s3.away(), pytest.raises(AwayError, match=r"s3://shared-\d+/some/prefix does not answer"):
        store.get("a")
    with pytest.raises(AwayError):
        store.get("a")  # not even asked: nobody waits for it twice in a row
    now = 10.0
    assert store.get("a") == b"1"


def test_a_bucket_that_is_not_there_is_not_taken_for_an_empty_one(s3: S3Server) -> None:
    store = open_store("s3://none-of-that-name/x", os.environ)
    for ask in (store.get, store.names, store.below, lambda key: store.put(key, b""), lambda key: store.delete([key])):
        with pytest.raises(StorageError, match="There is no bucket for s3://none-of-that-name/x"):
            ask("a")


def test_wrong_keys_and_other_refusals_are_told_without_what_the_server_said() -> None:
    class PermissionDeniedError(Exception):
        pass

    class GenericError(Exception):
        pass

    answer = "Server returned non-2xx status code: {}: <Code>{}</Code><Message>hush</Message>"
    said = [
        refusal("s3://a", PermissionDeniedError("hush")),
        refusal("s3://a", GenericError(answer.format("400 Bad Request", "AuthorizationHeaderMalformed"))),
        refusal("s3://a", GenericError("Error performing PUT http://169.254.169.254/latest/api/token hush")),
        refusal("s3://a", OSError(28, "No space left on device")),
    ]
    assert [each.message if each else "" for each in said] == [
        "The store s3://a refused access.",
        "The store s3://a refused (AuthorizationHeaderMalformed).",
        "The store s3://a refused access.",
        "The store s3://a refused: No space left on device.",
    ]
    assert refusal("s3://a", GenericError(answer.format("503 Slow Down", "SlowDown"))) is None
    assert refusal("s3://a", GenericError("error sending request")) is None


def test_a_folder_that_is_read_only_is_told(tmp_path: Path) -> None:
    store = open_store(str(tmp_path), {})
    (tmp_path / "a").write_text("a file where a folder has to be")
    with pytest.raises(StorageError, match="a"):
        store.put("a/b", b"1")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("/nowhere/at/all", "does not exist"),
        ("file:///nowhere/at/all", "does not exist"),
        ("gs://bucket/prefix", "“gs://…” does not name a store"),
        ("s3:///prefix", "does not name a store"),
        ("s3://bucket/a*b", "does not name a store"),
        ("s3://bucket/a?versionId=3", "does not name a store"),
        ("s3://bucket/../other", "more than a bucket"),
        ("s3://key:hush@bucket/prefix", "more than a bucket"),
        ("s3://[bucket", "cannot be read"),
    ],
)
def test_what_names_no_store_is_told_without_secrets(url: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said) as told:
        open_store(url, {})
    assert "hush" not in str(told.value)


def test_who_shares_no_files_imports_nothing_for_it() -> None:
    program = (
        "import sys, interviewer.storage.files.opening as o; o.open_files(None).recordings; "
        "print([m for m in sys.modules if m.partition('.')[0] in {'fsspec', 'obstore'}])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


HOSTILE = ["..", ".", "", "../ada", "/etc", "a/b", "a\\b", "a\0b", "~every", "ada/../bob", "ä", "a" * 200, "A b", "."]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_person_names_is_one_part_of_a_key(text: str) -> None:
    stays_below(text)


@settings(max_examples=50)
@given(st.text(max_size=100))
def test_any_text_is_one_part_of_a_key(text: str) -> None:
    stays_below(text)


def stays_below(text: str) -> None:
    part = keys.part(text)
    assert part.isascii()
    assert part not in {"", ".", "..", "~every"}
    assert not set("/\\\0*?[ ") & set(part)
    hers = Path("/home") / paths.PROFILES / "ada"
    assert Path(keys.recordings(hers, text)).parent == Path("accounts/ada/recordings")
    assert Path(keys.deletion(hers, text)).parent == Path("accounts/ada/deleted")


def test_two_texts_are_two_parts() -> None:
    digest = keys.part("a/b")
    assert len({digest, keys.part(digest), keys.part("a"), keys.part("b"), keys.part("A")}) == 5


def test_each_account_has_a_prefix_of_its_own(tmp_path: Path) -> None:
    prefixes = {keys.account(home) for home in (tmp_path, tmp_path / "profiles" / "ada", tmp_path / "profiles" / "..")}
    assert len(prefixes) == 3
    assert keys.account(tmp_path / "profiles" / "ada") == "accounts/ada"
    assert keys.account(tmp_path) == keys.account(tmp_path / "other") == "common"
