package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/engine"
)

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
	report := func(name string) func(values ...any) {
		return func(values ...any) { tell(name, values...) }
	}
	key, first := packets.Key{ID: "case-1", Number: 1}, packets.Key{ID: "case-1"}
	const cases, enforcements, area = terms.AppealCases, terms.AppealEnforcements, terms.Appeals
	id := recordID(0)
	reviewer := records.Reviewer{ID: "rev-1", KeyFingerprint: "SHA256:x"}

	report("Meta.Values")(tx.Meta().Values(ctx, 9))
	report("Log.Last")(tx.Log().Last(ctx))
	report("Log.NewestFrom")(tx.Log().NewestFrom(ctx, 0))
	report("Log.Leaf")(tx.Log().Leaf(ctx, id))
	tell("Log.Leaves", tx.Log().Leaves(ctx, 0, 9, func(l *engine.NumberedLeaf) error { tell("leaf", *l); return nil }))
	tell("Log.Hashes", tx.Log().Hashes(ctx, []int64{0, 7}, func(position int64, hash []byte) { tell("hash", position, hash) }))
	tell("Log.HashesBetween", tx.Log().HashesBetween(ctx, 0, 9, func(position int64, hash []byte) { tell("hash", position, hash) }))
	report("Log.Checkpoint")(tx.Log().Checkpoint(ctx, 0))
	report("Log.NewestCheckpoint")(tx.Log().NewestCheckpoint(ctx))
	report("Log.Checkpoints")(tx.Log().Checkpoints(ctx, 0, 9))

	report("Statements.End")(tx.Statements().End(ctx))
	report("Statements.All")(tx.Statements().All(ctx))
	report("Statements.Restores")(tx.Statements().Restores(ctx))
	report("Statements.AnyErasure")(tx.Statements().AnyErasure(ctx))
	report("Cosignatures.Before")(tx.Cosignatures().Before(ctx, 9, 9, 9))
	one, err := tx.Cosignatures().Newest(ctx, "witness", "c")
	tell("Cosignatures.Newest", one, err)
	report("Cosignatures.Has")(tx.Cosignatures().Has(ctx, one))
	report("Cosignatures.Last")(tx.Cosignatures().Last(ctx))
	report("Keys.Signers")(tx.Keys().Signers(ctx))

	report("Records.Ending")(tx.Records().Ending(ctx, id, reviewer))
	document, err := tx.Records().Document(ctx, enforcements, 0)
	tell("Records.Document", string(document), err)
	report("Records.About")(tx.Records().About(ctx, enforcements, 0))
	logged := func(l *engine.Logged) error {
		l.Document = slices.Clone(l.Document)
		tell("logged", *l)
		return nil
	}
	tell("Records.LoggedNumbered", tx.Records().LoggedNumbered(ctx, 0, 9, logged))
	tell("Records.LoggedOn", tx.Records().LoggedOn(ctx, enforcements, key, false, logged))
	tell("Records.LoggedOn others", tx.Records().LoggedOn(ctx, enforcements, key, true, logged))
	tell("Records.LoggedAs", tx.Records().LoggedAs(ctx, id, logged))
	tell("Records.LoggedFrom", tx.Records().LoggedFrom(ctx, "", "g", 9, logged))
	tell("Records.LoggedAt", tx.Records().LoggedAt(ctx, []int64{0, 3}, logged))
	for _, scope := range []engine.RecordScope{{}, {About: "case-1"}, {Assignee: "rev-1"}, {Assignee: "rev-2"}} {
		for _, after := range []int64{-1, -1000} {
			report("Records.SequencesAfter")(tx.Records().SequencesAfter(ctx, enforcements, scope, after, 9))
		}
	}
	report("Records.SequencesAfter an owner")(tx.Records().SequencesAfter(ctx, terms.AmendmentEnforcements, engine.RecordScope{Owner: "own-1"}, -1, 9))
	entry := func(e *engine.Entry) error {
		acceptance := e.Acceptance
		shown := *e
		shown.Acceptance = nil
		tell("entry", shown, acceptance != nil)
		return nil
	}
	tell("Records.Entries", tx.Records().Entries(ctx, 0, 3, entry))
	tell("Records.EntriesAt", tx.Records().EntriesAt(ctx, []int64{0}, entry))
	report("Records.Dates")(tx.Records().Dates(ctx, id, id))
	signature, err := tx.Records().Signature(ctx, id)
	tell("Records.Signature", string(signature), err)
	report("Records.PacketSalt")(tx.Records().PacketSalt(ctx, id))
	report("Records.Statement")(tx.Records().Statement(ctx, id))
	report("Records.Note")(tx.Records().Note(ctx, id))
	tell("Records.History", tx.Records().History(ctx, enforcements, []terms.ID{key.ID}, func(s *engine.Said) error {
		tell("said", s.ID, s.Revision, s.Sequence, string(s.Document), s.Answer, s.Rejection, s.TreeSize, s.Elsewhere)
		return nil
	}))
	own, salts, err := tx.Records().Erasable(ctx, records.Erasure{What: records.ErasableTexts, Table: cases, Key: key}, "rev-1", 9)
	tell("Records.Erasable", own, salts, err)

	tables, err := tx.Covered().Tables(ctx)
	tell("Covered.Tables", tables, err)
	for _, table := range tables {
		tell("Covered.Rows", table.Name, tx.Covered().Rows(ctx, table.Name, 0, -1, func(columns [][]byte) { tell("row", fmt.Sprintf("%s", columns)) }))
	}

	report("Packets.Packet")(tx.Packets().Packet(ctx, cases, key, 9))
	_, err = tx.Packets().Packet(ctx, cases, key, 0)
	tell("Packets.Packet before", err)
	report("Packets.Documents")(tx.Packets().Documents(ctx, cases, []packets.Key{{ID: "case-1", Number: 2}, {ID: "none", Number: 1}, key}, 9))
	policy, latest, err := tx.Packets().Policy(ctx, terms.AppealPolicies, key)
	tell("Packets.Policy", policy == nil, latest, err)
	for number := range int64(3) {
		report("Packets.Revisions")(tx.Packets().Revisions(ctx, cases, "case-1", number))
	}
	report("Packets.Numbers")(tx.Packets().Numbers(ctx, cases, "case-1"))
	report("Packets.Holds")(tx.Packets().Holds(ctx, cases, "case-1"))
	report("Packets.Last")(tx.Packets().Last(ctx, cases))
	report("Packets.LastImport")(tx.Packets().LastImport(ctx, cases))
	report("Packets.Latest")(tx.Packets().Latest(ctx, cases, "case-1"))
	report("Packets.LatestBefore")(tx.Packets().LatestBefore(ctx, cases, "case-1", 2))
	report("Packets.PoliciesFrom")(tx.Packets().PoliciesFrom(ctx, terms.AppealPolicies, 0, 9))
	for _, of := range []engine.Scope{{}, {Reviewer: "rev-1"}, {Reviewer: "rev-2"}, {Owners: []terms.ID{"own-1"}}} {
		report("Packets.Arrivals")(tx.Packets().Arrivals(ctx, cases, of, 0, 9))
	}
	report("Packets.Arrivals of owners")(tx.Packets().Arrivals(ctx, terms.AmendmentRecords, engine.Scope{Owners: []terms.ID{"own-1", "own-2"}}, 0, 9))
	report("Packets.Between")(tx.Packets().Between(ctx, cases, "case-1", 1, 2, 9, 9))
	for _, table := range []terms.Table{cases, terms.AmendmentRecords} {
		report("Packets.FormersDiffer")(tx.Packets().FormersDiffer(ctx, table))
	}
	report("Log.CountRecords")(tx.Log().CountRecords(ctx))

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
	report("Queue.Mark")(tx.Queue().Mark(ctx, area))
	report("Queue.Changed")(tx.Queue().Changed(ctx, area, queue.Watermark{}))

	report("Answers.Bound")(tx.Answers().Bound(ctx))
	report("Answers.NewestShown")(tx.Answers().NewestShown(ctx))
	report("Answers.NewestKnown")(tx.Answers().NewestKnown(ctx))
	tell("Answers.Shown", tx.Answers().Shown(ctx, func(c *engine.ShownCheckpoint) error { tell("checkpoint", *c); return nil }))
	accepted := func(a *engine.Acceptance) error { tell("acceptance", *a); return nil }
	tell("Answers.AcceptedAbove", tx.Answers().AcceptedAbove(ctx, "o", 0, accepted))
	report("Answers.Unanswered")(tx.Answers().Unanswered(ctx, -1, 9))
	report("Answers.Of")(tx.Answers().Of(ctx, 0))
	report("Answers.Tally")(tx.Answers().Tally(ctx))
	report("Answers.ToJudgeAgain")(tx.Answers().ToJudgeAgain(ctx, []int64{0}))
	report("Answers.Taken")(tx.Answers().Taken(ctx, "o", 1))
	report("Answers.EarlierAcceptance")(tx.Answers().EarlierAcceptance(ctx, 0))
	tell("Answers.Acceptances", tx.Answers().Acceptances(ctx, accepted))
	report("Answers.LastRejection")(tx.Answers().LastRejection(ctx))
	tell("Answers.Rejections", tx.Answers().Rejections(ctx, -1, 9, 9, func(r *engine.Rejection) error { tell("rejection", *r); return nil }))
	report("Local.Reassigned")(tx.Local().Reassigned(ctx, cases, "case-1"))
	cursor, completed, err := tx.Local().Pull(ctx)
	tell("Local.Pull", cursor, completed, err)

	mine := engine.Own{Reviewer: "rev-1", Table: cases, Key: key}
	report("Local.SkipReason")(tx.Local().SkipReason(ctx, mine))
	report("Local.Drafts")(tx.Local().Drafts(ctx, mine))
	report("Service.Tokens")(tx.Service().Tokens(ctx))
	report("Service.TokensBetween")(tx.Service().TokensBetween(ctx, make([]byte, 32), make([]byte, 32)))
	report("Service.Token")(tx.Service().Token(ctx, "tok"))
	report("Service.HasToken")(tx.Service().HasToken(ctx, "none", make([]byte, 32)))
	report("Service.MovedAt")(tx.Service().MovedAt(ctx, "o"))
	report("Service.ReceivedFrom")(tx.Service().ReceivedFrom(ctx, "o", id, 4))

	report("Structure.Ends")(tx.Structure().Ends(ctx))
	report("Structure.Extent")(tx.Structure().Extent(ctx))
	report("Structure.BelowZero")(tx.Structure().BelowZero(ctx))
	report("Structure.Strays")(tx.Structure().Strays(ctx))
	report("Structure.InOtherTable")(tx.Structure().InOtherTable(ctx, enforcements, 9))
	for _, service := range []bool{false, true} {
		report("Structure.OfOtherKind")(tx.Structure().OfOtherKind(ctx, service))
	}
	return out.String()
}
