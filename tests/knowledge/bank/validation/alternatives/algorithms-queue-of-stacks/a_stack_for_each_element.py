class _Cell:
    def __init__(self, stack):
        self.stack, self.behind = stack, None


class Queue:
    def __init__(self, new_stack):
        self.new_stack = new_stack
        self.first = self.last = _Cell(new_stack())
        self.count = 0

    def push(self, x):
        self.last.stack.push(x)
        self.last.behind = self.last = _Cell(self.new_stack())
        self.count += 1

    def pop(self):
        x = self.first.stack.pop()
        self.first = self.first.behind
        self.count -= 1
        return x

    def __len__(self):
        return self.count
