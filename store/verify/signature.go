package verify

import (
	"bytes"
	"slices"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain/records"
	"docket/domain/terms"
)

// keyring knows whose key is whose.
type keyring struct {
	keys map[string]ownedKey // by the key's wire form
}

// An ownedKey is a key that somebody may sign with.
type ownedKey struct {
	fingerprint string
	owners      []terms.ID
}

func newKeyring(signers []Signer) keyring {
	k := keyring{map[string]ownedKey{}}
	for _, signer := range signers {
		if signer.Key != nil && signer.ID.Present() {
			wire := string(signer.Key.Marshal())
			k.keys[wire] = ownedKey{ssh.FingerprintSHA256(signer.Key), append(k.keys[wire].owners, signer.ID)}
		}
	}
	return k
}

// owner tells the fingerprint of a key, and what is to be found of a reviewer who signs with it: 0 if it is theirs.
func (k keyring) owner(key ssh.PublicKey, reviewer terms.ID) (fingerprint string, kind Code) {
	owned, known := k.keys[string(key.Marshal())]
	switch {
	case !known:
		return ssh.FingerprintSHA256(key), SignerUnknown
	case !slices.Contains(owned.owners, reviewer):
		return owned.fingerprint, SignerOther
	}
	return owned.fingerprint, 0
}

// checkSignature finds what is wrong with the signature of a document. The document need not be readable: with no
// reviewer, whose key it is is not asked.
func (k keyring) checkSignature(document, armored []byte, reviewer records.Reviewer, found func(Code, string)) {
	if len(armored) == 0 {
		found(SignatureMissing, "")
		return
	}
	signature, ok := unarmor(armored)
	if !ok {
		found(SignatureUnreadable, "")
		return
	}
	if signature.Namespace != records.SignatureNamespace {
		found(SignatureNamespace, "")
		return
	}
	err := sshsig.Verify(bytes.NewReader(document), signature, signature.PublicKey, signature.HashAlgorithm, records.SignatureNamespace)
	if err != nil {
		found(SignatureInvalid, "")
		return
	}
	if !reviewer.Known() {
		return
	}
	fingerprint, kind := k.owner(signature.PublicKey, reviewer.ID)
	if kind != 0 {
		found(kind, fingerprint)
	}
	if fingerprint != reviewer.KeyFingerprint {
		found(KeyDiffers, fingerprint)
	}
}
