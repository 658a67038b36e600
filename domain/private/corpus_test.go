package private

import (
	"bufio"
	"encoding/json"
	"hash/fnv"
	"os"
	"testing"
)

// sample is a line of a corpus: a text and the kind of detail it holds, if any.
type sample struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// heldOut reports whether the sample was kept aside while the scan was written: a
// third of each corpus, chosen by the hash of the text.
func (s sample) heldOut() bool {
	h := fnv.New32a()
	h.Write([]byte(s.Text))
	return h.Sum32()%3 == 0
}

func corpus(t *testing.T, name string, least int) []sample {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var samples []sample
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		samples = append(samples, s)
	}
	if len(samples) < least {
		t.Fatalf("%s has %d texts, fewer than %d", name, len(samples), least)
	}
	return samples
}

// share counts the samples for which yes holds, of all and of those held out.
func share(samples []sample, yes func(sample) bool) (part, all, partOut, allOut int) {
	for _, s := range samples {
		is := yes(s)
		all++
		if is {
			part++
		}
		if s.heldOut() {
			allOut++
			if is {
				partOut++
			}
		}
	}
	return part, all, partOut, allOut
}

const (
	minTexts    = 300
	minRecall   = 98 // per cent of the texts that hold a private detail
	maxOrdinary = 1  // per cent of the ordinary texts
)

func TestRecallAndOrdinaryTextsSpared(t *testing.T) {
	private, ordinary := corpus(t, "private.jsonl", minTexts), corpus(t, "ordinary.jsonl", minTexts)
	found, all, foundOut, allOut := share(private, func(s sample) bool {
		kind, err := AllKinds.Parse(s.Kind)
		if err != nil {
			t.Fatal(err)
		}
		hit := ScanString(s.Text).Has(kind)
		if !hit && !s.heldOut() {
			t.Logf("not found: %s in %q, but %v", s.Kind, s.Text, ScanString(s.Text).Terms())
		}
		return hit
	})
	t.Logf("recall: %d of %d texts, %.1f %%; held out: %d of %d, %.1f %%", found, all, percent(found, all), foundOut, allOut, percent(foundOut, allOut))
	masked, allOrdinary, maskedOut, allOrdinaryOut := share(ordinary, func(s sample) bool {
		kinds := ScanString(s.Text)
		if !kinds.Empty() && !s.heldOut() {
			t.Logf("masked: %q for %v", s.Text, kinds.Terms())
		}
		return !kinds.Empty()
	})
	t.Logf("ordinary texts masked: %d of %d, %.1f %%; held out: %d of %d, %.1f %%", masked, allOrdinary, percent(masked, allOrdinary),
		maskedOut, allOrdinaryOut, percent(maskedOut, allOrdinaryOut))
	if percent(found, all) < minRecall || percent(foundOut, allOut) < minRecall {
		t.Errorf("the recall is under %d %%", minRecall)
	}
	if percent(masked, allOrdinary) > maxOrdinary || percent(maskedOut, allOrdinaryOut) > maxOrdinary {
		t.Errorf("more than %d %% of the ordinary texts are masked", maxOrdinary)
	}
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(all) }
