"""How time, memory and error grow: with threads, the band limit, the number of transforms. The
pictures follow those of libsharp's paper (Reinecke & Seljebotn 2013, figures 5 to 11)."""
import candidates
import scaling_sizes
import scaling_threads

SCALING = {
    "strong": scaling_threads.strong,
    "weak": scaling_threads.weak,
    "cost": scaling_threads.cost,
    "many": scaling_threads.many,
    "memory": scaling_sizes.memory,
    "accuracy": scaling_sizes.accuracy,
    "peak": scaling_sizes.peak,
}


def run(options, say, kept):
    """Each scenario adds its records to the list of its name; "finished" lists the scenarios that
    came to their end."""
    versions = {"armilla": candidates.Armilla(options.library).version}
    if options.peers:
        peers, missing = candidates.load_peers()
        versions.update({peer.name: peer.version for peer in peers})
        for message in missing:
            say(message)
    kept.result["versions"] = versions
    finished = kept.list("finished")
    for name in options.scenario or SCALING:
        if name in finished:
            continue
        kept.list(name).clear()
        for record in SCALING[name](options, say):
            kept.add(name, record)
        finished.append(name)
        if kept.list(name):
            kept.write()
