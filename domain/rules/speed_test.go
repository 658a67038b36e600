package rules_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/views"
)

// read reads the line of a question.
func read(t domaintest.TB, text []byte) rules.Input {
	t.Helper()
	var reader packets.Reader
	question, fault := rules.ReadInput(&reader, text)
	if fault != nil {
		t.Fatalf("it is refused: %v", fault)
	}
	return question
}

// From the bytes of a line of about 3 KB to the bytes of its answer: reading, validating, hashing and judging included.
func BenchmarkEvaluateFromBytes(b *testing.B) {
	for name, s := range map[string]domaintest.Scene{"appeals": domaintest.Appeal(), "amendments": domaintest.MaterialChange()} {
		b.Run(name, func(b *testing.B) {
			text := s.Question(b)
			if len(text) < 2500 || len(text) > 4000 {
				b.Fatalf("a line of %d bytes", len(text))
			}
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

// The rules alone, on what was read before; the import of a packet before it is stored; and the view of the console.
func BenchmarkEvaluate(b *testing.B) {
	scenes := crowds()
	scenes["an appeal"], scenes["a material change"], scenes["a correction"] = domaintest.Appeal(), domaintest.MaterialChange(), domaintest.Correction()
	blocked := domaintest.Appeal()
	blocked.Make(domaintest.Del("/record/notice"))
	scenes["an appeal, blocked"] = blocked
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		s := domaintest.Scene(domaintest.Parsed(string(scenes[name].SealedByHand())))
		question := read(b, domaintest.Encoded(s))
		text := domaintest.Encoded(map[string]any{"table": s["table"], "record": s["record"], "private": map[string]any{"exact_wish": "x"}})
		policy, record := s.Stored(b, "policy"), s.Stored(b, "record")
		latest := rules.Latest{PolicyVersion: s.Number("latestPolicyVersion"), Revision: s.Number("latestRevision")}
		for what, do := range map[string]func(){
			"evaluate": func() { rules.Evaluate(&question) },
			"import":   func() { domaintest.Redacted(b, text) },
			"view": func() {
				v := views.New(policy, record, latest, domaintest.Instant(domaintest.Now))
				v.Digest(domaintest.SampleSalt)
			},
		} {
			b.Run(what+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					do()
				}
			})
		}
	}
}

func TestJudgingWhatPassesAllocatesNextToNothing(t *testing.T) {
	for name, s := range domaintest.Passing() {
		question := read(t, s.Question(t))
		if allocations := testing.AllocsPerRun(100, func() { rules.Evaluate(&question) }); allocations > 2 {
			t.Errorf("%s: %v allocations", name, allocations)
		}
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

var everyConfirmable = []string{"exposureIncrease", "fundsRedirect", "compensationChange", "privacyChange",
	"donorOfRecordChange", "thirdPartyObligationChange"}
