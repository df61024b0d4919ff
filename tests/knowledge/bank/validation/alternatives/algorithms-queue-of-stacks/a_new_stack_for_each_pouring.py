class Queue:
    def __init__(self, new_stack):
        self.new_stack = new_stack
        self.rear = new_stack()
        self.front = new_stack()
        self.n = 0

    def push(self, x):
        self.rear.push(x)
        self.n += 1

    def pop(self):
        if not self.n:
            raise IndexError
        if len(self.front) == 0:
            out = self.new_stack()
            while len(self.rear) > 0:
                out.push(self.rear.pop())
            self.front = out
        self.n -= 1
        return self.front.pop()

    def __len__(self):
        return self.n
