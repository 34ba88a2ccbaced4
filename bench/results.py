"""Results in files: those of earlier runs, and that of the run in progress."""
import json
import os

# What makes two records of a scenario or stage one and the same measurement.
IDENTITY = ("what", "scenario", "kind", "lmax", "spin", "ntrans", "isa", "operator", "library")
KINDS = ("command", "quick", "threads", "isa")


def load(folder, quick):
    """All of a folder, oldest first; those of quick runs only where asked for."""
    found = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if not name.endswith(".json"):
            continue
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as text:
            result = json.load(text)
        if "command" in result and (quick or not result["quick"]):
            found.append(dict(result, path=path))
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


def newest_of(results, name):
    """The records of a list that results may have, each the newest of its kind."""
    found = {}
    for result in results:
        for record in result.get(name, ()):
            key = tuple(record.get(field) for field in IDENTITY)
            found.pop(key, None)  # newer ones stand behind
            found[key] = record
    return list(found.values())


class Keeper:
    """The result of a run in progress and its file, written anew after each measurement."""

    def __init__(self, folder, result):
        self.folder, self.result, self.path = folder, result, None

    def resume(self):
        """Takes over what the newest run of the same kind has. Returns a message."""
        def kind(result):
            return [result.get(field) for field in KINDS] + [result["machine"]["label"]]
        same = [old for old in load(self.folder, True) if kind(old) == kind(self.result)]
        if not same:
            return "run.py: nothing to resume"
        old = same[-1]
        self.path = old.pop("path")
        self.result.update(old)
        return f"run.py: goes on with {self.path}"

    def list(self, name):
        """The list of that name, empty at first."""
        return self.result.setdefault(name, [])

    def add(self, name, record):
        self.list(name).append(dict(record, load=round(os.getloadavg()[0], 2)))
        self.write()

    def write(self):
        if self.path is None:
            stamp = self.result["machine"]["date"].replace(":", "").replace("+0000", "Z")
            self.path = os.path.join(self.folder, f"{self.result['command']}-{stamp}.json")
            os.makedirs(self.folder, exist_ok=True)
        with open(self.path + ".part", "w", encoding="utf-8") as out:
            json.dump(self.result, out, indent=1)
        os.replace(self.path + ".part", self.path)
