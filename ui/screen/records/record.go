package records

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain"
	"docket/ui/action"
	"docket/ui/decision"
	"docket/ui/line"
	"docket/ui/screen"
	"docket/ui/theme"
	"docket/ui/topic"
	"docket/ui/widget"
	"docket/ui/wording"

	tea "github.com/charmbracelet/bubbletea"
)

// recordScreen shows a whole record.
type recordScreen struct {
	screen.Silent
	logged *domain.LoggedRecord
	checks *Examination
	scroll widget.Scroll
}

func New(logged *domain.LoggedRecord, checks *Examination) *recordScreen {
	return &recordScreen{logged: logged, checks: checks}
}

// Fetch asks how the record stands.
func (r *recordScreen) Fetch(h screen.Host) tea.Cmd { return r.checks.examine(h, r) }

func (r *recordScreen) unexamined() (from, to int64) {
	sequence := r.logged.Receipt.Sequence
	return r.checks.unknown(sequence, sequence+1)
}

func (r *recordScreen) Place() action.Place { return action.InRecord }

// Obstacle says why a record cannot be superseded, as far as it can be said without its packet.
func (r *recordScreen) Obstacle(v action.Verb, s *screen.Scene) string {
	if v == action.JudgeAgain {
		return whyNotJudgeAgain(r.logged, s)
	}
	if v != action.Decide {
		return ""
	}
	switch {
	case s.Locked != "":
		return s.Locked
	case s.Keyless != "":
		return wording.Unsigned(s.Keyless)
	case r.logged.HandIn.State == domain.Rejected:
		return "the service rejected it, so it is not in force; a judges its packet again"
	case r.logged.SupersededBy.Present():
		return "it is superseded by " + string(r.logged.SupersededBy)
	case !s.Reviewer.Known():
		return "no reviewer is set up on this machine; run `docket identity init` first"
	}
	return ""
}

func (r *recordScreen) Handle(v action.Verb, _ *screen.Scene) screen.Effect {
	if r.scroll.Move(v) {
		return nil
	}
	switch v {
	case action.GoBack:
		return screen.Leave{}
	case action.JudgeAgain:
		return judgeAnew(r.logged)
	case action.Decide:
		m := r.logged.Record.Members()
		return screen.OpenPacket{Request: screen.Request{Table: domain.RecordTable(m.Area), ID: m.Key.ID, Revision: m.Key.Number}, Replaces: m.RecordID}
	}
	return nil
}

func (r *recordScreen) Title(*screen.Scene) line.Line {
	return line.Of(theme.Dim, "record ").And(theme.Strong, string(r.logged.Receipt.RecordID))
}

func (r *recordScreen) View(s *screen.Scene) line.Sheet {
	var sheet line.Sheet
	groups := recordGroups(r.logged)
	checked, path := r.checked()
	groups[0].members = append(checked, groups[0].members...)
	place := 1
	if r.logged.HandIn.State == domain.Rejected {
		place = 0
	}
	groups = slices.Insert(groups, place, r.service())
	if len(path.members) > 0 {
		groups = append(groups, path)
	}
	for _, group := range groups {
		if len(sheet) > 0 {
			sheet = append(sheet, nil)
		}
		sheet = append(sheet, widget.Heading(group.title, s.Width))
		for _, m := range group.members {
			if m.value == nil {
				m.value = line.Of(theme.Dim, "none")
			}
			pair, _ := widget.Pair(nil, m.label, m.value, recordLabel, s.Width)
			sheet = append(sheet, pair...)
		}
	}
	return sheet.Window(r.scroll.Window(len(sheet), s.Height), s.Height)
}

const recordLabel = 21

// A memberLine is a member of a record with its label; nil where it is absent.
type memberLine struct {
	label string
	value line.Line
}

type memberGroup struct {
	title   string
	members []memberLine
}

// recordGroups lays out a record in the order in which it came about.
func recordGroups(logged *domain.LoggedRecord) []memberGroup {
	m, receipt := logged.Record.Members(), &logged.Receipt
	standing := line.Of(theme.Pass, "in force")
	switch {
	case logged.HandIn.State == domain.Rejected:
		standing = widget.RejectedWord().And(theme.Plain, " by the service, so not in force")
	case logged.SupersededBy.Present():
		standing = line.Of(theme.Warn, "superseded by "+string(logged.SupersededBy))
	}
	decided := memberGroup{"Decided", []memberLine{
		{"gate", widget.GateWord(m.Gate)}, {"found by the rules", texts(m.ComputedBlockers)},
		{"added by the reviewer", texts(m.ReviewerBlockers)}, {"factor codes", texts(m.Factors)},
	}}
	if m.Area == domain.Appeals {
		effect := domain.EffectOf(m.Outcome)
		decided.members = append(decided.members, memberLine{"outcome", value(m.Outcome.Label())},
			memberLine{"advised", value(m.Advisory.Label())}, memberLine{"asked for", value(m.Requested.Label())},
			memberLine{"before the advice", value(m.Preliminary.Label())},
			memberLine{"provenance activity", value(effect.ProvenanceActivity)},
			memberLine{"business step", value(effect.TraceabilityStep)})
	} else {
		decided.members = append(decided.members, memberLine{"held back", texts(m.Blocked)})
	}
	return []memberGroup{
		{"In the log", []memberLine{
			{"standing", standing}, {"supersedes", value(string(m.Supersedes))},
			{"sequence", value(wording.Thousands(int(receipt.Sequence)))},
			{"leaf hash", value(receipt.LeafHash.String())}, {"tree size", value(wording.Thousands(int(receipt.TreeSize)))},
			{"root", value(receipt.Root.String())},
		}},
		decided,
		{"Judged", judgedLines(m)},
		{"By whom and when", []memberLine{
			{"reviewer", value(string(m.Reviewer.ID))}, {"role", value(m.Reviewer.Role.Label())},
			{"key", value(m.Reviewer.KeyFingerprint)}, {"opened", value(m.OpenedAt.String())},
			{"evaluated", value(m.EvaluatedAt.String())}, {"recorded", value(m.RecordedAt.String())},
			{"sections seen", texts(m.SectionsViewed)}, {"packet digest", value(m.PacketDigest.String())},
			{"note digest", value(m.NoteDigest.String())}, {"log seen: size", value(wording.Thousands(int(m.LogHead.Size)))},
			{"log seen: root", value(m.LogHead.Root.String())},
		}},
	}
}

// checked says how the record stands, and by which path its place in the log is proven.
func (r *recordScreen) checked() (verdicts []memberLine, path memberGroup) {
	state, known := r.checks.states[r.logged.Receipt.Sequence]
	for i := range sides {
		words := line.Of(theme.Dim, "checking …")
		if known {
			words = sides[i].words(&state)
		}
		verdicts = append(verdicts, memberLine{sideLabels[i], words})
	}
	if state.Proof.Verdict != domain.Holds {
		return verdicts, memberGroup{}
	}
	members := []memberLine{{"leaf, hashed anew", value(state.Leaf.String())}}
	for i, hash := range state.Path {
		members = append(members, memberLine{"path " + wording.Thousands(i+1) + " of " + wording.Thousands(len(state.Path)), value(hash.String())})
	}
	members = append(members, memberLine{"root of " + wording.Plural(int(state.Head.Size), "record", "records"), value(state.Head.Root.String())})
	return verdicts, memberGroup{"Proof of its place in the log", members}
}

// sideLabels are what the sides are called on the page of a record.
var sideLabels = [...]string{"proof", "signature", "judged again"}

// judgedLines are what the record was made about.
func judgedLines(m *domain.EnforcementMembers) []memberLine {
	lines := []memberLine{
		{"packet", value(string(m.Key.ID))}, {"revision", value(wording.Thousands(int(m.Key.Number)))},
		{"content hash", value(m.ContentHash.String())},
	}
	if m.Area == domain.Appeals {
		lines = append(lines, memberLine{"scope hash", value(m.ScopeHash.String())},
			memberLine{"subject", value(m.Subject.Label())},
			memberLine{"subject id", value(string(m.SubjectID))}, memberLine{"trigger", value(m.Trigger.Label())})
	} else {
		lines = append(lines, memberLine{"owner", value(string(m.OwnerID))},
			memberLine{"agreement", value(string(m.AgreementID))}, memberLine{"transition", value(m.Transition.Label())},
			memberLine{"subject type", value(m.SubjectType.Label())},
			memberLine{"amendment type", value(m.AmendmentType.Label())},
			memberLine{"terms before", value(m.BeforeTermsHash.String())},
			memberLine{"terms after", value(m.AfterTermsHash.String())})
	}
	policy := string(m.Policy.ID)
	if policy != "" {
		policy += " version " + wording.Thousands(int(m.Policy.Number))
	}
	return append(lines, memberLine{"policy", value(policy)}, memberLine{"policy hash", value(m.PolicyHash.String())},
		memberLine{"contract", value(m.ContractVersion)}, memberLine{"rules", value(m.RulesVersion)})
}

// texts lists words; nil where there are none.
func texts[W fmt.Stringer](list []W) line.Line {
	if len(list) == 0 {
		return nil
	}
	return words(list)
}

// value is a text to show; nil for an absent one.
func value(text string) line.Line {
	if text == "" {
		return nil
	}
	return line.Of(theme.Plain, text)
}

// words lists words, or says that there are none.
func words[W fmt.Stringer](list []W) line.Line {
	if len(list) == 0 {
		return line.Of(theme.Dim, "none")
	}
	texts := make([]string, len(list))
	for i, word := range list {
		texts[i] = word.String()
	}
	return line.Of(theme.Plain, strings.Join(texts, ", "))
}

// judgeAnew opens the latest revision of what a record judged, for deciding. The packet shows first: it may have changed.
func judgeAnew(logged *domain.LoggedRecord) screen.Effect {
	m := logged.Record.Members()
	return screen.OpenPacket{Request: screen.Request{Table: domain.RecordTable(m.Area), ID: m.Key.ID}, Rejected: m.RecordID}
}

// whyNotJudgeAgain says why a record gives no cause to judge its packet again, as far as the log tells; "" if it does.
func whyNotJudgeAgain(logged *domain.LoggedRecord, s *screen.Scene) string {
	return decision.WhyNotJudgeAgain(logged, s.Reviewer, s.Locked, s.Keyless)
}

// renew shows the record as it is in a log that was read again.
func (r *recordScreen) renew(records []domain.LoggedRecord) {
	for i := range records {
		if one := &records[i]; one.Receipt.Sequence == r.logged.Receipt.Sequence && one.Unreadable == "" {
			r.logged = one
			return
		}
	}
}

func (r *recordScreen) Topics(*screen.Scene) []topic.Topic {
	return topic.OfRecord(r.logged.Record.Members())
}
