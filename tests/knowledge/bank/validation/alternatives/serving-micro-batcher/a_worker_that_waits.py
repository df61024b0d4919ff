import asyncio


class MicroBatcher:
    def __init__(self, predict, max_size, max_wait):
        self.predict, self.max_size, self.max_wait = predict, max_size, max_wait
        self.queue, self.worker = None, None

    async def submit(self, item):
        loop = asyncio.get_running_loop()
        if self.worker is None:
            self.queue = asyncio.Queue()
            self.worker = loop.create_task(self._work())
        future = loop.create_future()
        self.queue.put_nowait((loop.time(), item, future))
        return await future

    async def _work(self):
        loop = asyncio.get_running_loop()
        while True:
            batch = [await self.queue.get()]
            deadline = batch[0][0] + self.max_wait
            while True:
                batch = [one for one in batch if not one[2].done()]
                while len(batch) < self.max_size and not self.queue.empty():
                    one = self.queue.get_nowait()
                    if not one[2].done():
                        batch.append(one)
                left = deadline - loop.time()
                if len(batch) >= self.max_size or left <= 0 or not batch:
                    break
                try:
                    batch.append(await asyncio.wait_for(self.queue.get(), left))
                except asyncio.TimeoutError:
                    break
            batch = [one for one in batch if not one[2].done()]
            if not batch:
                continue
            futures = [future for _, _, future in batch]
            try:
                results = await asyncio.to_thread(self.predict, [item for _, item, _ in batch])
                if len(results) != len(batch):
                    raise RuntimeError("predict returned another number of results")
            except Exception as error:
                for future in futures:
                    if not future.done():
                        future.set_exception(error)
                continue
            for future, result in zip(futures, results):
                if not future.done():
                    future.set_result(result)
