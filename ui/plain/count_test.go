package plain

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
	"docket/ui/decision"
	"docket/ui/internal/workbenchtest"
)

// decided is how many cases are decided one after the other while keys and lines are counted.
const decided = 20

// fillDocket makes appeals of every trigger, each fourth of them blocked, and amendments that pass,
// one more of each than are decided.
func fillDocket(t testing.TB) *workbenchtest.Workbench {
	workbench, triggers := workbenchtest.New(t), terms.Triggers.Texts()
	for i := range decided + 1 {
		appeal := workbenchtest.Case(fmt.Sprintf("case-%06d", i+1), time.Duration(30+7*i)*time.Hour)
		appeal["trigger"] = triggers[i%len(triggers)]
		if i%4 == 3 {
			appeal.In("notice")["state"] = "queued"
		}
		workbench.Add(terms.AppealCases, appeal, nil)
		workbench.Add(terms.AmendmentRecords, workbenchtest.Amendment(fmt.Sprintf("amd-%06d", i+1)), nil)
	}
	return workbench
}

// optionNumber is what is typed to choose, on the open packet, the first outcome that is advised, or one that is not.
func optionNumber(h *harness, advised bool) string {
	d := decision.New(&h.packet.caseFile, h.packet.openedAt, h.reviewer, false)
	for i, option := range d.Options() {
		if option.Obstacle == "" && option.Advised == advised {
			return strconv.Itoa(i + 1)
		}
	}
	h.t.Fatalf("%s has no such outcome", h.packet.key().ID)
	return ""
}

// types answers the prompts, and returns what was said meanwhile.
func (h *harness) types(lines ...string) string {
	h.t.Helper()
	before := h.output.Len()
	for h.keys.script = lines; len(h.keys.script) > 0; {
		text, err := h.ask(h.prompt())
		must(h.t, err)
		must(h.t, h.dispatch(text))
	}
	return h.output.String()[before:]
}

func TestADecisionTakesFewKeysFromItsPacketToTheNext(t *testing.T) {
	const reasons = "The scope of the evidence is right."
	for name, way := range map[string]struct {
		most    int
		list    string
		answers func(h *harness) []string
	}{
		"as advised":       {11, "a", func(h *harness) []string { return []string{"d", optionNumber(h, true), "record"} }},
		"with a statement": {15, "a", func(h *harness) []string { return []string{"d", optionNumber(h, false), reasons, "record"} }},
		"an amendment":     {9, "m", func(*harness) []string { return []string{"d", "record"} }},
	} {
		t.Run(name, func(t *testing.T) {
			workbench := fillDocket(t)
			h := newHarness(t, workbench)
			h.reviewer = workbench.Reviewer()
			h.types(way.list, "1")
			for n := 1; n <= decided; n++ {
				at, keys, answers := h.packet.key(), 0, way.answers(h)
				for _, line := range answers {
					if line != reasons {
						keys += len(line)
					}
					keys++ // Enter
				}
				text := h.types(answers...)
				if len(workbench.Choices()) != n || h.place != atPacket || h.packet.key() == at {
					t.Fatalf("%q do not lead from %s to the next packet:\n%s", answers, at.ID, text)
				}
				if keys > way.most {
					t.Errorf("%s takes %d keys, more than %d: %q", at.ID, keys, way.most, answers)
				}
			}
		})
	}
}

func TestTheShortestDecisionIsHeardInFewLinesAndItsFirstOnesSayWhatItIs(t *testing.T) {
	workbench := fillDocket(t)
	h := newHarness(t, workbench)
	h.reviewer = workbench.Reviewer()
	heard := h.types("a", "1")
	most := 0
	for range decided {
		_, packet, _ := strings.Cut(heard, "\nCase ")
		heard = h.types("d", optionNumber(h, true), "record")
		said, _, recorded := strings.Cut(heard, "Type receipt")
		if !recorded {
			t.Fatalf("nothing is recorded:\n%s", heard)
		}
		lines := strings.Split(strings.TrimRight(packet, "\n"), "\n")
		first := strings.Join(lines[:10], "\n")
		if !strings.Contains(first, "\nDecide the appeal of ") || !strings.Contains(first, "\nGate: ") {
			t.Errorf("the first lines of a packet are\n%s", first)
		}
		count := 0
		for line := range strings.SplitSeq(packet+said, "\n") {
			if line != "" {
				count++
			}
		}
		most = max(most, count)
	}
	if most == 0 || most > 60 {
		t.Errorf("%d lines are heard from the packet to its receipt", most)
	}
	t.Logf("%d lines", most)
}
