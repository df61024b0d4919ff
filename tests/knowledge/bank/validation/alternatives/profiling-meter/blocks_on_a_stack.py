import time
from dataclasses import dataclass


@dataclass
class Measured:
    seconds: float = 0.0
    kept: int = 0
    peak: int = 0


class _Block:
    def __init__(self, meter):
        self.meter, self.result = meter, Measured()

    def __enter__(self):
        meter = self.meter
        meter.gpu.synchronize()
        if meter.open:
            meter.open[-1].top = max(meter.open[-1].top, meter.gpu.max_memory_allocated())
        meter.gpu.reset_peak_memory_stats()
        self.base = self.top = meter.gpu.memory_allocated()
        meter.open.append(self)
        self.began = meter.clock()
        return self.result

    def __exit__(self, kind, error, trace):
        meter = self.meter
        meter.gpu.synchronize()
        self.result.seconds = meter.clock() - self.began
        self.top = max(self.top, meter.gpu.max_memory_allocated())
        meter.open.remove(self)
        if meter.open:
            meter.open[-1].top = max(meter.open[-1].top, self.top)
        self.result.kept = meter.gpu.memory_allocated() - self.base
        self.result.peak = self.top - self.base
        return False


class Meter:
    def __init__(self, gpu, clock=time.perf_counter):
        self.gpu, self.clock, self.open = gpu, clock, []

    def measure(self):
        return _Block(self)
