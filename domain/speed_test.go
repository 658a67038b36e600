package domain_test

import (
	"testing"

	"docket/domain"
)

// line is what a program sends for one question, about 3 KB with its policy.
func line(b *testing.B, s scene) []byte {
	b.Helper()
	text := s.question(b)
	if len(text) < 2500 || len(text) > 4000 {
		b.Fatalf("a line of %d bytes", len(text))
	}
	return text
}

func asked(b *testing.B, text []byte) domain.Question {
	b.Helper()
	var reader domain.Reader
	question, fault := domain.ReadQuestion(&reader, text)
	if fault != nil {
		b.Fatal(fault)
	}
	return question
}

// From the bytes of a line to the bytes of its answer: reading, validating, hashing and judging included.
func BenchmarkEvaluateFromBytes(b *testing.B) {
	for name, s := range map[string]scene{"appeals": appeal(), "amendments": materialChange()} {
		b.Run(name, func(b *testing.B) {
			text := line(b, s)
			var reader domain.Reader
			var answer []byte
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				question, fault := domain.ReadQuestion(&reader, text)
				if fault != nil {
					b.Fatal(fault)
				}
				answer = domain.AppendAnswer(answer[:0], &question, domain.Judge(&question))
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// The rules alone, on a question that was read before.
func BenchmarkJudge(b *testing.B) {
	for name, text := range map[string][]byte{
		"appeals/pass": line(b, appeal()), "appeals/blocked": appeal().question(b, del("/record/notice"), del("/record/deadline")),
		"amendments/pass": line(b, materialChange()), "amendments/blocked": materialChange().question(b, del("/record/confirmations")),
		"corrections/pass": correction().question(b),
	} {
		b.Run(name, func(b *testing.B) {
			question := asked(b, text)
			b.ReportAllocs()
			for b.Loop() {
				domain.Judge(&question)
			}
		})
	}
}

func TestJudgingWhatPassesAllocatesNextToNothing(t *testing.T) {
	for name, s := range passing() {
		var reader domain.Reader
		question, fault := domain.ReadQuestion(&reader, s.question(t))
		if fault != nil {
			t.Fatal(fault)
		}
		if allocations := testing.AllocsPerRun(100, func() { domain.Judge(&question) }); allocations > 2 {
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}

// What an import does with a packet before it is stored.
func BenchmarkReadAndRedactPacket(b *testing.B) {
	for name, s := range map[string]scene{"cases": appeal(), "amendments": materialChange()} {
		b.Run(name, func(b *testing.B) {
			line(b, s)
			text := encoded(map[string]any{"table": s["table"], "record": s["record"], "private": map[string]any{"exact_wish": "x"}})
			var reader domain.Reader
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

// What the console does when a packet is opened.
func BenchmarkLook(b *testing.B) {
	for name, s := range map[string]scene{"cases": appeal(), "amendments": materialChange()} {
		b.Run(name, func(b *testing.B) {
			line(b, s)
			policy, record := s.stored(b, "policy"), s.stored(b, "record")
			latest := domain.Latest{PolicyVersion: s.number("latestPolicyVersion"), Revision: s.number("latestRevision")}
			at := instant(now)
			b.ReportAllocs()
			for b.Loop() {
				v := domain.Look(policy, record, latest, at)
				v.Digest(sampleSalt)
			}
		})
	}
}
