_MISSING = object()


class LRUCache:
    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self.held = {}

    def get(self, key):
        value = self.held.pop(key, _MISSING)
        if value is _MISSING:
            return None
        self.held[key] = value
        return value

    def put(self, key, value):
        self.held.pop(key, None)
        self.held[key] = value
        if len(self.held) > self.capacity:
            del self.held[next(iter(self.held))]

    def __len__(self):
        return len(self.held)
