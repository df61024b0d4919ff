def describe(layers):
    if not layers:
        return 1, 1, 0
    (kernel, stride, padding, dilation), *rest = layers
    field, step, start = describe(rest)
    return (field - 1) * stride + (kernel - 1) * dilation + 1, step * stride, start * stride - padding


def output_length(length, layers):
    if not layers:
        return length
    (kernel, stride, padding, dilation), *rest = layers
    places = range(-padding, length + padding - (kernel - 1) * dilation, stride)
    if not places:
        raise ValueError("no place for the kernel")
    return output_length(len(places), rest)


def choose_dilations(kernel, wanted):
    if wanted < 1 or (wanted != 1 and kernel <= 1):
        raise ValueError(f"kernel {kernel}, wanted {wanted}")
    if wanted == 1:
        return []
    smaller = choose_dilations(kernel, -(-wanted // kernel))
    return [*smaller, kernel ** len(smaller)]
