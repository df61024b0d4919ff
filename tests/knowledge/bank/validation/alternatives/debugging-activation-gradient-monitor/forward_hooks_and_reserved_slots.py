from functools import partial

import torch
from torch import nn


class Monitor:
    def __init__(self, model: nn.Module):
        self.model = model
        self.activations: dict[str, list[float]] = {}
        self.gradients: dict[str, list[float]] = {}
        self._handles = []

    def __enter__(self):
        for name, module in self.model.named_modules():
            if next(module.children(), None) is None:
                self.activations.setdefault(name, [])
                self.gradients.setdefault(name, [])
                self._handles.append(module.register_forward_hook(partial(self._called, name)))
        return self

    def __exit__(self, *error):
        while self._handles:
            self._handles.pop().remove()
        return False

    def _called(self, name, module, args, output):
        if not isinstance(output, torch.Tensor):
            return None
        self.activations[name].append(output.detach().double().square().mean().sqrt().item())
        slots = self.gradients[name]
        slots.append(0.0)
        if not output.requires_grad:
            return None
        index = len(slots) - 1

        def arrived(grad):
            slots[index] = grad.detach().double().norm().item()

        if output.is_leaf:
            self._handles.append(output.register_hook(arrived))
            return None
        # the hook of a view is lost when the next module writes into the view
        result = output.clone() if output._is_view() else output
        result.register_hook(arrived)
        return result
