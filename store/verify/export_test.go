package verify

import (
	"docket/domain/records"
	"docket/domain/signed"
)

func LiveHeap() int64 { return liveHeap() }

// ReadRejection reports what a check with these keys of the service takes a rejection for.
func ReadRejection(keys []signed.Key, filed Rejection) (known, unsigned bool) {
	c := check{rejections: rejections{known: map[records.RecordID]rejected{}}}
	c.readRejection(keys, "", filed)
	return len(c.rejections.known) == 1, c.report.Count(EvidenceAltered) == 1
}
