import torch


class TensorLRU:
    def __init__(self, capacity, shape, dtype=torch.float32):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.values = torch.zeros(capacity, *shape, dtype=dtype)
        self.place, self.key_of = {}, [None] * capacity
        # One ring through all rows and a head; the oldest, and what is free, stand behind the head.
        self.head = capacity
        self.next = [(i + 1) % (capacity + 1) for i in range(capacity + 1)]
        self.prev = [(i - 1) % (capacity + 1) for i in range(capacity + 1)]

    def _unlink(self, i):
        self.next[self.prev[i]], self.prev[self.next[i]] = self.next[i], self.prev[i]

    def _insert(self, i, after):
        before = self.next[after]
        self.next[after] = self.prev[before] = i
        self.prev[i], self.next[i] = after, before

    def _newest(self, i):
        self._unlink(i)
        self._insert(i, self.prev[self.head])

    def get(self, key):
        i = self.place.get(key)
        if i is None:
            return None
        self._newest(i)
        return torch.clone(self.values[i])

    def put(self, key, value):
        if tuple(value.shape) != tuple(self.values.shape[1:]):
            raise ValueError(f"shape {tuple(value.shape)}")
        i = self.place.get(key)
        if i is None:
            i = self.next[self.head]
            old = self.key_of[i]
            if old is not None:
                del self.place[old[0]]
            self.place[key], self.key_of[i] = i, (key,)
        self._newest(i)
        with torch.no_grad():
            self.values[i] = value

    def remove(self, key):
        i = self.place.pop(key, None)
        if i is not None:
            self.key_of[i] = None
            self._unlink(i)
            self._insert(i, self.head)

    def __len__(self):
        return len(self.place)
