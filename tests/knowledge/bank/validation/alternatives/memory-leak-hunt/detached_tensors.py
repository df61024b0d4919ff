import torch


class Monitor:
    def __init__(self, model, optimizer, loss_fn, keep=3):
        self.model, self.optimizer, self.loss_fn, self.keep = model, optimizer, loss_fn, keep
        self.running, self.hardest, self.spread = None, [], []

    def step(self, x, y):
        self.optimizer.zero_grad()
        output = self.model(x)
        loss = self.loss_fn(output, y)
        loss.backward()
        self.optimizer.step()
        with torch.no_grad():
            self.spread.append(output.std())
        loss = loss.detach()
        self.running = loss if self.running is None else 0.9 * self.running + 0.1 * loss
        if len(self.hardest) < self.keep or loss > self.hardest[-1][0]:
            self.hardest.append((loss, x.detach().cpu(), y.detach().cpu()))
            self.hardest.sort(key=lambda entry: entry[0].item(), reverse=True)
            while len(self.hardest) > self.keep:
                self.hardest.pop()
