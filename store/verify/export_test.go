package verify

import (
	"docket/domain/records"
	"docket/domain/signed"
)

func LiveHeap() int64 { return liveHeap() }

// CheckSignature is what a check does with one signature.
func CheckSignature(signers []Signer) func(document, armored []byte, reviewer records.Reviewer, found func(Code, string)) {
	return newKeyring(signers).checkSignature
}

// ReadRejection reports what a check with these keys of the service takes a rejection for.
func ReadRejection(keys []signed.Key, filed Rejection) (known, unsigned bool) {
	c := check{rejections: rejections{known: map[records.RecordID]rejected{}}}
	c.readRejection(keys, "", filed)
	return len(c.rejections.known) == 1, c.report.Count(EvidenceAltered) == 1
}
