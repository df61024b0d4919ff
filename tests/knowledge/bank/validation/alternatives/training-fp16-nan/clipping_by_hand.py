import torch
import torch.nn.functional as F


def clip_(grads, max_norm):
    total = torch.stack([grad.float().norm() for grad in grads]).norm()
    factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for grad in grads:
        grad.mul_(factor.to(grad.dtype))


def train_step(model, optimizer, scaler, x, y, max_norm=1.0):
    model.zero_grad(set_to_none=True)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(x.device.type, dtype=torch.float16):
        prediction = model(x)
    loss = F.mse_loss(prediction.float(), y.float())
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    clip_([p.grad for p in model.parameters() if p.grad is not None], max_norm)
    scaler.step(optimizer)
    scaler.update()
    return loss.detach().item()
