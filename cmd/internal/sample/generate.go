package sample

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"time"

	"docket/domain/packets"
)

// Generate yields the policies of the sample docket and then n cases and amendments, one JSON text
// a packet, for load tests. Each is a record of the sample docket with an id, references, reviewer
// and statement of its own, and with its times stretched: what lies ahead of start still does. The
// caller may keep the texts. The same seed and start, to the second, give the same bytes, and a
// larger n only adds to them; ids of different seeds differ.
//
// It panics if start lies outside the years that a packet can write.
func Generate(n int, seed uint64, start time.Time) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		g := generator{newWriter(start), seed, rand.New(rand.NewPCG(seed, 0)), nil}
		policies := must(templates(policyFiles, string(Reviewer)))
		for _, reviewer := range reviewers {
			g.templates = append(g.templates, must(templates(recordFiles, reviewer))...)
		}
		for _, text := range must(g.writer.packets(policies)) {
			if !yield(text) {
				return
			}
		}
		for number := range n {
			if !yield(must(g.packet(number + 1))) {
				return
			}
		}
	}
}

func must[V any](value V, err error) V {
	if err != nil {
		panic("sample: a packet cannot be written: " + err.Error())
	}
	return value
}

// generator draws packets for one goroutine.
type generator struct {
	writer    *writer
	seed      uint64
	random    *rand.Rand
	templates []template // those of the sample docket, once for each of the reviewers
}

func (g *generator) packet(number int) ([]byte, error) {
	t := pick(g, g.templates)
	info, _ := packets.Info(t.table)
	prefix := map[string]string{"caseId": "case", "amendmentId": "amd"}[info.IDMember]
	t.Record = maps.Clone(t.Record)
	t.Record[info.IDMember] = fmt.Sprintf("%s-g%d-%06d", prefix, g.seed, number)
	t.Record["revision"] = 1
	for _, member := range []string{"subjectId", "agreementId", "ownerId"} {
		if id, held := t.Record[member].(string); held && len(id) > 4 {
			t.Record[member] = fmt.Sprintf("%s%06d", id[:4], g.random.IntN(1_000_000))
		}
	}
	if scope, held := t.Record["evidenceScope"].(object); held {
		if statement, written := scope["statement"].(string); written {
			statement = fmt.Sprintf("%s It concerns %d %s in %s.", statement, 2+g.random.IntN(4998), pick(g, causes), pick(g, places))
			t.Record["evidenceScope"] = merged(scope, object{"statement": statement})
		}
	}
	g.writer.stretch = 0.25 + 2*g.random.Float64()
	return g.writer.packet(&t)
}

func pick[V any](g *generator, from []V) V { return from[g.random.IntN(len(from))] }

var (
	// The reviewers of the generated records, in the place of Reviewer.
	reviewers = []string{string(Reviewer), string(Reviewer), "rev-b20c7d", "rev-6d41aa"}
	causes    = []string{
		"cooking stoves", "school meals", "mosquito nets", "tree seedlings", "solar lamps", "rainwater tanks",
		"hours of tutoring", "bus trips", "kilograms of compost", "vaccination visits", "metres of hedge",
		"library hours", "water filters", "flights avoided", "meals without meat",
	}
	places = []string{
		"Kisumu", "Iringa", "the Saloum delta", "Łódź", "Anantapur", "Cusco", "Medellín", "Ouagadougou", "Porto",
		"Tbilisi", "Sylhet", "Nakuru", "Tallinn", "Da Nang", "Beira", "Ghent", "Aalborg", "Ljubljana", "Puebla",
		"Hobart", "高松",
	}
)
