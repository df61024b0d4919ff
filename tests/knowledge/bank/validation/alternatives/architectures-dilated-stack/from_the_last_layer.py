import torch
import torch.nn.functional as F


def describe(layers):
    first, last, second = 0, 0, 1
    for kernel, stride, padding, dilation in reversed(layers):
        first = first * stride - padding
        second = second * stride - padding
        last = last * stride - padding + (kernel - 1) * dilation
    return last - first + 1, second - first, first


def output_length(length, layers):
    x = torch.empty(1, 1, length, device="meta")
    for kernel, stride, padding, dilation in layers:
        weight = torch.empty(1, 1, kernel, device="meta")
        try:
            x = F.conv1d(x, weight, stride=stride, padding=padding, dilation=dilation)
        except RuntimeError as error:
            raise ValueError("a kernel does not fit") from error
    return x.shape[-1]


def choose_dilations(kernel, wanted):
    if wanted < 1:
        raise ValueError("nothing is wanted")
    if wanted == 1:
        return []
    if kernel < 2:
        raise ValueError("such a kernel sees one input, however many layers there are")
    layers = 0
    while kernel**layers < wanted:
        layers += 1
    return [kernel**layer for layer in reversed(range(layers))]
