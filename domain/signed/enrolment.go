package signed

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain/terms"
)

// EnrolmentNamespace is the SSHSIG namespace of enrolments, apart from records and statements.
const EnrolmentNamespace = "docket-enrolment"

// enrolmentHead is the first field of the line and of the text, and names their form.
const enrolmentHead = "docket-enrolment/v1"

// An Enrolment is a reviewer's answer to an invitation to a service, one line without spaces or
// secrets. The new key signs it, and so does the key of the invitation, which only the token makes:
// who reads the line, the service's store or a backup cannot answer in the reviewer's place.
type Enrolment struct {
	Invitation  string            // the name of the invitation
	Principal   terms.ID          // who was invited
	PublicKey   string            // the reviewer's, in the form of authorized_keys, without a comment
	TokenDigest [sha256.Size]byte // SHA-256 of the token
	Proof       []byte            // Ed25519 signature of the text by the key of the invitation
	Signature   []byte            // armored SSHSIG of the text by PublicKey, in EnrolmentNamespace
}

// ErrEnrolment says that a text is not an enrolment, whole and signed by the key that it names.
var ErrEnrolment = fmt.Errorf("it is not an enrolment, one line that begins with %s, as `docket enroll` prints it", enrolmentHead)

// InvitationKey returns the key that proves a token; a service keeps its public half.
func InvitationKey(token string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("docket-invitation/v1\n" + token))
	return ed25519.NewKeyFromSeed(seed[:])
}

// Answer returns an enrolment proven with the token, which the reviewer's key still has to sign.
func Answer(invitation string, principal terms.ID, publicKey, token string) Enrolment {
	e := Enrolment{Invitation: invitation, Principal: principal, PublicKey: publicKey, TokenDigest: sha256.Sum256([]byte(token))}
	e.Proof = ed25519.Sign(InvitationKey(token), []byte(e.Text()))
	return e
}

// Text is the text that both keys sign.
func (e *Enrolment) Text() string {
	return strings.Join([]string{enrolmentHead, e.Invitation, string(e.Principal), e.PublicKey,
		hex.EncodeToString(e.TokenDigest[:])}, "\n") + "\n"
}

// ProvenBy reports whether the key of the invitation signed it.
func (e *Enrolment) ProvenBy(invitation ed25519.PublicKey) bool {
	return len(invitation) == ed25519.PublicKeySize && ed25519.Verify(invitation, []byte(e.Text()), e.Proof)
}

// Line writes the enrolment; "" if it is not whole.
func (e *Enrolment) Line() string {
	key, err := PublicKey(e.PublicKey)
	if err != nil {
		return ""
	}
	signature, err := sshsig.Unarmor(e.Signature)
	if err != nil {
		return ""
	}
	text := base64.StdEncoding.EncodeToString
	return strings.Join([]string{enrolmentHead, e.Invitation, string(e.Principal), text(key.Marshal()),
		hex.EncodeToString(e.TokenDigest[:]),
		text(e.Proof), text(signature.Marshal())}, ",")
}

// ReadEnrolment reads a line and verifies the signature of the key that it names; ProvenBy tells
// whether it answers an invitation. White space is ignored, as a mail program may break the line.
// The error wraps ErrEnrolment.
func ReadEnrolment(line string) (Enrolment, error) {
	line = strings.Join(strings.Fields(line), "")
	fields := strings.Split(line, ",")
	if len(fields) != 7 || fields[0] != enrolmentHead {
		return Enrolment{}, ErrEnrolment
	}
	_, named := terms.ParseID(fields[1])
	principal, invited := terms.ParseID(fields[2])
	e := Enrolment{Invitation: fields[1], Principal: principal}
	var blobs [3][]byte
	for i, field := range []int{3, 5, 6} {
		blob, err := base64.StdEncoding.DecodeString(fields[field])
		if err != nil {
			return Enrolment{}, ErrEnrolment
		}
		blobs[i] = blob
	}
	digest, err := hex.DecodeString(fields[4])
	if err != nil || copy(e.TokenDigest[:], digest) != len(digest) {
		return Enrolment{}, ErrEnrolment
	}
	key, err := ssh.ParsePublicKey(blobs[0])
	if err != nil {
		return Enrolment{}, ErrEnrolment
	}
	signature, err := sshsig.ParseSignature(blobs[2])
	if err != nil {
		return Enrolment{}, ErrEnrolment
	}
	e.PublicKey, e.Proof, e.Signature = AuthorizedKey(key), blobs[1], sshsig.Armor(signature)
	if !named || !invited || e.Line() != line || !sshSigned(EnrolmentNamespace, e.Text(), e.Signature, ssh.FingerprintSHA256(key)) {
		return Enrolment{}, ErrEnrolment
	}
	return e, nil
}
