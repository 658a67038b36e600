package overlap_test

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"

	"docket/domain/overlap"
	"docket/domain/terms"
)

var now = terms.InstantOf(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))

// keys makes a key of a log.
func keys(t testing.TB, origin string) (note.Signer, note.Verifier) {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, origin)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	return signer, verifier
}

// receipt is number i of a chain.
func receipt(i int, previous overlap.Link) overlap.Receipt {
	return overlap.Receipt{Action: overlap.Actions.All()[i%3], At: terms.InstantOf(now.Time().Add(time.Duration(i) * time.Second)),
		Nonce: overlap.Nonce{byte(i + 1)}, Previous: previous}
}

func signed(t testing.TB, r overlap.Receipt, signer note.Signer) overlap.ReceiptID {
	t.Helper()
	id, err := r.Sign(signer)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// chain is that many receipts.
func chain(t testing.TB, count int, signer note.Signer) (ids []overlap.ReceiptID) {
	t.Helper()
	previous := overlap.Link{}
	for i := range count {
		id := signed(t, receipt(i, previous), signer)
		ids, previous = append(ids, id), id.Link()
	}
	return ids
}

func TestAReceiptIsReadBackWithTheKeyThatSignedItAndWithNoOther(t *testing.T) {
	signer, verifier := keys(t, "docket/test")
	_, sameName := keys(t, "docket/test")
	_, other := keys(t, "docket/other")
	for i, previous := range []overlap.Link{{}, {1}} {
		r := receipt(i, previous)
		id := signed(t, r, signer)
		if opened, err := id.Open(verifier); err != nil || opened != r {
			t.Errorf("%+v, %v", opened, err)
		}
		for _, key := range []note.Verifier{sameName, other} {
			if opened, err := id.Open(key); !errors.Is(err, overlap.ErrNoReceipt) || opened != (overlap.Receipt{}) {
				t.Errorf("%s: %+v, %v", key.Name(), opened, err)
			}
		}
	}
	if id := signed(t, receipt(0, overlap.Link{}), signer); len(id) != overlap.ReceiptIDSize {
		t.Errorf("%d letters", len(id))
	}
}

func TestAnIncompleteReceiptIsNotSigned(t *testing.T) {
	signer, _ := keys(t, "docket/test")
	for name, change := range map[string]func(*overlap.Receipt){
		"no action":      func(r *overlap.Receipt) { r.Action = 0 },
		"no time":        func(r *overlap.Receipt) { r.At = terms.Instant{} },
		"a time of old":  func(r *overlap.Receipt) { r.At = terms.InstantOf(time.Unix(-1, 0)) },
		"nothing random": func(r *overlap.Receipt) { r.Nonce = overlap.Nonce{} },
	} {
		r := receipt(0, overlap.Link{})
		change(&r)
		if id, err := r.Sign(signer); err == nil || id != "" {
			t.Errorf("%s: %q", name, id)
		}
	}
}

func TestAReceiptInAnyOtherFormIsNone(t *testing.T) {
	signer, verifier := keys(t, "docket/test")
	id := string(signed(t, receipt(0, overlap.Link{}), signer))
	raw, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"nothing": "", "a line feed": id + "\n", "a line feed inside": id[:40] + "\n" + id[40:], "padding": id + "=",
		"a letter less": id[1:], "a letter more": id + "A", "twice": id + id, "a UUID": "019ecb6a-4e00-7abc-8def-000000000001",
		"a space": " " + id, "standard base64": base64.StdEncoding.EncodeToString(raw) + "+", "much": strings.Repeat("A", 1<<20)}
	for name, text := range texts {
		if opened, err := overlap.ReceiptID(text).Open(verifier); !errors.Is(err, overlap.ErrNoReceipt) || opened != (overlap.Receipt{}) {
			t.Errorf("%s: %+v, %v", name, opened, err)
		}
	}
	for at := range raw {
		for bit := range 8 {
			changed := append([]byte(nil), raw...)
			changed[at] ^= 1 << bit
			if _, err := overlap.ReceiptID(base64.RawURLEncoding.EncodeToString(changed)).Open(verifier); !errors.Is(err, overlap.ErrNoReceipt) {
				t.Errorf("bit %d of byte %d may be changed", bit, at)
			}
		}
	}
}

// TestASignatureOfTheLogsKeyOverAnythingElseIsNoReceipt: the same key signs checkpoints.
func TestASignatureOfTheLogsKeyOverAnythingElseIsNoReceipt(t *testing.T) {
	signer, verifier := keys(t, "docket/test")
	raw, err := base64.RawURLEncoding.DecodeString(string(signed(t, receipt(0, overlap.Link{}), signer)))
	if err != nil {
		t.Fatal(err)
	}
	body := raw[:len(raw)-64]
	for _, text := range []string{string(body), "docket/test\n" + string(body), "docket overlap receipt v1\ndocket/other\n" + string(body)} {
		signature, err := signer.Sign([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		forged := base64.RawURLEncoding.EncodeToString(append(append([]byte(nil), body...), signature...))
		if _, err := overlap.ReceiptID(forged).Open(verifier); !errors.Is(err, overlap.ErrNoReceipt) {
			t.Errorf("%q is taken for a receipt", text)
		}
	}
}

func TestAChainIsReadInItsOrderOnly(t *testing.T) {
	signer, verifier := keys(t, "docket/test")
	ids := chain(t, 5, signer)
	rapid.Check(t, func(t *rapid.T) {
		picked := rapid.SliceOfN(rapid.IntRange(0, len(ids)-1), 1, 6).Draw(t, "picked")
		var given []overlap.ReceiptID
		wrong := -1
		for i, number := range picked {
			given = append(given, ids[number])
			if i > 0 && number != picked[i-1]+1 && wrong < 0 {
				wrong = i
			}
		}
		read, err := overlap.OpenChain(verifier, given)
		var chainError *overlap.ChainError
		switch {
		case wrong < 0 && (err != nil || len(read) != len(given)):
			t.Fatalf("%v: %v", picked, err)
		case wrong >= 0 && (!errors.As(err, &chainError) || chainError.At != wrong || !errors.Is(err, overlap.ErrUnlinked) || read != nil):
			t.Fatalf("%v: %v, want it at %d", picked, err, wrong)
		}
	})
}

func TestAChainErrorNamesTheReceiptAtFault(t *testing.T) {
	signer, verifier := keys(t, "docket/test")
	stranger, _ := keys(t, "docket/test")
	ids := chain(t, 3, signer)
	early := receipt(0, ids[1].Link())
	for name, test := range map[string]struct {
		ids  []overlap.ReceiptID
		at   int
		want error
		text string
	}{
		"another key":  {[]overlap.ReceiptID{ids[0], signed(t, receipt(1, ids[0].Link()), stranger)}, 1, overlap.ErrNoReceipt, "receipt 2: not a receipt"},
		"no receipt":   {[]overlap.ReceiptID{"CANARY"}, 0, overlap.ErrNoReceipt, "receipt 1: not a receipt"},
		"an older one": {[]overlap.ReceiptID{ids[0], ids[1], signed(t, early, signer)}, 2, overlap.ErrBackward, "receipt 3: it is older"},
		"no link":      {[]overlap.ReceiptID{ids[0], signed(t, receipt(1, overlap.Link{}), signer)}, 1, overlap.ErrUnlinked, "receipt 2: it does not follow"},
	} {
		read, err := overlap.OpenChain(verifier, test.ids)
		var chainError *overlap.ChainError
		if read != nil || !errors.As(err, &chainError) || chainError.At != test.at || !errors.Is(err, test.want) ||
			!strings.HasPrefix(err.Error(), test.text) || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if read, err := overlap.OpenChain(verifier, nil); err != nil || read != nil {
		t.Errorf("no receipts: %v, %v", read, err)
	}
}

func FuzzOpenReceipt(f *testing.F) {
	signer, verifier := keys(f, "docket/test")
	for _, id := range chain(f, 3, signer) {
		f.Add(string(id))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := overlap.ReceiptID(text).Open(verifier)
		if err == nil && string(signed(t, r, signer)) != text {
			t.Fatalf("%q", text)
		}
	})
}
