import torch


def train_step(model, optimizer, scheduler, scaler, loss_fn, x, y, dtype, max_norm):
    model.zero_grad(set_to_none=True)
    optimizer.zero_grad(set_to_none=True)
    with torch.autocast(device_type=x.device.type, dtype=dtype):
        prediction = model(x)
        loss = loss_fn(prediction, y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    parameters = [p for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
    norm = torch.nn.utils.get_total_norm([p.grad for p in parameters])
    moved = torch.isfinite(norm).item()
    if moved:
        torch.nn.utils.clip_grads_with_norm_(parameters, max_norm, norm)
        scaler.step(optimizer)
        scheduler.step()
    scaler.update()
    return loss.item(), norm.item(), moved
