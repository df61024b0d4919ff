"""Headers by which a judge knows which prompts belong to one answer, and says that it takes no new ones."""

ANSWER = "x-answer"
"""Of a request: names the answer that its prompts belong to."""

LEFT = "x-prompts-left"
"""Of a request: how many requests of the same answer are still to come."""

STOPPING = "x-judge-stopping"
"""Of the reply to a request that is refused because the judge is stopping."""
