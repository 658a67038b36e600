package contracts_test

import (
	"context"
	"fmt"
	"strings"

	"docket/contracts"
	"docket/domain/packets"
)

// A file is one packet, an array of packets, or JSON Lines. What cannot be read is refused by itself, with its place.
func ExampleReadPackets() {
	const file = `{"table": "trade_appeal_cases", "record": {"caseId": "case-1", "revision": 1}}
{"table": "trade_appeal_cases", "record": {"caseId": "case-2", "revision": 0, "status": "open"}}
{"table": "trade_appeal_cases", "record": {"caseId": "case-3", "revision": 1}}
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
}
