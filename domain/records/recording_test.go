package records_test

import (
	"strings"
	"testing"
	"time"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
)

func TestRecordIDsAreUUIDsOfVersion7InLowerCase(t *testing.T) {
	for id, want := range map[records.RecordID]bool{
		domaintest.SampleRecordID:               true,
		"":                                      false,
		"019ecb6a-4e00-4abc-8def-0123456789ab":  false, // another version
		"019ecb6a-4e00-7abc-cdef-0123456789ab":  false, // another variant
		"019ECB6A-4e00-7abc-8def-0123456789ab":  false,
		"019ecb6a4e007abc8def0123456789ab":      false,
		"019ecb6a-4e00-7abc-8def-0123456789a":   false,
		"019ecb6a-4e00-7abc-8def-0123456789abc": false,
		"019ecb6a-4e00-7abc-8def-0123456789ag":  false,
		"019ecb6a-4e00-7abc-8def_0123456789ab":  false,
		"019ecb6a-4e00-7abc-bdef-0123456789ab":  true,
	} {
		if id.Valid() != want {
			t.Errorf("%q is valid: %v", id, id.Valid())
		}
	}
}

// A record that could not be read back is not written.
func TestIncompleteStampsAndChoicesOutsideTheVocabulariesAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*records.Stamp, *records.Choice){
		"no record id":           func(s *records.Stamp, _ *records.Choice) { s.RecordID = "" },
		"no valid record id":     func(s *records.Stamp, _ *records.Choice) { s.RecordID = "record-1" },
		"no key":                 func(s *records.Stamp, _ *records.Choice) { s.Reviewer.KeyFingerprint = "" },
		"no log head":            func(s *records.Stamp, _ *records.Choice) { s.LogHead = records.LogHead{} },
		"negative log":           func(s *records.Stamp, _ *records.Choice) { s.LogHead.Size = -1 },
		"a log without a name":   func(s *records.Stamp, _ *records.Choice) { s.LogHead.Origin = "" },
		"a service's log":        func(s *records.Stamp, _ *records.Choice) { s.LogHead.Origin = "docket/service/0123456789abcdef" },
		"no salt":                func(s *records.Stamp, _ *records.Choice) { s.PacketSalt = "" },
		"an id of another time":  func(s *records.Stamp, _ *records.Choice) { s.RecordID = "019ecb27-7021-7abc-8def-0123456789ab" },
		"opened after evaluated": func(_ *records.Stamp, c *records.Choice) { c.OpenedAt = domaintest.Instant("2026-06-15T12:00:10Z") },
		"endless log":            func(s *records.Stamp, _ *records.Choice) { s.LogHead.Size = 1 << 53 },
		"no time of recording":   func(s *records.Stamp, _ *records.Choice) { s.RecordedAt = terms.Instant{} },
		"recorded before opened": func(_ *records.Stamp, c *records.Choice) { c.OpenedAt = domaintest.Instant(domaintest.RecheckedAt) },
		"never opened":           func(_ *records.Stamp, c *records.Choice) { c.OpenedAt = terms.Instant{} },
		"recorded before evaluated": func(s *records.Stamp, _ *records.Choice) {
			s.RecordedAt = domaintest.Instant(domaintest.JustPast)
		},
		"no section":                        func(_ *records.Stamp, c *records.Choice) { c.SectionsViewed = []views.SectionName{0} },
		"no factor code":                    func(_ *records.Stamp, c *records.Choice) { c.Factors = 1 },
		"beyond factor codes":               func(_ *records.Stamp, c *records.Choice) { c.Factors |= 1 << 40 },
		"beyond blockers":                   func(_ *records.Stamp, c *records.Choice) { c.AddedBlockers = 1 << 63 },
		"appeals: no outcome":               func(_ *records.Stamp, c *records.Choice) { c.Outcome = 0 },
		"appeals: no word":                  func(_ *records.Stamp, c *records.Choice) { c.Outcome = terms.Outcome(terms.Outcomes.Len() + 1) },
		"appeals: no factor code":           func(_ *records.Stamp, c *records.Choice) { c.Factors = 0 },
		"amendments: an outcome":            func(_ *records.Stamp, c *records.Choice) { c.Outcome = terms.BlockReliance },
		"amendments: a preliminary outcome": func(_ *records.Stamp, c *records.Choice) { c.Preliminary = terms.BlockReliance },
		"amendments: factor codes":          func(_ *records.Stamp, c *records.Choice) { c.Factors = terms.SetOf(terms.HumanReviewRequired) },
		"no such record":                    func(_ *records.Stamp, c *records.Choice) { c.Supersedes = "canary" },
		"far future": func(s *records.Stamp, _ *records.Choice) {
			s.RecordedAt = terms.InstantOf(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
		},
	} {
		for _, s := range []domaintest.Scene{domaintest.Appeal(), domaintest.Correction()} {
			v := domaintest.View(t, s)
			if of, _, only := strings.Cut(name, ": "); only && of != v.Area().String() {
				continue
			}
			choice, stamp := domaintest.ChoiceFor(&v), domaintest.StampOf(domaintest.Assigned)
			spoil(&stamp, &choice)
			record, err := records.Decide(&v, choice, stamp)
			domaintest.Refused(t, name, record, err)
		}
	}
	amendment := domaintest.View(t, domaintest.Correction())
	if options := records.Options(&amendment, 0); len(options) != 0 {
		t.Errorf("an amendment has %d options", len(options))
	}
	v := domaintest.View(t, domaintest.Appeal(), domaintest.Del("/record/neutralReview/reviewerId"))
	record, err := records.Decide(&v, domaintest.ChoiceFor(&v), domaintest.StampOf(domaintest.Person("not an id", terms.NeutralReviewer)))
	domaintest.Refused(t, "no id of a reviewer", record, err)
}

func TestALogThatIsLongerThanARecordCanSayIsCalledUnknown(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	for size, known := range map[int64]bool{-1: false, 0: true, 1<<53 - 1: true, 1 << 53: false} {
		stamp := domaintest.StampOf(domaintest.Assigned)
		stamp.LogHead.Size = size
		_, err := records.Decide(&v, domaintest.ChoiceFor(&v), stamp)
		if known && err != nil || !known && (err == nil || !strings.Contains(err.Error(), "the head of the log is not known")) {
			t.Errorf("%d records: %v", size, err)
		}
	}
}

func TestEverythingAtOneMomentMayBeRecorded(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	choice, stamp := domaintest.ChoiceFor(&v), domaintest.StampOf(domaintest.Assigned)
	choice.OpenedAt, stamp.RecordedAt, stamp.LogHead.Size = domaintest.Instant(domaintest.Now), domaintest.Instant(domaintest.Now), 0
	stamp.RecordID = records.NewRecordID(domaintest.Instant(domaintest.Now), [10]byte{})
	if _, err := records.Decide(&v, choice, stamp); err != nil {
		t.Error(err)
	}
}

func TestRecordsHaveToFitIntoALogEntry(t *testing.T) {
	v := domaintest.View(t, domaintest.Appeal())
	record := domaintest.Recorded(t, &v, domaintest.ChoiceFor(&v))
	long := func(length int) domaintest.Edit {
		return domaintest.Set("/contractVersion", strings.Repeat("x", length))
	}
	room := records.MaxEnforcementSize - len(domaintest.Edited(record, long(0)))
	for length, fits := range map[int]bool{room: true, room + 1: false} {
		if _, err := domaintest.Reread(v.Area(), domaintest.Edited(record, long(length))); (err == nil) != fits {
			t.Errorf("%d bytes: %v", records.MaxEnforcementSize-room+length, err)
		}
	}
}
