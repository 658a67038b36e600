package domain

import "docket/domain/ordered"

// AppendAnswer appends, as one JSON object, what Judge concluded about the question:
//
//	{"table", "id", "revision", "gate", "blockers", "decision"}                                              for appeals
//	{"table", "id", "revision", "gate", "blockers", "transition", "protectedBoundary", "blockedTransitions"}  for amendments
//
// id and revision are null where there is no record; transition and protectedBoundary where there is no transition.
func AppendAnswer(dst []byte, q *Question, j Judgment) []byte {
	w := ordered.Append(dst)
	writeWord(w.Open().Name("table"), q.Table())
	if key, ok := q.Key(); ok {
		w.Name("id").String(string(key.ID)).Name("revision").Int(key.Number)
	} else {
		w.Name("id").Null().Name("revision").Null()
	}
	w.Name("gate").Word(j.Gate().String())
	writeWords(w.Name("blockers"), j.Blockers())
	switch j.Area() {
	case Appeals:
		decision := DecisionOf(j)
		decision.writeAnswer(w.Name("decision"))
	case Amendments:
		writeWord(w.Name("transition"), j.Transition())
		w.Name("protectedBoundary").StringOrNull(j.ProtectedBoundary())
		writeWords(w.Name("blockedTransitions"), j.BlockedTransitions())
	}
	return w.Close().Text()
}

// AppendRefusal appends what stands in place of an answer: {"error": {"line", "pointer", "reason"}}. Where all of several
// faults are known, "faults": [{"pointer", "reason"}] lists them, too.
func AppendRefusal(dst []byte, line int, fault Fault, all ...Fault) []byte {
	w := ordered.Append(dst)
	w.Open().Name("error").Open().Name("line").Int(int64(line))
	w.Name("pointer").String(fault.Pointer).Name("reason").String(fault.Reason)
	if len(all) > 1 {
		ordered.List(w.Name("faults"), all, func(w *ordered.Writer, f *Fault) {
			w.Open().Name("pointer").String(f.Pointer).Name("reason").String(f.Reason).Close()
		})
	}
	return w.Close().Close().Text()
}

// writeAnswer writes the decision in the order in which the source lists its members.
func (d *Decision) writeAnswer(w *ordered.Writer) {
	writeWord(w.Open().Name("status"), d.Status)
	writeWord(w.Name("outcome"), d.Outcome)
	writeWords(w.Name("factorCodes"), d.FactorCodes)
	w.Name("humanReviewRequired").Bool(true).Name("stateMutation").Bool(false).Name("standingAccepted").Bool(d.StandingAccepted)
	writeWords(w.Name("reviewScope"), d.ReviewScope)
	w.Name("requiredArtifacts").Strings(d.RequiredArtifacts).Name("privacyActions").Strings(d.PrivacyActions)
	w.Name("provenanceActivity").String(d.ProvenanceActivity).Name("traceabilityBusinessStep").String(d.TraceabilityStep)
	w.Name("appealScopeStatement").String(d.AppealScopeStatement)
	writeWords(w.Name("blockers"), d.Blockers)
	w.Close()
}

// writeWord writes a word, or null for an absent one. Words are plain ASCII.
func writeWord[K Kind](w *ordered.Writer, word Word[K]) { w.Word(word.String()) }

func writeWords[K Kind](w *ordered.Writer, words []Word[K]) {
	w.OpenList()
	for _, word := range words {
		writeWord(w, word)
	}
	w.CloseList()
}
