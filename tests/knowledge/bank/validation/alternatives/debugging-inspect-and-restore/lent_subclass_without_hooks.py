from contextlib import contextmanager

import torch
from torch import nn


def _detached(output):
    match output:
        case torch.Tensor():
            return output.detach().clone()
        case dict():
            return {key: _detached(value) for key, value in output.items()}
        case tuple() | list():
            copies = [_detached(value) for value in output]
            return type(output)(*copies) if hasattr(output, "_fields") else type(output)(copies)
        case _:
            return output


def _recording(cls, collected):
    def __call__(self, *args, **kwargs):
        output = cls.__call__(self, *args, **kwargs)
        collected.append(_detached(output))
        return output

    return type(cls.__name__, (cls,), {"__call__": __call__, "__module__": cls.__module__})


@contextmanager
def inspecting(model: nn.Module, names: list[str]):
    modules = dict(model.named_modules())
    wanted = {name: modules[name] for name in names}
    before = [(module, module.training, type(module)) for module in modules.values()]
    outputs = {name: [] for name in wanted}
    try:
        for name, module in wanted.items():
            module.__class__ = _recording(type(module), outputs[name])
        model.eval()
        yield outputs
    finally:
        for module, training, cls in before:
            module.training = training
            module.__class__ = cls
