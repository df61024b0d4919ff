import torch


def info_nce(a, b, temperature=0.07, ids=None):
    a = a / a.norm(dim=1, keepdim=True)
    b = b / b.norm(dim=1, keepdim=True)
    logits = a @ b.t() / temperature
    if ids is not None:
        others = ~torch.eye(len(a), dtype=torch.bool, device=a.device)
        logits = logits.masked_fill((ids.unsqueeze(0) == ids.unsqueeze(1)) & others, float("-inf"))
    of_rows = logits.log_softmax(dim=1).diagonal()
    of_columns = logits.log_softmax(dim=0).diagonal()
    return -0.5 * (of_rows.mean() + of_columns.mean())
