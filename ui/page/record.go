package page

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// Record sums a record up in one sentence.
func Record(logged *records.LoggedRecord) string {
	text := fmt.Sprintf("Record %s", wording.Thousands(int(logged.Receipt.Sequence)))
	if logged.Unreadable != "" {
		return fmt.Sprintf("%s cannot be read: %s", text, wording.Sentence(logged.Unreadable))
	}
	m := logged.Record.Members()
	text += fmt.Sprintf(", %s, %s, revision %s: %s", wording.Moment(m.RecordedAt), m.Key.ID, wording.Thousands(int(m.Key.Number)), m.Gate)
	if m.Outcome.Present() {
		text += ", " + m.Outcome.Label()
	} else if m.Transition.Present() {
		text += ", " + m.Transition.Label()
	}
	if n := len(m.ReviewerBlockers); n > 0 {
		text += fmt.Sprintf(", with %s", wording.Plural(n, "added blocker", "added blockers"))
	}
	return fmt.Sprintf("%s, by %s, %s.", text, m.Reviewer.ID, inForce(logged))
}

func inForce(logged *records.LoggedRecord) string {
	text := "in force"
	switch {
	case logged.Revoked:
		text = wording.RevokedKey + wording.NotInForce
	case logged.SupersededBy.Present():
		text = "superseded"
	}
	switch logged.HandIn.State {
	case records.Kept:
		return text + ", " + wording.KeptHere
	case records.Accepted:
		return fmt.Sprintf("%s, handed in as number %s", text, wording.Thousands(int(logged.HandIn.Receipt.Sequence)))
	case records.Rejected:
		return wording.RejectedByService + ": " + wording.WhyRejected(logged.HandIn.Rejection.Reason)
	}
	if logged.HandIn.By.Present() {
		return fmt.Sprintf("%s, not handed in and to be handed in by %s", text, wording.Moment(logged.HandIn.By))
	}
	return fmt.Sprintf("%s, not handed in", text)
}

// A WholeRecord is a record with what is known of it where it is read.
type WholeRecord struct {
	*records.LoggedRecord
	Reasons string         // the statement of reasons; "" for none
	State   *records.State // nil: it is not checked yet, or cannot be
	Judge   string         // the key or command that judges its packet again; "": none is named
	Now     terms.Instant
}

// Page writes a record out: what was decided and why, what was checked of it, on what and by whom,
// the answer of the service, which is first where the reviewer has to act on it, and, folded, the
// hashes that prove it.
func (r *WholeRecord) Page() pages.Page {
	title := fmt.Sprintf("Record %s", wording.Thousands(int(r.Receipt.Sequence)))
	if r.Unreadable != "" {
		return pages.Page{Title: title, Mark: pages.Bad, State: wording.RecordUnreadable + ": " + r.Unreadable,
			Parts: []pages.Part{{Rows: append([]pages.Row{row("record", string(r.Receipt.RecordID))}, wording.ReceiptMembers(&r.Receipt)...)}}}
	}
	m := r.Record.Members()
	parts := []pages.Part{{Title: "Decided", Rows: r.decided(m)}, {Title: "Judged", Rows: judged(m)},
		{Title: "By whom and when", Rows: []pages.Row{
			row("record", string(r.Receipt.RecordID)),
			row("reviewer", string(m.Reviewer.ID)),
			row("role", m.Reviewer.Role.Label()),
			row("key", m.Reviewer.KeyFingerprint),
			row("opened", toSecond(m.OpenedAt)),
			row("evaluated", toSecond(m.EvaluatedAt)),
			row("recorded", toSecond(m.RecordedAt)),
			row("fully seen", strings.Join(wording.Headings(m.SectionsViewed, func(name views.SectionName) string {
				return views.HeadingFor(m.Area, name)
			}), ", ")),
		}}}
	at := 1
	if r.HandIn.State == records.Rejected {
		at = 0
	}
	service, gone := pages.Part{Title: "At the service", Rows: r.atService()}, pages.Part{Title: "Erased"}
	if r.State != nil {
		gone.Rows = erased(r.State.Erased)
	}
	parts = slices.Insert(parts, at, service, gone)
	title += fmt.Sprintf(": %s revision %s", m.Key.ID, wording.Thousands(int(m.Key.Number)))
	return pages.Page{Title: title, Parts: append(parts, r.proof(m))}
}

func row(label, value string) pages.Row { return pages.Row{Label: label, Value: value} }

func (r *WholeRecord) decided(m *records.Members) (rows []pages.Row) {
	appeal := m.Area == terms.Appeals
	if appeal {
		rows = append(rows, row("outcome", m.Outcome.Label()))
		switch {
		case !r.Advised.Present(): // it is not known
		case r.Departs():
			rows = append(rows, row("advice", "departs: docket advised "+r.Advised.Label()))
		default:
			rows = append(rows, row("advice", "as advised"))
		}
		rows = append(rows, row("reasons", wording.Listed(m.Factors)))
	}
	rows = append(rows, row("statement", r.Reasons), row("gate", m.Gate.String()), r.standing())
	rows = append(append(rows, r.checked()...), row(wording.FoundByRules, wording.Listed(m.ComputedBlockers)),
		row("added by the reviewer", wording.Listed(m.ReviewerBlockers)))
	if len(m.CarriedBlockers) > 0 {
		rows = append(rows, row(wording.CarriedOver, wording.Listed(m.CarriedBlockers)))
	}
	if m.Supersedes.Present() {
		rows = append(rows, row("supersedes", string(m.Supersedes)))
	}
	if !appeal {
		return append(rows, row("held back", wording.Listed(m.Blocked)))
	}
	effect := views.EffectOf(m.Outcome)
	if rows = append(rows, row("asked for", m.Requested.Label())); m.Preliminary.Present() {
		rows = append(rows, row("before the advice", m.Preliminary.Label()))
	}
	return append(rows, row("provenance activity", wording.Spaced(effect.ProvenanceActivity)),
		row("business step", wording.Spaced(effect.TraceabilityStep)))
}

func (r *WholeRecord) standing() pages.Row {
	one := row("standing", "in force")
	switch {
	case r.HandIn.State == records.Rejected:
		one.Mark, one.Value = pages.Bad, wording.RejectedByService+wording.NotInForce
	case r.Revoked:
		one.Mark, one.Value = pages.Bad, wording.SignerRevoked+wording.NotInForce
	case r.SupersededBy.Present():
		one.Mark, one.Value = pages.Open, fmt.Sprintf("superseded by %s", r.SupersededBy)
	}
	return one
}

// checked says in one row that proof, signature and evaluation hold, else what was found of each.
func (r *WholeRecord) checked() []pages.Row {
	if r.State == nil {
		return nil
	}
	if r.State.Verdict() == records.Holds {
		return []pages.Row{{Mark: pages.Good, Label: "checked", Value: wording.Verified}}
	}
	rows := make([]pages.Row, len(wording.Sides))
	for i := range wording.Sides {
		side := &wording.Sides[i]
		rows[i] = pages.Row{Mark: verdicts[side.Of(r.State).Verdict], Label: side.Label, Value: side.Said(r.State)}
	}
	return rows
}

var verdicts = [...]pages.Mark{records.Unexamined: pages.Open, records.Holds: pages.Good, records.Fails: pages.Bad}

// InShort says what was checked of the record, and what is to be done with it.
func (r *WholeRecord) InShort() []pages.Row {
	last := r.atService()[0]
	if r.Revoked && r.HandIn.State != records.Rejected {
		last = r.standing()
		last.Value += wording.JudgeNext(r.JudgedAgain > 0, r.Judge)
	}
	return append(r.checked(), last)
}

// erased are the erasures of a record and of the texts that it judged, with time and reason.
func erased(list []records.LogStatement) (rows []pages.Row) {
	for i := range list {
		if e, is := list[i].Erasure(); is {
			rows = append(rows, row(e.What.Label(), wording.Erased+" "+wording.Moment(list[i].At)+": "+records.ErasureMeaning(e.Reason)))
		}
	}
	return rows
}

func judged(m *records.Members) []pages.Row {
	rows := []pages.Row{
		row("packet", string(m.Key.ID)),
		row("revision", wording.Thousands(int(m.Key.Number))),
		row("latest revision", wording.Thousands(int(m.Latest.Revision))),
	}
	if m.Area == terms.Appeals {
		rows = append(rows,
			row("subject", m.Subject.Label()),
			row("subject id", string(m.SubjectID)),
			row("trigger", m.Trigger.Label()))
	} else {
		rows = append(rows,
			row("owner", string(m.OwnerID)),
			row("agreement", string(m.AgreementID)),
			row("transition", m.Transition.Label()),
			row("subject type", m.SubjectType.Label()),
			row("amendment type", m.AmendmentType.Label()))
	}
	policy := string(m.Policy.ID)
	if policy != "" {
		policy = fmt.Sprintf("%s version %s", policy, wording.Thousands(int(m.Policy.Number)))
	}
	return append(rows,
		row("policy", policy),
		row("latest policy version", wording.Thousands(int(m.Latest.PolicyVersion))),
		row("contract", m.ContractVersion),
		row("rules", m.RulesVersion))
}

// atService has the service's answer, which is the first row.
func (r *WholeRecord) atService() []pages.Row {
	h := &r.HandIn
	mark, said := wording.HandedIn(h, r.JudgedAgain > 0, r.Judge, r.Now)
	rows := []pages.Row{{Mark: mark, Label: "answer", Value: said}}
	switch h.State {
	case records.Accepted:
		rows = append(rows,
			row("answered", toSecond(h.At)),
			row("sequence there", wording.Thousands(int(h.Receipt.Sequence))),
			row("tree size there", wording.Thousands(int(h.Receipt.TreeSize))),
			row("root there", h.Receipt.Root.String()))
		if h.Receipt.Caution != "" {
			rows = append(rows, row("caution", h.Receipt.Caution))
		}
	case records.Rejected:
		for _, change := range h.Changes {
			rows = append(rows, row("had changed", strings.TrimSpace(change)))
		}
		if len(h.Changes) == 0 {
			rows = append(rows, row("had changed", "not given"))
		}
		rows = append(rows,
			row("in force there", wording.InForceThere(&h.Rejection, r.InForceHere)),
			row("rejected", toSecond(h.Rejection.At)),
			row("by", h.Rejection.Origin),
			row("code", h.Rejection.Reason.String()))
	}
	return rows
}

// toSecond writes a time without a fraction of a second.
func toSecond(at terms.Instant) string {
	if !at.Present() {
		return ""
	}
	return terms.InstantOf(at.Time().Truncate(time.Second)).String()
}

// proof has the hashes of the record, its place in the log, and the path that proves that.
func (r *WholeRecord) proof(m *records.Members) pages.Part {
	rows := []pages.Row{row("content hash", m.ContentHash.String())}
	if m.Area == terms.Appeals {
		rows = append(rows, row("scope hash", m.ScopeHash.String()))
	} else {
		rows = append(rows, row("terms before", m.BeforeTermsHash.String()), row("terms after", m.AfterTermsHash.String()))
	}
	rows = append(rows,
		row("policy hash", m.PolicyHash.String()),
		row("packet digest", m.PacketDigest.String()),
		row("note digest", m.NoteDigest.String()),
		row("log seen, size", wording.Thousands(int(m.LogHead.Size))),
		row("log seen, root", m.LogHead.Root.String()))
	rows = append(rows, wording.ReceiptMembers(&r.Receipt)...)
	if s := r.State; s != nil && s.Proof.Verdict == records.Holds {
		rows = append(rows, row("leaf, recomputed", s.Leaf.String()))
		for i, hash := range s.Path {
			rows = append(rows, row(fmt.Sprintf("path %s of %s", wording.Thousands(i+1), wording.Thousands(len(s.Path))), hash.String()))
		}
		rows = append(rows, row(fmt.Sprintf("root of %s", records.Count(s.Head.Size)), s.Head.Root.String()))
	}
	return pages.Part{Title: wording.HashesTitle, Rows: rows, Folded: true}
}
