package sample

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"
	"time"

	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
)

// Generate yields the policies of the sample docket and then n synthetic cases and amendments, one JSON text a packet,
// for load tests. The caller may keep the texts. The same seed and start, to the second, give the same bytes, and a
// larger n only adds to them; ids of different seeds differ. About two thirds of the records pass at start, the others
// have one or more of all blockers of both areas; about every eighth packet has private members.
//
// It panics if start lies outside the years that a packet can write.
func Generate(n int, seed uint64, start time.Time) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		g, policies := newGenerator(seed, start)
		for _, policy := range policies {
			if !yield(policy) {
				return
			}
		}
		for number := range n {
			if !yield(g.packet(number + 1)) {
				return
			}
		}
	}
}

// generator draws synthetic packets. It serves one goroutine.
type generator struct {
	seed     uint64
	random   *rand.Rand
	start    time.Time
	policies map[packets.Key]generatedPolicy
	writer   jsonWriter

	triggers                            []terms.Trigger
	subjects                            []terms.Subject
	standings, outcomes, terms, effects []string
	transitions                         []transitionWords
}

// transitionWords holds the words of a transition.
type transitionWords struct {
	key                 terms.Transition
	subjectTypes, kinds []string
}

// The policies of the sample docket that generated records name.
var (
	currentAppeals  = packets.Key{ID: "pol-appeals-general", Number: 4}
	formerAppeals   = packets.Key{ID: "pol-appeals-general", Number: 3}
	currentOffsets  = packets.Key{ID: "pol-amendments-offsets", Number: 2}
	formerOffsets   = packets.Key{ID: "pol-amendments-offsets", Number: 1}
	currentSwaps    = packets.Key{ID: "pol-amendments-swaps", Number: 1}
	staleAmendments = packets.Key{ID: "pol-amendments-disaster-relief", Number: 1}
	draftAmendments = packets.Key{ID: "pol-amendments-pooled-gifts", Number: 1}
)

func newGenerator(seed uint64, start time.Time) (*generator, [][]byte) {
	w := newWriter(start)
	policies, err := w.packets(policyFiles)
	if err != nil {
		panic("sample: the policies cannot be written: " + err.Error())
	}
	g := &generator{
		seed: seed, random: rand.New(rand.NewPCG(seed, 0)), start: w.start, policies: map[packets.Key]generatedPolicy{},
		triggers: terms.Triggers.All(), subjects: terms.Subjects.All(),
		standings: terms.StandingCategories.Texts(), outcomes: terms.Outcomes.Texts(),
		terms: terms.ChangedTerms.Texts(), effects: terms.ConfirmableEffects.Texts(),
	}
	for _, text := range policies {
		unredacted, fault := w.reader.Read(text)
		if fault != nil {
			panic("sample: a policy cannot be read: " + fault.Error())
		}
		policy := unredacted.Redact()
		key := policy.Key()
		g.policies[key] = generatedPolicy{string(key.ID), key.Number, policy.Digests().Content.String()}
	}
	for _, d := range rules.TransitionDefinitions() {
		g.transitions = append(g.transitions, transitionWords{d.Key, d.SubjectTypes.Texts(), d.AmendmentTypes.Texts()})
	}
	return g, policies
}

// packet writes one case or amendment: three cases to two amendments, a third of them with one or two defects.
func (g *generator) packet(number int) []byte {
	defects := max(0, g.random.IntN(9)-5)
	if g.random.IntN(5) < 3 {
		c := g.drawCase(number)
		for range min(defects, 2) {
			pick(g, caseDefects).apply(g, &c)
		}
		return g.sealed(c.write(&g.writer), terms.AppealCases)
	}
	a := g.drawAmendment(number)
	for range min(defects, 2) {
		pick(g, amendmentDefects).apply(g, &a)
	}
	return g.sealed(a.write(&g.writer), terms.AmendmentRecords)
}

// ownHash holds the place of a record's own hash, and whether the record was edited after hashing.
type ownHash struct {
	at     int
	member string
	edited bool
}

// sealed wraps the record that was just written.
func (g *generator) sealed(own ownHash, table terms.Table) []byte {
	record := g.writer.Text()
	hash := terms.HashOf(record).String()
	if own.edited {
		hash = g.hash()
	}
	text := append(make([]byte, 0, len(record)+384), '{')
	if g.random.IntN(8) == 0 {
		text = fmt.Appendf(text, `"private":{"counterparty_terms":{"agreed aside":"%s","note":"%s"}},`, g.hash(), g.hash())
	}
	text = append(append(text, `"record":`...), record[:own.at]...)
	if own.at > len("{") {
		text = append(text, ',')
	}
	text = append(append(append(append(text, '"'), own.member...), `":"`...), hash...)
	text = append(text, '"')
	if own.at == len("{") {
		text = append(text, ',')
	}
	text = append(text, record[own.at:]...)
	return append(append(append(text, `,"table":"`...), table.String()...), `"}`...)
}

// pick draws one of the values.
func pick[V any](g *generator, from []V) V { return from[g.random.IntN(len(from))] }

// ago draws a moment that lies from least to most hours back.
func (g *generator) ago(least, most int) time.Time { return g.ahead(-most, -least) }

// ahead draws a moment that lies from least to most hours ahead, to the minute.
func (g *generator) ahead(least, most int) time.Time {
	return g.start.Add(time.Duration(least*60+g.random.IntN((most-least)*60)) * time.Minute)
}

// id returns the id of the record with the number.
func (g *generator) id(prefix string, number int) string {
	return prefix + "-g" + strconv.FormatUint(g.seed, 10) + "-" + sixDigits(number)
}

// reference draws an id that a record refers to.
func (g *generator) reference(prefix string) string {
	return prefix + "-" + sixDigits(g.random.IntN(1_000_000))
}

// sixDigits pads to six digits; larger numbers have more.
func sixDigits(number int) string {
	text := strconv.Itoa(number)
	if len(text) < 6 {
		text = "000000"[len(text):] + text
	}
	return text
}

// hash draws a random hash.
func (g *generator) hash() string {
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], g.random.Uint64())
	return terms.HashOf(word[:]).String()
}

// reviewers are those of the generated records.
var reviewers = []string{string(Reviewer), string(Reviewer), "rev-a07f32", "rev-81d4be", "rev-5c19ae"}

// drawReview draws a neutral reviewer and a notice delivered at some time after the record began.
func (g *generator) drawReview(began time.Time) generatedReview {
	return generatedReview{
		assigned:    true,
		checked:     true,
		reviewer:    pick(g, reviewers),
		decider:     "rev-3e60f8",
		recused:     []string{},
		noticeState: "delivered",
		deliveredAt: began.Add(g.start.Sub(began) / time.Duration(2+g.random.IntN(6))).Truncate(time.Second),
	}
}
