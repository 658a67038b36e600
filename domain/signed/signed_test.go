package signed_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/transparency-dev/formats/log"
	"golang.org/x/mod/sumdb/note"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

const origin = records.ServiceOriginPrefix + "00"

// keyOf makes the key of a name that goes with a seed.
func keyOf(t testing.TB, seed, name string) (string, note.Signer) {
	t.Helper()
	random := sha256.Sum256([]byte(seed))
	private, public, err := note.GenerateKey(bytes.NewReader(random[:]), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	return public, signer
}

func parsed(t testing.TB, encoded string) signed.Key {
	t.Helper()
	key, err := signed.ParseKey(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t testing.TB, text string, signers ...note.Signer) string {
	t.Helper()
	text2, err := note.Sign(&note.Note{Text: text}, signers...)
	if err != nil {
		t.Fatal(err)
	}
	return string(text2)
}

func rejection() records.Rejection {
	return records.Rejection{Origin: origin, RecordID: "019ecb6a-4e00-7abc-8def-0123456789ab", Digest: terms.HashOf([]byte("leaf")),
		Reason: records.PacketStale, At: terms.InstantOf(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))}
}

func checkpoint(origin string, size uint64) string {
	root := sha256.Sum256([]byte("root"))
	return string(log.Checkpoint{Origin: origin, Size: size, Hash: root[:]}.Marshal())
}

func TestOnlyTheOneFormOfAServicesKeyIsRead(t *testing.T) {
	public, _ := keyOf(t, "a", origin)
	console, _ := keyOf(t, "a", "docket/00")
	nameless, _ := keyOf(t, "a", records.ServiceOriginPrefix)
	hash := strings.SplitN(public, "+", 3)[1]
	capitals := strings.Replace(public, hash, strings.ToUpper(hash), 1)
	for name, text := range map[string]string{"nothing": "", "no key": "key", "a console's": console, "of no name": nameless,
		"with a line end": public + "\n", "cut off": public[:len(public)-4]} {
		if _, err := signed.ParseKey(text); !errors.Is(err, signed.ErrKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := signed.ParseKey(capitals); capitals != public && !errors.Is(err, signed.ErrKey) {
		t.Errorf("in capitals: %v", err)
	}
	if key := parsed(t, public); key.String() != public || key.Origin() != origin {
		t.Errorf("%s of %s", key, key.Origin())
	}
	if zero := (signed.Key{}); zero.String() != "" || zero.Origin() != "" {
		t.Error("the zero key has a name")
	}
}

func TestOnlyTextsThatTheServiceSignedAreOpened(t *testing.T) {
	public, signer := keyOf(t, "a", origin)
	_, other := keyOf(t, "b", origin)
	_, elsewhere := keyOf(t, "b", "docket/service/ff")
	key := parsed(t, public)
	r := rejection()
	foreign := r
	foreign.Origin = "docket/service/ff"
	right, head := sign(t, r.Text(), signer), ""

	if got, err := key.OpenRejection(right); err != nil || got != r {
		t.Errorf("%+v, %v", got, err)
	}
	for _, size := range []int64{0, 7, math.MaxInt64} {
		head = sign(t, checkpoint(origin, uint64(size)), signer)
		if got, err := key.OpenCheckpoint(head); err != nil || got.Size != size || got.Root != terms.HashOf([]byte("root")) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "unsigned": r.Text(), "another's": sign(t, r.Text(), other), "with a second signature": sign(t, r.Text(), signer, elsewhere),
		"a checkpoint": head, "of another origin": sign(t, foreign.Text(), signer), "something else": sign(t, "all is well\n", signer),
		"twice": right + right[strings.LastIndex(right, "— "):], "edited": strings.Replace(right, "packet_stale", "record_refused", 1),
	} {
		if got, err := key.OpenRejection(text); !errors.Is(err, records.ErrRejection) || got != (records.Rejection{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "unsigned": checkpoint(origin, 7), "another's": sign(t, checkpoint(origin, 7), other), "a rejection": right,
		"of another origin": sign(t, checkpoint("docket/service/ff", 7), signer), "with more": sign(t, checkpoint(origin, 7)+"more\n", signer),
		"with a second signature": sign(t, checkpoint(origin, 7), signer, elsewhere), "too large": sign(t, checkpoint(origin, 1<<63), signer),
	} {
		if got, err := key.OpenCheckpoint(text); !errors.Is(err, signed.ErrCheckpoint) || got != (records.LogHead{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	var zero signed.Key
	if _, err := zero.OpenRejection(right); !errors.Is(err, records.ErrRejection) {
		t.Errorf("without a key: %v", err)
	}
	if _, err := zero.OpenCheckpoint(head); !errors.Is(err, signed.ErrCheckpoint) {
		t.Errorf("without a key: %v", err)
	}
}

// FuzzOpenRejection holds that nothing but what the key signed is opened, to the last byte.
func FuzzOpenRejection(f *testing.F) {
	public, signer := keyOf(f, "a", origin)
	key := parsed(f, public)
	r := rejection()
	right := sign(f, r.Text(), signer)
	for _, seed := range []string{"", right, right + "\n", r.Text(), "\n\n", "x\n\nx", strings.Replace(right, "— ", "- ", 1), strings.ToUpper(right),
		right[:len(right)-2] + "=\n", sign(f, "all is well\n", signer)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := key.OpenRejection(text)
		if err == nil && (text != right || got != r) {
			t.Errorf("%q is opened as %+v", text, got)
		}
		if err != nil && !errors.Is(err, records.ErrRejection) {
			t.Error(err)
		}
		unverified, err := signed.Unverified(text)
		if err != nil && !errors.Is(err, records.ErrRejection) || err == nil && !strings.Contains(text, "\n\n") {
			t.Error(err)
		}
		if text == right && unverified != r {
			t.Errorf("unverified it reads as %+v", unverified)
		}
	})
}
