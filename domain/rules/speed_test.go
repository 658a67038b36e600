package rules_test

import (
	"fmt"
	"strings"
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

// crowds are amendments of up to a mebibyte that make the confirmations as laborious to judge as they can be: many
// required parties, or one of them many times, with as many confirmations.
func crowds() map[string]domaintest.Scene {
	crowd := func(parties, confirmations []string) domaintest.Scene {
		s := domaintest.MaterialChange()
		delete(s.Record(), "confirmations")
		delete(s.Record(), "requiredParties")
		s.Record()["requiredParties"] = domaintest.Normal(parties)
		list := []any{}
		for _, party := range confirmations {
			list = append(list, map[string]any{"partyRef": party, "confirmedAt": domaintest.LongAgo})
		}
		s.Record()["confirmations"] = list
		return s
	}
	many := func(count int, prefix string) []string {
		names := make([]string, count)
		for i := range names {
			names[i] = fmt.Sprintf("%s%05d", prefix, i)
		}
		return names
	}
	same := func(count int, name string) []string { return strings.Fields(strings.Repeat(name+" ", count)) }
	live := crowd(many(3600, "p"), nil)
	list := []any{}
	for _, party := range many(3600, "p") {
		list = append(list, map[string]any{"partyRef": party, "covers": domaintest.Normal(everyConfirmable),
			"termsHash": domaintest.AfterTerms, "confirmedAt": domaintest.LongAgo})
	}
	live.Record()["confirmations"] = list
	return map[string]domaintest.Scene{
		"as many parties as confirmations":  crowd(many(14000, "p"), many(14000, "p")),
		"one party many times":              crowd([]string{"x"}, same(14000, "x")),
		"parties and others' confirmations": crowd(append(many(35000, "x"), "y"), append(same(10500, "z"), "x", "y")),
		"all parties confirmed everything":  live,
	}
}

// crowdBlockers are those of the crowds: found in milliseconds, where comparing each with each would take many seconds.
var crowdBlockers = map[string]string{
	"as many parties as confirmations": "exposure_increase_without_confirmation participant_confirmation_scope_mismatch",
	"one party many times":             "exposure_increase_without_confirmation participant_confirmation_scope_mismatch",
	"parties and others' confirmations": "exposure_increase_without_confirmation renewed_confirmation_missing " +
		"participant_confirmation_scope_mismatch",
	"all parties confirmed everything": "",
}

func TestCrowdsOfPartiesAreJudgedLikeAnyOther(t *testing.T) {
	for name, s := range crowds() {
		if got := strings.Join(domaintest.Held(s), " "); got != crowdBlockers[name] {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func BenchmarkEvaluateCrowd(b *testing.B) {
	for name, s := range crowds() {
		line := s.SealedByHand()
		var reader packets.Reader
		question, fault := rules.ReadInput(&reader, line)
		if fault != nil || len(line) > 1<<20 {
			b.Fatalf("%d bytes: %v", len(line), fault)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rules.Evaluate(&question)
			}
		})
	}
}

// Everything but the judging, of the same crowds: reading, redacting, looking and digesting the view.
func BenchmarkViewOfCrowd(b *testing.B) {
	for name, s := range crowds() {
		s = domaintest.Parsed(string(s.SealedByHand()))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				v := s.Look(b, domaintest.Instant(domaintest.Now))
				v.Digest(domaintest.SampleSalt)
			}
		})
	}
}

var everyConfirmable = []string{"exposureIncrease", "fundsRedirect", "compensationChange", "privacyChange",
	"donorOfRecordChange", "thirdPartyObligationChange"}
