package sample

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/terms"
)

func TestGeneratedPacketsAreAccepted(t *testing.T) {
	if h := hold(t, slices.Collect(Generate(2000, 7, start))); len(h.records) != 2000 {
		t.Errorf("%d records", len(h.records))
	}
}

func TestGeneratedPacketsVary(t *testing.T) {
	h := hold(t, slices.Collect(Generate(4000, 7, start)))
	seen := coverageOf(&h, start)
	seen.require(t, blockersOf(terms.Appeals), blockersOf(terms.Amendments),
		terms.Triggers.Texts(), terms.Subjects.Texts(), terms.StandingCategories.Texts(),
		terms.Transitions.Texts(), terms.SubjectTypes.Texts(), prefixed("type", terms.AmendmentTypes.Texts()))
	if share := float64(h.passing(start)) / float64(len(h.records)); share < 0.3 || share > 0.6 {
		t.Errorf("%.2f of them pass", share)
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
	first := slices.Collect(Generate(300, 7, start))
	elsewhere := start.Truncate(time.Second).In(time.FixedZone("", 3*3600))
	again := slices.Collect(Generate(200, 7, elsewhere))
	if !slices.EqualFunc(first[:len(again)], again, bytes.Equal) {
		t.Error("the texts differ")
	}
	sequence := Generate(50, 7, start)
	if !slices.EqualFunc(slices.Collect(sequence), slices.Collect(sequence), bytes.Equal) {
		t.Error("going over the sequence again gives other texts")
	}
}

func TestRecordsOfDifferentSeedsFitIntoOneDocket(t *testing.T) {
	policies := len(slices.Collect(Generate(0, 1, start)))
	texts := slices.Collect(Generate(50, 1, start))
	texts = append(texts, slices.Collect(Generate(50, 2, start))[policies:]...)
	if h := hold(t, texts); len(h.queue()) != 100 {
		t.Errorf("%d of 100 records have an id of their own", len(h.queue()))
	}
}

func TestGeneratingStopsWhenNoMoreIsWanted(t *testing.T) {
	for _, wanted := range []int{1, 30} {
		taken := 0
		for text := range Generate(100, 7, start) {
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
	for range Generate(1, 1, time.Date(12_000, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("a packet")
	}
}

func BenchmarkGenerate(b *testing.B) {
	b.ReportAllocs()
	size := 0
	for text := range Generate(b.N, 1, start) {
		size += len(text)
	}
	b.ReportMetric(float64(size)/float64(b.N), "bytes/packet")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "packets/s")
}
