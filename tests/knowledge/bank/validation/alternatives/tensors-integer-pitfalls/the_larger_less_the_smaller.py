import torch


def change_rate(frames: torch.Tensor, stamps: list[float]) -> torch.Tensor:
    """Mean absolute change of a pixel per second between neighboring frames, shape (T - 1,)."""
    seconds = torch.tensor(stamps, dtype=torch.float64).diff()
    change = torch.maximum(frames[1:], frames[:-1]) - torch.minimum(frames[1:], frames[:-1])
    change = change.flatten(1).to(torch.float64).mean(dim=1)
    return (change / seconds).float()
