package plain

import (
	"docket/domain"
	"docket/ui/decision"
	"docket/ui/wording"
)

// recordText sums up a record in one line.
func recordText(logged *domain.LoggedRecord) string {
	text := "Record " + wording.Thousands(int(logged.Receipt.Sequence))
	if logged.Unreadable != "" {
		return text + " cannot be read: " + sentence(logged.Unreadable)
	}
	m := logged.Record.Members()
	text += ", " + wording.Moment(m.RecordedAt) + ", " + string(m.Key.ID) + ", revision " + wording.Thousands(int(m.Key.Number)) +
		": " + m.Gate.String()
	if m.Outcome.Present() {
		text += ", " + m.Outcome.Label()
	} else if m.Transition.Present() {
		text += ", " + m.Transition.Label()
	}
	if n := len(m.ReviewerBlockers); n > 0 {
		text += ", with " + wording.Plural(n, "added blocker", "added blockers")
	}
	return text + ", by " + string(m.Reviewer.ID) + ", " + standing(logged) + "."
}

// recordLines writes a whole record out, a member a line, in the order in which it came about.
func recordLines(logged *domain.LoggedRecord) []string {
	m, receipt := logged.Record.Members(), &logged.Receipt
	standing := "in force"
	switch {
	case logged.HandIn.State == domain.Rejected:
		standing = "rejected by the service, so not in force"
	case logged.SupersededBy.Present():
		standing = "superseded by " + string(logged.SupersededBy)
	}
	lines := memberLines{}
	lines.add("Record", string(receipt.RecordID))
	lines.add("Standing", standing)
	lines.add("Supersedes", string(m.Supersedes))
	lines.answer(logged)
	lines.members(decision.ReceiptMembers(receipt)[1:]) // the record stands above
	lines.add("Gate", m.Gate.String())
	lines.add("Found by the rules", listed(m.ComputedBlockers))
	lines.add("Added by the reviewer", listed(m.ReviewerBlockers))
	lines.add("Factor codes", listed(m.Factors))
	if m.Area == domain.Appeals {
		effect := domain.EffectOf(m.Outcome)
		lines.add("Outcome", m.Outcome.Label())
		lines.add("Advised", m.Advisory.Label())
		lines.add("Asked for", m.Requested.Label())
		lines.add("Before the advice", m.Preliminary.Label())
		lines.add("Provenance activity", wording.Spaced(effect.ProvenanceActivity))
		lines.add("Business step", wording.Spaced(effect.TraceabilityStep))
	} else {
		lines.add("Held back", listed(m.Blocked))
	}
	lines.judged(m)
	lines.add("Reviewer", string(m.Reviewer.ID))
	lines.add("Role", m.Reviewer.Role.Label())
	lines.add("Key", m.Reviewer.KeyFingerprint)
	lines.add("Opened", m.OpenedAt.String())
	lines.add("Evaluated", m.EvaluatedAt.String())
	lines.add("Recorded", m.RecordedAt.String())
	lines.add("Sections seen", listed(m.SectionsViewed))
	lines.add("Packet digest", m.PacketDigest.String())
	lines.add("Note digest", m.NoteDigest.String())
	lines.add("Log seen, size", wording.Thousands(int(m.LogHead.Size)))
	lines.add("Log seen, root", m.LogHead.Root.String())
	return lines
}

// memberLines are lines of a label and a value.
type memberLines []string

func (l *memberLines) add(label, value string) { *l = append(*l, label+": "+orNone(value)+".") }

// members adds members that both consoles show.
func (l *memberLines) members(members []decision.Member) {
	for _, m := range members {
		l.add(wording.Capital(m.Label), m.Value)
	}
}

// judged says what a record was made about.
func (l *memberLines) judged(m *domain.EnforcementMembers) {
	l.add("Packet", string(m.Key.ID))
	l.add("Revision", wording.Thousands(int(m.Key.Number)))
	l.add("Content hash", m.ContentHash.String())
	if m.Area == domain.Appeals {
		l.add("Scope hash", m.ScopeHash.String())
		l.add("Subject", m.Subject.Label())
		l.add("Subject id", string(m.SubjectID))
		l.add("Trigger", m.Trigger.Label())
	} else {
		l.add("Owner", string(m.OwnerID))
		l.add("Agreement", string(m.AgreementID))
		l.add("Transition", m.Transition.Label())
		l.add("Subject type", m.SubjectType.Label())
		l.add("Amendment type", m.AmendmentType.Label())
		l.add("Terms before", m.BeforeTermsHash.String())
		l.add("Terms after", m.AfterTermsHash.String())
	}
	policy := string(m.Policy.ID)
	if policy != "" {
		policy += " version " + wording.Thousands(int(m.Policy.Number))
	}
	l.add("Policy", policy)
	l.add("Policy hash", m.PolicyHash.String())
	l.add("Contract", m.ContractVersion)
	l.add("Rules", m.RulesVersion)
}
