package verify

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

func armoredSample(t testing.TB) []byte {
	t.Helper()
	signer, err := ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	if err != nil {
		t.Fatal(err)
	}
	signature, err := sshsig.Sign(bytes.NewReader([]byte("text")), signer, sshsig.HashSHA512, "namespace")
	if err != nil {
		t.Fatal(err)
	}
	return sshsig.Armor(signature)
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
