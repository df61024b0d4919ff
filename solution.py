from collections import deque


def hops(graph: dict, start) -> dict:
    """Node -> smallest number of edges from start, for all nodes that can be reached."""
    distance = {start: 0}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for successor in graph.get(node, ()):
            if successor not in distance:
                distance[successor] = distance[node] + 1
                waiting.append(successor)
    return distance