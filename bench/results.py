"""Results kept by earlier runs."""
import json
import os


def load(folder, quick):
    """All of a folder, oldest first; those of quick runs only where asked for."""
    found = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if not name.endswith(".json"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as text:
            result = json.load(text)
        if "command" in result and (quick or not result["quick"]):
            found.append(result)
    return sorted(found, key=lambda result: result["machine"]["date"])


def label(result):
    """For names of pictures: the machine, and what is not as usual."""
    forced = f"-only-{result['isa']}" if result.get("isa") else ""
    threads = result.get("threads", 1) if result["command"] == "sht" else 1
    return result["machine"]["label"] + forced + (f"-{threads}-threads" if threads > 1 else "")


def newest_records(results):
    """{(scenario of the problem, operator): record} of sht runs; a newer one takes the place."""
    found = {}
    for result in results:
        for record in result.get("records", ()):
            found[record["scenario"], record["operator"]] = record
    return found
