import asyncio
from collections import deque


class MicroBatcher:
    def __init__(self, predict, max_size, max_wait):
        self.predict, self.max_size, self.max_wait = predict, max_size, max_wait
        self.pending = deque()
        self.changed = asyncio.Event()
        self.task = None

    async def submit(self, item):
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self.run())
        result = asyncio.get_running_loop().create_future()
        self.pending.append((item, result, asyncio.get_running_loop().time()))
        self.changed.set()
        return await result

    def alive(self):
        self.pending = deque(one for one in self.pending if not one[1].done())
        return self.pending

    async def run(self):
        clock = asyncio.get_running_loop().time
        while True:
            while not self.alive():
                self.changed.clear()
                await self.changed.wait()
            while self.alive() and len(self.pending) < self.max_size:
                left = self.pending[0][2] + self.max_wait - clock()
                if left <= 0:
                    break
                self.changed.clear()
                try:
                    await asyncio.wait_for(self.changed.wait(), left)
                except TimeoutError:
                    pass
            batch = [self.pending.popleft() for _ in range(min(self.max_size, len(self.alive())))]
            if not batch:
                continue
            try:
                answers = await asyncio.get_running_loop().run_in_executor(
                    None, self.predict, [item for item, _, _ in batch]
                )
                pairs = list(zip(batch, answers, strict=True))
            except Exception as error:
                for _, result, _ in batch:
                    result.done() or result.set_exception(error)
            else:
                for (_, result, _), answer in pairs:
                    result.done() or result.set_result(answer)
