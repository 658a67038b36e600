package backing_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/audit/audittest"
	"docket/cmd/internal/bundle"
	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/cmd/internal/storelog"
	"docket/domain"
)

var (
	assigned = audittest.Person(audittest.Assigned, domain.NeutralReviewer)
	another  = audittest.Person("reviewer-8", domain.NeutralReviewer)
	admin    = audittest.Person("admin-1", domain.SafetyAdmin)
)

// append fails unless the record is taken.
func (s *service) append(handed serve.Handed) (exchange.Enforced, bool) {
	s.t.Helper()
	answer, again, err := s.backing.Ledger.Append(s.t.Context(), handed)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer, again
}

// decided is a record on a new case.
func (s *service) decided(id string) domain.Enforcement {
	s.t.Helper()
	return s.console.Decide(s.hold(domain.AppealCases, audittest.AppealCase(id, 1)), assigned, nil)
}

func TestARecordIsTakenOnceAndAnsweredWithWhatProvesIt(t *testing.T) {
	s := newService(t)
	handed := s.handed(s.decided("case-1"))
	first, again := s.append(handed)
	if again {
		t.Error("it was there before")
	}
	s.append(s.handed(s.decided("case-2")))
	second, again := s.append(handed)
	if !again || second != first {
		t.Errorf("again it is %+v, first %+v", second, first)
	}
	key, err := s.store.Verifier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	origin, _, _ := strings.Cut(key, "+")
	checkpoint, err := audit.OpenCheckpoint([]byte(first.Checkpoint), origin, []string{key})
	if err != nil || checkpoint.Size != first.Receipt.TreeSize || !domain.OfService(origin) {
		t.Errorf("%+v, %v", checkpoint, err)
	}
}

func TestTheLogOfAServiceVerifiesAndIsExported(t *testing.T) {
	s := newService(t)
	s.console.Append(s.decided("case-1")) // so that the log that the next reviewer sees is not empty
	s.append(s.handed(s.console.Decide(s.hold(domain.AmendmentRecords, audittest.Amendment("amendment-1", 1)), assigned, nil), "owner-1"))
	s.append(s.handed(s.console.Decide(s.hold(domain.AppealCases, audittest.AppealCase("case-2", 1)), assigned, func(c *domain.Choice) {
		c.NoteDigest = domain.HashOf([]byte("a note that stays with the console"))
	})))
	log, err := storelog.Of(t.Context(), s.store)
	if err != nil {
		t.Fatal(err)
	}
	notes := log.Notes()
	report, err := audit.Check(t.Context(), log, audit.Options{Each: func(c audit.Checked) error {
		fits, err := notes.Fit(t.Context(), &c)
		if err == nil && !fits {
			t.Errorf("the note on record %d is missed", c.Entry.Sequence)
		}
		return err
	}})
	if err != nil || !report.OK() || report.Size != 2 {
		t.Errorf("%+v, %v", report, err)
	}
	for name, prove := range map[string]func() (int, error){
		"Prove":        func() (int, error) { found, err := s.store.Prove(t.Context(), nil); return len(found), err },
		"ProveBesides": func() (int, error) { found, err := s.store.ProveBesides(t.Context(), nil); return len(found), err },
	} {
		if found, err := prove(); found != 0 || err != nil {
			t.Errorf("%s: %d findings, %v: %v", name, found, err, s.store.Findings())
		}
	}
	folder := filepath.Join(t.TempDir(), "bundle")
	if _, err := bundle.Write(t.Context(), folder, log, bundle.Options{}); err != nil {
		t.Fatal(err)
	}
	report, err = bundle.Check(t.Context(), folder, audit.Options{})
	if err != nil || !report.OK() || report.Size != 2 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestWhyARecordIsNotTakenIsSaidInTheWordsOfTheService(t *testing.T) {
	s := newService(t)
	taken := s.decided("case-1")
	s.append(s.handed(taken))
	elsewhere := s.console.Hold(domain.AppealCases, audittest.AppealCase("case-2", 1))
	stale := s.decided("case-3")
	s.hold(domain.AppealCases, audittest.AppealCase("case-3", 2))
	theirs := s.hold(domain.AppealCases, audittest.AppealCase("case-4", 1).With(audittest.Record{"neutralReview": audittest.Review("reviewer-8")}))
	others := s.console.Decide(theirs, admin, func(c *domain.Choice) { c.AddedBlockers = domain.SetOf(domain.NoticeMissing) })
	mine := audittest.Record{"reviewer": map[string]any{"id": assigned.ID, "role": "neutral_reviewer", "keyFingerprint": assigned.KeyFingerprint}}
	otherCase := audittest.Record{"caseHash": domain.HashOf([]byte("another case")).String()}
	unsigned := s.handed(s.decided("case-5"))
	unsigned.Signature = s.handed(taken).Signature
	early, tomorrow := s.decided("case-6"), domain.InstantOf(now.AddDate(0, 0, 1))

	var differs *domain.DiffersError
	var changed *domain.StaleError
	for name, c := range map[string]struct {
		handed serve.Handed
		want   error
		as     any
	}{
		"another record has its id":           {s.forged(taken, audittest.Record{"supersedes": "019ecb27-7020-7abc-8def-0123456789ab"}), serve.ErrConflict, nil},
		"the case is not held":                {s.handed(s.console.Decide(elsewhere, assigned, nil)), serve.ErrNotHeld, nil},
		"the signature is another's":          {unsigned, serve.ErrForged, nil},
		"a revision has arrived":              {s.handed(stale), domain.ErrRefused, &changed},
		"it does not follow":                  {s.forged(unsigned.Record, otherCase), domain.ErrRefused, &differs},
		"it follows, but is not theirs":       {s.forged(others, mine), domain.ErrRefused, nil},
		"it does not follow and is not shown": {s.forged(others, mine.With(otherCase)), serve.ErrNotHeld, nil},
		"it is of tomorrow": {s.forged(early, audittest.Record{"recordedAt": tomorrow.String(), "recordId": domain.NewRecordID(tomorrow, [10]byte{})}),
			serve.ErrEarly, nil},
		"it names other rules": {s.forged(early, audittest.Record{"rulesVersion": "trade-challenge-appeal-validator-v0.1+docket.2"}),
			serve.ErrRulesUnknown, nil},
		"it names other rules and is not shown": {s.forged(others, mine.With(audittest.Record{"rulesVersion": "x"})), serve.ErrNotHeld, nil},
	} {
		answer, again, err := s.backing.Ledger.Append(t.Context(), c.handed)
		if !errors.Is(err, c.want) || c.as != nil && !errors.As(err, c.as) || answer != (exchange.Enforced{}) || again {
			t.Errorf("%s: %v", name, err)
		}
		if name == "it follows, but is not theirs" && (errors.As(err, &differs) || errors.As(err, &changed)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if differs == nil || len(differs.Faults) == 0 || changed == nil || len(changed.Changes) == 0 {
		t.Error("what differs or has changed is not told")
	}
}

func TestAStoreThatIsClosedIsUnavailable(t *testing.T) {
	s := newService(t)
	handed := s.handed(s.decided("case-1"))
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, principal := t.Context(), person(assigned)
	_, _, appended := s.backing.Ledger.Append(ctx, handed)
	_, standing := s.backing.Ledger.Standing(ctx, handed.Record)
	_, rejected := s.backing.Ledger.Reject(ctx, domain.Rejection{})
	_, known := s.backing.Registry.Principal(ctx, digest("secret"))
	_, keyed := s.backing.Registry.HasKey(ctx, "a", "b")
	_, paged := s.backing.Library.Page(ctx, principal, "", 1)
	_, packet := s.backing.Library.Packet(ctx, principal, "case-1")
	_, cosigned := s.backing.Witness.Cosign(ctx, principal, s.lodging(0))
	for i, err := range []error{appended, standing, rejected, known, keyed, paged, packet, cosigned} {
		if !errors.Is(err, serve.ErrUnavailable) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestWhatStandsIsToldAndARejectionIsSigned(t *testing.T) {
	s := newService(t)
	record := s.decided("case-1")
	s.append(s.handed(record))
	s.clock = now.Add(time.Minute)
	s.hold(domain.AppealCases, audittest.AppealCase("case-1", 2))
	standing, err := s.backing.Ledger.Standing(t.Context(), record)
	if err != nil || standing.InForce != record.Members().RecordID || standing.Latest != 2 || len(standing.Blockers) == 0 {
		t.Errorf("%+v, %v", standing, err)
	}
	signed, err := s.backing.Ledger.Reject(t.Context(), domain.Rejection{RecordID: record.Members().RecordID,
		LeafHash: domain.HashOf([]byte("leaf")), Reason: domain.PacketStale, InForce: standing.InForce, At: domain.InstantOf(now)})
	if err != nil {
		t.Fatal(err)
	}
	key, err := s.store.Verifier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := note.Open([]byte(signed), note.VerifierList(verifier)); err != nil {
		t.Error(err)
	}
	if _, err := s.backing.Ledger.Reject(t.Context(), domain.Rejection{}); !errors.Is(err, domain.ErrRejection) {
		t.Errorf("nothing is rejected: %v", err)
	}
}
