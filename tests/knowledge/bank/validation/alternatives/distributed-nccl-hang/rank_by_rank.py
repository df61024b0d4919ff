def diagnose(dumps, world_size):
    ends = {rank: records[-1][0] if records else -1 for rank, records in dumps.items()}
    stuck = None
    for rank, records in dumps.items():
        for seq, _, _, state in records:
            late = any(ends[other] < seq for other in dumps)
            if (state != "completed" or late) and (stuck is None or seq < stuck):
                stuck = seq
    if stuck is None:
        return None
    calls = {}
    for rank, records in dumps.items():
        for seq, op, numel, _ in records:
            if seq == stuck:
                calls.setdefault((op, numel), []).append(rank)
    groups = sorted(calls.values(), key=len, reverse=True)
    here = [rank for group in groups for rank in group]
    return {
        "seq": stuck,
        "waiting": sorted(groups[0]),
        "different": sorted(rank for group in groups[1:] for rank in group),
        "absent": sorted(rank for rank in dumps if rank not in here),
        "dead": [rank for rank in range(world_size) if dumps.get(rank) is None],
    }
