package domain

import "docket/domain/canonical"

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
	dst := make([]byte, 0, len(v.record.document)+len(v.policy.document)+1<<10)
	dst = appendWords(append(dst, `{"blockers":`...), v.judgment.Blockers())
	dst = v.appendConclusion(append(dst, `,"conclusion":`...))
	dst = appendText(append(dst, `,"evaluatedAt":`...), v.EvaluatedAt().String())
	dst = appendText(append(dst, `,"gate":`...), v.judgment.Gate().String())
	dst = appendNumber(append(dst, `,"latestPolicyVersion":`...), v.latest.PolicyVersion)
	dst = appendNumber(append(dst, `,"latestRevision":`...), v.latest.Revision)
	dst = appendDocument(append(dst, `,"packet":`...), v.record)
	return append(appendDocument(append(dst, `,"policy":`...), v.policy), '}')
}

// Digest is H({"salt", "view"}), in which view is the Evidence: the packetDigest of a record.
func (v *View) Digest(salt Salt) Hash {
	dst := canonical.AppendString([]byte(`{"salt":`), string(salt))
	return HashOf(append(append(append(dst, `,"view":`...), v.Evidence()...), '}'))
}

func (v *View) appendConclusion(dst []byte) []byte {
	if v.Area() != Appeals {
		return append(appendWords(append(dst, `{"blockedTransitions":`...), v.judgment.BlockedTransitions()), '}')
	}
	d := v.judgment.Decision()
	dst = appendWords(append(dst, `{"factorCodes":`...), d.FactorCodes)
	dst = appendWord(append(dst, `,"outcome":`...), d.Outcome)
	dst = canonical.AppendString(append(dst, `,"provenanceActivity":`...), d.ProvenanceActivity)
	dst = appendWords(append(dst, `,"reviewScope":`...), d.ReviewScope)
	dst = appendBool(append(dst, `,"standingAccepted":`...), d.StandingAccepted)
	dst = appendWord(append(dst, `,"status":`...), d.Status)
	return append(canonical.AppendString(append(dst, `,"traceabilityBusinessStep":`...), d.TraceabilityStep), '}')
}

// appendDocument appends a stored packet, which is in canonical form, or null for the zero Packet.
func appendDocument(dst []byte, p Packet) []byte {
	if p.document == nil {
		return append(dst, "null"...)
	}
	return append(dst, p.document...)
}
