import torch


def beam_search(step, start, end, width, max_length, alpha=0.0):
    if width < 1:
        raise ValueError("a beam has at least one place")
    if max_length < 1:
        raise ValueError("at least one token must be allowed")
    beams, scores, finished = torch.full((1, 1), start, dtype=torch.long), torch.zeros(1, dtype=torch.float64), []
    for length in range(1, max_length + 1):
        sums = scores[:, None] + step(beams).double()
        for beam, total in zip(beams, sums[:, end]):
            if total.isfinite():
                finished.append((beam[1:].tolist() + [end], total.item() / length**alpha))
        others = sums.clone()
        others[:, end] = -torch.inf
        order = others.flatten().sort(descending=True, stable=True)
        keep = order.values.isfinite()
        places, scores = order.indices[keep][:width], order.values[keep][:width]
        beams = torch.cat([beams[places // sums.shape[1]], (places % sums.shape[1])[:, None]], dim=1)
        finished.sort(key=lambda pair: pair[1], reverse=True)
        if len(beams) == 0:
            return finished[:width]
        if alpha == 0 and len(finished) >= width and finished[width - 1][1] >= scores.max():
            return finished[:width]
    finished += [(beam[1:].tolist(), total / max_length**alpha) for beam, total in zip(beams, scores.tolist())]
    return sorted(finished, key=lambda pair: pair[1], reverse=True)[:width]
