import torch


def walk(transitions, state, text):
    for character in text:
        if state is not None:
            state = transitions.get((state, character))
    return state


def token_masks(transitions, start, accepting, vocabulary, eos):
    reached, order = {start}, [start]
    moves, sources = {}, {}
    for state in order:
        moves[state] = {}
        for token, text in enumerate(vocabulary):
            if token == eos or not text:
                continue
            target = walk(transitions, state, text)
            if target is None:
                continue
            moves[state][token] = target
            sources.setdefault(target, set()).add(state)
            if target not in reached:
                reached.add(target)
                order.append(target)
    alive, pending = set(), [state for state in order if state in accepting]
    while pending:
        state = pending.pop()
        if state not in alive:
            alive.add(state)
            pending.extend(sources.get(state, ()))
    if start not in alive:
        raise ValueError(start)
    return {
        state: torch.tensor(
            [
                state in accepting if token == eos else moves[state].get(token) in alive
                for token in range(len(vocabulary))
            ]
        )
        for state in order
        if state in alive
    }


def generate(next_logits, transitions, start, accepting, vocabulary, eos, max_tokens):
    masks = token_masks(transitions, start, accepting, vocabulary, eos)
    state, ids = start, []
    for _ in range(max_tokens):
        logits = torch.where(masks[state], next_logits(ids), torch.tensor(-torch.inf))
        token = logits.argmax().item()
        if token == eos:
            return ids, True
        ids = [*ids, token]
        state = walk(transitions, state, vocabulary[token])
    return ids, False
