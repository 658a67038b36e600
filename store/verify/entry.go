package verify

import (
	"bytes"
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// entryResult is an entry with the findings that need no other entry.
type entryResult struct {
	entry    Entry
	leaf     tlog.Hash
	record   records.Enforcement // the zero Enforcement if it cannot be read
	refs     []Ref               // that it takes to judge it again, the judged one first
	packets  []packets.Packet    // the first of refs, as far as nothing is wrong with them
	findings []Finding
}

func (e *entryResult) found(code Code, detail string) {
	id := e.entry.RecordID
	if m := e.record.Members(); m.RecordID.Present() {
		id = m.RecordID
	}
	e.findings = append(e.findings, Finding{e.entry.Sequence, id, code, detail})
}

func (e *entryResult) readable() bool { return e.record.Document() != nil }

// An entryChecker serves one goroutine.
type entryChecker struct {
	log    Source
	head   *Head
	depth  Depth
	keys   keyring
	erased Erasures
	reader packets.Reader
}

func (x *entryChecker) examine(ctx context.Context, batch []entryResult) error {
	for i := range batch {
		x.read(&batch[i])
	}
	if x.depth != Judged {
		return nil
	}
	packets, err := x.packets(ctx, batch)
	if err != nil {
		return err
	}
	for i := range batch {
		if e := &batch[i]; e.readable() {
			x.replay(e, packets)
		}
	}
	return nil
}

// LeafOf is the leaf hash of an entry: the one that the source keeps of what it leaves out.
func LeafOf(e *Entry) tlog.Hash {
	if e.LeftOut && len(e.LeafHash) == tlog.HashSize {
		return tlog.Hash(e.LeafHash)
	}
	return tlog.RecordHash(e.Leaf())
}

// read checks the record's bytes, form and signature.
func (x *entryChecker) read(e *entryResult) {
	entry := &e.entry
	e.leaf = LeafOf(entry)
	if entry.LeftOut && x.head.mayLeaveOut(entry.Sequence) {
		return
	}
	if entry.Kind == records.PacketEntry {
		x.readPacket(e)
		return
	}
	if entry.Kind == records.StatementEntry {
		x.readStatement(e)
		return
	}
	if entry.Document == nil {
		detail := ""
		if !entry.Kind.Present() {
			detail = "what it was is not known"
		}
		e.found(RecordMissing, detail)
		return
	}
	if entry.LeafHash != nil && !bytes.Equal(entry.LeafHash, e.leaf[:]) {
		e.found(RecordAltered, "its bytes are not those that were logged")
	}
	area := terms.AreaOf(entry.Table)
	record, err := records.ReadEnforcement(&x.reader, area, entry.Document)
	if err != nil || record.Table() != entry.Table {
		e.found(RecordAltered, unreadable(err))
		x.keys.checkSignature(entry.Document, entry.Signature, records.Reviewer{}, e.found)
		return
	}
	e.record = record
	m := record.Members()
	if entry.RecordID.Present() && entry.RecordID != m.RecordID {
		e.found(RecordAltered, fmt.Sprintf("it is filed under %s", string(entry.RecordID)))
	}
	x.keys.checkSignature(entry.Document, entry.Signature, m.Reviewer, e.found)
	x.readBeside(e, m)
	packet, policy, hasPolicy := RefsOf(m)
	e.refs = append(e.refs, packet)
	if hasPolicy {
		e.refs = append(e.refs, policy)
	}
}

// readStatement checks the text of an entry; that it is signed, and may be stated, is checked with
// the other statements.
func (x *entryChecker) readStatement(e *entryResult) {
	entry := &e.entry
	statement, err := records.ReadLogStatement(string(entry.Document))
	if err != nil || statement.Kind != entry.Stated || entry.LeafHash != nil && !bytes.Equal(entry.LeafHash, e.leaf[:]) {
		e.findings = append(e.findings, LogStatementAltered.OfEntry(entry.Sequence, "", "it is not the one that was logged"))
	}
}

// readPacket checks the packet of an entry: that it is the one that came in, and what is left of its
// texts.
func (x *entryChecker) readPacket(e *entryResult) {
	entry := &e.entry
	ref := Ref{entry.Table, entry.Key}
	found := func(code Code, detail string) { e.findings = append(e.findings, code.OfLog(detail)) }
	if entry.Document == nil {
		found(PacketMissing, RefName(ref))
		return
	}
	packet, err := x.reader.ReadStored(packets.Joined(entry.Document, entry.Texts))
	switch {
	case entry.LeafHash != nil && !bytes.Equal(entry.LeafHash, e.leaf[:]),
		err != nil || packet.Table() != ref.Table || packet.Key() != ref.Key:
		found(PacketAltered, RefName(ref))
		return
	case packet.HoldsPrivate():
		found(PrivatePresent, RefName(ref))
		return
	}
	switch left := x.erased.Left(packet); {
	case left == 0:
	case left == TextMissing:
		found(left, RefName(ref))
	case packet.HasTexts():
		found(left, "the texts of "+RefName(ref)+" were erased, and are there again")
	default:
		found(left, RefName(ref)+" is not as the erasure of its texts left it")
	}
}

// ThereAgain ends the detail of a finding about what was erased and is there.
const ThereAgain = " was erased, and is there again"

// erasedBy reports whether a text of a record was erased; a statement of somebody else than those
// who may erase it is found, and allows nothing.
func (x *entryChecker) erasedBy(e *entryResult, what records.Erasable, m *records.Members) bool {
	erased, may := x.erased.ofRecord(what, m)
	if erased && !may {
		e.found(StatementNotAuthorized, "the erasure of its "+what.String()+" is not by its reviewer")
	}
	return erased && may
}

// readBeside compares the statement of reasons and the packet salt with the record.
func (x *entryChecker) readBeside(e *entryResult, m *records.Members) {
	switch statement, erased := e.entry.Statement, x.erasedBy(e, records.ErasableStatement, m); {
	case erased && statement.Present():
		e.found(TextAltered, "it"+ThereAgain)
	case m.StatementDigest.Present() && !statement.Present() && erased:
	case m.StatementDigest.Present() && !statement.Present():
		e.found(TextMissing, "the statement of reasons")
	case statement.Digest() != m.StatementDigest:
		e.found(TextAltered, "it does not match the record")
	case statement.Check() != nil:
		e.found(TextAltered, "it is empty, too long, or holds private details or invisible characters")
	}
	erasure, textsErased := x.erased.texts(judgedRef(m))
	if !e.entry.PacketSalt.Valid() && !(textsErased && e.entry.PacketSalt == "") {
		e.found(TextMissing, "the salt of the packet digest")
	}
	if textsErased && e.entry.PacketSalt != "" && e.entry.Sequence < erasure.Size {
		e.found(TextAltered, "the salt of the packet digest"+ThereAgain)
	}
	if textsErased && m.Gate == terms.Pass && e.entry.Sequence >= erasure.Size {
		e.found(ChoiceNotPermitted, "it passes a revision whose texts were erased before it")
	}
	if e.entry.NoteRefused {
		e.found(NoteAltered, "it holds a character that is not seen")
	}
	switch noteErased := x.erasedBy(e, records.ErasableNote, m); {
	case noteErased && e.entry.NoteDigest.Present():
		e.found(NoteAltered, "it"+ThereAgain)
	case x.noteFits(e.entry.NoteDigest, m.NoteDigest):
	case e.entry.NoteDigest.Present() || !m.NoteDigest.Present():
		e.found(NoteAltered, "it does not match the record")
	case !noteErased:
		e.found(NoteAltered, "it is gone without a statement of its erasure")
	}
}

func (x *entryChecker) noteFits(held, vouched terms.Hash) bool {
	switch {
	case !x.head.KeepsNotes:
		return true
	case records.OfService(x.head.Origin):
		return !held.Present()
	}
	return held == vouched
}

// unreadable says why a record cannot be read; the reader's errors hold no values.
func unreadable(err error) string {
	if err == nil {
		return "it is filed in another table"
	}
	return err.Error()
}

// replayCodes maps each fault of the replay, a records.ReplayFault, to its finding.
var replayCodes = [...]Code{
	records.ReplayOtherPacket: JudgmentDiffers,
	records.ReplayBlockers:    JudgmentDiffers,
	records.ReplayConclusion:  JudgmentDiffers,
	records.ReplayView:        JudgmentDiffers,
	records.ReplaySections:    JudgmentDiffers,
	records.ReplayOwnDecision: ReviewerBarred,
	records.ReplayRecused:     ReviewerBarred,
	records.ReplayParty:       ReviewerBarred,
	records.ReplayNotAssigned: ReviewerBarred,
	records.ReplayChoice:      ChoiceNotPermitted,
	records.ReplayReasons:     ChoiceNotPermitted,
	records.ReplayTime:        TimeBackwards,
	records.ReplayRules:       RulesUnknown,
}

// replay evaluates the packets of a record again, if all are there.
func (x *entryChecker) replay(e *entryResult, packets map[Ref]packetState) {
	var states [2]packetState // the packet, the policy
	whole := true
	for i, ref := range e.refs {
		states[i] = packets[ref]
		if states[i].code != 0 {
			e.found(states[i].code, RefName(ref))
			whole = false
		}
	}
	if !whole {
		return
	}
	for i := range e.refs {
		e.packets = append(e.packets, states[i].packet)
	}
	if e.packets[0].Erased() && x.erased.cameErased(e.refs[0]) && e.record.Members().Gate == terms.Pass {
		e.found(ChoiceNotPermitted, "it passes a revision whose texts were erased before it")
	}
	replayed := e.record.Replay(states[1].packet, states[0].packet, e.entry.PacketSalt)
	for _, finding := range replayed.Findings {
		e.found(replayCodes[finding.Fault], finding.Detail)
	}
}

type packetState struct {
	packet packets.Packet
	code   Code // what is wrong with it; 0: nothing
}

func (x *entryChecker) packets(ctx context.Context, batch []entryResult) (map[Ref]packetState, error) {
	states := map[Ref]packetState{}
	var wanted []Ref
	for i := range batch {
		for _, ref := range batch[i].refs {
			if _, there := states[ref]; !there {
				states[ref] = packetState{}
				wanted = append(wanted, ref)
			}
		}
	}
	if len(wanted) == 0 {
		return states, nil
	}
	documents, err := x.log.Packets(ctx, wanted)
	if err != nil {
		return nil, fmt.Errorf("read packets of the log: %w", err)
	}
	if len(documents) != len(wanted) {
		return nil, fmt.Errorf("the log gave %d packets for %d names", len(documents), len(wanted))
	}
	for i, ref := range wanted {
		states[ref] = x.open(ref, documents[i])
	}
	return states, nil
}

func (x *entryChecker) open(ref Ref, document []byte) packetState {
	if document == nil {
		return packetState{code: PacketMissing}
	}
	packet, err := x.reader.ReadStored(document)
	switch {
	case err != nil || packet.Table() != ref.Table || packet.Key() != ref.Key:
		return packetState{code: PacketAltered}
	case packet.HoldsPrivate():
		return packetState{code: PrivatePresent}
	}
	if code := x.erased.Left(packet); code != 0 {
		return packetState{code: code}
	}
	return packetState{packet: packet}
}

// RefName names a packet. Ids are opaque and not private.
func RefName(ref Ref) string { return fmt.Sprintf("%s %s %d", ref.Table, ref.Key.ID, ref.Key.Number) }
