package store

import (
	"slices"
	"testing"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
)

// finds lists the ids that an index of what a store returns finds for a filter.
func finds(t *testing.T, entries []queue.Entry, filter string) []terms.ID {
	t.Helper()
	f := need(queue.ParseFilter(filter))(t)
	var index queue.Index
	for i := range entries {
		index.Put(entries[i])
	}
	return index.Find(f.Sought()).IDs[f.Sought()[0]]
}

// everyEntry reads the entries of all cases, some at a time.
func everyEntry(t *testing.T, d *fixture, most int) (all []queue.Entry) {
	t.Helper()
	for last := terms.ID(""); ; last = all[len(all)-1].ID() {
		entries := need(d.store.EntriesAfter(t.Context(), terms.Appeals, last, most))(t)
		if len(entries) == 0 {
			return all
		}
		all = append(all, entries...)
	}
}

func TestEntriesHaveTheTextsOfTheLatestRevisionAndTheIDsOfAllRecords(t *testing.T) {
	t.Parallel()
	d, _, record := erasableFixture(t)
	later := d.mill.appealCase(passing("case-2", 2).with(members{"evidenceScope": members{"items": []string{"ev-1"}, "statement": "Later words."}}))
	d.take(later)
	for most := 1; most < 4; most++ {
		all := everyEntry(t, d, most)
		for filter, want := range map[string][]terms.ID{
			"text:" + textCanary: {"case-1"}, "text:later": {"case-2"}, "id:case-2/2": {"case-2"}, "id:case-2/1": nil,
			"id:" + string(record.RecordID): {"case-1"}, "text:" + noteCanary: nil, "text:" + draftCanary: nil, "text:" + statementCanary: nil,
		} {
			if got := finds(t, all, filter); !slices.Equal(got, want) {
				t.Errorf("%d at a time, %s finds %q, want %q", most, filter, got, want)
			}
		}
	}
	some, err := d.store.EntriesOf(t.Context(), terms.Appeals, []terms.ID{"case-2", "case-9"})
	if err != nil || len(some) != 1 || len(finds(t, some, "text:later")) != 1 {
		t.Errorf("%d entries, %v", len(some), err)
	}
}

func TestErasedTextsAreInNoEntryAndTheQueueIsMadeAnew(t *testing.T) {
	t.Parallel()
	d, _, _ := erasableFixture(t)
	before, err := d.store.QueueChanges(t.Context(), terms.Appeals, queue.Watermark{})
	if err != nil || len(finds(t, everyEntry(t, d, 10), "text:"+textCanary)) != 1 {
		t.Fatal(err)
	}
	d.erase(records.Erasure{What: records.ErasableTexts, Table: terms.AppealCases, Key: packets.Key{ID: "case-1", Number: 1}, Reason: records.ErasedMistake})
	wantSame(t, "still have the erased words", len(finds(t, everyEntry(t, d, 10), "text:"+textCanary)), 0)
	news, err := d.store.QueueChanges(t.Context(), terms.Appeals, before.Watermark)
	if err != nil || !news.Everything {
		t.Errorf("after an erasure %+v, %v", news, err)
	}
	if again, err := d.store.QueueChanges(t.Context(), terms.Appeals, news.Watermark); err != nil || again.Everything || len(again.IDs) > 0 {
		t.Errorf("then %+v, %v", again, err)
	}
}

func TestADamagedPacketIsFoundByItsIDsAlone(t *testing.T) {
	t.Parallel()
	d, path, _ := erasableFixture(t)
	tamperWith(t, path, "trade_appeal_cases", "UPDATE trade_appeal_cases SET document = replace(document, 'trade_appeal_cases', 'trade_appeal_casez') WHERE \"caseId\" = 'case-1'")
	all := everyEntry(t, d, 10)
	wantList(t, "by its id", finds(t, all, "id:case-1/1"), []terms.ID{"case-1"})
	wantSame(t, "by its texts", len(finds(t, all, "text:"+textCanary)), 0)
}
