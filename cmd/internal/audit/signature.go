package audit

import (
	"bytes"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"docket/domain"
)

// keyring knows whose key is whose.
type keyring struct {
	owners map[string][]domain.ID // by the key's wire form
}

func newKeyring(signers []Signer) keyring {
	k := keyring{map[string][]domain.ID{}}
	for _, signer := range signers {
		if signer.Key != nil && signer.ID.Present() {
			wire := string(signer.Key.Marshal())
			k.owners[wire] = append(k.owners[wire], signer.ID)
		}
	}
	return k
}

// owner tells what is to be found of a reviewer who signs with the key: 0 if it is theirs.
func (k keyring) owner(key ssh.PublicKey, reviewer domain.ID) Kind {
	owners, known := k.owners[string(key.Marshal())]
	if !known {
		return SignerUnknown
	}
	for _, owner := range owners {
		if owner == reviewer {
			return 0
		}
	}
	return SignerOther
}

// checkSignature finds what is wrong with the signature of a document. The document need not be readable: with no
// reviewer, whose key it is is not asked.
func (k keyring) checkSignature(document, armored []byte, reviewer domain.Reviewer, found func(Kind, string)) {
	if len(armored) == 0 {
		found(SignatureMissing, "")
		return
	}
	signature, err := sshsig.Unarmor(armored)
	// Armor allows for spaces and for text around it; there is one way in which this program writes it.
	if err != nil || !bytes.Equal(sshsig.Armor(signature), armored) {
		found(SignatureUnreadable, "")
		return
	}
	if signature.Namespace != domain.SignatureNamespace {
		found(SignatureNamespace, "")
		return
	}
	err = sshsig.Verify(bytes.NewReader(document), signature, signature.PublicKey, signature.HashAlgorithm, domain.SignatureNamespace)
	if err != nil {
		found(SignatureInvalid, "")
		return
	}
	if !reviewer.Known() {
		return
	}
	fingerprint := ssh.FingerprintSHA256(signature.PublicKey)
	if kind := k.owner(signature.PublicKey, reviewer.ID); kind != 0 {
		found(kind, fingerprint)
	}
	if fingerprint != reviewer.KeyFingerprint {
		found(KeyDiffers, fingerprint)
	}
}
