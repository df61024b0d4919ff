from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook


@dataclass
class Call:
    name: str
    activation: float
    gradient: float = 0.0

    def receive(self, grad):
        self.gradient = grad.detach().to(torch.float64).pow(2).sum().sqrt().item()


class Monitor:
    def __init__(self, model: nn.Module):
        self.model = model
        self.calls: list[Call] = []

    @property
    def activations(self):
        return self._by_name("activation")

    @property
    def gradients(self):
        return self._by_name("gradient")

    def _by_name(self, field):
        lists = defaultdict(list)
        for call in self.calls:
            lists[call.name].append(getattr(call, field))
        return dict(lists)

    def __enter__(self):
        names = {
            module: name for name, module in self.model.named_modules() if not any(True for _ in module.children())
        }

        def hook(module, args, output):
            if module in names and isinstance(output, torch.Tensor):
                return self._note(names[module], output)

        self._stack = ExitStack()
        self._stack.callback(register_module_forward_hook(hook).remove)
        return self

    def __exit__(self, *error):
        self._stack.close()

    def _note(self, name, output):
        values = output.detach().to(torch.float64)
        call = Call(name, (values * values).mean().sqrt().item())
        self.calls.append(call)
        if output.requires_grad:
            if output._is_view() and not output.is_leaf:
                output = output.clone()
            handle = output.register_hook(call.receive)
            if output.is_leaf:
                self._stack.callback(handle.remove)
        return output
