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
