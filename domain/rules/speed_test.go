package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/views"
)

// line is what a program sends for one question, about 3 KB with its policy.
func line(b *testing.B, s domaintest.Scene) []byte {
	b.Helper()
	text := s.Question(b)
	if len(text) < 2500 || len(text) > 4000 {
		b.Fatalf("a line of %d bytes", len(text))
	}
	return text
}

func asked(b *testing.B, text []byte) rules.Input {
	b.Helper()
	var reader packets.Reader
	question, fault := rules.ReadInput(&reader, text)
	if fault != nil {
		b.Fatal(fault)
	}
	return question
}

// From the bytes of a line to the bytes of its answer: reading, validating, hashing and judging included.
func BenchmarkEvaluateFromBytes(b *testing.B) {
	for name, s := range map[string]domaintest.Scene{"appeals": domaintest.Appeal(), "amendments": domaintest.MaterialChange()} {
		b.Run(name, func(b *testing.B) {
			text := line(b, s)
			var reader packets.Reader
			var answer []byte
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				question, fault := rules.ReadInput(&reader, text)
				if fault != nil {
					b.Fatal(fault)
				}
				answer = views.AppendAnswer(answer[:0], &question, rules.Evaluate(&question))
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// The rules alone, on a question that was read before.
func BenchmarkEvaluate(b *testing.B) {
	for name, text := range map[string][]byte{
		"appeals/pass": line(b, domaintest.Appeal()), "appeals/blocked": domaintest.Appeal().Question(b, domaintest.Del("/record/notice"), domaintest.Del("/record/deadline")),
		"amendments/pass": line(b, domaintest.MaterialChange()), "amendments/blocked": domaintest.MaterialChange().Question(b, domaintest.Del("/record/confirmations")),
		"corrections/pass": domaintest.Correction().Question(b),
	} {
		b.Run(name, func(b *testing.B) {
			question := asked(b, text)
			b.ReportAllocs()
			for b.Loop() {
				rules.Evaluate(&question)
			}
		})
	}
}

func TestJudgingWhatPassesAllocatesNextToNothing(t *testing.T) {
	for name, s := range domaintest.Passing() {
		var reader packets.Reader
		question, fault := rules.ReadInput(&reader, s.Question(t))
		if fault != nil {
			t.Fatal(fault)
		}
		if allocations := testing.AllocsPerRun(100, func() { rules.Evaluate(&question) }); allocations > 2 {
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}

// The work of an import on a packet before it is stored.
func BenchmarkReadAndRedactPacket(b *testing.B) {
	for name, s := range map[string]domaintest.Scene{"cases": domaintest.Appeal(), "amendments": domaintest.MaterialChange()} {
		b.Run(name, func(b *testing.B) {
			line(b, s)
			text := domaintest.Encoded(map[string]any{"table": s["table"], "record": s["record"], "private": map[string]any{"exact_wish": "x"}})
			var reader packets.Reader
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				packet, fault := reader.Read(text)
				if fault != nil {
					b.Fatal(fault)
				}
				packet.Redact()
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "packets/s")
		})
	}
}

// The work of the console when a packet is opened.
func BenchmarkView(b *testing.B) {
	for name, s := range map[string]domaintest.Scene{"cases": domaintest.Appeal(), "amendments": domaintest.MaterialChange()} {
		b.Run(name, func(b *testing.B) {
			line(b, s)
			policy, record := s.Stored(b, "policy"), s.Stored(b, "record")
			latest := rules.Latest{PolicyVersion: s.Number("latestPolicyVersion"), Revision: s.Number("latestRevision")}
			at := domaintest.Instant(domaintest.Now)
			b.ReportAllocs()
			for b.Loop() {
				v := views.New(policy, record, latest, at)
				v.Digest(domaintest.SampleSalt)
			}
		})
	}
}
