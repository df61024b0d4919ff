def hops(graph, start):
    order, distance = [start], {start: 0}
    for node in order:
        if node in graph:
            for successor in graph[node]:
                if successor not in distance:
                    distance[successor] = distance[node] + 1
                    order.append(successor)
    return distance
