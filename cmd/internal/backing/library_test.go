package backing_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/transparency-dev/formats/log"
	cosignature "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/audit/audittest"
	"docket/cmd/internal/exchange"
	"docket/cmd/internal/serve"
	"docket/domain"
	"docket/domain/overlap"
	"docket/store"
)

func TestATokenStandsForItsPrincipal(t *testing.T) {
	s := newService(t)
	token := store.Token{ID: "tok-1", Digest: digest("secret"), Principal: assigned.ID, Role: domain.SafetyAdmin,
		Owners: []domain.ID{"owner-1"}, Expires: domain.InstantOf(now.AddDate(0, 0, 1))}
	if err := s.store.AddToken(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	principal, err := s.backing.Registry.Principal(t.Context(), digest("secret"))
	if err != nil || principal.ID != assigned.ID || principal.Role != domain.SafetyAdmin || !principal.Owns("owner-1") ||
		principal.Owns("owner-2") || principal.Token != "tok-1" {
		t.Errorf("%+v, %v", principal, err)
	}
	unknown := func(secret string) {
		t.Helper()
		if principal, err := s.backing.Registry.Principal(t.Context(), digest(secret)); !errors.Is(err, serve.ErrUnknownToken) || principal.ID.Present() {
			t.Errorf("%+v, %v", principal, err)
		}
	}
	unknown("another secret")
	unknown("")
	if err := s.store.RevokeToken(t.Context(), "tok-1"); err != nil {
		t.Fatal(err)
	}
	unknown("secret")
}

func TestAKeyIsRegisteredForItsPrincipal(t *testing.T) {
	s := newService(t)
	line := string(s.console.Armored([]byte("x"), audittest.Key("x"), "x")) // no key
	if _, err := s.store.AddKey(t.Context(), assigned.ID, line); err == nil {
		t.Error("a signature is taken for a key")
	}
	for _, registered := range []bool{false, true} {
		has, err := s.backing.Registry.HasKey(t.Context(), assigned.ID, assigned.KeyFingerprint)
		other, failed := s.backing.Registry.HasKey(t.Context(), another.ID, assigned.KeyFingerprint)
		if err != nil || failed != nil || has != registered || other {
			t.Errorf("%v, %v, %v, %v", has, other, err, failed)
		}
		if !registered {
			s.register(assigned)
		}
	}
}

func TestAPageHoldsThePacketsAndTheKeyOfTheLog(t *testing.T) {
	s := newService(t)
	s.hold(domain.AppealCases, audittest.AppealCase("case-1", 1))
	key, err := s.store.Verifier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	principal, cursor, packets := person(assigned), "", 0
	for more := true; more; {
		page, err := s.backing.Library.Page(t.Context(), principal, cursor, 1)
		if err != nil || page.Key != key || len(page.Packets) > 1 || page.Packets == nil || page.Cursor == "" {
			t.Fatalf("%+v, %v", page, err)
		}
		for _, document := range page.Packets {
			if _, err := (&domain.Reader{}).ReadStored(document); err != nil {
				t.Error(err)
			}
		}
		packets, cursor, more = packets+len(page.Packets), page.Cursor, page.More
	}
	if packets != 3 { // two policies and the case
		t.Errorf("%d packets", packets)
	}
	if page, err := s.backing.Library.Page(t.Context(), principal, "no cursor", 1); !errors.Is(err, serve.ErrCursor) || page.Packets != nil {
		t.Errorf("%+v, %v", page, err)
	}
	page, err := s.backing.Library.Packet(t.Context(), principal, "case-1")
	if err != nil || len(page.Packets) != 2 || page.Key != key || page.Cursor != "" || page.More {
		t.Errorf("%+v, %v", page, err)
	}
	if page, err := s.backing.Library.Packet(t.Context(), person(another), "case-1"); !errors.Is(err, serve.ErrNotHeld) || page.Packets != nil {
		t.Errorf("%+v, %v", page, err)
	}
}

// register registers the key of a person.
func (s *service) register(who domain.Reviewer) {
	s.t.Helper()
	key := audittest.Key(string(who.ID)).PublicKey()
	line := fmt.Sprintf("%s %s", key.Type(), base64.StdEncoding.EncodeToString(key.Marshal()))
	if fingerprint, err := s.store.AddKey(s.t.Context(), who.ID, line); err != nil || fingerprint != who.KeyFingerprint {
		s.t.Fatal(fingerprint, err)
	}
}

// lodging is the console's newest checkpoint, after the size that the service last saw.
func (s *service) lodging(old int64) exchange.Lodging {
	s.t.Helper()
	lodging := exchange.Lodging{Checkpoint: string(s.console.Says.Checkpoint), Key: s.console.Says.VerifierKeys[0], OldSize: old}
	if size := int64(len(s.console.List)); 0 < old && old < size {
		proof, err := tlog.ProveTree(size, old, s.console)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, hash := range proof {
			parsed, ok := domain.ParseHash(fmt.Sprintf("sha256:%x", hash[:]))
			if !ok {
				s.t.Fatal("no hash")
			}
			lodging.Proof = append(lodging.Proof, parsed)
		}
	}
	return lodging
}

func TestACheckpointIsCosignedUnlessItsLogIsNotTheOneThatWasSeen(t *testing.T) {
	s := newService(t)
	for i := range 5 {
		s.console.Append(s.decided(fmt.Sprintf("case-%d", i)))
	}
	principal := person(assigned)
	for _, old := range []int64{0, 5} {
		cosigned, err := s.backing.Witness.Cosign(t.Context(), principal, s.lodging(old))
		if err != nil || cosigned.Size != int64(len(s.console.List)) {
			t.Fatal(cosigned, err)
		}
		verifier, err := cosignature.NewVerifierForCosignatureV1(cosigned.Key)
		if err != nil {
			t.Fatal(err)
		}
		_, _, opened, err := log.ParseCheckpoint([]byte(string(s.console.Says.Checkpoint)+cosigned.Cosignature), audittest.Origin,
			mustVerifier(t, s.console.Says.VerifierKeys[0]), verifier)
		if err != nil || len(opened.Sigs) != 2 || strings.Count(cosigned.Cosignature, "\n") != 1 {
			t.Errorf("%q: %v", cosigned.Cosignature, err)
		}
		s.console.Append(s.decided(fmt.Sprintf("case-after-%d", old)))
	}
	shorter := s.lodging(6)
	s.console.List = s.console.List[:4]
	s.console.Rebuild()
	forked := s.lodging(6)
	s.console.Sign()
	for name, c := range map[string]struct {
		principal serve.Principal
		lodging   exchange.Lodging
		want      serve.CheckpointError
	}{
		"no checkpoint": {principal, exchange.Lodging{Checkpoint: "x", Key: "y"}, serve.CheckpointError{Kind: exchange.Malformed}},
		"shorter":       {principal, forked, serve.CheckpointError{Kind: exchange.CheckpointShorter, Size: 6}},
		"forked": {principal, exchange.Lodging{Checkpoint: shorter.Checkpoint, Key: shorter.Key, OldSize: 6,
			Proof: []domain.Hash{domain.HashOf(nil)}}, serve.CheckpointError{Kind: exchange.CheckpointForked, Size: 6}},
	} {
		_, err := s.backing.Witness.Cosign(t.Context(), c.principal, c.lodging)
		var why *serve.CheckpointError
		if !errors.As(err, &why) || *why != c.want {
			t.Errorf("%s: %+v, %v", name, why, err)
		}
	}
	if logged := s.log.String(); !strings.Contains(logged, "fault=forked") || !strings.Contains(logged, "fault=shorter") {
		t.Errorf("logged is %q", logged)
	}
}

func mustVerifier(t *testing.T, key string) note.Verifier {
	t.Helper()
	verifier, err := note.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	return verifier
}

func TestAReceiptIsSignedWithTheKeyOfTheLog(t *testing.T) {
	s := newService(t)
	encoded, err := s.store.Verifier(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	receipt := overlap.Receipt{Action: overlap.CheckOverlap, At: domain.InstantOf(now), Nonce: overlap.Nonce{1}}
	id, err := s.backing.Receipts.SignReceipt(t.Context(), receipt)
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := id.Open(mustVerifier(t, encoded)); err != nil || opened != receipt {
		t.Errorf("%+v, %v", opened, err)
	}
	if id, err := s.backing.Receipts.SignReceipt(t.Context(), overlap.Receipt{}); err == nil || id != "" {
		t.Error("the zero receipt is signed")
	}
}
