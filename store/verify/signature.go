package verify

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
)

// keyring maps keys, by their wire form, to their owners.
type keyring map[string]ownedKey

type ownedKey struct {
	fingerprint string
	owners      []terms.ID
}

func newKeyring(signers []Signer) keyring {
	k := keyring{}
	for _, signer := range signers {
		if signer.Key != nil && signer.ID.Present() {
			wire := string(signer.Key.Marshal())
			k[wire] = ownedKey{ssh.FingerprintSHA256(signer.Key), append(k[wire].owners, signer.ID)}
		}
	}
	return k
}

// checkSignature takes an unreadable document, too: without a reviewer no owner is checked.
func (k keyring) checkSignature(document, armored []byte, reviewer records.Reviewer, found func(Code, string)) {
	signature, ok := unarmor(armored)
	switch {
	case len(armored) == 0:
		found(SignatureInvalid, "there is none")
	case !ok:
		found(SignatureInvalid, "it is not an armored SSH signature")
	case signature.Namespace != records.SignatureNamespace:
		found(SignatureInvalid, "it was made for another purpose than enforcement records")
	case signed.Verify(records.SignatureNamespace, document, signature) != nil:
		found(SignatureInvalid, "it does not match the record")
	case reviewer.Known():
		owned, known := k[string(signature.PublicKey.Marshal())]
		switch {
		case !known:
			found(SignerDiffers, ssh.FingerprintSHA256(signature.PublicKey)+" is the key of no known reviewer")
		case !slices.Contains(owned.owners, reviewer.ID):
			found(SignerDiffers, owned.fingerprint+" is a key of another reviewer")
		case owned.fingerprint != reviewer.KeyFingerprint:
			found(SignerDiffers, owned.fingerprint+" is not the key that it names")
		}
	}
}

// The armor of a signature as this program writes it: PEM, in lines of 64 characters.
const (
	armorBegin = "-----BEGIN " + sshsig.PEMType + "-----\n"
	armorEnd   = "-----END " + sshsig.PEMType + "-----\n"
	armorLine  = 64
)

// unarmor reads only what sshsig.Armor writes, while PEM allows for spaces, other lines and text
// around it, in a fraction of the time of a PEM round trip.
func unarmor(armored []byte) (*sshsig.Signature, bool) {
	body, begins := bytes.CutPrefix(armored, []byte(armorBegin))
	body, ends := bytes.CutSuffix(body, []byte(armorEnd))
	if !begins || !ends {
		return nil, false
	}
	text := make([]byte, 0, len(body))
	for len(body) > 0 {
		end := min(armorLine, len(body)-1)
		if body[end] != '\n' {
			return nil, false
		}
		text, body = append(text, body[:end]...), body[end+1:]
	}
	blob := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	size, err := base64.StdEncoding.Strict().Decode(blob, text)
	padding := strings.Count(string(text[max(0, len(text)-2):]), "=")
	// The decoder skips line ends within a line: then the length is no multiple of four, or less.
	if err != nil || len(text)%4 != 0 || size != len(blob)-padding {
		return nil, false
	}
	signature, err := sshsig.ParseSignature(blob[:size])
	if err != nil || !bytes.Equal(signature.Marshal(), blob[:size]) {
		return nil, false
	}
	return signature, true
}
