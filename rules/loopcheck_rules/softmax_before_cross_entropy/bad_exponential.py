"""The network computes its loss itself when it is given targets: of the exponential of a log-softmax, which is a softmax."""

import torch
from torch import nn


class Reader(nn.Module):
    def __init__(self, inputs, candidates):
        super().__init__()
        self.score = nn.Linear(inputs, candidates)
        self.log_softmax = nn.LogSoftmax(dim=1)

    def forward(self, x, target=None):
        scores = self.score(x)
        chances = torch.exp(self.log_softmax(scores))
        if target is not None:
            loss_fct = nn.CrossEntropyLoss()
            return chances, loss_fct(chances, target)  # bug
        return chances


torch.manual_seed(0)
model = Reader(6, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
questions, answers = torch.randn(48, 6), torch.randint(0, 3, (48,))
for epoch in range(3):
    for question, answer in zip(questions.split(12), answers.split(12), strict=True):
        chances, loss = model(question, answer)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
