package records

import (
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// A Ruling is the part of the record in force on which reliance depends.
type Ruling struct {
	Outcome    terms.Outcome // of appeals
	Gate       terms.Gate
	RecordedAt terms.Instant
}

// Ruling is that of the record.
func (m *Members) Ruling() Ruling { return Ruling{m.Outcome, m.Gate, m.RecordedAt} }

// The reasons that hold reliance, other than blockers.
const (
	NoRecord      = "no_record"       // on no revision
	NotLatest     = "not_latest"      // only on revisions before the latest
	NotCorrected  = "not_corrected"   // the case is not corrected
	HeldByOutcome = "held_by_outcome" // the record neither corrects nor records a remedy
	HeldByGate    = "held_by_gate"    // the record of an amendment has a blocked gate
)

// A Reliance is what a platform may rely on at a moment. The zero Reliance is blocked.
type Reliance struct {
	Gate    terms.Gate `json:"relianceGate"`
	Reasons []string   `json:"relianceReasons"` // blockers as in source 7, then the reasons above
}

var reliancePlain = map[string]string{
	NoRecord:      "No decision is in force.",
	NotLatest:     "The decision in force is on an earlier revision.",
	NotCorrected:  "The platform has not marked the appeal as corrected.",
	HeldByOutcome: "The decision in force calls neither for a correction nor for a remedy.",
	HeldByGate:    "The gate of the decision in force is blocked.",
}

// PartyReason says to a party what a reason means.
func PartyReason(reason string) string {
	code, err := terms.Blockers.Parse(reason)
	if err != nil {
		return reliancePlain[reason]
	}
	return views.PartyBlocker(code)
}

// relied are the outcomes that let the correction of a case be relied on (source 4.1 rule 2).
const relied = terms.OutcomeSet(1<<terms.CorrectRecord | 1<<terms.RecordRemedy)

// JudgeReliance judges the latest revision of a case or an amendment. blockers are those by the
// newest rules, policy and revision, and those that people added. ruling is that of the record in
// force, zero if not held, nil for none; earlier says that one on an earlier revision is in force.
func JudgeReliance(packet packets.Packet, blockers terms.BlockerSet, ruling *Ruling, earlier bool) Reliance {
	area := terms.AreaOf(packet.Table())
	r := Reliance{Reasons: []string{}}
	for _, code := range rules.InOrder(area, blockers) {
		r.Reasons = append(r.Reasons, code.String())
	}
	c, a := packet.AppealCase().Pointer(), packet.Amendment().Pointer()
	for _, one := range [...]struct {
		word  string
		holds bool
	}{
		{NoRecord, ruling == nil && !earlier},
		{NotLatest, ruling == nil && earlier},
		{NotCorrected, c != nil && c.Status != terms.CaseCorrected},
		{HeldByOutcome, c != nil && ruling != nil && !relied.Has(ruling.Outcome)},
		{HeldByGate, a != nil && ruling != nil && ruling.Gate != terms.Pass},
	} {
		if one.holds {
			r.Reasons = append(r.Reasons, one.word)
		}
	}
	if len(r.Reasons) == 0 && (c != nil || a != nil) {
		r.Gate = terms.Pass
	}
	return r
}
