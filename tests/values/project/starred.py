"""All that is public."""
import torch.optim

PUBLIC = "starred"
_private = 1
