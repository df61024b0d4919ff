import torch


def token_masks(transitions, start, accepting, vocabulary, eos):
    words = [(token, text) for token, text in enumerate(vocabulary) if text and token != eos]
    memo = {}

    def after(state, text):
        if not text:
            return (state,)
        key = (state, text[0])
        return after(transitions[key], text[1:]) if key in transitions else ()

    def explore(state):
        if state not in memo:
            memo[state] = {}
            for token, text in words:
                for target in after(state, text):
                    memo[state][token] = target
                    explore(target)

    explore(start)
    useful = {state: state in accepting for state in memo}
    for _ in memo:
        useful = {state: useful[state] or any(useful[t] for t in memo[state].values()) for state in memo}
    if not useful[start]:
        raise ValueError("no acceptable text")
    result = {}
    for state, targets in memo.items():
        mask = [useful[targets[token]] if token in targets else False for token in range(len(vocabulary))]
        mask[eos] = state in accepting
        result[state] = torch.tensor(mask, dtype=torch.bool)
    return result


def generate(next_logits, transitions, start, accepting, vocabulary, eos, max_tokens):
    masks, state, ids = token_masks(transitions, start, accepting, vocabulary, eos), start, []
    for _ in range(max_tokens):
        scores = next_logits(ids)
        allowed = masks[state].nonzero().flatten()
        token = int(allowed[scores[allowed].argmax()])
        if token == eos:
            return ids, True
        ids.append(token)
        for character in vocabulary[token]:
            state = transitions[state, character]
    return ids, False
