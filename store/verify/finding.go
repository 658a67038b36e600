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
	RowsRolledBack
	LostInRestore
	RestoreUnproven

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
	keepCopy      = "Keep a copy of it as it is, then restore a backup that verifies."
	askWhere      = "Do not rely on it; ask the keeper of the log how it came about."
	askService    = "Rely on nothing that was recorded after it; push the record again, or ask the service's operator."
	newExport     = "Export again from the store into another folder, and compare."
	acceptOnce    = "Compare the store with a backup, an export or a receipt; if it has all of their records, accept its log as it is."
	findNewer     = "Look for the newer file, or for a -wal file left beside another copy, and open that; if there is none, move this file aside and run `docket restore` on it."
	compareForks  = "Keep both files, verify both, and go on with the one whose receipts the reviewers hold."
	importPackets = "Keep a copy of the file and restore a backup, or import the packets from their source into a new store."
)

// codes is the one table of findings, indexed by Code, for openings, checks and commands.
var codes = [...]codeInfo{
	KeyUnusable:      {word: "key_unusable", meaning: "The key that signs the checkpoints of this log cannot be used.", cure: keepCopy},
	SchemaAltered:    {word: "schema_altered", meaning: "A table, an index or a trigger is not as docket makes it: another program changed it.", cure: keepCopy},
	StructureDamaged: {word: "structure_damaged", meaning: "The file is damaged: a part of it cannot be read.", cure: keepCopy},
	TablesDiffer:     {word: "tables_differ", meaning: "The tables of the log do not end at the same record.", cure: keepCopy},
	TreeDiffers:      {word: "tree_differs", meaning: "The tree kept beside the records is not the one of the records.", cure: keepCopy},

	AnchorMissing:        {word: "anchor_missing", meaning: "No checkpoint of this log is kept on this machine, so nothing tells whether records are missing.", cure: acceptOnce},
	AnchorUnreadable:     {word: "anchor_unreadable", meaning: "The checkpoint that is kept outside the store is none that this store signed.", cure: acceptOnce},
	CheckpointMissing:    {word: "checkpoint_missing", meaning: "A signed checkpoint of the log is missing.", cure: keepCopy},
	CheckpointUnreadable: {word: "checkpoint_unreadable", meaning: "A checkpoint is not a signed checkpoint as this program writes it.", cure: keepCopy},
	CheckpointSignature:  {word: "checkpoint_signature", meaning: "The signature under the checkpoint is not one of its text.", cure: keepCopy},
	CheckpointUnknownKey: {word: "checkpoint_unknown_key", meaning: "No known key signed the checkpoint.", cure: "Get the log's verifier key from its keeper and compare."},
	CheckpointOrigin:     {word: "checkpoint_origin", meaning: "The checkpoint is one of another log.", cure: "Put the checkpoint and the log that belong together side by side."},
	RootDiffers:          {word: "root_differs", meaning: "The records do not hash to the root that the checkpoint signs: some record was changed, added, removed or moved.", cure: keepCopy},
	TailMissing:          {word: "tail_missing", meaning: "The log holds fewer records than its checkpoint signs.", cure: keepCopy},
	TailUnsigned:         {word: "tail_unsigned", meaning: "The log holds records that no checkpoint covers.", cure: askWhere},
	EarlierUnusable:      {word: "earlier_unusable", meaning: "The earlier checkpoint is not one of this log, or its signature does not verify.", cure: "Name a checkpoint of this log, or compare the origins and keys."},
	RolledBack:           {word: "rolled_back", meaning: "The log holds fewer records than an earlier checkpoint signs.", cure: findNewer},
	Forked:               {word: "forked", meaning: "The log does not extend an earlier checkpoint of the same origin: history was rewritten.", cure: compareForks},
	CosignatureAltered:   {word: "cosignature_altered", meaning: "A cosigned checkpoint is not one that the log and the witness signed.", cure: keepCopy},
	PolicyUnmet: {word: "policy_unmet", meaning: "No checkpoint of the log has the quorum of the witness policy.",
		cure: "Run `docket witness submit`, and ask the operators of the witnesses that do not cosign.", harmless: true},
	PolicyOld: {word: "policy_old", meaning: "The quorum of the witness policy cosigned longer ago than is allowed.",
		cure: "Run `docket witness submit`, and ask the operators of the witnesses that do not cosign.", harmless: true},

	RecordMissing:     {word: "record_missing", meaning: "A record of the log is gone.", cure: keepCopy, of: ofProof},
	RecordUnreadable:  {word: "record_unreadable", meaning: "A record is not one that this program writes: it was damaged, edited or forged.", cure: keepCopy, of: ofProof},
	LeafDiffers:       {word: "leaf_differs", meaning: "A record's bytes are not those that were logged.", cure: keepCopy, of: ofProof},
	RecordMisplaced:   {word: "record_misplaced", meaning: "A record is filed under another sequence, table or id than its own.", cure: keepCopy, of: ofProof},
	RecordDuplicate:   {word: "record_duplicate", meaning: "Two records have the same id.", cure: keepCopy},
	RecordWithoutLeaf: {word: "record_without_leaf", meaning: "The store holds a row that the log does not name.", cure: "Do not rely on it: docket did not write it."},
	RowUnexpected:     {word: "row_unexpected", meaning: "A table holds a row that docket does not write in a store of this kind.", cure: "Do not rely on it: docket did not write it."},
	HeadNotPrefix:     {word: "head_not_prefix", meaning: "The log that the reviewer saw when signing is not the beginning of this log.", cure: askWhere},

	SignatureMissing:      {word: "signature_missing", meaning: "A record is not signed.", cure: keepCopy, of: ofSignature},
	SignatureUnreadable:   {word: "signature_unreadable", meaning: "A signature is not an armored SSH signature as this program writes it.", cure: keepCopy, of: ofSignature},
	SignatureNamespace:    {word: "signature_namespace", meaning: "A signature was made for another purpose than enforcement records.", cure: askWhere, of: ofSignature},
	SignatureInvalid:      {word: "signature_invalid", meaning: "A signature is not one of these bytes: the record was changed, or the signature belongs to another one.", cure: keepCopy, of: ofSignature},
	SignerUnknown:         {word: "signer_unknown", meaning: "A record is signed by a key of no known reviewer.", cure: "Ask the reviewer for the key's fingerprint; without it the record is nobody's.", of: ofSignature},
	SignerOther:           {word: "signer_other", meaning: "A record is signed by the key of another reviewer than it names.", cure: askWhere, of: ofSignature},
	SignerAltered:         {word: "signer_altered", meaning: "What is listed of a reviewer's key is not what the records say.", cure: "Compare it with the fingerprint that the reviewer's own machine shows."},
	KeyDiffers:            {word: "key_differs", meaning: "A record is signed by another key than the one that it names.", cure: askWhere, of: ofSignature},
	KeyNotEndorsed:        {word: "key_not_endorsed", meaning: "A record is signed in a reviewer's name by a key that does not count for the reviewer.", cure: "Do not rely on the records of that key; compare it with the keys on the reviewer's own machines. A new key of the reviewer's counts after `docket identity rotate` or `replace`."},
	SignedAfterRevocation: {word: "signed_after_revocation", meaning: "A record is signed by a key that was revoked before, so it is not in force.", cure: "Judge its case or amendment again.", harmless: true},

	PacketMissing:     {word: "packet_missing", meaning: "A packet that a record judged is not there.", cure: "Import it again from its source, or restore a backup.", of: ofReplay},
	PacketAltered:     {word: "packet_altered", meaning: "A packet is not as it was stored: it does not match its own digests.", cure: importPackets, of: ofReplay},
	PacketDiffers:     {word: "packet_differs", meaning: "A packet is not the one whose hashes the record states.", cure: keepCopy, of: ofReplay},
	PrivatePresent:    {word: "private_present", meaning: "A packet holds private details that should have been masked.", cure: "Do not pass it on; find out who put them there.", of: ofReplay},
	PacketsUnsigned:   {word: "packets_unsigned", meaning: "What covers the packets is not signed by this store.", cure: keepCopy},
	PacketsDiffer:     {word: "packets_differ", meaning: "The packets are not those that came in.", cure: importPackets},
	PacketsRolledBack: {word: "packets_rolled_back", meaning: "The store holds fewer packets than this machine last saw in it: some were removed, or the file is an older one.", cure: findNewer},

	BlockersDiffer:     {word: "blockers_differ", meaning: "Evaluated again, the packet has other blockers than the record states.", cure: askWhere, of: ofReplay},
	ConclusionDiffers:  {word: "conclusion_differs", meaning: "What the record concludes does not follow from its packets.", cure: askWhere, of: ofReplay},
	ViewDiffers:        {word: "view_differs", meaning: "What was on the reviewer's screen was not these packets.", cure: askWhere, of: ofReplay},
	OwnDecision:        {word: "own_decision", meaning: "A reviewer judged their own decision.", cure: askWhere, of: ofReplay},
	Recused:            {word: "recused", meaning: "A reviewer judged a case from which they are recused.", cure: askWhere, of: ofReplay},
	OwnCause:           {word: "own_cause", meaning: "A reviewer judged a case or amendment to which they are a party.", cure: askWhere, of: ofReplay},
	NotTheirs:          {word: "not_theirs", meaning: "A reviewer judged a case that is assigned to a different reviewer, without a safety admin's right to block it.", cure: askWhere, of: ofReplay},
	ChoiceNotPermitted: {word: "choice_not_permitted", meaning: "What the reviewer chose may not be recorded under the gate and the policy.", cure: askWhere, of: ofReplay},
	ReasonsMissing:     {word: "reasons_missing", meaning: "A record that requires a statement of reasons has none.", cure: askWhere, of: ofReplay},
	TimeBackwards:      {word: "time_backwards", meaning: "The times of a record are out of order, or its id is not of the time at which it was recorded.", cure: "Check the clock of the machine that recorded it.", of: ofReplay},
	RulesUnknown: {word: "rules_unknown", meaning: "A record was judged by a rule book that this program does not have, so it was not judged again.",
		cure: "Check it with a version of docket that has that rule book.", of: ofReplay, harmless: true},
	StatementMissing: {word: "statement_missing", meaning: "The statement of reasons that a record vouches for is gone, and no statement says that it was erased.",
		cure: "If it was deleted on purpose, state that with `docket erase statement RECORD`; otherwise restore a backup.", of: ofReplay},
	StatementDiffers: {word: "statement_differs", meaning: "A statement of reasons is not the one that its record vouches for.", cure: keepCopy, of: ofReplay},
	StatementRefused: {word: "statement_refused", meaning: "A statement of reasons is empty, too long, or holds private details or characters that are not seen.", cure: askWhere, of: ofReplay},
	SaltMissing:      {word: "salt_missing", meaning: "The salt of a record's packet digest is gone or cannot be one.", cure: keepCopy, of: ofReplay},
	NoteAltered:      {word: "note_altered", meaning: "The private note is not the one that the record vouches for.", cure: "Do not rely on the note; the record itself is not touched by it."},
	NoteMissing: {word: "note_missing", meaning: "The private note that a record vouches for is gone, and no statement says that it was erased.",
		cure: "If it was deleted on purpose, state that with `docket erase note RECORD`; otherwise restore a backup."},
	TextsMissing: {word: "texts_missing", meaning: "The texts of a packet are gone, and no statement says that they were erased.",
		cure: "If they were deleted on purpose, state that with `docket erase texts ID --revision N`; otherwise restore a backup.", of: ofReplay},
	PassAfterErasure: {word: "pass_after_erasure", meaning: "A record passes a revision whose texts were erased before: nobody could read them.", cure: askWhere},

	SupersedesUnknown:       {word: "supersedes_unknown", meaning: "A record supersedes one that is not before it in the log.", cure: askWhere},
	SupersedesOtherRevision: {word: "supersedes_other_revision", meaning: "A record supersedes one on another case, amendment or revision.", cure: askWhere},
	SupersedesSuperseded:    {word: "supersedes_superseded", meaning: "A record supersedes one that was superseded before.", cure: askWhere},
	SupersedesMissing:       {word: "supersedes_missing", meaning: "A record does not name the one in force that it takes the place of.", cure: askWhere},
	CarriedMissing:          {word: "carried_missing", meaning: "A record leaves out a blocker that somebody added in an earlier record on the revision.", cure: askWhere},
	CarriedUnknown:          {word: "carried_unknown", meaning: "A record carries over a blocker that nobody added in an earlier record on the revision.", cure: askWhere},

	ServiceKeyUnusable: {word: "service_key_unusable", meaning: "The key with which the service signs rejections cannot be used.", cure: "Get the service's verifier key from its operator and compare."},
	RejectionUnsigned:  {word: "rejection_unsigned", meaning: "A rejection is not one that the service signed: it was edited, or another key signed it.", cure: askService},
	RejectionStray:     {word: "rejection_stray", meaning: "A rejection is not of the record that it is filed with, or of none in the log.", cure: askService},
	AnswerAltered:      {word: "answer_altered", meaning: "What is kept of the service's answer is not what it signed of this record.", cure: askService},
	AnswerMissing:      {word: "answer_missing", meaning: "Rejections by the service are gone.", cure: "Restore a backup."},

	ServiceRecordAltered: {word: "service_record_altered", meaning: "What is kept of a record of the service's log is not a record that its reviewer signed and that the service's log has.", cure: askService},

	ServiceSetBack: {word: "service_set_back", meaning: "The service showed a log that does not extend the one that it showed before, and no statement of a restore says why.",
		cure: "Ask the operator of the service; both checkpoints are kept as proof. Pull and push go on once its log extends what was known, or `docket restore` there states what was lost.", harmless: true},

	LogStatementAltered: {word: "log_statement_altered", meaning: "A statement about the log is not signed by the person it names, or is of another log.", cure: keepCopy},
	RowsRolledBack: {word: "rows_rolled_back", meaning: "A table beside the log holds fewer rows than this machine last saw in it, or others: statements about the log, answers of a service, cosignatures or tokens.",
		cure: "Look for the newer file, or for a -wal file left beside another copy, and open that; if there is none, see what is missing in an export or at the service, and accept the log as it is."},
	LostInRestore: {word: "lost_in_restore", meaning: "The log was restored to fewer records than an earlier checkpoint signs; the statement of the restore is with the log.",
		cure: "Ask the keeper of the log for the records that are missing, and the reviewers to hand them in again with their receipts.", harmless: true},
	RestoreUnproven: {word: "restore_unproven", meaning: "A restore is signed neither with the key of the log that it ended nor by the log's operator or a reviewer of it.",
		cure: "Compare the key that signed the restore with the one that its operator or reviewer shows you.", harmless: true},

	FileUnexpected: {word: "file_unexpected", meaning: "A bundle holds something that is no part of one.", cure: "Move it out of the folder."},
	FileMissing:    {word: "file_missing", meaning: "A file of the bundle is not there.", cure: newExport},
	FileDiffers:    {word: "file_differs", meaning: "A file of the bundle does not say what follows from the records.", cure: newExport},
	LineEndsChanged: {word: "line_ends_changed", meaning: "Line ends of text files were changed from LF to CR LF; nothing else of these files was.",
		cure: "Copy the export again without changing line ends, with git by its .gitattributes."},
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
	if f.Detail == "" {
		return text + ": " + f.Code.Meaning()
	}
	return text + ": " + f.Code.Meaning() + " (" + f.Detail + ")"
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
