package packets_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// canary never stands in a seed's known members; a refusal that repeats it repeats the input.
const canary = "canary7f3a"

// withCanary puts the canary into the text as the name and the value of a further member of its outermost object.
func withCanary(text []byte) []byte {
	at := bytes.LastIndexByte(text, '}')
	if at < 0 {
		return text
	}
	member := `"` + canary + `": "` + canary + `"}`
	if rest := bytes.TrimSpace(text[:at]); !bytes.HasSuffix(rest, []byte("{")) {
		member = "," + member
	}
	return append(append([]byte{}, text[:at]...), member+string(text[at+1:])...)
}

// quiet makes sure that a text with the canary in it is refused, and that the refusal does not repeat it.
func quiet(t *testing.T, text []byte, refusal func([]byte) string) {
	t.Helper()
	changed := withCanary(text)
	if strings.Contains(string(text), canary) || bytes.Equal(changed, text) {
		return
	}
	if message := refusal(changed); message == "" || strings.Contains(message, canary) {
		t.Fatalf("%q: %s", message, changed)
	}
}

func FuzzReadPacket(f *testing.F) {
	for _, s := range domaintest.Passing() {
		for _, packet := range unsealed(s) {
			packet["private"] = map[string]any{"exact_wish": []any{"x", nil, map[string]any{"y": 1}}}
			f.Add(domaintest.Encoded(packet))
		}
	}
	for _, packet := range naughtyPackets() {
		f.Add(packet)
	}
	for _, r := range refusals {
		f.Add(r.packet())
	}
	f.Add(nested(64))
	f.Add(nested(65))
	f.Fuzz(func(t *testing.T, text []byte) {
		var reader, again packets.Reader
		quiet(t, text, func(changed []byte) string {
			if _, fault := again.Read(changed); fault != nil {
				return fault.Error()
			}
			return ""
		})
		u, fault := reader.Read(text)
		if fault != nil {
			if fault.Reason == "" || fault.Offset < 0 || fault.Offset > len(text) {
				t.Fatalf("%+v", fault)
			}
			return
		}
		if !json.Valid(text) {
			t.Fatalf("no JSON is accepted: %q", text)
		}
		p := u.Redact()
		stored, err := again.ReadStored(p.Document())
		if err != nil {
			t.Fatalf("%v: %s", err, p.Document())
		}
		if !bytes.Equal(stored.Document(), p.Document()) || stored.Digests() != p.Digests() || stored.Key() != p.Key() {
			t.Fatalf("%s\nis read back as\n%s", p.Document(), stored.Document())
		}
		v := views.New(packets.Packet{}, stored, rules.Latest{}, domaintest.Instant(domaintest.Now))
		if v.Evaluation().Gate() != terms.Blocked || !v.Digest(domaintest.SampleSalt).Present() {
			t.Fatal("it passes without a policy")
		}
	})
}

func FuzzReadInput(f *testing.F) {
	for _, s := range domaintest.Passing() {
		f.Add(s.Question(f))
	}
	for _, from := range []func() domaintest.Scene{domaintest.Appeal, domaintest.Correction} {
		f.Add(from().Question(f, domaintest.Del("/policy"), domaintest.Del("/record")))
		f.Add(from().Question(f, domaintest.Set("/policy", nil), domaintest.Set("/record", nil)))
		f.Add(from().Question(f, domaintest.Del("/record")))
	}
	for _, r := range refusals {
		f.Add([]byte(r.text))
	}
	for _, text := range naughty {
		s := domaintest.Appeal()
		s["at"] = text
		f.Add(domaintest.Encoded(s))
		s = domaintest.Correction()
		s.Record()["ownerId"] = text
		f.Add(domaintest.Encoded(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var reader packets.Reader
		quiet(t, text, func(changed []byte) string {
			if _, fault := rules.ReadInput(&reader, changed); fault != nil {
				return fault.Error()
			}
			return ""
		})
		q, fault := rules.ReadInput(&reader, text)
		if fault != nil {
			if line := views.AppendRefusal(nil, 1, *fault); fault.Reason == "" || !json.Valid(line) {
				t.Fatalf("%s", line)
			}
			return
		}
		j := rules.Evaluate(&q)
		line := views.AppendAnswer(nil, &q, j)
		if !json.Valid(line) || (j.Gate() == terms.Pass) != (len(j.Blockers()) == 0) || len(j.Blockers()) != j.BlockerSet().Len() {
			t.Fatalf("%s", line)
		}
		if other := views.AppendAnswer(nil, &q, rules.Evaluate(&q)); !bytes.Equal(line, other) {
			t.Fatalf("judged twice: %s and %s", line, other)
		}
	})
}
