package records_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

func logStatement() records.LogStatement {
	at, _ := terms.ParseInstant(domaintest.Now)
	return records.LogStatement{Kind: records.AnchorAccepted, Origin: "docket/00", Size: 3, Root: terms.HashOf([]byte("root")), At: at,
		By: "rev-1", KeyFingerprint: "SHA256:abc", Found: []string{"anchor_missing"}}
}

func TestALogStatementIsReadBackAsItWasWritten(t *testing.T) {
	for _, kind := range records.LogStatementKinds.All() {
		s := logStatement()
		s.Kind = kind
		if s.AboutKey() {
			s.Found, s.Key = []string{}, records.KeyChange{PublicKey: "ssh-ed25519 AAAA"}
			if kind == records.KeyRegistered {
				s.Origin = records.ServiceOriginPrefix + "00"
			}
		}
		switch kind {
		case records.OperatorNamed:
			s.Found, s.Origin = []string{}, records.ServiceOriginPrefix+"00"
		case records.OperatorChanged:
			s.Found, s.Origin = []string{"op-2", "SHA256:" + strings.Repeat("A", 43)}, records.ServiceOriginPrefix+"00"
		case records.OperatorReplaced:
			s.Found, s.Origin = []string{"SHA256:" + strings.Repeat("A", 43)}, records.ServiceOriginPrefix+"00"
		case records.LogRestored:
			s = restoreStatement()
		case records.ServiceAccepted:
			change := records.ServiceChange{KnownKey: records.ServiceOriginPrefix + "00+0+A", Known: records.LogHead{Size: 3, Root: terms.HashOf(nil)},
				ShownKey: records.ServiceOriginPrefix + "11+0+B", Shown: records.LogHead{Root: terms.HashOf(nil)}}
			s.Found = change.Words()
		case records.ServiceNamed:
			s.Found = []string{records.ServiceOriginPrefix + "00+0+A"}
		case records.Erased:
			s.Found = records.Erasure{What: records.ErasableDraft, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 2}, Reason: records.ErasedMistake}.Words()
		}
		if again, err := records.ReadLogStatement(s.Text()); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%s: %+v, error %v", kind, again, err)
		}
		if said := s.Sentence(); !strings.Contains(said, "rev-1") || !s.LogSigns() && !s.PersonSigns() {
			t.Errorf("%s: it does not say by whom, or nobody signs it: %s", kind, said)
		}
	}
}

func TestEveryLineOfALogStatementCounts(t *testing.T) {
	good := logStatement()
	lines := strings.Split(good.Text(), "\n")
	for i, wrong := range []string{"docket-log-statement/v2", "release", "", "-1", "sha256:00", "yesterday", "", "", "", "more"} {
		for _, line := range []string{wrong, lines[i] + "\n", lines[i] + "  x"} {
			changed := append([]string(nil), lines...)
			changed[i] = line
			s, err := records.ReadLogStatement(strings.Join(changed, "\n"))
			if free := (i == 2 || i == 7) && line != wrong && !strings.Contains(line, "\n"); !free && !errors.Is(err, records.ErrLogStatement) {
				t.Errorf("line %d as %q is read as %+v", i+1, line, s)
			}
		}
	}
}

func keyStatement(kind records.LogStatementKind, change func(*records.LogStatement)) string {
	s := logStatement()
	s.Kind, s.Found, s.Key = kind, nil, records.KeyChange{PublicKey: "ssh-ed25519 AAAA"}
	if change != nil {
		change(&s)
	}
	return s.Text()
}

func TestAStatementAboutAKeyHasTheLinesOfItsKindOnly(t *testing.T) {
	atService := func(s *records.LogStatement) { s.Origin = records.ServiceOriginPrefix + "00" }
	good := []string{keyStatement(records.KeyEndorsed, nil), keyStatement(records.KeyReplaced, nil), keyStatement(records.KeyRegistered, atService),
		keyStatement(records.KeyRevoked, nil), keyStatement(records.KeyRevoked, atService),
		keyStatement(records.KeyRevoked, func(s *records.LogStatement) { s.Key.From = s.Size })}
	for _, text := range good {
		if _, err := records.ReadLogStatement(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	bad := []string{keyStatement(records.KeyEndorsed, atService), keyStatement(records.KeyReplaced, atService), keyStatement(records.KeyRegistered, nil),
		keyStatement(records.KeyRevoked, func(s *records.LogStatement) { s.Key.From = s.Size + 1 }),
		keyStatement(records.KeyRevoked, func(s *records.LogStatement) { s.Key.From = -1 }),
		keyStatement(records.KeyEndorsed, func(s *records.LogStatement) { s.Found = []string{"x"} }),
		keyStatement(records.KeyEndorsed, func(s *records.LogStatement) { s.Key.PublicKey = "" }),
		keyStatement(records.KeyEndorsed, func(s *records.LogStatement) { s.Key.PublicKey = "ssh-ed25519 AAAA me@here" }),
		strings.Replace(keyStatement(records.KeyEndorsed, nil), "AAAA\n-\n", "AAAA\n0\n", 1),
		strings.Replace(keyStatement(records.KeyRevoked, nil), "AAAA\n0\n", "AAAA\n-\n", 1),
		strings.TrimSuffix(keyStatement(records.KeyEndorsed, nil), "-\n"), keyStatement(records.KeyEndorsed, nil) + "-\n"}
	for _, text := range bad {
		if s, err := records.ReadLogStatement(text); !errors.Is(err, records.ErrLogStatement) {
			t.Errorf("%q is read as %+v", text, s)
		}
	}
}

func TestAnErasureIsReadBackFromItsWords(t *testing.T) {
	id := records.RecordID("019ecb27-3971-7000-8000-000000000006")
	key := packets.Key{ID: "case:1.a", Number: 7}
	rest := terms.HashOf([]byte("{}"))
	texts, end := "texts trade_appeal_cases case-1 ", " "+rest.String()+" by_mistake"
	for _, what := range records.Erasables.All() {
		for _, reason := range records.ErasureReasons.All() {
			e := records.Erasure{What: what, Table: terms.AppealCases, Key: key, Reason: reason}
			if what == records.ErasableNote || what == records.ErasableStatement {
				e = records.Erasure{What: what, Record: id, Reason: reason}
			}
			if what == records.ErasableTexts {
				e.Rest = rest
			}
			if again, ok := records.ErasureOf(e.Words()); !ok || again != e || e.String() == "" || len(e.Stays()) == 0 {
				t.Errorf("%v is read as %+v", e.Words(), again)
			}
		}
	}
	for _, words := range []string{"", "note", "note x by_mistake", "note " + string(id), "note " + string(id) + " canary", "canary " + string(id) + " by_mistake",
		texts + "0" + end, texts + "01" + end, texts + "x" + end, "texts trade_appeal_policies pol-1 1" + end,
		"texts trade_agreement_amendment_records amd-1 1" + end, "texts trade_appeal_cases -1 1" + end, texts + "1" + end[:len(end)-len(" by_mistake")], texts + "1" + end + " more",
		texts + "1 by_mistake", texts + "1 sha256:00 by_mistake", "draft trade_appeal_cases case-1 1" + end, "draft trade_appeal_enforcements case-1 1 by_mistake"} {
		if e, ok := records.ErasureOf(strings.Fields(words)); ok {
			t.Errorf("%q is read as %+v", words, e)
		}
		s := logStatement()
		s.Kind, s.Found = records.Erased, strings.Fields(words)
		if _, err := records.ReadLogStatement(s.Text()); err == nil {
			t.Errorf("a statement with %q is read", words)
		}
	}
}

// restoreStatement is a whole statement of a restore.
func restoreStatement() records.LogStatement {
	s := logStatement()
	s.Kind = records.LogRestored
	s.Restore = records.Restore{OldKey: "docket/00+0+a", NewKey: "docket/01+1+b", Reason: records.KeyLost, Known: []records.KnownHead{
		{From: records.KnownFromAnchor, Size: 5, Root: terms.HashOf([]byte("five"))},
		{From: records.KnownFromReceipt, Size: 4, Root: terms.HashOf([]byte("four"))},
	}}
	return s
}

func TestARestoreSaysHowManyRecordsAreLost(t *testing.T) {
	s := restoreStatement()
	if s.Lost() != 2 || s.Restore.NewOrigin() != "docket/01" {
		t.Errorf("%d entries lost, and %q begins", s.Lost(), s.Restore.NewOrigin())
	}
	s.Restore.Known = nil
	if s.Lost() != 0 {
		t.Errorf("%d entries lost that nobody knew", s.Lost())
	}
}

func TestEveryLineOfARestoreCounts(t *testing.T) {
	good := restoreStatement()
	for name, wrong := range map[string]func(r *records.Restore){
		"no reason":                   func(r *records.Restore) { r.Reason = 0 },
		"another log ends":            func(r *records.Restore) { r.OldKey = "docket/02+0+a" },
		"the same log begins":         func(r *records.Restore) { r.NewKey = "docket/00+1+b" },
		"a service's log begins":      func(r *records.Restore) { r.NewKey = "docket/service/01+1+b" },
		"a log of no docket begins":   func(r *records.Restore) { r.NewKey = "example.org/01+1+b" },
		"a head known from nowhere":   func(r *records.Restore) { r.Known[0].From = 0 },
		"a head of less than nothing": func(r *records.Restore) { r.Known[0].Size = -1 },
		"a head without a root":       func(r *records.Restore) { r.Known[0].Root = terms.Hash{} },
		"more heads than are stated":  func(r *records.Restore) { r.Known = make([]records.KnownHead, records.MostKnown+1) },
		"a line break in a key":       func(r *records.Restore) { r.OldKey = "docket/00+0+a\nb" },
	} {
		s := good
		s.Restore.Known = append([]records.KnownHead(nil), good.Restore.Known...)
		wrong(&s.Restore)
		if again, err := records.ReadLogStatement(s.Text()); !errors.Is(err, records.ErrLogStatement) {
			t.Errorf("%s: read as %+v", name, again)
		}
	}
	for _, cut := range []string{good.Text()[:len(good.Text())-1], good.Text() + "\n", good.Text() + "more\n"} {
		if _, err := records.ReadLogStatement(cut); !errors.Is(err, records.ErrLogStatement) {
			t.Errorf("read: %q", cut)
		}
	}
}

func TestTheOriginTellsAServicesLogFromAConsoles(t *testing.T) {
	for origin, want := range map[string]bool{
		"":                                  false,
		"docket/0123456789abcdef":           false,
		"docket/service/0123456789abcdef":   true,
		"docket/servicE/0123456789abcdef":   false,
		" docket/service/0123456789abcdef":  false,
		"x/docket/service/0123456789abcdef": false,
	} {
		if records.OfService(origin) != want {
			t.Errorf("%q: %v", origin, !want)
		}
	}
}
