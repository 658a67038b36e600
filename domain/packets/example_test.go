package packets_test

import (
	"fmt"

	"docket/domain/packets"
)

// What two readers could understand in two ways is refused: a member that stands twice, one in the wrong case, one that is not known. The fault says
// where, and what is expected there. It holds no value.
func ExampleReader_Read() {
	var reader packets.Reader
	for _, text := range []string{
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "revision": 1}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "revision": 1, "revision": 2}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "Revision": 1}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "revision": 1, "phone": "555 0100"}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "revision": 1, "notice": {"state": "sent"}}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "revision": 1, "filedAt": "yesterday"}}`,
	} {
		unredacted, fault := reader.Read([]byte(text))
		if fault != nil {
			fmt.Println("refused:", fault)
			continue
		}
		packet := unredacted.Redact()
		fmt.Println("read:", packet.Key().ID, packet.Key().Number)
	}
	// Output:
	// read: case-1 1
	// refused: /record: duplicate member name
	// refused: /record: has a member name in the wrong case; it must be revision
	// refused: /record: has a member that is not known; it is not shown, because it may be private
	// refused: /record/notice/state: is not in the vocabulary: notice state
	// refused: /record/filedAt: must be a time in UTC such as 2026-01-31T09:00:00Z
}
