import weakref

import torch


class _Key:
    """A key that counts how often keys are compared or hashed."""

    looks = 0

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        _Key.looks += 1
        return self.number == other.number

    def __hash__(self):
        _Key.looks += 1
        return hash(self.number)


def _vector(number):
    return torch.full((3,), float(number))


def _done(cache, action, key, number):
    if action == "get":
        return cache.get(key)
    if action == "put":
        cache.put(key, _vector(number))
    else:
        cache.remove(key)
    return len(cache)


def _played(cache, steps, shown=12):
    """What each get returned, and else the number of keys, with the steps up to it."""
    told = []
    for number, (action, key) in enumerate(steps, 1):
        told.append(f"put {key} = {number}" if action == "put" else f"{action} {key}")
        looked_at = "what get returned" if action == "get" else "len(cache)"
        put_in = {
            "capacity": len(cache.values),
            "last steps": ", ".join(told[-shown:]),
            "looked at": looked_at,
        }
        yield put_in, lambda: _done(cache, action, key, number)


def example_the_least_recently_used_key_goes(t):
    cache = TensorLRU(2, (3,))
    steps = ["put a", "put b", "get a", "put c", "get b", "get a", "get c", "remove a", "get a"]
    yield from _played(cache, [step.split() for step in steps])


def example_a_value_is_replaced(t):
    cache = TensorLRU(2, (3,))
    steps = ["put a", "put b", "put a", "put c", "get b", "get a"]
    yield from _played(cache, [step.split() for step in steps])


def property_any_mixture_of_steps(t):
    for capacity in (1, 2, 3, 8):
        cache = TensorLRU(capacity, (3,))
        actions = ["get", "get", "put", "put", "put", "remove"]
        steps = [(t.random.choice(actions), t.random.randrange(2 * capacity)) for _ in range(80)]
        yield from _played(cache, steps)


def property_what_was_returned_stays(t):
    for capacity in (1, 4):
        cache, held = TensorLRU(capacity, (3,)), []
        for number in range(20):
            cache.put(number, _vector(number))
            held.append(cache.get(t.random.randrange(max(0, number - capacity + 1), number + 1)))
            cache.put(number, _vector(-number))
        cache.remove(19)
        cache.put("new", _vector(77))
        yield {"capacity": capacity, "looked at": "20 returned tensors, after all steps"}, held


def property_all_that_is_cached_lies_in_one_tensor(t):
    for capacity, shape in ((1, (3,)), (5, (2, 2)), (8, ())):
        cache = TensorLRU(capacity, shape)
        address = cache.values.data_ptr()
        for key in range(3 * capacity):
            cache.put(key, torch.full(shape, float(key)))
        cache.remove(3 * capacity - 1)
        cache.put("last", torch.full(shape, -1.0))
        put_in = {
            "capacity": capacity,
            "shape": shape,
            "looked at": "the numbers in values, sorted",
        }
        numbers = torch.as_tensor(cache.values).detach().flatten().sort().values
        yield put_in, (tuple(cache.values.shape), numbers, cache.values.data_ptr() == address)


def property_a_wrong_shape_changes_nothing(t):
    for shape in ((3,), (2, 1)):
        cache = TensorLRU(2, shape)
        first, second = t.randn(*shape), t.randn(*shape)
        cache.put("a", first)
        cache.put("b", second)
        for wrong in ((), (1,), (1, *shape), (4,), (1, 1)):
            put_in = {"shape": shape, "shape of the value": wrong}
            yield put_in, t.raised(cache.put, "a", torch.ones(wrong))
            yield put_in, t.raised(cache.put, "c", torch.ones(wrong))
        cache.put("d", t.randn(*shape))
        for key in "abcd":
            put_in = {"steps": "put a, put b, wrong puts of a and c, put d", "get": key}
            yield put_in, lambda: (cache.get(key), len(cache))


def property_dtypes_and_strides(t):
    for dtype in (torch.int64, torch.float64, torch.bool):
        cache = TensorLRU(2, (2, 3), dtype=dtype)
        value = t.integers(0, 2, 2, 3).to(dtype)
        cache.put("a", t.strided(value))
        yield {"dtype": dtype, "value": value}, lambda: (cache.get("a"), str(cache.values.dtype))


def property_the_callers_tensor_may_change(t):
    cache, value = TensorLRU(2, (3,)), t.randn(3)
    cache.put("a", value)
    before = value.clone()
    value.zero_()
    yield {"put": before, "then": "the caller sets it to zeros"}, lambda: cache.get("a")


def property_tensors_that_require_gradients(t):
    cache = TensorLRU(2, (3,))
    for key in "abc":
        leaf = t.randn(3, requires_grad=True)
        value = leaf if key == "b" else leaf * 2
        cache.put(key, value)
        found = cache.get(key)
        seen = {
            "values require gradients": cache.values.requires_grad,
            "the result does": found.requires_grad,
        }
        yield {"put": "a tensor that requires gradients"}, (seen, found)


def property_capacities_below_one(t):
    for capacity in (0, -1, -7):
        yield {"capacity": capacity}, t.raised(TensorLRU, capacity, (3,))


def resource_no_search_through_the_keys(t):
    cache, looks = TensorLRU(200, ()), []
    for number in [*range(300), *range(300)]:
        _Key.looks = 0
        cache.put(_Key(number), torch.zeros(()))
        cache.get(_Key(number))
        if number % 3 == 0:
            cache.remove(_Key(number))
        looks.append(_Key.looks)
    put_in = {"capacity": 200, "steps": "put, get and sometimes remove, 600 times"}
    yield put_in, {"keys are hashed or compared at most 60 times a round": max(looks) <= 60}


def resource_time_does_not_grow_with_the_keys(t):
    seconds = []
    for capacity in (64, 16384):
        cache = TensorLRU(capacity, ())
        value = torch.zeros(())
        for key in range(capacity):
            cache.put(key, value)
        fresh = iter(range(capacity, 100 * capacity))

        def rounds():
            for _ in range(5):
                key = next(fresh)
                cache.put(key, value)
                cache.get(key - capacity // 2)
                cache.remove(key - capacity // 2)
                cache.put(key - capacity // 2, value)

        seconds.append(t.seconds(rounds))
    seen = {"a step takes less than 15 times as long": seconds[1] < 15 * seconds[0]}
    yield {"capacities": "64 and 16384, both full"}, seen


def resource_nothing_else_is_kept(t):
    cache, known = TensorLRU(4, (100,)), []
    for key in range(60):
        value = torch.full((100,), float(key))
        known.append(weakref.ref(value))
        cache.put(key % 7, value)
        cache.get(key % 5)
        del value
    seen = {"tensors put in that are still held": sum(one() is not None for one in known)}
    yield {"values put in": 60, "capacity": 4}, seen
