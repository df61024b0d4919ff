import graphlib


class CycleError(ValueError):
    def __init__(self, cycle):
        super().__init__(" <- ".join(map(repr, cycle[:10])))
        self.cycle = cycle


def topological_order(inputs):
    try:
        return list(graphlib.TopologicalSorter(inputs).static_order())
    except graphlib.CycleError as error:
        found = error.args[1][::-1]
    raise CycleError(found)
