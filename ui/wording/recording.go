package wording

import (
	"errors"
	"time"

	"docket/domain"
)

// Word is what has to be typed to record.
const Word = "record"

// Grace is how long after the final question was put no key counts: what is typed then was meant for something else. A
// key that comes too early begins the wait anew, so that one that is held down never gets through.
const Grace = 400 * time.Millisecond

// Locked is why nothing can be recorded in a log of which something was found.
const Locked = "recording is off: the log was changed or rolled back; run `docket verify`"

// Ready is said of a gate that passes where this reviewer may decide, NoBlockers of any other.
const (
	Ready      = NoBlockers + " Ready for your decision."
	NoBlockers = "No blockers."
)

// cannot is what a record of each area cannot do (seed 4.1 rule 3 and 4.2 rule 2).
var cannot = map[domain.Area]string{
	domain.Appeals: "It cannot open an appeal, correct a record, allow reliance, waive a safety blocker, reopen a settled " +
		"obligation or publish a public metric.",
	domain.Amendments: "It cannot apply an amendment, edit a parent record, authorize a material change, authorize payment, " +
		"authorize reliance or publish a public metric.",
}

// Cannot says what a record of the area cannot do.
func Cannot(area domain.Area) string { return cannot[area] }

// Reason is the reason of a refusal, without the words that say that it is one; of any other error its text.
func Reason(err error) string {
	var refusal *domain.Refusal
	if errors.As(err, &refusal) {
		return refusal.Reason
	}
	return err.Error()
}

// Unsigned is why nothing can be recorded where the signing key cannot be used for a reason.
func Unsigned(reason string) string { return "no record can be signed here: " + reason }

// UnsignedAdvice is what to do about it, UnsignedStill what goes on all the same.
const (
	UnsignedAdvice = "Put that right, then start docket again. `docket doctor` looks at the key once more, and " +
		"`docket identity init` sets up another identity once identity.toml is moved away."
	UnsignedStill = "Nothing can be recorded until then. Packets and records can be read."
)

// WhyNotDecide says why this reviewer may not decide on the packet; "" if they may. locked is why nothing can be
// recorded, whoever sits here, and keyless why the reviewer's key cannot be used; "" if nothing stands against it.
func WhyNotDecide(d *domain.Dossier, reviewer domain.Reviewer, locked, keyless string) string {
	err := domain.MayDecide(&d.View, reviewer)
	switch {
	case locked != "":
		return locked
	case d.Waits != "":
		return d.Waits
	case keyless != "":
		return Unsigned(keyless)
	case err != nil:
		return Reason(err)
	case reviewer.KeyFingerprint == "":
		return "you have no signing key, and a record must be signed; run `docket identity init` first"
	}
	return ""
}

// WhyNotSkip says why this reviewer cannot put a revision aside; "" if they can.
func WhyNotSkip(decided bool, reviewer domain.Reviewer, locked string) string {
	switch {
	case locked != "":
		return locked
	case !reviewer.Known():
		return "no reviewer is set up on this machine, so nothing can be skipped; run `docket identity init` first"
	case decided:
		return "it is decided; there is nothing to skip"
	}
	return ""
}
