package verify

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
)

// need returns the value of a call that has to succeed.
func need[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// noteKey is a signer of an origin, made of a seed, and its verifier key.
func noteKey(t *testing.T, origin string, seed byte) (note.Signer, string) {
	t.Helper()
	private, public, err := note.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)), origin)
	if err != nil {
		t.Fatal(err)
	}
	return need(note.NewSigner(private))(t), public
}

func signedNote(t *testing.T, text string, signers ...note.Signer) []byte {
	t.Helper()
	return need(note.Sign(&note.Note{Text: text}, signers...))(t)
}

func TestACheckpointIsReadInItsOneFormAndWithTheKeysThatAreGivenAlone(t *testing.T) {
	const origin = "docket/test"
	signer, key := noteKey(t, origin, 1)
	other, otherKey := noteKey(t, origin, 2)
	hash := func(size int) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, size)) }
	text := func(origin, size, hash, rest string) []byte {
		return signedNote(t, origin+"\n"+size+"\n"+hash+"\n"+rest, signer)
	}
	signed := text(origin, "4", hash(32), "")
	parts := strings.SplitN(key, "+", 3)
	capital := parts[0] + "+" + strings.ToUpper(parts[1]) + "+" + parts[2]
	last := bytes.LastIndexByte(signed, ' ') + 10
	forged := bytes.Clone(signed)
	forged[last] = map[bool]byte{true: 'B', false: 'A'}[forged[last] == 'A']
	const bits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	beforePad := bytes.LastIndexByte(signed, '=') - 1
	leftOver := bytes.Clone(signed)
	leftOver[beforePad] = bits[strings.IndexByte(bits, leftOver[beforePad])|1]
	keys := []string{key}
	for name, c := range map[string]struct {
		signed []byte
		keys   []string
		want   error
	}{
		"one":                       {signed, keys, nil},
		"one of nothing":            {text(origin, "0", hash(32), ""), keys, nil},
		"the largest":               {text(origin, "9223372036854775807", hash(32), ""), keys, nil},
		"one that is larger":        {text(origin, "9223372036854775808", hash(32), ""), keys, errForm},
		"a short hash":              {text(origin, "4", hash(31), ""), keys, errForm},
		"a long hash":               {text(origin, "4", hash(33), ""), keys, errForm},
		"no hash":                   {text(origin, "4", "", ""), keys, errForm},
		"bits left over":            {text(origin, "4", strings.Replace(hash(32), "c=", "d=", 1), ""), keys, errForm},
		"a line more":               {text(origin, "4", hash(32), "more\n"), keys, errForm},
		"a sign":                    {text(origin, "+4", hash(32), ""), keys, errForm},
		"less than nothing":         {text(origin, "-4", hash(32), ""), keys, errForm},
		"a zero before the number":  {text(origin, "04", hash(32), ""), keys, errForm},
		"no origin":                 {text("", "4", hash(32), ""), keys, errForm},
		"another origin":            {text(origin+"2", "4", hash(32), ""), keys, errOtherLog},
		"its key in capitals":       {signed, []string{capital}, nil},
		"its key among others":      {signed, []string{otherKey, key}, nil},
		"another key":               {signed, []string{otherKey}, errUnknownKey},
		"no key":                    {signed, nil, errUnknownKey},
		"a key that is none":        {signed, []string{key, "no key"}, errUnknownKey},
		"two signatures, one known": {signedNote(t, origin+"\n4\n"+hash(32)+"\n", other, signer), keys, nil},
		"a forged signature":        {forged, keys, errSignature},
		"bits of it left over":      {leftOver, keys, errForm},
		"nothing":                   {nil, keys, errNoCheckpoint},
		"no note":                   {[]byte("text"), keys, errForm},
		"a line that stands twice":  {append(bytes.Clone(signed), signed[bytes.Index(signed, []byte("— ")):]...), keys, errForm},
	} {
		got, err := OpenCheckpoint(c.signed, origin, c.keys)
		switch {
		case c.want == nil && (err != nil || got.Origin != origin || fmt.Sprint(got.Size) != strings.Split(string(c.signed), "\n")[1] || got.VerifierKey != key ||
			!bytes.Equal(got.Root[:], bytes.Repeat([]byte{7}, 32))):
			t.Errorf("%s: %+v, %v", name, got, err)
		case c.want != nil && (!errors.Is(err, c.want) || got != Checkpoint{}):
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestACodeThatIsNotInTheTableHasNoWords(t *testing.T) {
	for _, code := range []Code{0, Code(len(codes)), Code(len(codes) + 1)} {
		if code.String() != "" || code.Meaning() != "" || code.Cure() != "" || !code.Stops() {
			t.Errorf("%d: %q %q %q %t", code, code, code.Meaning(), code.Cure(), code.Stops())
		}
	}
}

func TestAPolicyIsReadUpToItsLargestSize(t *testing.T) {
	text := []byte("# ")
	text = append(text, bytes.Repeat([]byte("x"), 65_536-len(text))...)
	_, atMost := ParsePolicy(text)
	_, more := ParsePolicy(append(text, 'x'))
	if atMost == nil || strings.Contains(atMost.Error(), "at most") || more == nil || !strings.Contains(more.Error(), "at most") {
		t.Errorf("%v, %v", atMost, more)
	}
}

func armoredSample(t testing.TB) []byte {
	t.Helper()
	signer := need(ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))))(t)
	return sshsig.Armor(need(sshsig.Sign(bytes.NewReader([]byte("text")), signer, sshsig.HashSHA512, "namespace"))(t))
}

// theLongWay reads a signature with the library, and compares what the library writes of it.
func theLongWay(armored []byte) bool {
	signature, err := sshsig.Unarmor(armored)
	return err == nil && bytes.Equal(sshsig.Armor(signature), armored)
}

func TestASignatureIsReadExactlyAsTheLibraryWritesIt(t *testing.T) {
	sample := armoredSample(t)
	signature, ok := unarmor(sample)
	if !ok || !bytes.Equal(sshsig.Armor(signature), sample) {
		t.Fatal("the sample is not read, or differs")
	}
	compare := func(armored []byte) {
		t.Helper()
		if _, ok := unarmor(armored); ok != theLongWay(armored) {
			t.Fatalf("it is read: %v:\n%s", ok, armored)
		}
	}
	for at := range sample {
		for _, other := range []byte("\n\r =-+/AQz0\x00") {
			changed := bytes.Clone(sample)
			changed[at] = other
			compare(changed)
			compare(append(append(bytes.Clone(sample[:at]), other), sample[at:]...))
		}
		compare(append(bytes.Clone(sample[:at]), sample[at+1:]...))
		compare(sample[:at])
		compare(sample[at:])
	}
	for _, text := range []string{"", armorBegin, armorEnd, armorBegin + armorEnd, armorBegin + "\n" + armorEnd, armorBegin + "====\n" + armorEnd} {
		compare([]byte(text))
	}
}

func FuzzASignatureIsReadExactlyAsTheLibraryWritesIt(f *testing.F) {
	f.Add(armoredSample(f))
	f.Fuzz(func(t *testing.T, armored []byte) {
		if _, ok := unarmor(armored); ok != theLongWay(armored) {
			t.Errorf("it is read: %v", ok)
		}
	})
}
