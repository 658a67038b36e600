package domain

// A HandInState is how far a record of a console's log has come on its way to the service. The zero value claims nothing.
type HandInState uint8

// The states.
const (
	NotHandedIn HandInState = iota // the service has not answered for it, as far as this store knows
	Accepted                       // it is in the service's log
	Rejected                       // the service turned it away for good: judge the packet again
)

// A HandIn is what a console's store knows of a record's way to the service.
type HandIn struct {
	State     HandInState
	At        Instant   // when the service answered
	Receipt   Receipt   // Accepted: the service's
	Rejection Rejection // Rejected
	Changes   []string  // Rejected: what had changed, as the service told
}

// A HandInTally says how a console stands with its service.
type HandInTally struct {
	Service  string  // origin of the service's log; "" for a console that never met one
	Pulled   Instant // when packets were last pulled to the end; absent for never
	Waiting  int64   // records that are not handed in yet
	Accepted int64
	Rejected int64 // records that were turned away and are not judged again yet
}
