"""Ratio = time of the fastest peer over ours: larger than 1 means that Armilla is faster."""


def best_peer(record):
    peers = {name: s for name, s in record["seconds"].items() if name != "armilla"}
    return min(peers, key=peers.get) if peers else None


def ratio(record):
    peer = best_peer(record)
    if peer is None or "armilla" not in record["seconds"]:
        return None
    return record["seconds"][peer] / record["seconds"]["armilla"]
