package signed_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"pgregory.net/rapid"

	"docket/domain/records"
	"docket/domain/signed"
)

const secret = "docket_ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// enrolled is an answer to an invitation by the key that goes with a seed, signed in a namespace.
func enrolled(t testing.TB, seed, namespace string) signed.Enrolment {
	t.Helper()
	sum := sha256.Sum256([]byte(seed))
	signer, err := ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(sum[:]))
	if err != nil {
		t.Fatal(err)
	}
	e := signed.Answer("invite-1", "rev-0417", signed.AuthorizedKey(signer.PublicKey()), secret)
	signature, err := sshsig.Sign(bytes.NewReader([]byte(e.Text())), signer, sshsig.HashSHA512, namespace)
	if err != nil {
		t.Fatal(err)
	}
	e.Signature = sshsig.Armor(signature)
	return e
}

func TestAnEnrolmentIsReadBackFromABrokenLine(t *testing.T) {
	want := enrolled(t, "reviewer", signed.EnrolmentNamespace)
	line := want.Line()
	if strings.ContainsAny(line, " \t\n'\"$`\\;&|<>()*?[]#~!") {
		t.Errorf("a shell reads more than a word in %s", line)
	}
	if strings.Contains(line, secret) || strings.Contains(line, strings.TrimPrefix(secret, "docket_")) {
		t.Error("the line holds the token")
	}
	for _, text := range []string{line, line + "\n", " " + line, line[:100] + "\r\n\t" + line[100:200] + "\n" + line[200:]} {
		got, err := signed.ReadEnrolment(text)
		if err != nil || got.Text() != want.Text() || got.Line() != line || !bytes.Equal(got.Proof, want.Proof) || !bytes.Equal(got.Signature, want.Signature) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func TestOnlyTheTokenOfTheInvitationProvesAnEnrolment(t *testing.T) {
	e := enrolled(t, "reviewer", signed.EnrolmentNamespace)
	right := signed.InvitationKey(secret).Public().(ed25519.PublicKey)
	if !e.ProvenBy(right) {
		t.Error("the token does not prove its own enrolment")
	}
	if other := signed.InvitationKey(secret + "x").Public().(ed25519.PublicKey); e.ProvenBy(other) || e.ProvenBy(nil) || e.ProvenBy(right[:31]) {
		t.Error("another token proves it")
	}
	// Who saw the line, and so knows the digest of the token, cannot put another key into it.
	stolen := enrolled(t, "somebody else", signed.EnrolmentNamespace)
	stolen.Proof = e.Proof
	if stolen.ProvenBy(right) {
		t.Error("the proof goes with another key")
	}
}

func TestALineThatIsNotWholeOrSignedForSomethingElseIsNoEnrolment(t *testing.T) {
	line := enrolled(t, "reviewer", signed.EnrolmentNamespace)
	whole := line.Line()
	fields := strings.Split(whole, ",")
	with := func(place int, field string) string {
		changed := append([]string{}, fields...)
		changed[place] = field
		return strings.Join(changed, ",")
	}
	other, record, statement := enrolled(t, "somebody else", signed.EnrolmentNamespace), enrolled(t, "reviewer", records.SignatureNamespace),
		enrolled(t, "reviewer", records.LogStatementNamespace)
	for name, text := range map[string]string{
		"nothing": "", "a token": secret, "another form": with(0, "docket-enrolment/v2"), "no invitation": with(1, ""),
		"another invitation": with(1, "invite-2"), "another principal": with(2, "rev-0418"), "no principal": with(2, ""),
		"another key": with(3, strings.Split(other.Line(), ",")[3]), "no key": with(3, ""), "another digest": with(4, strings.Repeat("0", 64)),
		"a longer digest": with(4, fields[4]+"00"), "a shorter digest": with(4, fields[4][2:]), "an upper digest": with(4, strings.ToUpper(fields[4])),
		"another signature": with(6, strings.Split(other.Line(), ",")[6]), "a field more": whole + ",", "a field less": strings.Join(fields[:6], ","),
		"signed as a record": record.Line(), "signed as a statement": statement.Line(), "base64 with a bit more": with(3, fields[3]+"===="),
	} {
		if got, err := signed.ReadEnrolment(text); !errors.Is(err, signed.ErrEnrolment) || got.Principal != "" || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestALineThatDiffersInOneByteIsNotTaken(t *testing.T) {
	e := enrolled(t, "reviewer", signed.EnrolmentNamespace)
	line, right := e.Line(), signed.InvitationKey(secret).Public().(ed25519.PublicKey)
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.IntRange(0, len(line)-1).Draw(t, "place")
		text := line[:place] + string([]byte{rapid.Byte().Draw(t, "byte")}) + line[place+1:]
		got, err := signed.ReadEnrolment(text)
		if err == nil && got.ProvenBy(right) && text != line {
			t.Fatalf("%q is taken", text)
		}
	})
}

func FuzzReadEnrolment(f *testing.F) {
	e := enrolled(f, "reviewer", signed.EnrolmentNamespace)
	f.Add(e.Line())
	f.Add(strings.Replace(e.Line(), "AAAAC3", "AAAAB3", 1))
	f.Add("docket-enrolment/v1,a,b,,,,")
	f.Fuzz(func(t *testing.T, line string) {
		read, err := signed.ReadEnrolment(line)
		if err != nil {
			if read.Line() != "" || read.Principal != "" {
				t.Errorf("%+v with %v", read, err)
			}
			return
		}
		if again, err := signed.ReadEnrolment(read.Line()); err != nil || again.Line() != read.Line() || again.Text() != read.Text() {
			t.Errorf("%q is read back as %+v, %v", read.Line(), again, err)
		}
	})
}
