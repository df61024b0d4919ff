from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.exceptions import HTTPException

from interviewer.web import identity
from interviewer.web.accounts import Accounts
from interviewer.web.login_throttle import (
    FORGOTTEN_S,
    FREE_OF_ADDRESS,
    FREE_OF_NAME,
    LONGEST_WAIT_S,
    LoginThrottle,
    wait_after,
)


class Seconds:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_waits_double_up_to_a_minute() -> None:
    waits = [wait_after(count, FREE_OF_NAME) for count in range(FREE_OF_NAME + 9)]
    assert waits[:FREE_OF_NAME] == [0.0] * FREE_OF_NAME
    assert waits[FREE_OF_NAME:] == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert wait_after(10**9, FREE_OF_NAME) == LONGEST_WAIT_S


def test_a_name_waits_wherever_it_is_tried_from_and_others_do_not() -> None:
    clock = Seconds()
    throttle = LoginThrottle(clock)
    assert [throttle.begin("ada", f"192.0.2.{each}") for each in range(FREE_OF_NAME)] == [0.0] * FREE_OF_NAME
    assert throttle.begin("ada", "192.0.2.99") == 1.0
    assert throttle.begin("bob", "192.0.2.99") == 0.0
    clock.now += 0.75
    assert throttle.begin("ada", "192.0.2.99") == 0.25
    clock.now += 0.25
    assert throttle.begin("ada", "192.0.2.99") == 0.0
    assert throttle.begin("ada", "192.0.2.99") == 2.0


def test_an_address_waits_whatever_names_it_tries() -> None:
    throttle = LoginThrottle(Seconds())
    waits = [throttle.begin(f"name{each}", "192.0.2.1") for each in range(FREE_OF_ADDRESS + 1)]
    assert waits == [0.0] * FREE_OF_ADDRESS + [1.0]
    assert throttle.begin("another", "192.0.2.2") == 0.0


def test_who_knows_the_password_begins_anew() -> None:
    clock = Seconds()
    throttle = LoginThrottle(clock)
    for _ in range(50):
        assert throttle.begin("ada", "192.0.2.1") == 0.0
        throttle.succeeded("ada", "192.0.2.1")
    for _ in range(FREE_OF_NAME):
        throttle.begin("ada", "192.0.2.1")
    clock.now += FORGOTTEN_S + 1
    assert throttle.begin("ada", "192.0.2.1") == 0.0
    assert throttle.begin("ada", "192.0.2.1") == 0.0


def test_memory_is_bounded_however_many_names_are_tried() -> None:
    throttle = LoginThrottle(Seconds(), most_known=100)
    for each in range(10_000):
        throttle.begin(f"name{each}", f"192.0.2.{each}")
    assert len(throttle._names) <= 100
    assert len(throttle._addresses) <= 100


def test_many_attempts_at_once_do_not_slip_through() -> None:
    throttle = LoginThrottle(Seconds())
    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: throttle.begin("ada", "192.0.2.1"), range(200)))
    assert waits.count(0.0) == FREE_OF_NAME


def test_a_password_is_not_looked_at_while_one_has_to_wait() -> None:
    clock = Seconds()
    accounts = Accounts(["ada:correct horse"], LoginThrottle(clock))

    async def hold() -> None:
        for _ in range(FREE_OF_NAME):
            assert not await accounts.check("ada", "battery staple")
        with pytest.raises(HTTPException) as caught:
            await accounts.check("ada", "correct horse")
        assert caught.value.status_code == 303
        assert "Wait 1 second and try again." in caught.value.detail
        assert (caught.value.headers or {})["Retry-After"] == "1"
        clock.now += 1
        assert await accounts.check("ada", "correct horse")
        assert not await accounts.check("ada", "x" * 10**6)
        assert await accounts.check("ada", "correct horse")

    asyncio.run(hold())


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("testclient", "testclient"),
    ],
)
def test_all_addresses_of_one_customer_count_as_one(host: str, network: str) -> None:
    assert identity.network_of(host) == network
