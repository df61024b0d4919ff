import torch


def _read(transitions, state, text):
    for character in text:
        state = transitions.get((state, character))
        if state is None:
            return None
    return state


def token_masks(transitions, start, accepting, vocabulary, eos):
    states = {start, *accepting, *(state for state, _ in transitions), *transitions.values()}
    edges = {
        state: {
            number: reached
            for number, text in enumerate(vocabulary)
            if text and number != eos and (reached := _read(transitions, state, text)) is not None
        }
        for state in states
    }
    good = set(accepting)
    changed = True
    while changed:
        more = {state for state in states if good & set(edges[state].values())} - good
        good |= more
        changed = bool(more)
    if start not in good:
        raise ValueError("nothing acceptable can be produced")
    masks = {}
    for state in states:
        mask = torch.zeros(len(vocabulary), dtype=torch.bool)
        for number, reached in edges[state].items():
            mask[number] = reached in good
        mask[eos] = state in accepting
        masks[state] = mask
    return masks


def generate(next_logits, transitions, start, accepting, vocabulary, eos, max_tokens):
    masks, ids, state = token_masks(transitions, start, accepting, vocabulary, eos), [], start
    while len(ids) < max_tokens:
        logits = next_logits(list(ids))
        best = max(masks[state].nonzero().flatten().tolist(), key=lambda number: float(logits[number]))
        if best == eos:
            return ids, True
        ids.append(best)
        state = _read(transitions, state, vocabulary[best])
    return ids, False
