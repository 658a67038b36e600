// Package domain is what docket exists for: judging, redacting and recording.
//
// It holds the closed vocabularies, the four kinds of packet, the two rule books, the redacted packet view, the
// reviewer's choice and the enforcement record. It imports nothing else of this module but its own sub-packages
// (canonical: strict JSON and RFC 8785; private: finding private details in a text; visible: showing hostile text),
// and it does no IO, reads no clock and draws no random number: whoever calls brings the time and the ids.
//
// One datum goes one way, and each step takes the result of the step before:
//
//	bytes        --Reader.Read-->       Unredacted   strict reading, shape, digests of the bytes as they came
//	Unredacted   --Redact-->            Packet       private members dropped, private texts masked
//	Packets, now --Judge-->             Judgment     every blocker that holds, the gate, the advisory decision
//	Judgment     --View-->              View         what a screen or a command may show
//	View, Choice --Decide-->            Enforcement  the record that a reviewer leaves
//	Enforcement  --(a store appends)--> Receipt
//
// The types of the middle have unexported fields and one maker each, and their zero values are refused or read as
// blocked, so that a skipped step does not compile or does not pass.
//
// Where to look: words.go and words_*.go for the vocabularies, shape_*.go for what a packet may hold,
// rules_appeal.go and rules_amendment.go for the fail-closed rules of seed 7, docket*.go for the queue as it is held in
// memory. The sub-package overlap is the guardrail of the private-overlap pilot, which this package does not know.
package domain
