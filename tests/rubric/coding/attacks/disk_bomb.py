# Ends as: error.
def twice_the_sum(x):
    with open("big", "wb") as file:
        for _ in range(400):
            file.write(bytes(10**6))
    return 2 * x.sum()
