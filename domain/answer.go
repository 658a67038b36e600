package domain

import "docket/domain/canonical"

// AppendAnswer appends, as one JSON object, what Judge concluded about the question:
//
//	{"table", "id", "revision", "gate", "blockers", "decision"}                                              for appeals
//	{"table", "id", "revision", "gate", "blockers", "transition", "protectedBoundary", "blockedTransitions"}  for amendments
//
// id and revision are null where there is no record; transition and protectedBoundary where there is no transition.
func AppendAnswer(dst []byte, q *Question, j Judgment) []byte {
	dst = appendWord(append(dst, `{"table":`...), q.Table())
	if key, ok := q.Key(); ok {
		dst = canonical.AppendString(append(dst, `,"id":`...), string(key.ID))
		dst = canonical.AppendInt(append(dst, `,"revision":`...), key.Number)
	} else {
		dst = append(dst, `,"id":null,"revision":null`...)
	}
	dst = append(append(append(dst, `,"gate":"`...), j.Gate().String()...), '"')
	dst = appendWords(append(dst, `,"blockers":`...), j.Blockers())
	switch j.area {
	case Appeals:
		decision := j.Decision()
		dst = appendDecision(append(dst, `,"decision":`...), &decision)
	case Amendments:
		dst = appendWord(append(dst, `,"transition":`...), j.transition)
		dst = append(dst, `,"protectedBoundary":`...)
		if boundary := j.ProtectedBoundary(); boundary != "" {
			dst = canonical.AppendString(dst, boundary)
		} else {
			dst = append(dst, "null"...)
		}
		dst = appendWords(append(dst, `,"blockedTransitions":`...), j.BlockedTransitions())
	}
	return append(dst, '}')
}

// AppendRefusal appends what stands in place of an answer: {"error": {"line", "pointer", "reason"}}. Where all of several
// faults are known, "faults": [{"pointer", "reason"}] lists them, too.
func AppendRefusal(dst []byte, line int, fault Fault, all ...Fault) []byte {
	dst = canonical.AppendInt(append(dst, `{"error":{"line":`...), int64(line))
	dst = append(dst, ',')
	dst = appendFault(dst, fault)
	if len(all) > 1 {
		dst = append(dst, `,"faults":[`...)
		for i, fault := range all {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendFault(append(dst, '{'), fault), '}')
		}
		dst = append(dst, ']')
	}
	return append(dst, `}}`...)
}

func appendFault(dst []byte, fault Fault) []byte {
	dst = canonical.AppendString(append(dst, `"pointer":`...), fault.Pointer)
	return canonical.AppendString(append(dst, `,"reason":`...), fault.Reason)
}

func appendDecision(dst []byte, d *Decision) []byte {
	dst = appendWord(append(dst, `{"status":`...), d.Status)
	dst = appendWord(append(dst, `,"outcome":`...), d.Outcome)
	dst = appendWords(append(dst, `,"factorCodes":`...), d.FactorCodes)
	dst = append(dst, `,"humanReviewRequired":true,"stateMutation":false,"standingAccepted":`...)
	if d.StandingAccepted {
		dst = append(dst, "true"...)
	} else {
		dst = append(dst, "false"...)
	}
	dst = appendWords(append(dst, `,"reviewScope":`...), d.ReviewScope)
	dst = appendTexts(append(dst, `,"requiredArtifacts":`...), d.RequiredArtifacts)
	dst = appendTexts(append(dst, `,"privacyActions":`...), d.PrivacyActions)
	dst = canonical.AppendString(append(dst, `,"provenanceActivity":`...), d.ProvenanceActivity)
	dst = canonical.AppendString(append(dst, `,"traceabilityBusinessStep":`...), d.TraceabilityStep)
	dst = canonical.AppendString(append(dst, `,"appealScopeStatement":`...), d.AppealScopeStatement)
	dst = appendWords(append(dst, `,"blockers":`...), d.Blockers)
	return append(dst, '}')
}

// appendWord appends a word, or null for an absent one. Words are plain ASCII.
func appendWord[K kind](dst []byte, w Word[K]) []byte {
	if !w.Present() {
		return append(dst, "null"...)
	}
	return append(append(append(dst, '"'), w.String()...), '"')
}

func appendWords[K kind](dst []byte, words []Word[K]) []byte {
	dst = append(dst, '[')
	for i, w := range words {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendWord(dst, w)
	}
	return append(dst, ']')
}

func appendTexts(dst []byte, texts []string) []byte {
	dst = append(dst, '[')
	for i, text := range texts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = canonical.AppendString(dst, text)
	}
	return append(dst, ']')
}
