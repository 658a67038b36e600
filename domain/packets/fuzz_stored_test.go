package packets_test

import (
	"bytes"
	"errors"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

func FuzzReadStored(f *testing.F) {
	for _, s := range domaintest.Passing() {
		s["private"] = map[string]any{"exact_wish": "x", "unknown": []int{1, 2}}
		s.Question(f)
		f.Add(s.Stored(f, "policy").Document())
		f.Add(s.Stored(f, "record").Document())
	}
	for _, text := range privateTexts {
		v := domaintest.View(f, domaintest.Appeal(), domaintest.SetText(summary, text))
		f.Add(v.Record().Document())
	}
	for _, text := range naughty {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var reader packets.Reader
		quiet(t, text, func(changed []byte) string {
			if _, err := reader.ReadStored(changed); err != nil {
				return err.Error()
			}
			return ""
		})
		packets.Shown(text) // of what was never read it says nothing, and goes on
		p, err := reader.ReadStored(text)
		if err != nil {
			if !errors.Is(err, packets.ErrStoredPacket) || p.Document() != nil {
				t.Fatalf("%v", err)
			}
			return
		}
		again, err := reader.ReadStored(p.Document())
		if err != nil || again.Digests() != p.Digests() || again.Key() != p.Key() || again.Table() != p.Table() {
			t.Fatalf("%v: %s", err, p.Document())
		}
		v := views.New(packets.Packet{}, p, rules.Latest{}, domaintest.Instant(domaintest.Now))
		if v.Evaluation().Gate() != terms.Blocked || !v.Digest(domaintest.SampleSalt).Present() {
			t.Fatal("it passes without a policy")
		}
	})
}

func FuzzReadEnforcement(f *testing.F) {
	for _, record := range domaintest.Records(f) {
		f.Add(terms.AreaOf(record.Table()) == terms.Appeals, record.Document())
	}
	for _, text := range naughty {
		f.Add(true, []byte(text))
		f.Add(false, []byte(`{"recordId":`+string(domaintest.Encoded(text))+`}`))
	}
	f.Fuzz(func(t *testing.T, appeals bool, text []byte) {
		area := map[bool]terms.Area{true: terms.Appeals, false: terms.Amendments}[appeals]
		quiet(t, text, func(changed []byte) string {
			if _, err := domaintest.Reread(area, changed); err != nil {
				return err.Error()
			}
			return ""
		})
		record, err := domaintest.Reread(area, text)
		if err != nil {
			if !errors.Is(err, records.ErrEnforcement) || record.Document() != nil {
				t.Fatalf("%v", err)
			}
			return
		}
		if !bytes.Equal(record.Document(), text) || record.Table() == 0 {
			t.Fatalf("%s\nis read as\n%s", text, record.Document())
		}
		m := record.Members()
		if (m.Gate == terms.Pass) != (len(m.ComputedBlockers)+len(m.ReviewerBlockers)+len(m.CarriedBlockers) == 0) ||
			(len(m.Factors) == 0) != (area == terms.Amendments) {
			t.Fatalf("the gate is %s by %q and %q", m.Gate, m.ComputedBlockers, m.ReviewerBlockers)
		}
	})
}
