package domain

import "docket/domain/canonical"

// append appends the view in canonical form.
func (v *View) append(dst []byte) []byte {
	dst = append(dst, '{')
	if blocked := v.judgment.BlockedTransitions(); v.Area() != Appeals && len(blocked) > 0 {
		dst = append(appendWords(append(dst, `"blockedTransitions":`...), blocked), ',')
	}
	dst = append(appendWords(append(dst, `"blockers":`...), v.judgment.Blockers()), ',')
	if v.Area() == Appeals {
		decision := v.judgment.Decision()
		dst = append(decision.append(append(dst, `"decision":`...)), ',')
	}
	dst = appendText(append(dst, `"evaluatedAt":`...), v.EvaluatedAt().String())
	dst = appendText(append(dst, `,"gate":`...), v.judgment.Gate().String())
	dst = appendText(append(dst, `,"id":`...), string(v.Key().ID))
	if boundary := v.judgment.ProtectedBoundary(); v.Area() != Appeals && boundary != "" {
		dst = canonical.AppendString(append(dst, `,"protectedBoundary":`...), boundary)
	}
	dst = appendRedactions(append(dst, `,"redactions":`...), v.redactions)
	dst = canonical.AppendInt(append(dst, `,"revision":`...), v.Key().Number)
	dst = appendSections(append(dst, `,"sections":`...), v.sections)
	return append(appendWord(append(dst, `,"table":`...), v.Table()), '}')
}

func (d *Decision) append(dst []byte) []byte {
	dst = canonical.AppendString(append(dst, `{"appealScopeStatement":`...), d.AppealScopeStatement)
	dst = appendWords(append(dst, `,"blockers":`...), d.Blockers)
	dst = appendWords(append(dst, `,"factorCodes":`...), d.FactorCodes)
	dst = appendBool(append(dst, `,"humanReviewRequired":`...), d.HumanReviewRequired)
	dst = appendWord(append(dst, `,"outcome":`...), d.Outcome)
	dst = appendTexts(append(dst, `,"privacyActions":`...), d.PrivacyActions)
	dst = canonical.AppendString(append(dst, `,"provenanceActivity":`...), d.ProvenanceActivity)
	dst = appendTexts(append(dst, `,"requiredArtifacts":`...), d.RequiredArtifacts)
	dst = appendWords(append(dst, `,"reviewScope":`...), d.ReviewScope)
	dst = appendBool(append(dst, `,"standingAccepted":`...), d.StandingAccepted)
	dst = appendBool(append(dst, `,"stateMutation":`...), d.StateMutation)
	dst = appendWord(append(dst, `,"status":`...), d.Status)
	dst = canonical.AppendString(append(dst, `,"traceabilityBusinessStep":`...), d.TraceabilityStep)
	return append(dst, '}')
}

func appendSections(dst []byte, sections []Section) []byte {
	if sections == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i := range sections {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendWord(append(dst, `{"name":`...), sections[i].Name)
		dst = append(appendRows(append(dst, `,"rows":`...), sections[i].Rows), '}')
	}
	return append(dst, ']')
}

func appendRows(dst []byte, rows []Row) []byte {
	if rows == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i := range rows {
		if i > 0 {
			dst = append(dst, ',')
		}
		row := &rows[i]
		dst = append(dst, '{')
		if len(row.Codes) > 0 {
			dst = append(appendWords(append(dst, `"codes":`...), row.Codes), ',')
		}
		dst = canonical.AppendString(append(dst, `"label":`...), row.Label)
		dst = append(append(append(dst, `,"mark":"`...), row.Mark.String()...), '"')
		dst = append(canonical.AppendString(append(dst, `,"value":`...), row.Value), '}')
	}
	return append(dst, ']')
}

func appendRedactions(dst []byte, redactions []Redaction) []byte {
	if redactions == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, redaction := range redactions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendWord(append(dst, `{"category":`...), redaction.Category)
		dst = append(canonical.AppendInt(append(dst, `,"count":`...), redaction.Count), '}')
	}
	return append(dst, ']')
}

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}
