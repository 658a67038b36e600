package serve

import (
	"fmt"

	"docket/cmd/internal/exchange"
	"docket/domain"
	"docket/domain/overlap"
)

// bodySchemas are those of the bodies that exchange, health and overlap define.
func bodySchemas() object {
	var redacted []object
	for _, table := range domain.PacketTables.Words() {
		redacted = append(redacted, schemaRef(schemaStored(table)))
	}
	return object{
		{schemaProblem, problemSchema()},
		{schemaReceipt, closed("Where a record stands in the service's log.", object{
			{"recordId", schemaRef(schemaRecordID)}, {"sequence", schemaRef(schemaCount)}, {"leafHash", schemaRef(schemaHash)},
			{"treeSize", schemaRef(schemaCount)}, {"root", schemaRef(schemaHash)},
			{"caution", described("What has to be known although the record is durable.", anyText)}}, "caution")},
		{schemaEnforced, closed("The record is in the service's log.", object{
			{"receipt", schemaRef(schemaReceipt)},
			{"checkpoint", described("C2SP tlog-checkpoint of exactly the receipt's tree, signed by the service's log.", anyText)}})},
		{schemaPage, closed("Packets, redacted; policies come first.", object{
			{"packets", listOf(object{{"oneOf", redacted}})},
			{"cursor", described("What to ask with for what comes after, now or another day.", anyText)},
			{"more", described("There is more already.", flag())},
			{"key", described("Verifier key of the service's log.", anyText)}}, "cursor", "more")},
		{schemaLodging, closed("A console's checkpoint, and the proof that it extends the one of oldSize.", object{
			{"checkpoint", described("C2SP tlog-checkpoint, signed by the console's log.", object{{"type", "string"}, {"maxLength", largestCheckpoint}})},
			{"key", described("Verifier key of the console's log.", object{{"type", "string"}, {"maxLength", largestVerifierKey}})},
			{"oldSize", schemaRef(schemaCount)},
			{"proof", described("RFC 6962 consistency proof; empty or null from size 0.",
				object{{"type", []string{"array", "null"}}, {"items", schemaRef(schemaHash)}, {"maxItems", longestProof}})}})},
		{schemaCosigned, closed("The service has seen the checkpoint, and nothing that contradicts it.", object{
			{"size", schemaRef(schemaCount)},
			{"cosignature", described("One signature line of C2SP tlog-cosignature, with its line end.", anyText)},
			{"key", described("Verifier key of the cosigner.", anyText)}})},
		{schemaHealth, closed("Words of the contract and counts; nothing that identifies anybody.", object{
			{"ok", flag()}, {"contractVersion", anyText}, {"contractStatus", oneOf(domain.Gates())},
			{"store", closed("What may be told of the store.", object{
				{"exists", flag()}, {"readable", flag()}, {"proved", flag()}, {"records", schemaRef(schemaCount)},
				{"findings", schemaRef(schemaCount)}})}})},
		{schemaOverlapAnswer, closed("All that a participant is told.", object{
			{"result_bucket", oneOf([]string{overlap.NotEvaluated.String()})}, {"receipt_id", described(
				"The receipt itself, signed with the key of the service's log: `docket overlap verify` proves it.",
				object{{"type", "string"}, {"pattern", fmt.Sprintf("^[A-Za-z0-9_-]{%d}$", overlap.ReceiptIDSize)}})},
			{"blockers", listOf(oneOf(overlap.Blockers.Texts()))}})},
		{schemaState, closed("How the process is.", object{{"status", oneOf([]string{stateLive, stateReady})}})},
	}
}

func problemSchema() object {
	var uris []string
	for _, kind := range exchange.ProblemKinds() {
		uris = append(uris, kind.URI())
	}
	blockers := listOf(oneOf(domain.Blockers.Texts()))
	return closed("A problem document (RFC 9457). No member holds a value of the request other than ids and codes.", object{
		{"type", oneOf(uris)}, {"title", anyText}, {"status", object{{"type", "integer"}, {"minimum", 400}, {"maximum", 599}}},
		{"detail", described("What to do.", anyText)},
		{"pointer", described("JSON Pointer into the body, to what cannot be read.", anyText)},
		{"faults", described("All that is wrong with the body, where there is more than one thing.",
			listOf(closed("One thing that is wrong.", object{{"pointer", anyText}, {"reason", anyText}})))},
		{"changes", described("What is different now.", listOf(anyText))},
		{"inForce", described("The record that is in force on the revision.", schemaRef(schemaRecordID))},
		{"latest", described("The latest revision held.", object{{"type", "integer"}, {"minimum", 1}})},
		{"stated", described("The blockers that the record states.", blockers)},
		{"found", described("The blockers that the service finds.", blockers)},
		{"blockers", described("The fail-closed codes that hold now.", blockers)},
		{"size", described("The size of the log as the service holds it.", schemaRef(schemaCount))},
		{"rejection", described("The signed statement that the record is turned away for good.", anyText)},
	}, "detail", "pointer", "faults", "changes", "inForce", "latest", "stated", "found", "blockers", "size", "rejection")
}
