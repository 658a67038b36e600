# Reads a PROV-JSON document with the prov library (python3-prov), and checks it: it says the same after a round trip, and its
# bundles together name nothing that they do not describe, and have no circle. Prints how many of each kind they have.
import collections, sys
from prov.model import ProvDocument, ProvElement, ProvDerivation, ProvGeneration, PROV_ATTR_GENERATED_ENTITY, PROV_ATTR_USED_ENTITY

document = ProvDocument.deserialize(sys.argv[1], format="json")
again = ProvDocument.deserialize(content=document.serialize(format="json"), format="json")
if again != document:
    raise SystemExit("a round trip changes it")
document = document.flattened().unified()
described = {record.identifier for record in document.get_records(ProvElement)}
counts = collections.Counter()
edges = collections.defaultdict(set)
for record in document.get_records():
    counts[record.get_type().localpart] += 1
    if isinstance(record, ProvElement):
        continue
    for name, value in record.formal_attributes:
        if value is not None and hasattr(value, "namespace") and value not in described:
            raise SystemExit(f"{record} names {value}, which is not described")
    if isinstance(record, ProvDerivation):
        edges[record.args[0]].add(record.args[1])
generated = [record.args[0] for record in document.get_records(ProvGeneration)]
if len(generated) != len(set(generated)):
    raise SystemExit("something is generated twice")
for activity in document.get_records():
    if activity.get_type().localpart == "Activity" and activity.get_startTime() > activity.get_endTime():
        raise SystemExit(f"{activity} ends before it starts")
done = set()
for start in list(edges):
    path, stack = set(), [(start, False)]
    while stack:
        node, leaving = stack.pop()
        if leaving:
            path.discard(node)
            done.add(node)
        elif node in path:
            raise SystemExit(f"{node} is derived from itself")
        elif node not in done:
            path.add(node)
            stack.append((node, True))
            stack.extend((to, False) for to in edges.get(node, ()))
for kind in sorted(counts):
    print(kind, counts[kind])
