from itertools import accumulate
from math import ceil
from operator import mul


def describe(layers):
    *jumps, stride = accumulate((stride for _, stride, _, _ in layers), mul, initial=1)
    field = 1 + sum((kernel - 1) * dilation * jump for (kernel, _, _, dilation), jump in zip(layers, jumps))
    return field, stride, -sum(padding * jump for (_, _, padding, _), jump in zip(layers, jumps))


def output_length(length, layers):
    for kernel, stride, padding, dilation in layers:
        reach, length = dilation * (kernel - 1) + 1, length + 2 * padding
        if reach > length:
            raise ValueError(f"a reach of {reach} in {length} positions")
        length = (length - reach + stride) // stride
    return length


def choose_dilations(kernel, wanted):
    if wanted < 1 or wanted > 1 and kernel < 2:
        raise ValueError("impossible")
    dilations, field = [], 1
    while field < wanted:
        dilations.append(min(field, ceil((wanted - field) / (kernel - 1))))
        field += (kernel - 1) * dilations[-1]
    return dilations
