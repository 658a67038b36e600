package wording

import "docket/domain"

// The words for what the service said to a record.
const (
	NotHandedIn     = "not handed in"
	NotHandedInHow  = "`docket push` hands it in"
	HandedIn        = "handed in"
	Rejected        = "rejected"
	AnotherConsoles = "a record of another console"
)

// rejections says in plain words what each reason for a rejection means.
var rejections = map[domain.RejectionReason]string{
	domain.PacketStale:       "what was judged had changed",
	domain.RecordSuperseded:  "another record is in force there than the one that it supersedes",
	domain.RecordConflict:    "the service holds another record under its id",
	domain.EvaluationDiffers: "the service finds that it does not follow from the packets that it names",
	domain.RecordRefused:     "the service finds that it may not be recorded",
}

// WhyRejected is the reason for a rejection in plain words, a clause without a full stop.
func WhyRejected(reason domain.RejectionReason) string {
	if why, known := rejections[reason]; known {
		return why
	}
	return "the service gave no reason that is known here"
}

// InForceThere says what a rejection names as in force at the service; here tells whether that record is in this log, too.
func InForceThere(rejection *domain.Rejection, here bool) string {
	switch {
	case !rejection.InForce.Present():
		return "nothing"
	case here:
		return "record " + string(rejection.InForce)
	}
	return "record " + string(rejection.InForce) + ", " + AnotherConsoles
}

// InForce says which record is in force on a revision and what a new decision does to it, and how that stands; "" if none
// is.
func InForce(d *domain.Dossier) (standing, text string) {
	switch {
	case !d.InForce.Present():
		return "", ""
	case d.InForceElsewhere():
		return "in force at the service", "record " + string(d.InForce) + ", " + AnotherConsoles + "; a new decision supersedes it"
	case !d.Decided():
		return "still in force", "record " + string(d.InForce) + "; a new decision supersedes it"
	}
	return "decided", "record " + string(d.InForce) + " is in force; a new decision supersedes it"
}

// AgainBecause says why a packet is being judged again and which record of another console the new decision would supersede;
// nil if there is no such cause.
func AgainBecause(d *domain.Dossier) []string {
	turned := d.TurnedAway()
	if turned == nil {
		return nil
	}
	said := []string{"You judge it again, because the service rejected the decision before: " + WhyRejected(turned.HandIn.Rejection.Reason)}
	if d.InForceElsewhere() {
		said = append(said, "The new one supersedes record "+string(d.InForce)+", "+AnotherConsoles)
	}
	return said
}

// StaysWhere says of the record that a decision supersedes that it is not lost.
func StaysWhere(d *domain.Dossier) string {
	if d.InForceElsewhere() {
		return AnotherConsoles + ", in force at the service; it stays in the log there"
	}
	return "it stays in the log"
}

// WhyNotJudgeAgain says why a record gives no cause to judge its packet again, as far as that can be said without the
// packet; "" if it does.
func WhyNotJudgeAgain(logged *domain.LoggedRecord, reviewer domain.Reviewer, locked, keyless string) string {
	switch {
	case logged.Unreadable != "":
		return "this record cannot be read"
	case logged.HandIn.State == domain.Accepted:
		return "the service took this record"
	case logged.HandIn.State != domain.Rejected:
		return "this record is not handed in yet, so the service has not rejected it"
	case logged.JudgedAgain > 0:
		return "its packet has been judged again: see record " + Thousands(int(logged.JudgedAgain)) + " of the log"
	case locked != "":
		return locked
	case keyless != "":
		return Unsigned(keyless)
	case !reviewer.Known():
		return "no reviewer is set up on this machine; run `docket identity init` first"
	}
	return ""
}

// JudgedAgain says why the packet that is open need not be judged again for a record; "" if it has to be.
func JudgedAgain(d *domain.Dossier, rejected domain.RecordID) string {
	if turned := d.TurnedAway(); turned != nil && turned.Record.Members().RecordID == rejected {
		return ""
	}
	if !d.InForce.Present() {
		return "a later record on it has been made"
	}
	return "it has been judged again: record " + string(d.InForce) + " is in force"
}
