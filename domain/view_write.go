package domain

import "docket/domain/ordered"

// append appends the view in canonical form.
func (v *View) append(dst []byte) []byte {
	w := ordered.Append(dst)
	w.Open()
	if blocked := v.judgment.BlockedTransitions(); v.Area() != Appeals && len(blocked) > 0 {
		writeWords(w.Name("blockedTransitions"), blocked)
	}
	writeWords(w.Name("blockers"), v.judgment.Blockers())
	if v.Area() == Appeals {
		decision := DecisionOf(v.judgment)
		decision.write(w.Name("decision"))
	}
	w.Name("evaluatedAt").StringOrNull(v.EvaluatedAt().String())
	w.Name("gate").Word(v.judgment.Gate().String())
	w.Name("id").StringOrNull(string(v.Key().ID))
	if boundary := v.judgment.ProtectedBoundary(); v.Area() != Appeals && boundary != "" {
		w.Name("protectedBoundary").String(boundary)
	}
	ordered.List(w.Name("redactions"), v.redactions, func(w *ordered.Writer, r *Redaction) { r.write(w) })
	w.Name("revision").Int(v.Key().Number)
	ordered.List(w.Name("sections"), v.sections, func(w *ordered.Writer, s *Section) { s.write(w) })
	writeWord(w.Name("table"), v.Table())
	return w.Close().Text()
}

// write writes the decision in canonical form.
func (d *Decision) write(w *ordered.Writer) {
	w.Open().Name("appealScopeStatement").String(d.AppealScopeStatement)
	writeWords(w.Name("blockers"), d.Blockers)
	writeWords(w.Name("factorCodes"), d.FactorCodes)
	w.Name("humanReviewRequired").Bool(d.HumanReviewRequired)
	writeWord(w.Name("outcome"), d.Outcome)
	w.Name("privacyActions").Strings(d.PrivacyActions)
	w.Name("provenanceActivity").String(d.ProvenanceActivity)
	w.Name("requiredArtifacts").Strings(d.RequiredArtifacts)
	writeWords(w.Name("reviewScope"), d.ReviewScope)
	w.Name("standingAccepted").Bool(d.StandingAccepted)
	w.Name("stateMutation").Bool(d.StateMutation)
	writeWord(w.Name("status"), d.Status)
	w.Name("traceabilityBusinessStep").String(d.TraceabilityStep)
	w.Close()
}

func (s *Section) write(w *ordered.Writer) {
	writeWord(w.Open().Name("name"), s.Name)
	ordered.List(w.Name("rows"), s.Rows, func(w *ordered.Writer, r *Row) { r.write(w) })
	w.Close()
}

func (r *Row) write(w *ordered.Writer) {
	w.Open()
	if len(r.Codes) > 0 {
		writeWords(w.Name("codes"), r.Codes)
	}
	w.Name("label").String(r.Label).Name("mark").Word(r.Mark.String()).Name("value").String(r.Value).Close()
}
