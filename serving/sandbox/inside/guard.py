"""Notices a program that changes or goes around what it is measured with. Stands alone; see ``rubric/restrictions.py``.

Three things are watched from before the program is loaded:

- functions and classes that tests and instruments rest on, which must stay the objects they were (``changed``);
- calls that switch instruments off or read other code's frames, where the program itself makes them (``noticed``);
- calls of what the question rules out, whatever name they were reached by (``used``).

All of it runs in the process of the program. It catches what is done openly, by an alias or through a name put
together at run time. It does not catch a program that rewrites this process's memory, one that reads the job's token
out of it and forges what a test tells, nor one that tells the tests' objects from others and behaves where it is
measured; nothing inside one process can. Returned values are compared elsewhere and are not affected.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import sys
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

WATCHED_MODULES = (
    *("builtins", "collections", "copy", "functools", "gc", "heapq", "inspect", "itertools", "math", "operator", "os"),
    *("random", "signal", "sys", "threading", "time", "tracemalloc", "weakref", "failure", "guard", "ranks", "trial"),
    *("wire", "worker", "torch", "torch.autograd", "torch.autograd.graph", "torch.nn.functional", "torch.overrides"),
    *("torch.utils._python_dispatch", "torch.utils.hooks"),
)
"""Modules whose functions and classes must stay what they were."""

WATCHED_CLASSES = (
    *("torch.Tensor", "torch.UntypedStorage", "torch.Generator", "torch.nn.Module", "torch.autograd.Function"),
    *("torch.autograd.graph.saved_tensors_hooks", "torch.overrides.TorchFunctionMode"),
    *("torch.utils._python_dispatch.TorchDispatchMode", "weakref.WeakSet", "weakref.WeakValueDictionary"),
    *("weakref.finalize", "trial.Trial", "trial._Alive", "collections.Counter"),
)
"""Classes whose methods must stay what they were, inherited ones included."""

REPLACED_BY_TORCH = frozenset({("torch", "manual_seed")})
"""What torch itself replaces, when its compiler is first imported. Hooks are made to be replaced, too."""

SWITCHES = {
    "torch.utils._python_dispatch": (
        *("_disable_current_modes", "_get_current_dispatch_mode", "_get_current_dispatch_mode_stack", "_pop_mode"),
        *("_pop_mode_temporarily", "_push_mode"),
    ),
    "torch.overrides": (
        *("_get_current_function_mode", "_get_current_function_mode_stack", "_pop_mode", "_pop_mode_temporarily"),
        *("_push_mode",),
    ),
    "torch._C": (
        *("DisableTorchFunction", "_DisableTorchDispatch", "_ExcludeDispatchKeyGuard", "_ForceDispatchKeyGuard"),
        *("_get_dispatch_stack_at", "_get_function_stack_at", "_pop_torch_dispatch_stack", "_pop_torch_function_stack"),
    ),
    "tracemalloc": ("clear_traces", "reset_peak", "start", "stop"),
}
"""What only instruments switch, by module."""

EVENTS = frozenset(
    {"ctypes.dlopen", "gc.get_objects", "gc.get_referents", "gc.get_referrers", "sys._current_frames", "sys._getframe"}
    | {"sys.setprofile", "sys.settrace"}
)
"""Audit events of what no answer needs (https://docs.python.org/3/library/audit_events.html)."""

_START = threading._start_new_thread  # type: ignore[attr-defined]
_OF_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type)
_OWNERS = ("builtins.list", "builtins.str", "numpy", "numpy.ndarray", "re", "torch", "torch.Tensor", "torch.linalg")


class Use(NamedTuple):
    """Something that the question rules out and the program called.

    Attributes:
        name: as the question names it.
        line: of the program; 0 where it is unknown.

    """

    name: str
    line: int


class _Kept(NamedTuple):
    """An object as it was, with the code that it runs."""

    place: str
    look: Callable[[], Any]
    value: Any
    code: Any
    defaults: Any


class Guard:
    """Watches one program. Made before the program is loaded.

    Args:
        forbidden: what the question rules out: ``sorted`` (a builtin), ``heapq`` or ``torch.nn.utils`` (a module),
            ``torch.nn.functional.cross_entropy`` (a function or class), ``.sort`` (any function or method so called).

    """

    def __init__(self, forbidden: Sequence[str] = ()) -> None:
        self._noticed: list[tuple[str, int]] = []
        self._used: dict[str, int] = {}
        self._tests: dict[str, Any] | None = None
        self._codes, self._wrappers, self._objects, self._names = _resolved(forbidden)
        _put_switches(self._trip)
        for module, name in ((threading, "_start_new_thread"), (sys.modules["_thread"], "start_new_thread")):
            setattr(module, name, self._start)
        self._kept = [*_of_modules(), *_of_classes(map(_found, WATCHED_CLASSES))]
        self._watching = bool(forbidden)
        sys.addaudithook(self._hear)

    def admit(self, tests: types.ModuleType, given: Sequence[str]) -> None:
        """Watches the tests' own functions and classes too; their code may do what the program may not.

        Args:
            tests: the module.
            given: names in it that are the program's.

        """
        self._tests = vars(tests)
        # Names such as __compiled_fn_1 are put there, and taken away again, by torch's compiler.
        own = {name: value for name, value in self._tests.items() if name not in given and name[:2] != "__"}
        self._kept += _of_names(self._tests, own, "tests")
        self._kept += _of_classes(value for value in own.values() if getattr(value, "__module__", "") == "tests")

    def tampering(self) -> tuple[str, int] | None:
        """What the program did to its instruments, one sentence, and the line or 0; ``None`` where it did nothing."""
        if self._noticed:
            return self._noticed[0]
        for kept in self._kept:
            try:
                now = kept.look()
            except (AttributeError, KeyError):
                return f"{kept.place} was removed, which the tests rely on.", 0
            if now is not kept.value and _wrapped_by_a_library(now, kept.value):
                continue
            if now is not kept.value or getattr(now, "__code__", None) is not kept.code:
                return f"{kept.place} was replaced, which the tests rely on.", 0
            if getattr(now, "__defaults__", None) is not kept.defaults:
                return f"The defaults of {kept.place} were changed, which the tests rely on.", 0
        return None

    def used(self) -> list[Use]:
        """What was called since the last time, of what the question rules out."""
        found = [Use(name, line) for name, line in self._used.items()]
        self._used.clear()
        return found

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Notes calls of what the question rules out; costs nothing where it rules out nothing."""
        if not self._watching:
            yield
            return
        imported = builtins.__import__

        def unwatched(name: str, *given: Any, **named: Any) -> Any:
            # A library that is imported makes a million calls, none of them the program's.
            if name in sys.modules:
                return imported(name, *given, **named)
            profile = sys.getprofile()
            sys.setprofile(None)
            try:
                return imported(name, *given, **named)
            finally:
                sys.setprofile(profile)

        builtins.__import__ = unwatched
        threading.setprofile(self._profile)
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
            builtins.__import__ = imported

    def _profile(self, frame: types.FrameType, event: str, argument: Any) -> None:
        if event == "c_call":
            caller: types.FrameType | None = frame
            name = self._objects.get(_identity(argument)) or self._names.get(getattr(argument, "__name__", ""))
        elif event == "call":
            caller, name = frame.f_back, self._codes.get(frame.f_code)
            while name and caller is not None and caller.f_code in self._wrappers:
                caller = caller.f_back
        else:
            return
        if name and caller is not None and self._is_program(caller):
            self._used.setdefault(name, caller.f_lineno)

    def _is_program(self, frame: types.FrameType) -> bool:
        """Whether a frame runs the program's code: not the tests', not a library's."""
        path = frame.f_code.co_filename
        return not path.startswith(("/", "<frozen")) and frame.f_globals is not self._tests

    def _trip(self, name: str, frame: types.FrameType) -> None:
        if self._is_program(frame):
            self._noticed.append((f"The program calls {name}, which is for instruments only.", frame.f_lineno))

    def _hear(self, event: str, _: Any) -> None:
        if event in EVENTS:
            self._trip(event, _caller())

    def _start(self, *given: Any, **named: Any) -> Any:
        """Starts a thread, and notices where that hides operations from an instrument."""
        step: types.FrameType | None = _caller() if _followed() else None
        while step is not None and not self._is_program(step):
            step = step.f_back
        if step is not None:
            said = "The program starts a thread while its operations are followed, which hides them."
            self._noticed.append((said, step.f_lineno))
        return _START(*given, **named)


def _caller() -> types.FrameType:
    """The frame that called the function that asks; ``sys._getframe`` would be an event itself."""
    own: Any = None
    try:
        own.none  # noqa: B018 - raises, and so tells the frames
    except AttributeError as here:
        own = here.__traceback__
    frame: types.FrameType = own.tb_frame.f_back.f_back
    return frame


def _followed() -> bool:
    """Whether some instrument follows the operations of this thread."""
    torch: Any = sys.modules["torch"]
    return bool(torch._C._len_torch_dispatch_stack())


def _found(path: str) -> Any:
    """The object at a dotted path; ``None`` where there is none."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            value = getattr(value, part, None)
        return value
    return getattr(builtins, path, None)


def _of_modules() -> Iterator[_Kept]:
    for name in WATCHED_MODULES:
        module = sys.modules.get(name)
        if module is not None:
            own = {
                each: value
                for each, value in vars(module).items()
                if (name, each) not in REPLACED_BY_TORCH and not each.endswith("hook")
            }
            yield from _of_names(vars(module), own, name)


def _of_names(space: dict[str, Any], own: dict[str, Any], place: str) -> Iterator[_Kept]:
    for name, value in own.items():
        if isinstance(value, _OF_FUNCTIONS):
            yield _kept(f"{place}.{name}", lambda space=space, name=name: space[name], value)  # type: ignore[misc]


def _of_classes(classes: Any) -> Iterator[_Kept]:
    for kind in classes:
        if not isinstance(kind, type):
            continue
        for name in dir(kind):
            value = _static(kind, name)
            if callable(value) or isinstance(value, property | classmethod | staticmethod):
                place = f"{kind.__module__}.{kind.__qualname__}.{name}"
                yield _kept(place, lambda kind=kind, name=name: _static(kind, name), value)  # type: ignore[misc]


def _kept(place: str, look: Callable[[], Any], value: Any) -> _Kept:
    return _Kept(place, look, value, getattr(value, "__code__", None), getattr(value, "__defaults__", None))


def _wrapped_by_a_library(now: Any, before: Any) -> bool:
    """Whether a library put a function of its own around one, as optimizers and torch's compiler do with methods."""
    if not isinstance(now, types.FunctionType) or not now.__code__.co_filename.startswith("/"):
        return False
    return any(cell.cell_contents is before for cell in now.__closure__ or ())


def _static(kind: type, name: str) -> Any:
    for each in type.__dict__["__mro__"].__get__(kind):
        space = type.__dict__["__dict__"].__get__(each)
        if name in space:
            return space[name]
    return None


def _put_switches(trip: Callable[[str, types.FrameType], None]) -> None:
    """Puts a function before each switch that tells who calls it; what libraries hold already stays as it is."""
    for module_name, names in SWITCHES.items():
        module = importlib.import_module(module_name)
        for name in names:
            switch = getattr(module, name, None)
            if switch is not None:
                setattr(module, name, _telling(switch, f"{module_name}.{name}", trip))


def _telling(switch: Any, name: str, trip: Callable[[str, types.FrameType], None]) -> Any:
    def told(*given: Any, **named: Any) -> Any:
        trip(name, _caller())
        return switch(*given, **named)

    return told


def _identity(function: Any) -> int:
    return id(function)


def _resolved(forbidden: Sequence[str]) -> tuple[dict[Any, str], set[Any], dict[int, str], dict[str, str]]:
    """What to look for: code of Python functions and of their wrappers, functions of C, and names of such."""
    codes: dict[Any, str] = {}
    wrappers: set[Any] = set()
    objects: dict[int, str] = {}
    names: dict[str, str] = {}
    for entry in forbidden:
        if entry.startswith("."):
            names[entry[1:]] = entry
            found = [getattr(_found(owner), entry[1:], None) for owner in _OWNERS]
        else:
            value = _found(entry)
            found = list(vars(value).values()) if isinstance(value, types.ModuleType) else [value]
        for each in found:
            for function in _functions(each):
                *outer, inner = _unwrapped(function)
                wrappers.update(each.__code__ for each in outer if isinstance(each, types.FunctionType))
                if isinstance(inner, types.FunctionType):
                    codes[inner.__code__] = entry
                elif inner is not None:
                    objects[_identity(inner)] = entry
    return codes, wrappers, objects, names


def _unwrapped(function: Any) -> list[Any]:
    """A function and what it wraps, innermost last."""
    found = [function]
    while not isinstance(found[-1], type) and hasattr(found[-1], "__wrapped__"):
        found.append(found[-1].__wrapped__)
    return found


def _functions(value: Any) -> Iterator[Any]:
    """A function; of a class, what makes and calls its objects."""
    if isinstance(value, type):
        yield from (vars(value).get(name) for name in ("__init__", "__new__", "forward"))
    elif callable(value):
        yield value
