package ui

import "docket/domain"

// The messages that commands answer with. err is nil or why there is nothing else in the message.
type (
	// arrived is who sits here, known once the desk has been asked.
	arrived struct {
		reviewer domain.Reviewer
		now      domain.Instant
	}
	// ticked says what time it is.
	ticked struct{ now domain.Instant }
	// opened answers a request.
	opened struct {
		request  request
		dossier  *domain.Dossier
		openedAt domain.Instant // taken before the packet was judged
		err      error
	}
	// recorded is what has become of a decision.
	recorded struct {
		receipt domain.Receipt
		at      domain.Instant // when the answer came
		err     error
	}
	// skipped is what has become of putting a revision aside.
	skipped struct {
		skip skip
		err  error
	}
	// copied is what has become of a copy.
	copied struct {
		what string
		err  error
	}
	// crashed ends the program.
	crashed struct{ err *CrashError }
)
