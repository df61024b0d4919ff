"""A property that is computed at its first use, without a lock.

``functools.cached_property`` of Python 3.11 has one lock for all objects of a class: while a model reads what one
person said, everybody who said something else waits (gone since Python 3.12; github.com/python/cpython/issues/87634).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801 - a decorator, as ``property`` is
    """Decorates a method without arguments; two threads may compute it twice, and both get the same value then.

    Args:
        compute: the method.

    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[Value]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> lazy[Value] | Value:
        if instance is None:
            return self
        # What stands there is found before this is asked again.
        value: Value = instance.__dict__.setdefault(self._name, self._compute(instance))
        return value
