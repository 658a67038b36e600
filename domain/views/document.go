package views

import (
	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/rules"
	"docket/domain/terms"
)

func (v *View) append(dst []byte) []byte {
	w := json.Append(dst)
	w.Open()
	if blocked := v.evaluation.BlockedTransitions(); v.Area() != terms.Appeals && len(blocked) > 0 {
		packets.WriteTerms(w.Name("blockedTransitions"), blocked)
	}
	packets.WriteTerms(w.Name("blockers"), v.evaluation.Blockers())
	if v.Area() == terms.Appeals {
		decision := DecisionOf(v.evaluation)
		decision.write(w.Name("decision"))
	}
	w.Name("evaluatedAt").StringOrNull(v.EvaluatedAt().String())
	w.Name("gate").StringOrNull(v.evaluation.Gate().String())
	w.Name("id").StringOrNull(string(v.Key().ID))
	if boundary := v.evaluation.ProtectedBoundary(); v.Area() != terms.Appeals && boundary != "" {
		w.Name("protectedBoundary").String(boundary)
	}
	json.List(w.Name("redactions"), v.redactions, func(w *json.Writer, r *packets.Redaction) { r.Write(w) })
	w.Name("revision").Int(v.Key().Number)
	json.List(w.Name("sections"), v.Sections(), func(w *json.Writer, s *Section) { s.write(w) })
	packets.WriteTerm(w.Name("table"), v.Table())
	return w.Close().Text()
}

func (d *Decision) write(w *json.Writer) {
	w.Open().Name("appealScopeStatement").String(d.AppealScopeStatement)
	packets.WriteTerms(w.Name("blockers"), d.Blockers)
	packets.WriteTerms(w.Name("factorCodes"), d.FactorCodes)
	w.Name("humanReviewRequired").Bool(d.HumanReviewRequired)
	packets.WriteTerm(w.Name("outcome"), d.Outcome)
	w.Name("privacyActions").Strings(d.PrivacyActions)
	w.Name("provenanceActivity").String(d.ProvenanceActivity)
	w.Name("requiredArtifacts").Strings(d.RequiredArtifacts)
	packets.WriteTerms(w.Name("reviewScope"), d.ReviewScope)
	w.Name("standingAccepted").Bool(d.StandingAccepted)
	w.Name("stateMutation").Bool(d.StateMutation)
	packets.WriteTerm(w.Name("status"), d.Status)
	w.Name("traceabilityBusinessStep").String(d.TraceabilityStep)
	w.Close()
}

func (s *Section) write(w *json.Writer) {
	packets.WriteTerm(w.Open().Name("name"), s.Name)
	json.List(w.Name("rows"), s.Rows, writeRow)
	w.Close()
}

func writeRow(w *json.Writer, r *pages.Row) {
	w.Open()
	if len(r.Codes) > 0 {
		packets.WriteTerms(w.Name("codes"), r.Codes)
	}
	w.Name("label").String(r.Label).Name("mark").StringOrNull(r.Mark.String()).Name("value").String(r.Value).Close()
}

// Evidence is the content of the view, without the words and the order in which a screen shows it,
// in canonical form. packetDigest covers it, and it can be written again from the packets:
//
//	{
//	  "blockers": […],                the codes that hold, in the order of source 7
//	  "conclusion": {…},              what else the rules concluded
//	  "evaluatedAt": "…",             the moment for which the packet was judged
//	  "gate": "pass" or "blocked",
//	  "latestPolicyVersion": n,       the highest number that was known, or null
//	  "latestRevision": n,            the same of revisions
//	  "packet": {…},                  the case or amendment as stored, redacted: Packet.Document
//	  "policy": {…}                   the policy as it is stored, or null if none was held
//	}
//
// The conclusion is, for an appeal, {"factorCodes", "outcome", "provenanceActivity", "reviewScope",
// "standingAccepted", "status", "traceabilityBusinessStep"} of its decision (source 2.3.7); for an
// amendment, {"blockedTransitions"}.
func (v *View) Evidence() []byte {
	record, policy := v.record.Document(), v.policy.Document()
	w := json.Append(make([]byte, 0, len(record)+len(policy)+1<<10))
	packets.WriteTerms(w.Open().Name("blockers"), v.evaluation.Blockers())
	v.writeConclusion(w.Name("conclusion"))
	w.Name("evaluatedAt").StringOrNull(v.EvaluatedAt().String())
	w.Name("gate").StringOrNull(v.evaluation.Gate().String())
	w.Name("latestPolicyVersion").IntOrNull(v.latest.PolicyVersion)
	w.Name("latestRevision").IntOrNull(v.latest.Revision)
	writePacket(w.Name("packet"), record)
	writePacket(w.Name("policy"), policy)
	return w.Close().Text()
}

// Digest is H({"salt", "view"}), in which view is the Evidence: the packetDigest of a record.
func (v *View) Digest(salt packets.Salt) terms.Hash {
	w := json.Writer{}
	return terms.HashOf(w.Open().Name("salt").String(string(salt)).Name("view").Raw(v.Evidence()).Close().Text())
}

func (v *View) writeConclusion(w *json.Writer) {
	if v.Area() != terms.Appeals {
		packets.WriteTerms(w.Open().Name("blockedTransitions"), v.evaluation.BlockedTransitions())
		w.Close()
		return
	}
	d := DecisionOf(v.evaluation)
	packets.WriteTerms(w.Open().Name("factorCodes"), d.FactorCodes)
	packets.WriteTerm(w.Name("outcome"), d.Outcome)
	w.Name("provenanceActivity").String(d.ProvenanceActivity)
	packets.WriteTerms(w.Name("reviewScope"), d.ReviewScope)
	w.Name("standingAccepted").Bool(d.StandingAccepted)
	packets.WriteTerm(w.Name("status"), d.Status)
	w.Name("traceabilityBusinessStep").String(d.TraceabilityStep).Close()
}

func writePacket(w *json.Writer, document []byte) {
	if document == nil {
		w.Null()
		return
	}
	w.Raw(document)
}

// AppendAnswer appends an evaluation as one JSON object:
//
//	appeals:    {"table", "id", "revision", "gate", "blockers", "decision"}
//	amendments: {"table", "id", "revision", "gate", "blockers", "transition",
//	             "protectedBoundary", "blockedTransitions"}
//
// id and revision are null where there is no record; transition and protectedBoundary where there
// is no transition.
func AppendAnswer(dst []byte, q *rules.Input, j rules.Evaluation) []byte {
	w := json.Append(dst)
	packets.WriteTerm(w.Open().Name("table"), q.Table())
	if key, ok := q.Key(); ok {
		w.Name("id").String(string(key.ID)).Name("revision").Int(key.Number)
	} else {
		w.Name("id").Null().Name("revision").Null()
	}
	w.Name("gate").StringOrNull(j.Gate().String())
	packets.WriteTerms(w.Name("blockers"), j.Blockers())
	switch j.Area() {
	case terms.Appeals:
		decision := DecisionOf(j)
		decision.writeAnswer(w.Name("decision"))
	case terms.Amendments:
		packets.WriteTerm(w.Name("transition"), j.Transition())
		w.Name("protectedBoundary").StringOrNull(j.ProtectedBoundary())
		packets.WriteTerms(w.Name("blockedTransitions"), j.BlockedTransitions())
	}
	return w.Close().Text()
}

// AppendRefusal appends a refusal in place of an answer: {"error": {"line", "pointer", "reason"}}.
// If several faults are known, "faults": [{"pointer", "reason"}] lists all of them.
func AppendRefusal(dst []byte, line int, fault json.Fault, all ...json.Fault) []byte {
	w := json.Append(dst)
	w.Open().Name("error").Open().Name("line").Int(int64(line))
	w.Name("pointer").String(fault.Pointer).Name("reason").String(fault.Reason)
	if len(all) > 1 {
		json.List(w.Name("faults"), all, func(w *json.Writer, f *json.Fault) {
			w.Open().Name("pointer").String(f.Pointer).Name("reason").String(f.Reason).Close()
		})
	}
	return w.Close().Close().Text()
}

// writeAnswer writes the decision in the order in which the source lists its members.
func (d *Decision) writeAnswer(w *json.Writer) {
	packets.WriteTerm(w.Open().Name("status"), d.Status)
	packets.WriteTerm(w.Name("outcome"), d.Outcome)
	packets.WriteTerms(w.Name("factorCodes"), d.FactorCodes)
	w.Name("humanReviewRequired").Bool(true).Name("stateMutation").Bool(false).Name("standingAccepted").Bool(d.StandingAccepted)
	packets.WriteTerms(w.Name("reviewScope"), d.ReviewScope)
	w.Name("requiredArtifacts").Strings(d.RequiredArtifacts).Name("privacyActions").Strings(d.PrivacyActions)
	w.Name("provenanceActivity").String(d.ProvenanceActivity).Name("traceabilityBusinessStep").String(d.TraceabilityStep)
	w.Name("appealScopeStatement").String(d.AppealScopeStatement)
	packets.WriteTerms(w.Name("blockers"), d.Blockers)
	w.Close()
}
