package verify

import (
	"fmt"
	"strings"

	"docket/domain/records"
)

// A Code names a defect of a log, or of the store that keeps it. The zero value is none.
type Code uint8

// The codes, in the order in which they are listed.
const (
	KeyUnusable Code = iota + 1
	SchemaAltered
	StructureDamaged
	TablesDiffer
	TreeDiffers

	AnchorMissing
	AnchorUnreadable
	CheckpointMissing
	CheckpointUnreadable
	CheckpointSignature
	CheckpointUnknownKey
	CheckpointOrigin
	RootDiffers
	TailMissing
	TailUnsigned
	EarlierUnusable
	RolledBack
	Forked
	CosignatureAltered
	PolicyUnmet
	PolicyOld

	RecordMissing
	RecordUnreadable
	LeafDiffers
	RecordMisplaced
	RecordDuplicate
	RecordWithoutLeaf
	RowUnexpected
	HeadNotPrefix

	SignatureMissing
	SignatureUnreadable
	SignatureNamespace
	SignatureInvalid
	SignerUnknown
	SignerOther
	SignerAltered
	KeyDiffers
	KeyNotEndorsed
	SignedAfterRevocation

	PacketMissing
	PacketAltered
	PacketDiffers
	PrivatePresent
	PacketsUnsigned
	PacketsDiffer
	PacketsRolledBack

	BlockersDiffer
	ConclusionDiffers
	ViewDiffers
	OwnDecision
	Recused
	OwnCause
	NotTheirs
	ChoiceNotPermitted
	ReasonsMissing
	TimeBackwards
	RulesUnknown
	StatementMissing
	StatementDiffers
	StatementRefused
	SaltMissing
	NoteAltered
	NoteMissing
	TextsMissing
	PassAfterErasure

	SupersedesUnknown
	SupersedesOtherRevision
	SupersedesSuperseded
	SupersedesMissing
	CarriedMissing
	CarriedUnknown

	ServiceKeyUnusable
	RejectionUnsigned
	RejectionStray
	AnswerAltered
	AnswerMissing
	ServiceRecordAltered
	ServiceSetBack

	LogStatementAltered
	StatementNotAuthorized
	RowsRolledBack
	LogRestored

	FileUnexpected
	FileMissing
	FileDiffers
	LineEndsChanged
)

// A codeInfo is one row of the table of findings.
type codeInfo struct {
	word, meaning, cure string
	of                  aspect // the side of a record to which it belongs; 0: none
	harmless            bool   // the store goes on taking records
}

const (
	keepCopy      = "Keep a copy of the file, then restore a backup that verifies."
	askWhere      = "Do not rely on it; ask the keeper of the log what happened."
	askService    = "Do not rely on later records; push the record again, or ask the service's operator."
	newExport     = "Export again from the store into another folder, and compare."
	acceptOnce    = "Compare the store with a backup, an export or a receipt; if it has all their records, accept the log as it is."
	findNewer     = "Look for the newer file or its -wal file, and open that; if there is none, move this file aside and run `docket restore` on it."
	compareForks  = "Keep both files, verify both, and go on with the one whose receipts the reviewers hold."
	importPackets = "Keep a copy of the file and restore a backup, or import the packets from their source into a new store."
)

// codes is the one table of findings, indexed by Code, for openings, checks and commands.
var codes = [...]codeInfo{
	KeyUnusable:      {word: "key_unusable", meaning: "The key that signs this log's checkpoints cannot be used.", cure: keepCopy},
	SchemaAltered:    {word: "schema_altered", meaning: "Another program changed a table, an index or a trigger.", cure: keepCopy},
	StructureDamaged: {word: "structure_damaged", meaning: "The file is damaged: part of it cannot be read.", cure: keepCopy},
	TablesDiffer:     {word: "tables_differ", meaning: "The tables of the log do not end at the same record.", cure: keepCopy},
	TreeDiffers:      {word: "tree_differs", meaning: "The stored tree is not that of the records.", cure: keepCopy},

	AnchorMissing:        {word: "anchor_missing", meaning: "This machine keeps no checkpoint of this log for this user: it was removed, or another user made the store. Missing records would not be noticed.", cure: acceptOnce},
	AnchorUnreadable:     {word: "anchor_unreadable", meaning: "This store did not sign the checkpoint that is kept outside it.", cure: acceptOnce},
	CheckpointMissing:    {word: "checkpoint_missing", meaning: "A signed checkpoint of the log is missing.", cure: keepCopy},
	CheckpointUnreadable: {word: "checkpoint_unreadable", meaning: "A checkpoint does not have the form of a signed checkpoint.", cure: keepCopy},
	CheckpointSignature:  {word: "checkpoint_signature", meaning: "The checkpoint's signature does not match its text.", cure: keepCopy},
	CheckpointUnknownKey: {word: "checkpoint_unknown_key", meaning: "No known key signed the checkpoint.", cure: "Get the log's verifier key from its keeper and compare."},
	CheckpointOrigin:     {word: "checkpoint_origin", meaning: "The checkpoint belongs to another log.", cure: "Compare the log with a checkpoint of its own."},
	RootDiffers:          {word: "root_differs", meaning: "The records do not hash to the checkpoint's root: one was changed, added, removed or moved.", cure: keepCopy},
	TailMissing:          {word: "tail_missing", meaning: "The log holds fewer records than its checkpoint signs.", cure: keepCopy},
	TailUnsigned:         {word: "tail_unsigned", meaning: "The log holds records that no checkpoint covers.", cure: askWhere},
	EarlierUnusable:      {word: "earlier_unusable", meaning: "The earlier checkpoint belongs to another log, or its signature is not valid.", cure: "Name a checkpoint of this log, or compare the origins and keys."},
	RolledBack:           {word: "rolled_back", meaning: "The log holds fewer records than an earlier checkpoint signs.", cure: findNewer},
	Forked:               {word: "forked", meaning: "The log does not extend an earlier checkpoint of the same origin: history was rewritten.", cure: compareForks},
	CosignatureAltered:   {word: "cosignature_altered", meaning: "The log and the witness did not both sign a cosigned checkpoint.", cure: keepCopy},
	PolicyUnmet: {word: "policy_unmet", meaning: "No checkpoint has the quorum of the witness policy.",
		cure: "Run `docket witness submit`, and ask the witnesses that do not cosign.", harmless: true},
	PolicyOld: {word: "policy_old", meaning: "The quorum of the witness policy cosigned too long ago.",
		cure: "Run `docket witness submit`, and ask the witnesses that do not cosign.", harmless: true},

	RecordMissing:     {word: "record_missing", meaning: "A record of the log is gone.", cure: keepCopy, of: ofProof},
	RecordUnreadable:  {word: "record_unreadable", meaning: "A record cannot be read: it was damaged, edited or forged.", cure: keepCopy, of: ofProof},
	LeafDiffers:       {word: "leaf_differs", meaning: "A record's bytes are not those that were logged.", cure: keepCopy, of: ofProof},
	RecordMisplaced:   {word: "record_misplaced", meaning: "A record is filed under another sequence, table or id than its own.", cure: keepCopy, of: ofProof},
	RecordDuplicate:   {word: "record_duplicate", meaning: "Two records have the same id.", cure: keepCopy},
	RecordWithoutLeaf: {word: "record_without_leaf", meaning: "The store holds a row that the log does not name.", cure: "Do not rely on it: docket did not write it."},
	RowUnexpected:     {word: "row_unexpected", meaning: "A table holds a row that does not belong in a store of this kind.", cure: "Do not rely on it: docket did not write it."},
	HeadNotPrefix:     {word: "head_not_prefix", meaning: "The log that the reviewer saw when signing is not the beginning of this log.", cure: askWhere},

	SignatureMissing:      {word: "signature_missing", meaning: "A record is not signed.", cure: keepCopy, of: ofSignature},
	SignatureUnreadable:   {word: "signature_unreadable", meaning: "A signature is not an armored SSH signature.", cure: keepCopy, of: ofSignature},
	SignatureNamespace:    {word: "signature_namespace", meaning: "A signature was made for another purpose than enforcement records.", cure: askWhere, of: ofSignature},
	SignatureInvalid:      {word: "signature_invalid", meaning: "A signature does not match its record.", cure: keepCopy, of: ofSignature},
	SignerUnknown:         {word: "signer_unknown", meaning: "A record is signed by a key of no known reviewer.", cure: "Ask the reviewer for the key's fingerprint.", of: ofSignature},
	SignerOther:           {word: "signer_other", meaning: "A record is signed by the key of a reviewer whom it does not name.", cure: askWhere, of: ofSignature},
	SignerAltered:         {word: "signer_altered", meaning: "The list of a reviewer's keys does not match the records.", cure: "Compare it with the fingerprint on the reviewer's own machine."},
	KeyDiffers:            {word: "key_differs", meaning: "A record is signed by a key that it does not name.", cure: askWhere, of: ofSignature},
	KeyNotEndorsed:        {word: "key_not_endorsed", meaning: "A record is signed in a reviewer's name by a key that does not count for the reviewer.", cure: "Do not rely on that key's records; compare it with the keys on the reviewer's machines. A new key counts after `docket identity rotate` or `replace`."},
	SignedAfterRevocation: {word: "signed_after_revocation", meaning: "A record is signed by a key that was revoked before, so it is not in force.", cure: "Judge its case or amendment again.", harmless: true},

	PacketMissing:     {word: "packet_missing", meaning: "A packet that a record judged is missing.", cure: "Import it again from its source, or restore a backup.", of: ofReplay},
	PacketAltered:     {word: "packet_altered", meaning: "A packet does not match its own digests.", cure: importPackets, of: ofReplay},
	PacketDiffers:     {word: "packet_differs", meaning: "A packet does not have the hashes that its record states.", cure: keepCopy, of: ofReplay},
	PrivatePresent:    {word: "private_present", meaning: "A packet holds private details that should have been masked.", cure: "Do not pass it on; find out who put them there.", of: ofReplay},
	PacketsUnsigned:   {word: "packets_unsigned", meaning: "The digest over all packets is not signed by this store.", cure: keepCopy},
	PacketsDiffer:     {word: "packets_differ", meaning: "The packets are not those that came in.", cure: importPackets},
	PacketsRolledBack: {word: "packets_rolled_back", meaning: "The store holds fewer packets than this machine last saw in it.", cure: findNewer},

	BlockersDiffer:     {word: "blockers_differ", meaning: "Evaluated again, the packet has other blockers than the record states.", cure: askWhere, of: ofReplay},
	ConclusionDiffers:  {word: "conclusion_differs", meaning: "The record's conclusion does not follow from its packets.", cure: askWhere, of: ofReplay},
	ViewDiffers:        {word: "view_differs", meaning: "The reviewer's screen showed other packets.", cure: askWhere, of: ofReplay},
	OwnDecision:        {word: "own_decision", meaning: "A reviewer judged their own decision.", cure: askWhere, of: ofReplay},
	Recused:            {word: "recused", meaning: "A reviewer judged a case from which they are recused.", cure: askWhere, of: ofReplay},
	OwnCause:           {word: "own_cause", meaning: "A reviewer judged a case or amendment to which they are a party.", cure: askWhere, of: ofReplay},
	NotTheirs:          {word: "not_theirs", meaning: "A reviewer judged a case that is assigned to someone else, and is no safety admin who blocked it.", cure: askWhere, of: ofReplay},
	ChoiceNotPermitted: {word: "choice_not_permitted", meaning: "The gate and the policy do not permit the reviewer's choice.", cure: askWhere, of: ofReplay},
	ReasonsMissing:     {word: "reasons_missing", meaning: "A record that requires a statement of reasons has none.", cure: askWhere, of: ofReplay},
	TimeBackwards:      {word: "time_backwards", meaning: "The times of a record or a statement are out of order, or a record's id has another time.", cure: "Check the clock of the machine that made it.", of: ofReplay},
	RulesUnknown: {word: "rules_unknown", meaning: "A record names a rule book that this program does not have, so it was not judged again.",
		cure: "Check it with a version of docket that has that rule book.", of: ofReplay, harmless: true},
	StatementMissing: {word: "statement_missing", meaning: "A record's statement of reasons is gone without a statement of its erasure.",
		cure: "If it was deleted on purpose, state that with `docket erase statement RECORD`; otherwise restore a backup.", of: ofReplay},
	StatementDiffers: {word: "statement_differs", meaning: "A statement of reasons does not match its record.", cure: keepCopy, of: ofReplay},
	StatementRefused: {word: "statement_refused", meaning: "A statement of reasons is empty, too long, or holds private details or invisible characters.", cure: askWhere, of: ofReplay},
	SaltMissing:      {word: "salt_missing", meaning: "The salt of a record's packet digest is missing or not valid.", cure: keepCopy, of: ofReplay},
	NoteAltered:      {word: "note_altered", meaning: "A private note does not match its record.", cure: "Do not rely on the note; the record is not affected."},
	NoteMissing: {word: "note_missing", meaning: "A record's private note is gone without a statement of its erasure.",
		cure: "If it was deleted on purpose, state that with `docket erase note RECORD`; otherwise restore a backup."},
	TextsMissing: {word: "texts_missing", meaning: "A packet's texts are gone without a statement of their erasure.",
		cure: "If they were deleted on purpose, state that with `docket erase texts ID --revision N`; otherwise restore a backup.", of: ofReplay},
	PassAfterErasure: {word: "pass_after_erasure", meaning: "A record passes a revision whose texts were erased before it.", cure: askWhere},

	SupersedesUnknown:       {word: "supersedes_unknown", meaning: "A record supersedes one that is not before it in the log.", cure: askWhere},
	SupersedesOtherRevision: {word: "supersedes_other_revision", meaning: "A record supersedes one on another case, amendment or revision.", cure: askWhere},
	SupersedesSuperseded:    {word: "supersedes_superseded", meaning: "A record supersedes one that was superseded before.", cure: askWhere},
	SupersedesMissing:       {word: "supersedes_missing", meaning: "A record does not name the record in force that it supersedes.", cure: askWhere},
	CarriedMissing:          {word: "carried_missing", meaning: "A record leaves out a blocker that an earlier record on the revision added.", cure: askWhere},
	CarriedUnknown:          {word: "carried_unknown", meaning: "A record carries a blocker that no earlier record on the revision added.", cure: askWhere},

	ServiceKeyUnusable: {word: "service_key_unusable", meaning: "The key with which the service signs rejections cannot be used.", cure: "Get the service's verifier key from its operator and compare."},
	RejectionUnsigned:  {word: "rejection_unsigned", meaning: "The service did not sign a rejection.", cure: askService},
	RejectionStray:     {word: "rejection_stray", meaning: "A rejection belongs to another record, or to none in the log.", cure: askService},
	AnswerAltered:      {word: "answer_altered", meaning: "The service did not sign the stored answer on this record.", cure: askService},
	AnswerMissing:      {word: "answer_missing", meaning: "Rejections by the service are missing.", cure: "Restore a backup."},

	ServiceRecordAltered: {word: "service_record_altered", meaning: "The stored copy of a service's record is not signed by its reviewer, or not in the service's log.", cure: askService},

	ServiceSetBack: {word: "service_set_back", meaning: "The service's log does not extend the one that it showed before, and nobody accepted it.",
		cure: "Ask the service's operator; both checkpoints are kept as proof. Pull and push go on after `docket accept service`.", harmless: true},

	StatementNotAuthorized: {word: "statement_not_authorized", meaning: "A statement about the log is by somebody who had no record in it, or with a key that did not count.",
		cure: "Find out who signed it. What it allows is not to be relied on: compare with a backup or an export.", harmless: true},
	LogStatementAltered: {word: "log_statement_altered", meaning: "A statement about the log is not signed by the person whom it names, or belongs to another log.", cure: keepCopy},
	RowsRolledBack: {word: "rows_rolled_back", meaning: "A table of statements, answers of a service, cosignatures or tokens lacks rows that this machine saw.",
		cure: "Look for the newer file or its -wal file, and open that; if there is none, compare with an export or the service, and accept the log as it is."},
	LogRestored: {word: "log_restored", meaning: "A checkpoint or key that was kept is of a log that was restored since, maybe to fewer records.",
		cure: "Ask who restored it whether they did, and compare the key; then `docket verify --accept-restore`. Reviewers hand in what is missing again, with their receipts.", harmless: true},

	FileUnexpected: {word: "file_unexpected", meaning: "A bundle holds a file that is no part of one.", cure: "Move it out of the folder."},
	FileMissing:    {word: "file_missing", meaning: "A file of the bundle is missing.", cure: newExport},
	FileDiffers:    {word: "file_differs", meaning: "A file of the bundle does not follow from the records.", cure: newExport},
	LineEndsChanged: {word: "line_ends_changed", meaning: "Line ends of text files were changed from LF to CR LF.",
		cure: "Copy the export again without changing line ends."},
}

// Codes lists all codes.
func Codes() []Code {
	all := make([]Code, 0, len(codes)-1)
	for code := 1; code < len(codes); code++ {
		all = append(all, Code(code))
	}
	return all
}

func (c Code) info() codeInfo {
	if int(c) >= len(codes) {
		return codeInfo{}
	}
	return codes[c]
}

// String returns the code's word; "" for none.
func (c Code) String() string { return c.info().word }

// Meaning returns the defect in one sentence.
func (c Code) Meaning() string { return c.info().meaning }

// with returns the meaning, with a detail in brackets if there is one.
func (c Code) with(detail string) string {
	if detail == "" {
		return c.Meaning()
	}
	return c.Meaning() + " (" + detail + ")"
}

// Cure returns the next step in one sentence.
func (c Code) Cure() string { return c.info().cure }

// Stops reports whether a store with such a finding takes no more records.
func (c Code) Stops() bool { return !c.info().harmless }

// MarshalJSON writes the code's word.
func (c Code) MarshalJSON() ([]byte, error) { return []byte(`"` + c.String() + `"`), nil }

// NoSequence is the sequence of a finding about the log as a whole.
const NoSequence = -1

// A Finding is one defect.
type Finding struct {
	Sequence int64            `json:"sequence"`           // of the record; NoSequence if it is about the log
	RecordID records.RecordID `json:"recordId,omitempty"` // of the record; "" where it cannot be read
	Code     Code             `json:"kind"`
	Detail   string           `json:"detail,omitempty"` // names, codes and numbers, never a value of a packet
}

// OfLog makes a finding about the log as a whole. The detail may be "".
func (c Code) OfLog(detail string) Finding { return Finding{NoSequence, "", c, detail} }

// OfRecord makes a finding about one record. The detail may be "".
func (c Code) OfRecord(sequence int64, id records.RecordID, detail string) Finding {
	return Finding{sequence, id, c, detail}
}

// String writes the finding on one line, with its code.
func (f Finding) String() string {
	text := f.Code.String()
	if f.Sequence != NoSequence {
		text = fmt.Sprintf("record %d: %s", f.Sequence, text)
	}
	if f.RecordID.Present() {
		text = fmt.Sprintf("record %d (%s): %s", f.Sequence, f.RecordID, f.Code)
	}
	return text + ": " + f.Code.with(f.Detail)
}

// Sentence returns the record and the defect, without the code.
func (f Finding) Sentence() string {
	text := f.Code.Meaning()
	if f.Detail != "" {
		text = strings.TrimSuffix(text, ".") + " (" + f.Detail + ")."
	}
	switch {
	case f.Sequence == NoSequence:
		return text
	case !f.RecordID.Present():
		return fmt.Sprintf("Record %d: %s", f.Sequence, text)
	}
	return fmt.Sprintf("Record %d (%s): %s", f.Sequence, f.RecordID, text)
}
