# Computes the packetDigest of a record from three answers of the service: of the packets route, of the record route, and of the
# evaluate route, asked with `record` of the packet, `record` of its policy or null, `evaluatedAt` as `at`, and
# `latestPolicyVersion` and `latestRevision` where they are not null.
import hashlib, json, sys

packets, answer, evaluation = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:4])
record = answer["record"]
name, number = (record["caseId"], record["caseRevision"]) if "caseId" in record else (record["amendmentId"], record["amendmentRevision"])

packet = policy = None
for held in packets["packets"]:
    members = held["record"]
    if held["table"].endswith("_policies"):
        if (members["policyId"], members["policyVersion"]) == (record["policyId"], record["policyVersion"]):
            policy = held
    elif (members.get("caseId", members.get("amendmentId")), members["revision"]) == (name, number):
        packet = held

decision = evaluation.get("decision")
conclusion = {"blockedTransitions": evaluation["blockedTransitions"]} if decision is None else {
    member: decision[member] for member in ("factorCodes", "outcome", "provenanceActivity", "reviewScope",
                                            "standingAccepted", "status", "traceabilityBusinessStep")}
whole, _, fraction = record["evaluatedAt"].removesuffix("Z").partition(".")
at = ".".join(part for part in (whole, fraction.rstrip("0")) if part) + "Z"
view = {"blockers": record["computedBlockers"], "conclusion": conclusion, "evaluatedAt": at,
        "gate": "blocked" if record["computedBlockers"] else "pass", "latestPolicyVersion": record["latestPolicyVersion"],
        "latestRevision": record["latestRevision"], "packet": packet, "policy": policy}
text = json.dumps({"salt": answer["packetSalt"], "view": view}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
print("sha256:" + hashlib.sha256(text.encode()).hexdigest())
