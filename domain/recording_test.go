package domain_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"docket/domain"
)

// What the tests of recording share: a moment at which the packet was opened, evaluated (now) and recorded, a reviewer
// whom the samples name, and a choice that fits.

const (
	sampleRecordID = domain.RecordID("019ecb27-7020-7abc-8def-0123456789ab") // of recordedAt
	otherRecordID  = domain.RecordID("019ecb27-7020-7abc-8def-0123456789ac")
	fingerprint    = "SHA256:2UfXbbU4DYIOOaAY3dyTpYwjIUJFwXFlKQF1FSeOGkc"
	openedAt       = "2026-06-15T11:50:00Z"
	recordedAt     = "2026-06-15T12:00:20Z"
	recheckedAt    = "2026-06-15T12:00:21Z"
	sampleOrigin   = "docket/0123456789abcdef"
	sampleSalt     = domain.Salt("saltsaltsaltsaltsaltsalt")
)

var sampleReasons = domain.Statement{Salt: sampleSalt, Text: "The notice does not say who was told."}

func person(id domain.ID, role domain.Role) domain.Reviewer {
	return domain.Reviewer{ID: id, Role: role, KeyFingerprint: fingerprint}
}

var assigned = person("reviewer-7", domain.NeutralReviewer)

// choiceFor is a choice that may be recorded for the view.
func choiceFor(v *domain.View, added ...domain.Blocker) domain.Choice {
	c := domain.Choice{AddedBlockers: domain.SetOf(added...), OpenedAt: instant(openedAt),
		SectionsViewed: []domain.SectionName{domain.SectionGate, domain.SectionPolicy, domain.SectionItem}}
	if v.Area() == domain.Appeals {
		c.Outcome, c.Factors = domain.RouteHumanReview, domain.SetOf(domain.HumanReviewRequired, domain.SpecificReviewedClaim)
	}
	if domain.StatementRequired(v, &c) != "" {
		c.Statement = sampleReasons
	}
	return c
}

func stampOf(who domain.Reviewer) domain.Stamp {
	return domain.Stamp{RecordID: sampleRecordID, Reviewer: who, RecordedAt: instant(recordedAt), PacketSalt: sampleSalt,
		LogHead: domain.LogHead{Origin: sampleOrigin, Size: 41, Root: domain.HashOf([]byte("root"))}}
}

// recorded is the record of a choice that must be accepted.
func recorded(t tb, v *domain.View, c domain.Choice) domain.Enforcement {
	t.Helper()
	record, err := domain.Decide(v, c, stampOf(assigned))
	if err != nil {
		t.Fatalf("not recorded: %v", err)
	}
	return record
}

// refused makes sure that the error is a refusal, and that no record came with it.
func refused(t *testing.T, what string, record domain.Enforcement, err error) {
	t.Helper()
	var refusal *domain.Refusal
	if !errors.As(err, &refusal) || !errors.Is(err, domain.ErrRefused) || refusal.Reason == "" {
		t.Errorf("%s: %v", what, err)
	}
	if record.Document() != nil || record.Table() != 0 {
		t.Errorf("%s: a record was made", what)
	}
}

func TestRecordIDsAreUUIDsOfVersion7InLowerCase(t *testing.T) {
	for id, want := range map[domain.RecordID]bool{
		sampleRecordID:                          true,
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

func TestIncompleteStampsAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*domain.Stamp, *domain.Choice){
		"no record id":           func(s *domain.Stamp, _ *domain.Choice) { s.RecordID = "" },
		"no valid record id":     func(s *domain.Stamp, _ *domain.Choice) { s.RecordID = "record-1" },
		"no key":                 func(s *domain.Stamp, _ *domain.Choice) { s.Reviewer.KeyFingerprint = "" },
		"no log head":            func(s *domain.Stamp, _ *domain.Choice) { s.LogHead = domain.LogHead{} },
		"negative log":           func(s *domain.Stamp, _ *domain.Choice) { s.LogHead.Size = -1 },
		"a log without a name":   func(s *domain.Stamp, _ *domain.Choice) { s.LogHead.Origin = "" },
		"a service's log":        func(s *domain.Stamp, _ *domain.Choice) { s.LogHead.Origin = "docket/service/0123456789abcdef" },
		"no salt":                func(s *domain.Stamp, _ *domain.Choice) { s.PacketSalt = "" },
		"an id of another time":  func(s *domain.Stamp, _ *domain.Choice) { s.RecordID = "019ecb27-7021-7abc-8def-0123456789ab" },
		"opened after evaluated": func(_ *domain.Stamp, c *domain.Choice) { c.OpenedAt = instant("2026-06-15T12:00:10Z") },
		"endless log":            func(s *domain.Stamp, _ *domain.Choice) { s.LogHead.Size = 1 << 53 },
		"no time of recording":   func(s *domain.Stamp, _ *domain.Choice) { s.RecordedAt = domain.Instant{} },
		"recorded before opened": func(_ *domain.Stamp, c *domain.Choice) { c.OpenedAt = instant(recheckedAt) },
		"never opened":           func(_ *domain.Stamp, c *domain.Choice) { c.OpenedAt = domain.Instant{} },
		"recorded before evaluated": func(s *domain.Stamp, _ *domain.Choice) {
			s.RecordedAt = instant(justPast)
		},
	} {
		for _, s := range []scene{appeal(), correction()} {
			v := view(t, s)
			choice, stamp := choiceFor(&v), stampOf(assigned)
			spoil(&stamp, &choice)
			record, err := domain.Decide(&v, choice, stamp)
			refused(t, name, record, err)
		}
	}
}

func TestALogThatIsLongerThanARecordCanSayIsCalledUnknown(t *testing.T) {
	v := view(t, appeal())
	for size, known := range map[int64]bool{-1: false, 0: true, 1<<53 - 1: true, 1 << 53: false} {
		stamp := stampOf(assigned)
		stamp.LogHead.Size = size
		_, err := domain.Decide(&v, choiceFor(&v), stamp)
		if known && err != nil || !known && (err == nil || !strings.Contains(err.Error(), "the head of the log is not known")) {
			t.Errorf("%d records: %v", size, err)
		}
	}
}

// What could not be read back is not written either, whoever made it up.
func TestChoicesOutsideTheVocabulariesAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(*domain.Stamp, *domain.Choice){
		"no section":          func(_ *domain.Stamp, c *domain.Choice) { c.SectionsViewed = []domain.SectionName{0} },
		"no factor code":      func(_ *domain.Stamp, c *domain.Choice) { c.Factors = 1 },
		"beyond factor codes": func(_ *domain.Stamp, c *domain.Choice) { c.Factors |= 1 << 40 },
		"beyond blockers":     func(_ *domain.Stamp, c *domain.Choice) { c.AddedBlockers = 1 << 63 },
		"no such record":      func(_ *domain.Stamp, c *domain.Choice) { c.Supersedes = "canary" },
		"far future": func(s *domain.Stamp, _ *domain.Choice) {
			s.RecordedAt = domain.InstantOf(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
		},
	} {
		for _, s := range []scene{appeal(), correction()} {
			v := view(t, s)
			choice, stamp := choiceFor(&v), stampOf(assigned)
			spoil(&stamp, &choice)
			record, err := domain.Decide(&v, choice, stamp)
			refused(t, name, record, err)
		}
	}
	v := view(t, appeal(), del("/record/neutralReview/reviewerId"))
	record, err := domain.Decide(&v, choiceFor(&v), stampOf(person("not an id", domain.NeutralReviewer)))
	refused(t, "no id of a reviewer", record, err)
}

func TestEverythingAtOneMomentMayBeRecorded(t *testing.T) {
	v := view(t, appeal())
	choice, stamp := choiceFor(&v), stampOf(assigned)
	choice.OpenedAt, stamp.RecordedAt, stamp.LogHead.Size = instant(now), instant(now), 0
	stamp.RecordID = domain.NewRecordID(instant(now), [10]byte{})
	if _, err := domain.Decide(&v, choice, stamp); err != nil {
		t.Error(err)
	}
}

func TestRecordsHaveToFitIntoALogEntry(t *testing.T) {
	v := view(t, appeal())
	stamp := stampOf(assigned)
	record := recorded(t, &v, choiceFor(&v))
	room := 65535 - len(record.Document())
	for extra, fits := range map[int]bool{room: true, room + 1: false} {
		stamp.Reviewer.KeyFingerprint = fingerprint + strings.Repeat("x", extra)
		record, err := domain.Decide(&v, choiceFor(&v), stamp)
		if !fits {
			refused(t, "one byte too many", record, err)
			continue
		}
		if err != nil || len(record.Document()) != 65535 {
			t.Errorf("%d bytes: %v", len(record.Document()), err)
		}
	}
}
