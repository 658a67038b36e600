package verify

import "docket/domain/records"

// LiveHeap is how many bytes are live.
func LiveHeap() int64 { return liveHeap() }

// CheckSignature is what a check does with one signature.
func CheckSignature(signers []Signer) func(document, armored []byte, reviewer records.Reviewer, found func(Code, string)) {
	return newKeyring(signers).checkSignature
}
