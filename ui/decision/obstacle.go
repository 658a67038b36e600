package decision

import (
	"errors"
	"fmt"

	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/ui/wording"
)

// Reason is the reason of a refusal, without the words "not recorded" and with the command that
// cures it, if there is one; for any other error, its text.
func Reason(err error) string {
	var refusal *records.Refusal
	switch {
	case errors.Is(err, records.ErrNoReviewer), errors.Is(err, records.ErrNoKey):
		errors.As(err, &refusal)
		return fmt.Sprintf("%s; run `docket identity init` first", refusal.Reason)
	case errors.As(err, &refusal):
		return refusal.Reason
	}
	return err.Error()
}

// NoReviewer is why nothing can be recorded before an identity is set up.
const NoReviewer = "no reviewer is set up on this machine; run `docket identity init` first"

// WhyNot says why this reviewer may not decide on the packet; "" if they may. locked is why
// recording is off, and keyless why the reviewer's key cannot be used; "" for neither.
func WhyNot(d *queue.CaseFile, reviewer records.Reviewer, locked, keyless string) string {
	err := records.MayDecide(&d.View, reviewer)
	switch {
	case locked != "":
		return locked
	case d.Waits != "":
		return d.Waits
	case d.Reassigned > 0:
		return wording.GivenAway(d)
	case keyless != "":
		return wording.Unsigned(keyless)
	case err != nil:
		return Reason(err)
	case reviewer.KeyFingerprint == "":
		return "you have no signing key, and a record must be signed; run `docket identity init` first"
	}
	return ""
}

// OnlyBlocks says why this reviewer, who may decide on the packet, may not let it pass with the
// blockers added; "" if they may.
func OnlyBlocks(v *views.View, reviewer records.Reviewer, added terms.BlockerSet) string {
	if records.MayDecide(v, reviewer) == nil {
		if err := records.MayRecord(v, reviewer, added); err != nil {
			return Reason(err)
		}
	}
	return ""
}

// WhyNotSkip says why this reviewer cannot put a revision aside; "" if they can.
func WhyNotSkip(decided bool, reviewer records.Reviewer, locked string) string {
	switch {
	case locked != "":
		return locked
	case !reviewer.Known():
		return "no reviewer is set up on this machine, so nothing can be skipped; run `docket identity init` first"
	case decided:
		return "it is decided, so it cannot be skipped"
	}
	return ""
}

// WhyNotJudgeAgain says why the packet of a record need not be judged again, as far as is known
// without it; "" if it has to be.
func WhyNotJudgeAgain(logged *records.LoggedRecord, reviewer records.Reviewer, locked, keyless string) string {
	switch {
	case logged.Unreadable != "":
		return wording.RecordUnreadable
	case logged.HandIn.State == records.Accepted && !logged.Revoked:
		return "the service accepted this record"
	case logged.HandIn.State == records.Kept && !logged.Void():
		return "there is no service that could have rejected this record"
	case !logged.Void():
		return "this record is not handed in yet, so the service has not rejected it"
	case logged.JudgedAgain > 0:
		return fmt.Sprintf("its packet has been judged again: see record %s of the log", wording.Thousands(int(logged.JudgedAgain)))
	}
	return whyNotSign(reviewer, locked, keyless)
}

// WhyNotSupersede says why a record cannot be superseded, as far as is known without its packet; ""
// if it can. judge is the key or command that judges a packet again.
func WhyNotSupersede(logged *records.LoggedRecord, reviewer records.Reviewer, locked, keyless, judge string) string {
	switch {
	case locked != "":
		return locked
	case keyless != "":
		return wording.Unsigned(keyless)
	case logged.HandIn.State == records.Rejected:
		return fmt.Sprintf("the service rejected it, so it is not in force; %s judges its packet again", judge)
	case logged.Revoked:
		return fmt.Sprintf("%s, so it is not in force; %s judges its packet again", wording.SignerRevoked, judge)
	case logged.SupersededBy.Present():
		return fmt.Sprintf("it is superseded by %s", logged.SupersededBy)
	case !reviewer.Known():
		return NoReviewer
	}
	return ""
}

// OneRevision is why revisions cannot be compared.
const OneRevision = "only this revision is held, so there is nothing to compare it with"

// NotSuperseded is the title of why a record is not superseded.
const NotSuperseded = "Not superseded"

// WhyNotSuperseded says why a record does not stand to be superseded on its packet; "" if it does.
func WhyNotSuperseded(d *queue.CaseFile, id records.RecordID) string {
	switch {
	case d.InForce == id:
		return ""
	case d.InForce.Present():
		return fmt.Sprintf("record %s has superseded it; supersede that one", d.InForce)
	}
	return "no record is in force on this revision"
}

// whyNotSign says why this reviewer cannot sign anything; locked and keyless are those of WhyNot.
func whyNotSign(reviewer records.Reviewer, locked, keyless string) string {
	switch {
	case locked != "":
		return locked
	case keyless != "":
		return wording.Unsigned(keyless)
	case !reviewer.Known():
		return NoReviewer
	}
	return ""
}

// JudgedAgain says why the open packet need not be judged again for a record; "" if it has to be.
func JudgedAgain(d *queue.CaseFile, rejected records.RecordID) string {
	if last := d.Rejected(); last != nil && last.Record.Members().RecordID == rejected {
		return ""
	}
	if d.Reassigned > 0 {
		return wording.GivenAway(d)
	}
	if !d.InForce.Present() {
		return "a later record on it exists"
	}
	return fmt.Sprintf("it has been judged again: record %s is in force", d.InForce)
}

// againBecause names the record of another console that would be superseded.
func againBecause(d *queue.CaseFile) []string {
	rejected := d.Rejected()
	if rejected == nil {
		return nil
	}
	said := []string{"You judge it again, because the key that signed the decision before was revoked"}
	if rejected.HandIn.State == records.Rejected {
		said[0] = fmt.Sprintf("You judge it again, because the service rejected the decision before: %s",
			wording.WhyRejected(rejected.HandIn.Rejection.Reason))
	}
	if d.InForceElsewhere() {
		said = append(said, fmt.Sprintf("The new one supersedes record %s, %s", d.InForce, wording.AnotherConsoles))
	}
	return said
}

// HoldsBackAdvice reports whether blind-first mode holds the advice back: on an appeal, until the
// reviewer has given an outcome of their own on this revision, or there is a record on it, which
// shows the advice.
func HoldsBackAdvice(d *queue.CaseFile) bool {
	v, kept := &d.View, &d.Draft
	given := kept.Revision == v.Key().Number && kept.Preliminary.Present()
	return v.Area() == terms.Appeals && len(d.Records) == 0 && !given
}
