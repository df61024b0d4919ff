from collections import deque


def hops(graph, start):
    distance = {}
    waiting = deque([(start, 0)])
    while waiting:
        node, hop = waiting.popleft()
        if node in distance:
            continue
        distance[node] = hop
        for successor in graph.get(node, ()):
            if successor not in distance:
                waiting.append((successor, hop + 1))
    return distance
