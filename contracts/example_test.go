package contracts_test

import (
	"context"
	"fmt"
	"strings"

	"docket/contracts"
	"docket/domain/packets"
)

// A file is one packet, an array of packets, or JSON Lines. A packet that cannot be read is refused alone, with its place.
func ExampleReadPackets() {
	const file = `{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "revision": 1}}
{"table": "trade_appeal_cases", "record": {"caseId": "case-2", "contractVersion": "trade-challenge-appeal-v0.3", "revision": 0, "status": "filed", "filedAt": "today"}}
{"table": "trade_appeal_cases", "record": {"caseId": "case-3", "contractVersion": "trade-challenge-appeal-v0.3", "status": "filed", "revision": 1}}
`
	err := contracts.ReadPackets(context.Background(), "cases.jsonl", strings.NewReader(file), contracts.Handler{
		Packet: func(line int, p packets.Packet) error {
			fmt.Printf("line %d: %s revision %d\n", line, p.Key().ID, p.Key().Number)
			return nil
		},
		Refused: func(r contracts.Refusal) {
			for _, one := range r.All() {
				fmt.Println(one)
			}
		},
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// line 1: case-1 revision 1
	// cases.jsonl, line 2: /record/revision: must be an integer of 1 or more, below 2^53
	// cases.jsonl, line 2: /record/filedAt: must be a time in UTC such as 2026-01-31T09:00:00Z
	// line 3: case-3 revision 1
}
