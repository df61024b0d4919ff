"""A well-formed bank entry for tests to break."""

ENTRY = """\
---
topic: tensors
---

# Tensors

## Strides

- id: tensors-strides
- kind: concept
- level: mid
- minutes: 5

### Spoken

What are strides, and when does
a view need a copy?

### Shown

What are `stride()`s?

### Reference

Steps in memory.

```python
import math
assert math.isclose(1.0, 1.0)
```

### Criteria

#### c1 (weight 3)

Says that strides are steps
in memory.

- probe: Where is the next row?
- met: you jump that many numbers
  to get to the next row
- contradicted: it is the number of rows
- near: tensors have a shape

##### Proof

```python
x = [[1, 2], [3, 4]]
print(len(x))  # prints: 2
assert len(x) == 2
```

#### c2

Says when a copy is needed.

### Hint

Think of transposing.

### Starter

### Reading

- PyTorch documentation: Tensor views
"""
