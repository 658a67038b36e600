package enginetest

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

// transcript is the transcript of the rows that fill writes.
//
//go:embed transcript.txt
var transcript string

// Transcript returns the results of every reading operation over the rows of fill, one line each. They are the same for
// each engine.
func Transcript(ctx context.Context, tx engine.Tx) string {
	var out strings.Builder
	tell := func(name string, values ...any) {
		for i, value := range values {
			if err, is := value.(error); is {
				values[i] = "error: " + err.Error()
			}
		}
		fmt.Fprintf(&out, "%s: %q\n", name, fmt.Sprintf("%+v", values))
	}
	key, first := packets.Key{ID: "case-1", Number: 1}, packets.Key{ID: "case-1"}
	const cases, enforcements, area = terms.AppealCases, terms.AppealEnforcements, terms.Appeals
	id := recordID(0)
	reviewer := records.Reviewer{ID: "rev-1", KeyFingerprint: "SHA256:x"}

	values, err := tx.Meta().Values(ctx, 9)
	tell("Meta.Values", values, err)
	last, err := tx.Log().Last(ctx)
	tell("Log.Last", last, err)
	newest, err := tx.Log().NewestFrom(ctx, 0)
	tell("Log.NewestFrom", newest, err)
	leaf, err := tx.Log().Leaf(ctx, id)
	tell("Log.Leaf", leaf, err)
	tell("Log.Leaves", tx.Log().Leaves(ctx, 0, 9, func(l engine.Leaf) error { tell("leaf", l); return nil }))
	tell("Log.Hashes", tx.Log().Hashes(ctx, []int64{0, 7}, func(position int64, hash []byte) { tell("hash", position, hash) }))
	tell("Log.HashesBetween", tx.Log().HashesBetween(ctx, 0, 9, func(position int64, hash []byte) { tell("hash", position, hash) }))
	note, err := tx.Log().Checkpoint(ctx, 0)
	tell("Log.Checkpoint", note, err)
	checkpoint, err := tx.Log().NewestCheckpoint(ctx)
	tell("Log.NewestCheckpoint", checkpoint, err)
	checkpoints, err := tx.Log().Checkpoints(ctx, 0, 9)
	tell("Log.Checkpoints", checkpoints, err)

	count, err := tx.Statements().Count(ctx)
	tell("Statements.Count", count, err)
	statements, err := tx.Statements().All(ctx)
	tell("Statements.All", statements, err)
	restore, err := tx.Statements().NewestRestore(ctx)
	tell("Statements.NewestRestore", restore, err)
	erasure, err := tx.Statements().AnyErasure(ctx)
	tell("Statements.AnyErasure", erasure, err)
	cosigned, err := tx.Cosignatures().Before(ctx, 9, 9, 9)
	tell("Cosignatures.Before", cosigned, err)
	one, err := tx.Cosignatures().Newest(ctx, "witness", "c")
	tell("Cosignatures.Newest", one, err)
	has, err := tx.Cosignatures().Has(ctx, one)
	tell("Cosignatures.Has", has, err)
	position, err := tx.Cosignatures().Last(ctx)
	tell("Cosignatures.Last", position, err)
	signers, err := tx.Keys().Signers(ctx)
	tell("Keys.Signers", signers, err)
	revoked, err := tx.Keys().Revoked(ctx)
	tell("Keys.Revoked", revoked, err)

	ending, err := tx.Records().Ending(ctx, id, reviewer)
	tell("Records.Ending", ending, err)
	document, err := tx.Records().Document(ctx, enforcements, 0)
	tell("Records.Document", string(document), err)
	about, err := tx.Records().About(ctx, enforcements, 0)
	tell("Records.About", about, err)
	logged := func(l *engine.Logged) error {
		l.Document = slices.Clone(l.Document)
		tell("logged", *l)
		return nil
	}
	tell("Records.LoggedBefore", tx.Records().LoggedBefore(ctx, 9, 9, logged))
	tell("Records.LoggedOn", tx.Records().LoggedOn(ctx, enforcements, key, false, logged))
	tell("Records.LoggedOn others", tx.Records().LoggedOn(ctx, enforcements, key, true, logged))
	tell("Records.LoggedAs", tx.Records().LoggedAs(ctx, id, logged))
	tell("Records.LoggedFrom", tx.Records().LoggedFrom(ctx, "", "g", 9, logged))
	tell("Records.LoggedAt", tx.Records().LoggedAt(ctx, []int64{0, 3}, logged))
	for _, scope := range []engine.RecordScope{{}, {About: "case-1"}, {Assignee: "rev-1"}, {Assignee: "rev-2"}} {
		for _, after := range []int64{-1, -1000} {
			sequences, err := tx.Records().SequencesAfter(ctx, enforcements, scope, after, 9)
			tell("Records.SequencesAfter", sequences, err)
		}
	}
	owned, err := tx.Records().SequencesAfter(ctx, terms.AmendmentEnforcements, engine.RecordScope{Owner: "own-1"}, -1, 9)
	tell("Records.SequencesAfter an owner", owned, err)
	entry := func(e *engine.Entry) error {
		acceptance := e.Acceptance
		shown := *e
		shown.Acceptance = nil
		tell("entry", shown, acceptance != nil)
		return nil
	}
	tell("Records.Entries", tx.Records().Entries(ctx, 0, 3, entry))
	tell("Records.EntriesAt", tx.Records().EntriesAt(ctx, []int64{0}, entry))
	dates, err := tx.Records().Dates(ctx, id, id)
	tell("Records.Dates", dates, err)
	signature, err := tx.Records().Signature(ctx, id)
	tell("Records.Signature", string(signature), err)
	salt, err := tx.Records().PacketSalt(ctx, id)
	tell("Records.PacketSalt", salt, err)
	reasons, err := tx.Records().Statement(ctx, id)
	tell("Records.Statement", reasons, err)
	private, err := tx.Records().Note(ctx, id)
	tell("Records.Note", private, err)
	tell("Records.Added", tx.Records().Added(ctx, enforcements, key, func(a engine.Added) error { tell("added", string(a.Document), a.Rejection); return nil }))
	own, salts, err := tx.Records().Erasable(ctx, records.Erasure{What: records.ErasableTexts, Table: cases, Key: key}, "rev-1", 9)
	tell("Records.Erasable", own, salts, err)

	tables, err := tx.Covered().Tables(ctx)
	tell("Covered.Tables", tables, err)
	for _, table := range tables {
		tell("Covered.Rows", table.Name, tx.Covered().Rows(ctx, table.Name, 0, -1, func(columns [][]byte) { tell("row", fmt.Sprintf("%s", columns)) }))
	}

	tell("Packets.Show", tx.Packets().Show(ctx, cases, key, func(document []byte) { tell("shown", string(document)) }))
	packet, err := tx.Packets().Packet(ctx, cases, key, 9)
	tell("Packets.Packet", packet, err)
	_, err = tx.Packets().Packet(ctx, cases, key, 0)
	tell("Packets.Packet before", err)
	documents, err := tx.Packets().Documents(ctx, cases, []packets.Key{{ID: "case-1", Number: 2}, {ID: "none", Number: 1}, key}, 9)
	tell("Packets.Documents", documents, err)
	policy, latest, err := tx.Packets().Policy(ctx, terms.AppealPolicies, key)
	tell("Packets.Policy", policy == nil, latest, err)
	for number := range int64(3) {
		revisions, err := tx.Packets().Revisions(ctx, cases, "case-1", number)
		tell("Packets.Revisions", revisions, err)
	}
	numbers, err := tx.Packets().Numbers(ctx, cases, "case-1")
	tell("Packets.Numbers", numbers, err)
	held, err := tx.Packets().Holds(ctx, cases, "case-1")
	tell("Packets.Holds", held, err)
	place, err := tx.Packets().Last(ctx, cases)
	tell("Packets.Last", place, err)
	at, err := tx.Packets().LastImport(ctx, cases)
	tell("Packets.LastImport", at, err)
	tell("Packets.Stored", tx.Packets().Stored(ctx, cases, 0, 9, func(p engine.Packet, texts []byte) error { tell("stored", p, texts); return nil }))
	now, err := tx.Packets().Latest(ctx, cases, "case-1")
	tell("Packets.Latest", now, err)
	before, err := tx.Packets().LatestBefore(ctx, cases, "case-1", 2)
	tell("Packets.LatestBefore", before, err)
	policies, err := tx.Packets().PoliciesAfter(ctx, terms.AppealPolicies, 0, 9)
	tell("Packets.PoliciesAfter", policies, err)
	for _, of := range []engine.Scope{{}, {Reviewer: "rev-1"}, {Reviewer: "rev-2"}, {Owners: []terms.ID{"own-1"}}} {
		arrivals, err := tx.Packets().Arrivals(ctx, cases, of, 0, 9)
		tell("Packets.Arrivals", arrivals, err)
	}
	arrivals, err := tx.Packets().Arrivals(ctx, terms.AmendmentRecords, engine.Scope{Owners: []terms.ID{"own-1", "own-2"}}, 0, 9)
	tell("Packets.Arrivals of owners", arrivals, err)
	between, err := tx.Packets().Between(ctx, cases, "case-1", 1, 2, 9, 9)
	tell("Packets.Between", between, err)
	for _, table := range []terms.Table{cases, terms.AmendmentRecords} {
		differs, err := tx.Packets().FormerDiffers(ctx, table)
		tell("Packets.FormerDiffers", differs, err)
	}
	head, err := tx.Packets().NewestHead(ctx)
	tell("Packets.NewestHead", head, err)

	row := func(r *engine.QueueRow) {
		shown := *r
		shown.Document = nil
		tell("row", shown, len(r.Document))
	}
	tell("Queue.After", tx.Queue().After(ctx, area, "rev-1", "", 9, row))
	tell("Queue.Of", tx.Queue().Of(ctx, area, "rev-1", first.ID, row))
	for _, part := range []engine.QueuePart{{}, {Mine: true}, {Due: true}, {Mine: true, Due: true}} {
		tell("Queue.Top", part, tx.Queue().Top(ctx, area, part, "rev-1", 9, row))
		tell("Queue.Top of amendments", part, tx.Queue().Top(ctx, terms.Amendments, part, "rev-1", 9, row))
	}
	tell("Queue.Related", tx.Queue().Related(ctx, area, "rev-1", "sub-1", "case-0", 9, row))
	index := func(r engine.IndexRow) error { tell("index", r); return nil }
	tell("Queue.IndexAfter", tx.Queue().IndexAfter(ctx, area, "", 9, index))
	tell("Queue.IndexOf", tx.Queue().IndexOf(ctx, area, "case-1", index))
	mark, err := tx.Queue().Mark(ctx, area)
	tell("Queue.Mark", mark, err)
	changed, err := tx.Queue().Changed(ctx, area, queue.Watermark{})
	tell("Queue.Changed", changed, err)

	bound, err := tx.Answers().Bound(ctx)
	tell("Answers.Bound", bound, err)
	shown, err := tx.Answers().NewestShown(ctx)
	tell("Answers.NewestShown", shown, err)
	known, err := tx.Answers().NewestKnown(ctx)
	tell("Answers.NewestKnown", known, err)
	tell("Answers.Shown", tx.Answers().Shown(ctx, func(c *engine.ShownCheckpoint) error { tell("checkpoint", *c); return nil }))
	accepted := func(a *engine.Acceptance) error { tell("acceptance", *a); return nil }
	tell("Answers.AcceptedAbove", tx.Answers().AcceptedAbove(ctx, "o", 0, accepted))
	unanswered, err := tx.Answers().Unanswered(ctx, -1, 9)
	tell("Answers.Unanswered", unanswered, err)
	answer, err := tx.Answers().Of(ctx, 0)
	tell("Answers.Of", answer, err)
	tally, err := tx.Answers().Tally(ctx)
	tell("Answers.Tally", tally, err)
	taken, err := tx.Answers().Taken(ctx, "o", 1)
	tell("Answers.Taken", taken, err)
	earlier, err := tx.Answers().EarlierAcceptance(ctx, 0)
	tell("Answers.EarlierAcceptance", earlier, err)
	tell("Answers.Acceptances", tx.Answers().Acceptances(ctx, accepted))
	rejection, err := tx.Answers().LastRejection(ctx)
	tell("Answers.LastRejection", rejection, err)
	tell("Answers.Rejections", tx.Answers().Rejections(ctx, -1, 9, 9, func(r *engine.Rejection) error { tell("rejection", *r); return nil }))
	given, err := tx.Answers().Reassigned(ctx, cases, "case-1")
	tell("Answers.Reassigned", given, err)
	cursor, completed, err := tx.Answers().Pull(ctx)
	tell("Answers.Pull", cursor, completed, err)

	mine := engine.Own{Reviewer: "rev-1", Table: cases, Key: key}
	reason, err := tx.Local().SkipReason(ctx, mine)
	tell("Local.SkipReason", reason, err)
	drafts, err := tx.Local().Drafts(ctx, mine)
	tell("Local.Drafts", drafts, err)
	tokens, err := tx.Service().Tokens(ctx)
	tell("Service.Tokens", tokens, err)
	some, err := tx.Service().TokensBetween(ctx, make([]byte, 32), make([]byte, 32))
	tell("Service.TokensBetween", some, err)
	token, err := tx.Service().Token(ctx, "tok")
	tell("Service.Token", token, err)
	there, err := tx.Service().HasToken(ctx, "none", make([]byte, 32))
	tell("Service.HasToken", there, err)
	movedAt, err := tx.Service().MovedAt(ctx, "o")
	tell("Service.MovedAt", movedAt, err)
	received, err := tx.Service().ReceivedAt(ctx, id)
	tell("Service.ReceivedAt", received, err)
	from, err := tx.Service().ReceivedFrom(ctx, "o", id, 4)
	tell("Service.ReceivedFrom", from, err)

	ends, err := tx.Structure().Ends(ctx)
	tell("Structure.Ends", ends, err)
	extent, err := tx.Structure().Extent(ctx)
	tell("Structure.Extent", extent, err)
	below, err := tx.Structure().BelowZero(ctx)
	tell("Structure.BelowZero", below, err)
	strays, err := tx.Structure().Strays(ctx)
	tell("Structure.Strays", strays, err)
	misplaced, err := tx.Structure().InOtherTable(ctx, enforcements, 9)
	tell("Structure.InOtherTable", misplaced, err)
	for _, service := range []bool{false, true} {
		other, err := tx.Structure().OfOtherKind(ctx, service)
		tell("Structure.OfOtherKind", other, err)
	}
	return out.String()
}
