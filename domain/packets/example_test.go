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
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "revision": 1}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "revision": 1, "revision": 2}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "Revision": 1}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "revision": 1, "phone": "555 0100"}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "revision": 1, "notice": {"state": "sent"}}}`,
		`{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "revision": 1, "filedAt": "yesterday"}}`,
	} {
		unredacted, fault := reader.Read([]byte(text))
		if fault != nil {
			fmt.Println("refused:", fault)
			continue
		}
		packet := unredacted.Redact()
		fmt.Println("read:", packet.Key())
	}
	// Output:
}
