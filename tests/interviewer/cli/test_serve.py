from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from interviewer.cli.commands import serve
from serving import paths
from tests.integration.commands import in_process


def test_the_page_limits_its_heaps_before_anything_begins_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = []
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    monkeypatch.setattr("interviewer.cli.commands.serve.limit_heaps", lambda: limited.append(True))
    status, _, told = in_process("serve", "--port", "99999")
    assert status == 2
    assert "99999" in told
    assert limited == [True]


def test_whoever_waits_for_the_page_has_it_before_torch_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    server = SimpleNamespace(wait_for_answer=done.append)
    monkeypatch.setattr(serve, "warm_embedder", lambda *given: done.append(given))
    serve._warm_after_page(server, "the models", "how far")  # type: ignore[arg-type]
    assert done == [serve._FIRST_S, ("the models", "how far")]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--auth", "ada:a long password"), "People log in or sign in."),
        (("--mentors", "--oidc-groups", "groups"), "Nobody can become a mentor."),
        (("--oidc-issuer", "http://login.example.org"), "no provider that can be trusted"),
    ],
)
def test_a_provider_that_makes_no_sense_is_refused(
    options: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("authlib")
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path))
    monkeypatch.setenv("INTERVIEWER_OIDC_SECRET", "the client's secret")
    given = ("--oidc-issuer", "https://login.example.org", "--oidc-client", "interviews")
    status, _, err = in_process("serve", *given, *options)
    assert status == 2
    assert told in err
