import sys
from collections import Counter


class _Graph(dict):
    """A graph that counts how often each node's successors are looked up."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.looked_up = Counter()

    def __getitem__(self, node):
        self.looked_up[node] += 1
        return super().__getitem__(node)

    def get(self, node, default=None):
        self.looked_up[node] += 1
        return super().get(node, default)


class _Node:
    """A node that counts how often nodes are compared."""

    comparisons = 0

    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        _Node.comparisons += 1
        return self.number == other.number

    def __hash__(self):
        return hash(self.number)


def _random_graph(t, n, edges):
    graph = {}
    for _ in range(edges):
        graph.setdefault(t.random.randrange(n), []).append(t.random.randrange(n))
    for node in range(n):
        if t.random.random() < 0.3:
            graph.setdefault(node, [])
    return graph


def _copy(graph):
    return {node: list(successors) for node, successors in graph.items()}


def _moved(call):
    """How many elements of local lists move because of a change before them."""
    moved, before = 0, {}

    def watch(frame, event, argument):
        nonlocal moved
        for name, value in frame.f_locals.items():
            if isinstance(value, list) and value:
                length, last = before.get((id(frame), name), (len(value), None))
                if len(value) != length and value[-1] is last:
                    moved += len(value)
                before[id(frame), name] = len(value), value[-1]
        return watch

    earlier = sys.gettrace()
    sys.settrace(watch)
    try:
        call()
    finally:
        sys.settrace(earlier)
    return moved


def example_a_chain(t):
    graph = {0: [1], 1: [2], 2: [3]}
    for start in (0, 2):
        yield {"graph": graph, "start": start}, lambda: hops(_copy(graph), start)


def example_a_short_cut_and_a_detour(t):
    graph = {"s": ["goal", "a"], "a": ["b"], "b": ["goal"], "goal": ["t"], "t": []}
    yield {"graph": graph, "start": "s"}, lambda: hops(_copy(graph), "s")


def example_a_cycle(t):
    graph = {0: [0, 1], 1: [2], 2: [0], 3: [0]}
    yield {"graph": graph, "start": 0}, lambda: hops(_copy(graph), 0)


def property_graphs_of_any_size(t):
    for n in (1, 2, 3, 5, 8, 20):
        for edges in (0, n // 2, n, 2 * n, 4 * n):
            graph, start = _random_graph(t, n, edges), t.random.randrange(n)
            yield {"graph": graph, "start": start}, lambda: hops(_copy(graph), start)


def property_successors_in_any_order(t):
    graph = {"s": ["a", "b"], "a": ["goal"], "b": ["c"], "c": ["d"], "d": ["goal"], "goal": ["s"]}
    for _ in range(4):
        t.random.shuffle(graph["s"])
        yield {"graph": _copy(graph), "start": "s"}, lambda: hops(_copy(graph), "s")


def property_a_long_detour_beside_a_short_path(t):
    for length in (3, 10, 30):
        graph = {node: [node + 1] for node in range(length)}
        graph[0] = [1, -1] if t.random.random() < 0.5 else [-1, 1]
        graph[-1] = [length]
        graph[length] = [length // 2]
        yield {"graph": graph, "start": 0}, lambda: hops(_copy(graph), 0)


def property_nodes_without_an_entry(t):
    kinds = (({}, "alone"), ({1: [2, 3]}, 1), ({1: [2, 3]}, 3), ({1: []}, 1), ({1: [2]}, 7))
    for graph, start in kinds:
        yield {"graph": graph, "start": start}, lambda: hops(_copy(graph), start)


def property_nodes_of_any_kind(t):
    places = [(0, 0), (0, 1), (1, 0), (1, 1), "", "x", -1, 2.5, None]
    t.random.shuffle(places)
    graph = {place: t.random.sample(places, 2) for place in places}
    yield {"graph": graph, "start": places[0]}, lambda: hops(_copy(graph), places[0])


def property_edges_given_twice(t):
    graph = {0: [1, 1, 2, 2, 0], 1: [2, 2, 3, 1], 2: [3, 3, 0], 4: [0]}
    for start in (0, 4):
        yield {"graph": graph, "start": start}, lambda: hops(_copy(graph), start)


def property_the_graph_stays(t):
    graph = _random_graph(t, 6, 8)
    after, start = _copy(graph), t.random.randrange(8)
    found = hops(after, start)
    case = {"graph": graph, "start": start, "looked at": "the result, and the graph after it"}
    yield case, (found, after)


def property_calls_share_nothing(t):
    for graph, start in (({0: [1]}, 0), ({1: [2]}, 1), ({0: [2]}, 0)):
        case = {"graph": graph, "start": start, "calls before": "with other graphs"}
        yield case, lambda: hops(graph, start)


def property_a_long_path(t):
    n = 20_000
    graph = {node: [node + 1] for node in range(n)}
    put_in = {"graph": "0 -> 1 -> 2 -> … -> 20000", "start": 0}
    found = hops(graph, 0)
    case = {**put_in, "looked at": "number of nodes, hops to the last"}
    yield case, lambda: (len(found), found[n])


def resource_successors_are_looked_up_once(t):
    layers = [list(range(6 * layer, 6 * layer + 6)) for layer in range(4)]
    for name, plain in (
        ("60 nodes, each with edges to all", {node: list(range(60)) for node in range(60)}),
        ("24 nodes in layers of 6", {node: layers[node // 6 + 1] for node in range(18)}),
        ("random", _random_graph(t, 60, 240)),
    ):
        graph = _Graph(plain)
        found = hops(graph, 0)
        most = max(graph.looked_up.values(), default=0)
        case = {"graph": name, "start": 0}
        yield case, ({"most look-ups of one node at most 1": most <= 1}, found)


def resource_nodes_are_not_searched_for_in_a_list(t):
    nodes = [_Node(number) for number in range(600)]
    graph = {}
    for place, node in enumerate(nodes):
        graph[node] = [nodes[(3 * place + step) % 600] for step in (1, 2, 3)]
    _Node.comparisons = 0
    found = {node.number: number for node, number in hops(graph, nodes[0]).items()}
    seen = {"at most 20000 comparisons of nodes": _Node.comparisons <= 20_000}
    yield {"graph": "600 nodes, 1800 edges"}, (seen, found)


def resource_many_nodes_wait_at_once(t):
    graph = {0: list(range(1, 2000))}
    moved = _moved(lambda: hops(graph, 0))
    case = {"graph": "one node with edges to 1999 others"}
    yield case, {"few elements of lists are moved": moved <= 8000}


def speed_hops(t):
    for n in (1000, 2000, 4000, 8000):
        graph = _random_graph(t, n, 4 * n)
        yield n, t.seconds(lambda: hops(graph, 0))
