import time
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Measured:
    seconds: float = 0.0
    kept: int = 0
    peak: int = 0


class Meter:
    def __init__(self, gpu, clock=time.perf_counter):
        self.gpu, self.clock, self.missed = gpu, clock, 0

    @contextmanager
    def measure(self):
        self.gpu.synchronize()
        of_the_outer_one = max(self.missed, self.gpu.max_memory_allocated())
        self.gpu.reset_peak_memory_stats()
        self.missed, level, result = 0, self.gpu.memory_allocated(), Measured()
        began = self.clock()
        try:
            yield result
        finally:
            self.gpu.synchronize()
            result.seconds = self.clock() - began
            top = max(self.missed, self.gpu.max_memory_allocated())
            result.kept, result.peak = self.gpu.memory_allocated() - level, top - level
            self.missed = max(of_the_outer_one, top)
