package statement_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/domain/views"
)

var update = flag.Bool("update", false, "write the statements under testdata")

// inputOf is the input of a record on what is in view.
func inputOf(v *views.View, record records.Enforcement) statement.Input {
	return statement.Input{Record: record, Packet: v.Record(), Place: statement.Place{
		Origin: "docket/0123456789abcdef", VerifierKey: "docket/0123456789abcdef+00000000+AAAA",
		Receipt: records.Receipt{RecordID: record.Members().RecordID, Sequence: 41, LeafHash: terms.HashOf([]byte("leaf")), TreeSize: 42,
			Root: terms.HashOf([]byte("root"))}}}
}

// blocked is a statement's input for a scene, with codes that the reviewer added, and their reasons.
func blocked(t *testing.T, scene domaintest.Scene, added ...terms.Blocker) statement.Input {
	t.Helper()
	v := domaintest.View(t, scene, domaintest.Set("/private", map[string]any{"contact_data": []string{"a", "b"}}))
	choice := domaintest.ChoiceFor(&v, added...)
	in := inputOf(&v, domaintest.Recorded(t, &v, choice))
	in.Reasons = choice.Statement
	return in
}

// written is a document in all three forms, by name.
func written(d *pages.Page) map[string]string {
	return map[string]string{"text": d.Text(), "markdown": d.Markdown(), "html": d.HTML()}
}

// unwrapped takes line breaks, and the backslashes of Markdown, out of a text, to look for sentences in it.
func unwrapped(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("\\", "", "&#39;", "'", "&#34;", "\"").Replace(text)), " ")
}

func TestAStatementReadsAsItWasApproved(t *testing.T) {
	appeal, change := blocked(t, domaintest.Appeal(), terms.NoticeMissing), blocked(t, domaintest.MaterialChange())
	appeal.Profile = statement.Profile{Version: "2026-2", Channels: []statement.Channel{
		{Label: "Form in the product", Audience: "participants", Rule: "A report is acknowledged at once with a number."}}}
	change.Standing.SupersededBy = domaintest.OtherRecordID
	for name, in := range map[string]*statement.Input{"appeal": &appeal, "change": &change} {
		d := statement.New(in)
		for form, text := range written(&d) {
			path := filepath.Join("testdata", name+"."+form)
			if *update {
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || string(want) != text {
				t.Errorf("%s differs: %v", path, err)
			}
		}
	}
}

func TestEachCodeOfARecordStandsInPlainWordsInEachForm(t *testing.T) {
	for _, scene := range []domaintest.Scene{domaintest.Appeal(), domaintest.MaterialChange()} {
		view := domaintest.View(t, scene)
		area := view.Area()
		in := blocked(t, scene, rules.AllBlockers(area).Terms()...)
		d := statement.New(&in)
		m := in.Record.Members()
		for form, text := range written(&d) {
			text = unwrapped(text)
			for _, rule := range rules.Book(area) {
				if !strings.Contains(text, rule.Code.String()) || !strings.Contains(text, unwrapped(views.PartyBlocker(rule.Code))) {
					t.Errorf("%s: %s is not explained", form, rule.Code)
				}
			}
			for _, code := range m.Factors {
				if !strings.Contains(text, code.String()) || !strings.Contains(text, views.PartyFactor(code)) {
					t.Errorf("%s: %s is not explained", form, code)
				}
			}
			for _, action := range m.Blocked {
				if !strings.Contains(text, action.Label()) {
					t.Errorf("%s: %s is not held back", form, action)
				}
			}
			activity, step := views.PartyEffect(m.Outcome)
			for _, said := range append(views.NoEffects(area), activity, step, views.PartyOutcome(m.Outcome)) {
				if !strings.Contains(text, said) {
					t.Errorf("%s does not say %q", form, said)
				}
			}
		}
	}
}

func TestBlockersSayWhoFoundThem(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/deadline")).Carrying(terms.SetOf(terms.NoticeMissing))
	choice := domaintest.ChoiceFor(&v, terms.StandingMissing)
	in := inputOf(&v, domaintest.Recorded(t, &v, choice))
	d := statement.New(&in)
	text := d.Text()
	for _, line := range []string{"deadline_missing (the rules):", "standing_missing (this reviewer):", "notice_missing (a reviewer, earlier):"} {
		if !strings.Contains(text, line) {
			t.Errorf("it does not say %q:\n%s", line, text)
		}
	}
}

func TestNoticesAgainstARecordComeFirst(t *testing.T) {
	at := domaintest.Instant("2026-07-01T10:00:00Z")
	for name, c := range map[string]struct {
		standing statement.Standing
		says     string
	}{
		"superseded": {statement.Standing{SupersededBy: domaintest.OtherRecordID}, "no longer in force. Record " + string(domaintest.OtherRecordID)},
		"rejected": {statement.Standing{Rejected: true, Rejection: records.Rejection{Reason: records.PacketStale, At: at, InForce: domaintest.OtherRecordID}},
			"not in force. The service rejected the record on 2026-07-01"},
		"signed after revocation": {statement.Standing{Revoked: true}, "signed after the key of the reviewer had been revoked"},
		"reasons erased": {statement.Standing{Erased: map[statement.Erasable]terms.Instant{statement.Reasons: at}},
			"statement of reasons was erased on 2026-07-01"},
		"texts erased": {statement.Standing{Erased: map[statement.Erasable]terms.Instant{statement.Packet: at}}, "Texts of what was decided on were erased"},
		"waiting":      {statement.Standing{Waiting: true}, "has not taken this record in yet"},
		"at fault":     {statement.Standing{Faults: []string{"The signature is not one of these bytes."}}, "does not check out: The signature"},
	} {
		in := blocked(t, domaintest.Appeal(), terms.NoticeMissing)
		in.Standing = c.standing
		d := statement.New(&in)
		for form, text := range written(&d) {
			text = unwrapped(text)
			said, decision := strings.Index(text, c.says), strings.Index(text, "is blocked: the grounds say why")
			if said < 0 || decision < said {
				t.Errorf("%s, %s: it does not say first %q", name, form, c.says)
			}
		}
	}
	in := blocked(t, domaintest.Appeal(), terms.NoticeMissing)
	if d := statement.New(&in); len(d.Notices) > 0 {
		t.Errorf("a record in force has notices: %q", d.Notices)
	}
}

func TestErasuresAreTakenFromTheStatementsAboutThem(t *testing.T) {
	in := blocked(t, domaintest.Appeal(), terms.NoticeMissing)
	m := in.Record.Members()
	at := domaintest.Instant("2026-07-01T10:00:00Z")
	reasons := records.Erasure{What: records.ErasableStatement, Record: m.RecordID}
	texts := records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: m.Key}
	other := records.Erasure{What: records.ErasableStatement, Record: domaintest.OtherRecordID}
	for _, c := range []struct {
		erased []records.Erasure
		want   map[statement.Erasable]terms.Instant
	}{
		{nil, nil}, {[]records.Erasure{other}, nil},
		{[]records.Erasure{reasons, other}, map[statement.Erasable]terms.Instant{statement.Reasons: at}},
		{[]records.Erasure{reasons, texts}, map[statement.Erasable]terms.Instant{statement.Reasons: at, statement.Packet: at}},
	} {
		stated := map[records.Erasure]records.LogStatement{}
		for _, e := range c.erased {
			stated[e] = records.LogStatement{At: at}
		}
		var s statement.Standing
		s.TakeErasures(stated, m)
		if !maps.Equal(s.Erased, c.want) {
			t.Errorf("%v: %v", c.erased, s.Erased)
		}
	}
}

func TestAFormSaysOnlyWhatTheRecordVouchesFor(t *testing.T) {
	erased := map[statement.Erasable]terms.Instant{statement.Reasons: domaintest.Instant("2026-07-01T10:00:00Z")}
	reasons := blocked(t, domaintest.Appeal(), terms.NoticeMissing).Reasons.Text
	for name, c := range map[string]struct {
		change    func(*statement.Input)
		says, not string
	}{
		"erased reasons that are handed in by mistake": {func(in *statement.Input) { in.Standing.Erased = erased }, "was erased on 2026-07-01", reasons},
		"reasons that the record does not vouch for": {func(in *statement.Input) { in.Reasons.Text = "Somebody else wrote this." },
			"the one that it vouches for is not here", "Somebody else wrote this."},
		"no packet and no profile": {func(in *statement.Input) { in.Packet = packets.Packet{} }, "No channel to turn to is named", "\x00"},
		"no record":                {func(in *statement.Input) { *in = statement.Input{} }, "cannot be read", reasons},
	} {
		in := blocked(t, domaintest.Appeal(), terms.NoticeMissing)
		c.change(&in)
		d := statement.New(&in)
		for form, text := range written(&d) {
			if text = unwrapped(text); !strings.Contains(text, c.says) || strings.Contains(text, unwrapped(c.not)) {
				t.Errorf("%s, %s: %s", name, form, text)
			}
		}
		if none := name == "no record"; none && (len(d.Parts) != 0 || len(d.Notices) != 1) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// Ids of parties, of the original decider and of those recused, and texts of the packet, are for the reviewer.
func TestNoPartyAndNoTextOfThePacketIsInAStatement(t *testing.T) {
	for _, scene := range []domaintest.Scene{domaintest.Appeal(), domaintest.MaterialChange()} {
		edits := []domaintest.Edit{domaintest.Set("/private", map[string]any{"contact_data": "canary-private", "private_narrative": []string{"canary-two"}})}
		if scene.TableOf("record") == "trade_appeal_cases" {
			edits = append(edits, domaintest.Set("/record/partyIds", []string{"party-x"}))
		}
		v := domaintest.View(t, scene, edits...)
		choice := domaintest.ChoiceFor(&v, terms.NoticeMissing)
		choice.NoteDigest = records.Note{Salt: "salt", Text: "canary-note"}.Digest()
		in := inputOf(&v, domaintest.Recorded(t, &v, choice))
		in.Reasons = choice.Statement
		d := statement.New(&in)
		for form, text := range written(&d) {
			for _, hidden := range []string{"canary", "party-x", "party-a", "party-b", "owner-2", "decider-1", "reviewer-3", "Took part in the trade",
				"The row was read", in.Record.Members().NoteDigest.String(), string(in.Reasons.Salt)} {
				if strings.Contains(text, hidden) {
					t.Errorf("%s holds %q", form, hidden)
				}
			}
			if !strings.Contains(unwrapped(text), "1 of contact data") {
				t.Errorf("%s does not count what was left out", form)
			}
		}
	}
}

func TestLongListsOfEvidenceAreCounted(t *testing.T) {
	items := make([]string, 10_000)
	for i := range items {
		items[i] = fmt.Sprintf("item-%d", i)
	}
	v := domaintest.View(t, domaintest.Appeal(), domaintest.SetText("/record/evidenceScope/items", items))
	in := inputOf(&v, domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v)))
	d := statement.New(&in)
	if text := unwrapped(d.Text()); !strings.Contains(text, "item-19 and 9980 more") {
		t.Error(text)
	}
}
