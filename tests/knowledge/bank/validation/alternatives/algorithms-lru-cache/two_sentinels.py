class Link:
    __slots__ = ("key", "value", "left", "right")

    def __init__(self, key=None, value=None):
        self.key, self.value, self.left, self.right = key, value, None, None


class LRUCache:
    def __init__(self, capacity):
        if capacity <= 0:
            raise ValueError(capacity)
        self.capacity, self.map, self.head, self.tail = capacity, {}, Link(), Link()
        self.head.right, self.tail.left = self.tail, self.head

    def _take_out(self, link):
        link.left.right, link.right.left = link.right, link.left

    def _to_front(self, link):
        link.left, link.right = self.head, self.head.right
        self.head.right.left = link
        self.head.right = link

    def get(self, key):
        try:
            link = self.map[key]
        except KeyError:
            return None
        self._take_out(link)
        self._to_front(link)
        return link.value

    def put(self, key, value):
        if key in self.map:
            link = self.map[key]
            link.value = value
            self._take_out(link)
        else:
            if len(self.map) == self.capacity:
                last = self.tail.left
                self._take_out(last)
                del self.map[last.key]
            link = self.map[key] = Link(key, value)
        self._to_front(link)

    def __len__(self):
        return len(self.map)
