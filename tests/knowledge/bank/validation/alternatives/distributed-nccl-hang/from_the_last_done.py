from collections import Counter


def diagnose(dumps, world_size):
    everything = [record for records in dumps.values() for record in records]
    if not everything:
        return None
    begin = max(min(record[0] for record in records) for records in dumps.values() if records)
    reached = []
    for records in dumps.values():
        completed = [record[0] for record in records if record[3] == "completed"]
        reached.append(max(completed) if completed else min((record[0] for record in records), default=begin) - 1)
    newest = max(record[0] for record in everything)
    pending = {record[0] for record in everything if record[3] != "completed"}
    behind = {last + 1 for last in reached if last < newest}
    candidates = pending | behind
    if not candidates:
        return None
    seq = min(candidates)
    entered = {rank: record for rank, records in dumps.items() for record in records if record[0] == seq}
    counts = Counter((op, numel) for _, op, numel, _ in entered.values())
    usual = max(counts, key=counts.get) if counts else None
    told = {
        "waiting": [],
        "different": [],
        "absent": [],
        "dead": sorted(set(range(world_size)) - set(dumps)),
        "seq": seq,
    }
    for rank in sorted(dumps):
        if rank in entered:
            _, op, numel, _ = entered[rank]
            told["waiting" if (op, numel) == usual else "different"].append(rank)
        else:
            told["absent"].append(rank)
    return told
