import asyncio
from concurrent.futures import ThreadPoolExecutor


class MicroBatcher:
    def __init__(self, predict, max_size, max_wait):
        self._predict, self._size, self._wait = predict, max_size, max_wait
        self._waiting, self._busy, self._timer = [], False, None
        self._thread = ThreadPoolExecutor(1)

    async def submit(self, item):
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._waiting.append((item, future, loop.time() + self._wait))
        self._look()
        return await future

    def _look(self):
        loop = asyncio.get_running_loop()
        self._waiting = [one for one in self._waiting if not one[1].done()]
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._busy or not self._waiting:
            return
        due = self._waiting[0][2]
        if len(self._waiting) >= self._size or loop.time() >= due:
            batch, self._waiting = self._waiting[: self._size], self._waiting[self._size :]
            self._busy = True
            call = loop.run_in_executor(self._thread, self._predict, [item for item, _, _ in batch])
            call.add_done_callback(lambda done: self._deliver(done, batch))
        else:
            self._timer = loop.call_at(due, self._look)

    def _deliver(self, done, batch):
        self._busy = False
        error = done.exception()
        results = [] if error else list(done.result())
        if not error and len(results) < len(batch):
            error = ValueError(f"{len(results)} results for {len(batch)} items")
        for place, (_, future, _) in enumerate(batch):
            if future.done():
                continue
            if error:
                future.set_exception(error)
            else:
                future.set_result(results[place])
        self._look()
