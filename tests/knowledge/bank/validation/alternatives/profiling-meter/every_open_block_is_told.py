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
        self.gpu, self.clock = gpu, clock
        self.running = []

    def _look(self):
        seen = self.gpu.max_memory_allocated()
        for block in self.running:
            block["peak"] = max(block["peak"], seen)
        self.gpu.reset_peak_memory_stats()

    @contextmanager
    def measure(self):
        self.gpu.synchronize()
        self._look()
        before = self.gpu.memory_allocated()
        block, result = {"peak": before}, Measured()
        self.running.append(block)
        start = self.clock()
        try:
            yield result
        finally:
            self.gpu.synchronize()
            stop = self.clock()
            self._look()
            self.running = [one for one in self.running if one is not block]
            result.seconds, result.peak = stop - start, block["peak"] - before
            result.kept = self.gpu.memory_allocated() - before
