from collections import Counter


def diagnose(dumps, world_size):
    known = {rank: {record[0]: record[1:] for record in records} for rank, records in dumps.items()}
    numbers = sorted({seq for records in known.values() for seq in records})
    for seq in numbers:
        there = {rank: records[seq] for rank, records in known.items() if seq in records}
        # A buffer that begins later has forgotten it: it was done then.
        absent = [rank for rank, records in known.items() if seq not in records and not any(n > seq for n in records)]
        if not absent and all(record[2] == "completed" for record in there.values()):
            continue
        usual = Counter(record[:2] for record in there.values()).most_common(1)[0][0]
        return {
            "seq": seq,
            "waiting": [rank for rank, record in there.items() if record[:2] == usual],
            "different": [rank for rank, record in there.items() if record[:2] != usual],
            "absent": absent,
            "dead": [rank for rank in range(world_size) if rank not in dumps],
        }
    return None
