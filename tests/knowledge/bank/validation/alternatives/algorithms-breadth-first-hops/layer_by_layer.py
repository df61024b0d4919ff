def hops(graph, start):
    found = {start: 0}
    layer, distance = [start], 0
    while layer:
        distance += 1
        following = []
        for node in layer:
            for successor in graph.get(node, []):
                if successor not in found:
                    found[successor] = distance
                    following.append(successor)
        layer = following
    return found
