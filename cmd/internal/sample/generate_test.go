package sample

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"docket/domain/canonical"
	"docket/domain/terms"
	"docket/domain/views"
)

func TestGeneratedPacketsAreAcceptedAndNothingInThemIsMaskedButWhatIsNotRedacted(t *testing.T) {
	h := hold(t, slices.Collect(Generate(4000, 7, start)))
	if len(h.records) != 4000 {
		t.Errorf("%d records", len(h.records))
	}
	for _, record := range h.records {
		c := record.AppealCase().Pointer()
		if pending := c != nil && c.Redaction.Status != terms.RedactionDone; record.Masked() != pending {
			t.Fatalf("%s: a text is masked: %t", record.Key().ID, record.Masked())
		}
	}
}

func TestGeneratedPacketsAreCanonical(t *testing.T) {
	var doc canonical.Document
	for text := range Generate(500, 7, start) {
		if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
			t.Fatal(fault.Reason)
		}
		if !bytes.HasPrefix(text, []byte(`{"private"`)) && !bytes.HasPrefix(text, []byte(`{"record"`)) {
			t.Errorf("starts with %.20s", text)
		}
		if canonical := doc.Root().AppendCanonical(nil, ""); !bytes.Equal(text, canonical) {
			t.Fatalf("not canonical: %s", text)
		}
	}
}

func TestGeneratedPacketsVary(t *testing.T) {
	h := hold(t, slices.Collect(Generate(4000, 7, start)))
	seen := coverageOf(&h, start)
	seen.require(t, blockersOf(terms.Appeals), blockersOf(terms.Amendments),
		terms.Triggers.Texts(), terms.Subjects.Texts(), terms.StandingCategories.Texts(),
		terms.Transitions.Texts(), terms.SubjectTypes.Texts(), prefixed("type", terms.AmendmentTypes.Texts()))
	if passing := h.passing(start); passing < 2000 || passing > 3000 {
		t.Errorf("%d of 4000 pass", passing)
	}
	redacted := 0
	for _, record := range h.records {
		redacted += min(1, len(record.Redactions()))
	}
	if redacted < 400 || redacted > 600 {
		t.Errorf("%d of 4000 have private members", redacted)
	}
}

func TestEveryDefectShowsItsBlocker(t *testing.T) {
	g, policies := newGenerator(3, start)
	judged := func(text []byte) views.View {
		h := hold(t, append(slices.Clone(policies), text))
		return h.look(h.records[0], start)
	}
	for i := range caseDefects {
		for range 5 {
			c := g.drawCase(i)
			caseDefects[i].apply(g, &c)
			view := judged(g.sealed(c.write(&g.writer), terms.AppealCases))
			requireBlocker(t, &view, caseDefects[i].code)
		}
	}
	for i := range amendmentDefects {
		for range 5 {
			a := g.drawAmendment(i)
			amendmentDefects[i].apply(g, &a)
			view := judged(g.sealed(a.write(&g.writer), terms.AmendmentRecords))
			requireBlocker(t, &view, amendmentDefects[i].code)
		}
	}
}

func requireBlocker(t *testing.T, view *views.View, code terms.Blocker) {
	t.Helper()
	if !slices.Contains(view.Evaluation().Blockers(), code) {
		t.Errorf("%s: %v, want %s among them", view.Key().ID, view.Evaluation().Blockers(), code)
	}
}

func TestWhatIsDrawnWithoutADefectPasses(t *testing.T) {
	g, texts := newGenerator(11, start)
	for i := range 300 {
		c := g.drawCase(i)
		texts = append(texts, g.sealed(c.write(&g.writer), terms.AppealCases))
		a := g.drawAmendment(i)
		texts = append(texts, g.sealed(a.write(&g.writer), terms.AmendmentRecords))
	}
	h := hold(t, texts)
	for _, record := range h.records {
		view := h.look(record, start)
		if blockers := view.Evaluation().Blockers(); len(blockers) > 0 {
			t.Errorf("%s: %v", record.Key().ID, blockers)
		}
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
