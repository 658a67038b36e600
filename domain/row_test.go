package domain_test

import (
	"strings"
	"testing"

	"docket/domain"
)

// A row is one line of a rule table: a scene with some edits, and every blocker that holds then, in order.
type row struct {
	name  string
	want  string // codes, separated by spaces; "" is pass
	edits []edit
}

func when(name, want string, edits ...edit) row { return row{name, want, edits} }

// check judges every row, starting from the scene.
func check(t *testing.T, from func() scene, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := strings.Join(codes(judged(t, from(), r.edits...)), " "); got != r.want {
				t.Errorf("blockers:\n got %q\nwant %q", got, r.want)
			}
		})
	}
}

// judged judges a scene twice, as a question of one line and as packets that were stored in between, and makes sure
// that both ways lead to the same.
func judged(t tb, s scene, edits ...edit) domain.Judgment {
	t.Helper()
	line := s.question(t, edits...)
	var reader domain.Reader
	question, fault := domain.ReadQuestion(&reader, line)
	if fault != nil {
		t.Fatalf("the question is refused: %v", fault)
	}
	asked := domain.Judge(&question)
	if s["record"] == nil {
		return asked
	}
	view := s.look(t, question.At())
	stored := view.Judgment()
	if strings.Join(codes(stored), " ") != strings.Join(codes(asked), " ") || stored.Gate() != asked.Gate() {
		t.Fatalf("as a question %q, as stored packets %q", codes(asked), codes(stored))
	}
	return asked
}

// view seals the scene, stores its packets, reads them back and looks at them.
func view(t tb, s scene, edits ...edit) domain.View {
	t.Helper()
	s.question(t, edits...)
	at, ok := domain.ParseInstant(s["at"].(string))
	if !ok {
		t.Fatalf("the scene has no time")
	}
	return s.look(t, at)
}

func (s scene) look(t tb, at domain.Instant) domain.View {
	t.Helper()
	policy := domain.Packet{}
	if s["policy"] != nil {
		policy = s.stored(t, "policy")
	}
	latest := domain.Latest{PolicyVersion: s.number("latestPolicyVersion"), Revision: s.number("latestRevision")}
	return domain.Look(policy, s.stored(t, "record"), latest, at)
}

// stored takes the policy or the record through reading, redaction, storing and reading back.
func (s scene) stored(t tb, part string) domain.Packet {
	t.Helper()
	packet := map[string]any{"table": s.tableOf(part), "record": s[part]}
	if private := s["private"]; private != nil && part == "record" {
		packet["private"] = private
	}
	return restored(t, redacted(t, encoded(packet)))
}

func redacted(t tb, text []byte) domain.Packet {
	t.Helper()
	var reader domain.Reader
	unredacted, fault := reader.Read(text)
	if fault != nil {
		t.Fatalf("the packet is refused: %v", fault)
	}
	return unredacted.Redact()
}

func restored(t tb, packet domain.Packet) domain.Packet {
	t.Helper()
	var reader domain.Reader
	again, err := reader.ReadStored(packet.Document())
	if err != nil {
		t.Fatalf("what was stored cannot be read: %v", err)
	}
	return again
}

func (s scene) number(name string) int64 {
	if number, there := s[name].(interface{ Int64() (int64, error) }); there {
		value, _ := number.Int64()
		return value
	}
	return 0
}

// codes lists a judgment's blockers as words, and makes sure that the gate follows from them.
func codes(j domain.Judgment) []string {
	texts := []string{}
	for _, blocker := range j.Blockers() {
		texts = append(texts, blocker.String())
	}
	if (j.Gate() == domain.Pass) != (len(texts) == 0) {
		panic("the gate does not follow from the blockers")
	}
	return texts
}

// must reads an instant that a test wrote.
func instant(text string) domain.Instant {
	at, ok := domain.ParseInstant(text)
	if !ok {
		panic("not a time: " + text)
	}
	return at
}
