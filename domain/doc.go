// Package domain is what docket exists for: judging, redacting and recording. It is a stack of
// packages. Each imports only those before it:
//
//	terms     the words of the contracts: vocabularies, ids, hashes, times, gates
//	packets   strict reading of policies, cases and amendments, redaction, the stored form
//	rules     the two rule books, and their evaluation
//	views     what people read of a packet, and the sentences
//	records   a reviewer's choice, the enforcement record, its checks, the other signed documents
//	stats     the figures of a period
//	statement what the parties get of a record, as text, Markdown or a page
//	queue     rows, order and filter of the queue, and the case file of one packet
//
// Under the stack lie packages that know nothing of the domain: json (strict reading, shapes, the
// canonical form), private (finding private details in a text) and visible (showing hostile text).
// Above it lie overlap, the guardrail of the private-overlap pilot, and signed, which opens what a
// service signs. None of them does IO, reads a clock or draws a random number: the caller brings
// the time, the ids and the salts.
//
// One datum goes one way, and each step takes the result of the step before:
//
//	bytes               --packets.Reader.Read--> packets.Unredacted
//	packets.Unredacted  --Redact-->              packets.Packet
//	packets.Packet      --rules.PacketInput-->   rules.Input, with the policy and the time
//	rules.Input         --rules.Evaluate-->      rules.Evaluation: the blockers and the gate
//	packets.Packet      --views.New-->           views.View, which evaluates the packet itself
//	views.View          --records.Decide-->      records.Enforcement
//	records.Enforcement --(a store appends)-->   records.Receipt
//
// Each of these types has unexported fields and one maker, and its zero value is refused or read as
// blocked, so that a skipped step does not compile or does not pass.
package domain
