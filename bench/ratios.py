"""Ratio = time of the fastest peer over ours: larger than 1 means that Armilla is faster."""
OURS, ALONE = "armilla", "armilla, one by one"


def best_peer(record):
    peers = {name: s for name, s in record["seconds"].items() if not name.startswith(OURS)}
    return min(peers, key=peers.get) if peers else None


def ratio(record):
    peer = best_peer(record)
    if peer is None or OURS not in record["seconds"]:
        return None
    return record["seconds"][peer] / record["seconds"][OURS]


def by_problem(records):
    """[records of one problem, ...] in their order."""
    found = {}
    for record in records:
        found.setdefault(record["scenario"], []).append(record)
    return list(found.values())


def total(records, name_of):
    """Sum of the times of the library that name_of picks in each record, or None."""
    names = [name_of(record) for record in records]
    if not all(name in record["seconds"] for name, record in zip(names, records)):
        return None
    return sum(record["seconds"][name] for name, record in zip(names, records))


def quotient(records, above, below):
    top, bottom = total(records, above), total(records, below)
    return top / bottom if top and bottom else None


def combined(records):
    """Both operators of one problem: the fastest peers' times over ours."""
    return quotient(records, best_peer, lambda record: OURS)


def gain_at_once(records):
    """Our transforms one by one over the same at once."""
    return quotient(records, lambda record: ALONE, lambda record: OURS)
