package domain

import "docket/domain/ordered"

// Evidence is what the reviewer was shown, without the words and the order in which a screen shows it, in canonical form.
// packetDigest covers it, and whoever holds the packets can write it again:
//
//	{
//	  "blockers": […],                the codes that hold, in the order of source 7
//	  "conclusion": {…},              what else the rules concluded
//	  "evaluatedAt": "…",             the moment for which the packet was judged
//	  "gate": "pass" or "blocked",
//	  "latestPolicyVersion": n,       the highest number that was known, or null
//	  "latestRevision": n,            likewise
//	  "packet": {…},                  the case or amendment as it is stored, redacted: Packet.Document
//	  "policy": {…}                   the policy as it is stored, or null if none was held
//	}
//
// The conclusion is, for an appeal, {"factorCodes", "outcome", "provenanceActivity", "reviewScope", "standingAccepted",
// "status", "traceabilityBusinessStep"} of its decision (source 2.3.7); for an amendment, {"blockedTransitions"}.
func (v *View) Evidence() []byte {
	w := ordered.Append(make([]byte, 0, len(v.record.Document())+len(v.policy.Document())+1<<10))
	writeWords(w.Open().Name("blockers"), v.judgment.Blockers())
	v.writeConclusion(w.Name("conclusion"))
	w.Name("evaluatedAt").StringOrNull(v.EvaluatedAt().String())
	w.Name("gate").Word(v.judgment.Gate().String())
	w.Name("latestPolicyVersion").IntOrNull(v.latest.PolicyVersion)
	w.Name("latestRevision").IntOrNull(v.latest.Revision)
	writePacket(w.Name("packet"), v.record)
	writePacket(w.Name("policy"), v.policy)
	return w.Close().Text()
}

// Digest is H({"salt", "view"}), in which view is the Evidence: the packetDigest of a record.
func (v *View) Digest(salt Salt) Hash {
	w := ordered.Writer{}
	return HashOf(w.Open().Name("salt").String(string(salt)).Name("view").Raw(v.Evidence()).Close().Text())
}

func (v *View) writeConclusion(w *ordered.Writer) {
	if v.Area() != Appeals {
		writeWords(w.Open().Name("blockedTransitions"), v.judgment.BlockedTransitions())
		w.Close()
		return
	}
	d := DecisionOf(v.judgment)
	writeWords(w.Open().Name("factorCodes"), d.FactorCodes)
	writeWord(w.Name("outcome"), d.Outcome)
	w.Name("provenanceActivity").String(d.ProvenanceActivity)
	writeWords(w.Name("reviewScope"), d.ReviewScope)
	w.Name("standingAccepted").Bool(d.StandingAccepted)
	writeWord(w.Name("status"), d.Status)
	w.Name("traceabilityBusinessStep").String(d.TraceabilityStep).Close()
}

// writePacket writes a stored packet, which is in canonical form, or null for the zero Packet.
func writePacket(w *ordered.Writer, p Packet) {
	if p.Document() == nil {
		w.Null()
		return
	}
	w.Raw(p.Document())
}
