package statement

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/domain/visible"
)

func thing(area terms.Area) string {
	if area == terms.Amendments {
		return "change"
	}
	return "appeal"
}

func title(m *records.Members) string {
	return fmt.Sprintf("Decision on %s %s, revision %s", thing(m.Area), visible.String(string(m.Key.ID)), number(m.Key.Number))
}

func notices(in *Input) (list []string) {
	s := &in.Standing
	for _, fault := range s.Faults {
		list = append(list, fmt.Sprintf("This record does not check out: %s", visible.String(fault)))
	}
	if s.Rejected {
		list = append(list, fmt.Sprintf("This decision is not in force. The service rejected the record%s (%s).",
			onDay(s.Rejection.At), s.Rejection.Reason.Label()))
		if s.Rejection.InForce.Present() {
			list = append(list, fmt.Sprintf("The service holds record %s as in force in its place.",
				visible.String(string(s.Rejection.InForce))))
		}
	}
	if s.SupersededBy.Present() {
		list = append(list, fmt.Sprintf("This decision is no longer in force. Record %s has taken its place.", s.SupersededBy))
	}
	if s.Revoked {
		list = append(list,
			"This decision is not in force. It was signed after the key of the reviewer had been revoked, and has to be taken again.")
	}
	if s.Waiting {
		list = append(list, "The service has not taken this record in yet.")
	}
	if at, erased := s.Erased[Reasons]; erased {
		list = append(list, fmt.Sprintf("The reviewer's statement of reasons was erased%s.", onDay(at)))
	}
	if at, erased := s.Erased[Packet]; erased {
		list = append(list, fmt.Sprintf("Texts of what was decided on were erased%s.", onDay(at)))
	}
	return list
}

func decision(in *Input, m *records.Members) []pages.Block {
	rows := [][]string{}
	var blocks []pages.Block
	if m.Area == terms.Appeals {
		blocks = append(blocks, paragraph(views.PartyOutcome(m.Outcome)))
		rows = append(rows, []string{"decision", m.Outcome.Label()})
	}
	if m.Gate == terms.Pass {
		blocks = append(blocks, paragraph(fmt.Sprintf("Nothing blocks this %s.", thing(m.Area))))
	} else {
		blocks = append(blocks, paragraph(fmt.Sprintf("This %s is blocked: the grounds say why.", thing(m.Area))))
	}
	rows = append(rows, []string{"gate", m.Gate.String()})
	if m.Area == terms.Appeals {
		rows = append(rows,
			[]string{"asked for", cmp.Or(m.Requested.Label(), "nothing in particular")},
			[]string{"advised", cmp.Or(in.Advised.Label(), "not known")})
	}
	rows = append(rows,
		[]string{"decided by", visible.String(string(m.Reviewer.ID)) + ", " + m.Reviewer.Role.Label()},
		[]string{"judged as of", moment(m.EvaluatedAt)},
		[]string{"recorded", moment(m.RecordedAt)},
		[]string{"takes the place of record", string(m.Supersedes)})
	blocks = append(blocks, facts("The decision", rows...))
	if len(m.Blocked) > 0 {
		held := make([]string, len(m.Blocked))
		for i, action := range m.Blocked {
			held[i] = action.Label()
		}
		blocks = append(blocks, paragraph("As long as the gate is blocked, these are held back:"), pages.Block{Items: held})
	}
	return blocks
}

func decidedOn(in *Input, m *records.Members) []pages.Block {
	rows := [][]string{{thing(m.Area), visible.String(string(m.Key.ID))}, {"revision", number(m.Key.Number)}}
	if m.Area == terms.Appeals {
		definition, _ := views.DefinitionOfTrigger(m.Trigger)
		rows = append(rows,
			[]string{"kind of item", m.Subject.Label()},
			[]string{"item", visible.String(string(m.SubjectID))},
			[]string{"reason for the appeal", m.Trigger.Label()},
			[]string{"which means", definition.Meaning})
	} else {
		definition, _ := rules.Definition(m.Transition)
		rows = append(rows,
			[]string{"agreement", visible.String(string(m.AgreementID))},
			[]string{"kind of agreement", m.SubjectType.Label()},
			[]string{"kind of change", cmp.Or(m.AmendmentType.Label(), m.Transition.Label())},
			[]string{"what the contract protects here", definition.ProtectedBoundary})
	}
	rows = append(rows, packetFacts(in)...)
	policy := visible.String(string(m.Policy.ID))
	if policy != "" {
		policy += fmt.Sprintf(", version %s", number(m.Policy.Number))
	}
	rows = append(rows,
		[]string{"policy", cmp.Or(policy, "none was held")},
		[]string{"contract", visible.String(m.ContractVersion)},
		[]string{"rules", visible.String(m.RulesVersion)},
		[]string{"seal (hash of the content)", m.ContentHash.String()})
	return []pages.Block{facts("What was decided on", rows...)}
}

const mostItems = 20

// packetFacts are dates, the evidence named, and how much was left out as private.
func packetFacts(in *Input) (facts [][]string) {
	if c := in.Packet.AppealCase().Pointer(); c != nil {
		items := make([]string, 0, mostItems)
		for _, id := range c.EvidenceScope.Items[:min(mostItems, len(c.EvidenceScope.Items))] {
			items = append(items, visible.String(string(id)))
		}
		evidence := strings.Join(items, ", ")
		if more := len(c.EvidenceScope.Items) - len(items); more > 0 {
			evidence = fmt.Sprintf("%s and %d more", evidence, more)
		}
		facts = append(facts, []string{"filed", moment(c.FiledAt)},
			[]string{"deadline", moment(c.Deadline)}, []string{"evidence named", evidence})
	}
	var left []string
	for _, r := range in.Packet.Redactions() {
		left = append(left, fmt.Sprintf("%s of %s", number(r.Count), r.Category.Label()))
	}
	return append(facts, []string{"left out as private", strings.Join(left, ", ")})
}

func grounds(m *records.Members) []pages.Block {
	var blocks []pages.Block
	var rows [][]string
	for _, list := range [...]struct {
		codes []terms.Blocker
		by    string
	}{{m.ComputedBlockers, "the rules"}, {m.ReviewerBlockers, "this reviewer"}, {m.CarriedBlockers, "a reviewer, earlier"}} {
		for _, code := range list.codes {
			rows = append(rows, []string{code.String(), list.by, views.PartyBlocker(code)})
		}
	}
	if len(rows) == 0 {
		blocks = append(blocks, paragraph("Nothing stands in the way."))
	} else {
		blocks = append(blocks, table("What stands in the way", []string{"code", "found by", "what it means"}, rows...))
	}
	if m.Area != terms.Appeals {
		return blocks
	}
	rows = nil
	for _, code := range m.Factors {
		rows = append(rows, []string{code.String(), views.PartyFactor(code)})
	}
	effect := views.EffectOf(m.Outcome)
	activity, step := views.PartyEffect(m.Outcome)
	return append(blocks,
		table("What the decision rests on", []string{"code", "what it means"}, rows...),
		table("How it is entered", []string{"code", "what it means"},
			[]string{m.Outcome.String(), views.PartyOutcome(m.Outcome)},
			[]string{effect.ProvenanceActivity, activity}, []string{effect.TraceabilityStep, step}))
}

func reasons(in *Input, m *records.Members) []pages.Block {
	at, erased := in.Standing.Erased[Reasons]
	switch {
	case erased:
		return []pages.Block{paragraph(fmt.Sprintf(
			"The reviewer's statement of reasons was erased%s. Its digest is still in the record.",
			onDay(at)))}
	case in.Reasons.Present() && in.Reasons.Digest() == m.StatementDigest:
		return []pages.Block{{Quote: strings.Split(visible.Text(in.Reasons.Text), "\n")}}
	case m.StatementDigest.Present():
		return []pages.Block{paragraph("The record has a statement of reasons, and the one that it vouches for is not here.")}
	}
	return []pages.Block{paragraph("The reviewer gave no statement of reasons; none was required.")}
}

func reliance(s *Standing, m *records.Members) []pages.Block {
	if s.Reliance == nil {
		return nil
	}
	if s.Reliance.Gate == terms.Pass {
		return []pages.Block{paragraph(fmt.Sprintf("Judged%s, nothing holds reliance on the %s. Judge it again before you rely on it.",
			onDay(s.JudgedAt), thing(m.Area)))}
	}
	rows := make([][]string, len(s.Reliance.Reasons))
	for i, reason := range s.Reliance.Reasons {
		rows[i] = []string{reason, records.PartyReason(reason)}
	}
	return []pages.Block{paragraph(fmt.Sprintf("Judged%s, nobody may rely on the %s:", onDay(s.JudgedAt), thing(m.Area))),
		table("What holds reliance", []string{"code", "what it means"}, rows...)}
}

// turn has nothing of docket's own advice: the contract and the operator's profile say it.
func turn(in *Input, m *records.Members) []pages.Block {
	var blocks []pages.Block
	if said := views.ChallengeText(m.Area); len(said) > 0 {
		blocks = append(blocks, paragraph("The contract says about challenging a decision:"), pages.Block{Items: said})
	}
	if len(in.Profile.Channels) == 0 {
		return append(blocks, paragraph(
			"No channel to turn to is named in what this statement was made from. Ask the platform that sent it to you."))
	}
	rows := make([][]string, len(in.Profile.Channels))
	for i, c := range in.Profile.Channels {
		rows[i] = []string{visible.String(c.Label), visible.String(c.Audience), visible.String(c.Rule)}
	}
	channels := table("Channels", []string{"channel", "for", "rule"}, rows...)
	channels.Table.Written = true
	return append(blocks, paragraph(fmt.Sprintf("The platform's incident response profile, version %s, names these channels:",
		visible.String(in.Profile.Version))), channels)
}

func check(in *Input, m *records.Members) []pages.Block {
	n := number(in.Place.Receipt.Sequence)
	rows := [][]string{
		{"record", string(m.RecordID)},
		{"log", visible.String(in.Place.Origin)},
		{"number in the log", n},
		{"leaf hash", in.Place.Receipt.LeafHash.String()},
		{"entries in the log", count(in.Place.Receipt.TreeSize)},
		{"root of the log", in.Place.Receipt.Root.String()},
		{"verifier key of the log", visible.String(in.Place.VerifierKey)},
		{"key of the reviewer", visible.String(m.Reviewer.KeyFingerprint)},
		{"digest of the reasons", m.StatementDigest.String()},
	}
	blocks := []pages.Block{
		{Text: "This page was made from a signed record. The record counts, not the page. docket verify DIR checks the whole folder that docket " +
			"export DIR writes. The keys in it are the reviewer's and the log's only if the persons whom they belong to say so: ask them.",
			Common: true},
		paragraph("In that folder, this command checks the signature of the record with the keys that counted when it was recorded:"),
		{Command: fmt.Sprintf(
			"TZ=UTC ssh-keygen -Y verify -f allowed_signers -I %s -n %s -Overify-time=%s -s records/%s.json.sig < records/%s.json",
			shellWord(string(m.Reviewer.ID)), records.SignatureNamespace, m.RecordedAt.Time().UTC().Format(
				"20060102150405"), m.RecordID, m.RecordID)},
	}
	if _, erased := in.Standing.Erased[Reasons]; m.StatementDigest.Present() && !erased {
		blocks = append(blocks, paragraph("This command prints the digest of the reasons that the record holds:"),
			pages.Block{Command: fmt.Sprintf("sha256sum texts/%s.json", m.RecordID)})
	}
	return append(blocks, facts("What to compare", rows...))
}

// shellWord quotes any text but an id.
func shellWord(id string) string {
	if _, ok := terms.ParseID(id); ok {
		return id
	}
	return "'" + strings.ReplaceAll(visible.String(id), "'", "") + "'"
}

func moment(at terms.Instant) string {
	if !at.Present() {
		return ""
	}
	return at.Time().UTC().Format("2 January 2006, 15:04:05 UTC")
}

func onDay(at terms.Instant) string {
	if !at.Present() {
		return ""
	}
	return fmt.Sprintf(" on %s at %s", at.Time().UTC().Format(time.DateOnly), at.Time().UTC().Format("15:04:05 UTC"))
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func count(n int64) string {
	if n == 0 {
		return ""
	}
	return number(n)
}
