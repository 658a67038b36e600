package sample_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/sample"
	"docket/domain/terms"
)

func TestGeneratedPacketsAreAcceptedAndVary(t *testing.T) {
	h := hold(t, slices.Collect(sample.Generate(4000, 7, start)))
	seen := h.seen(start)
	requireBlockers(t, seen)
	for prefix, words := range map[string][]string{
		caseWords + "trigger ": terms.Triggers.Texts(), caseWords + "subject ": terms.Subjects.Texts(),
		caseWords + "standing.category ": terms.StandingCategories.Texts(), amendmentWords + "transition ": terms.Transitions.Texts(),
		amendmentWords + "subjectType ": terms.SubjectTypes.Texts(), amendmentWords + "amendmentType ": terms.AmendmentTypes.Texts(),
	} {
		requireWords(t, seen, prefix, words, "")
	}
	if share := float64(h.passing(start)) / 4000; share < 0.3 || share > 0.6 || len(h.records) != 4000 {
		t.Errorf("%.2f of %d pass", share, len(h.records))
	}
	redacted := 0
	for _, record := range h.records {
		redacted += min(1, len(record.Redactions()))
	}
	if redacted < 400 {
		t.Errorf("%d of 4000 have private members", redacted)
	}
}

func TestTheSameSeedAndStartGenerateTheSameBytes(t *testing.T) {
	first := slices.Collect(sample.Generate(300, 7, start))
	elsewhere := start.Truncate(time.Second).In(time.FixedZone("", 3*3600))
	again := slices.Collect(sample.Generate(200, 7, elsewhere))
	if !slices.EqualFunc(first[:len(again)], again, bytes.Equal) {
		t.Error("the texts differ")
	}
	sequence := sample.Generate(50, 7, start)
	if !slices.EqualFunc(slices.Collect(sequence), slices.Collect(sequence), bytes.Equal) {
		t.Error("going over the sequence again gives other texts")
	}
}

func TestRecordsOfDifferentSeedsFitIntoOneDocket(t *testing.T) {
	policies := len(slices.Collect(sample.Generate(0, 1, start)))
	texts := slices.Collect(sample.Generate(50, 1, start))
	texts = append(texts, slices.Collect(sample.Generate(50, 2, start))[policies:]...)
	if h := hold(t, texts); len(h.queue()) != 100 {
		t.Errorf("%d of 100 records have an id of their own", len(h.queue()))
	}
}

func TestGeneratingStopsWhenNoMoreIsWanted(t *testing.T) {
	for _, wanted := range []int{1, 30} {
		taken := 0
		for text := range sample.Generate(100, 7, start) {
			if taken++; taken == wanted {
				break
			}
			if len(text) == 0 || !strings.HasSuffix(string(text), "}") {
				t.Fatal("not a packet")
			}
		}
		if taken != wanted {
			t.Errorf("took %d, wanted %d", taken, wanted)
		}
	}
}

func TestGeneratingForAYearThatNoPacketCanWritePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	for range sample.Generate(1, 1, time.Date(12_000, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("a packet")
	}
}

func BenchmarkGenerate(b *testing.B) {
	b.ReportAllocs()
	size := 0
	for text := range sample.Generate(b.N, 1, start) {
		size += len(text)
	}
	b.ReportMetric(float64(size)/float64(b.N), "bytes/packet")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "packets/s")
}
