class Queue:
    def __init__(self, new_stack):
        self.stacks = [new_stack(), new_stack()]

    def push(self, x):
        self.stacks[0].push(x)

    def pop(self):
        inn, out = self.stacks
        try:
            return out.pop()
        except IndexError:
            while True:
                try:
                    out.push(inn.pop())
                except IndexError:
                    break
            return out.pop()

    def __len__(self):
        return sum(map(len, self.stacks))
