package domain

// Cases and amendments are closed by what their platform says of them; a corrected case only once there is the enforcement
// record that reliance waits for (source 4.1 rule 2). Closed ones are neither open nor overdue and come after the open ones;
// they can still be opened and decided. This is this project's choice: the source names the statuses, not what a list does
// with them.
const (
	closedCases      = CaseStatusSet(1<<CaseUpheld | 1<<CaseDismissed | 1<<CaseClosedUnresolved | 1<<CaseSuperseded)
	closedAmendments = AmendmentStateSet(1<<AmendmentRejected | 1<<AmendmentWithdrawn | 1<<AmendmentSuperseded)

	// settledCases have no deadline that still runs, whether they are closed or not.
	settledCases = closedCases | 1<<CaseCorrected
)

// SettledCaseStatuses are the statuses of appeal cases whose deadline no longer runs.
func SettledCaseStatuses() []CaseStatus { return settledCases.Words() }

// RelianceWaits is what is said of a corrected case on which no enforcement record is in force.
const RelianceWaits = "reliance waits for a record"

// closedAs tells whether a case or an amendment with the status at a place of its vocabulary is closed.
func closedAs(area Area, status uint8, decided bool) bool {
	if area == Amendments {
		return closedAmendments.Has(AmendmentState(status))
	}
	return closedCases.Has(CaseStatus(status)) || CaseStatus(status) == CaseCorrected && decided
}

// settledAs tells whether the deadline of a case with the status at a place of its vocabulary no longer runs.
func settledAs(area Area, status uint8) bool {
	return area == Appeals && settledCases.Has(CaseStatus(status))
}

func (r *QueueRow) statusPlace() uint8 {
	return wordsOf(AreaOf(r.Table)).status.Place(r.Status)
}

// Closed tells whether the row is of a case or an amendment that is closed.
func (r *QueueRow) Closed() bool { return closedAs(AreaOf(r.Table), r.statusPlace(), r.Decided) }

// AwaitsRecord tells whether the row is of a corrected case on which no enforcement record is in force.
func (r *QueueRow) AwaitsRecord() bool {
	return AreaOf(r.Table) == Appeals && CaseStatus(r.statusPlace()) == CaseCorrected && !r.Decided
}

// Standing sums up what the rows of a queue say of whether a packet is open: status, deadline, and whether it is decided.
func (d *Dossier) Standing() QueueRow {
	row := QueueRow{Table: d.View.Record().Table(), ID: d.View.Key().ID, Revision: d.View.Key().Number, Decided: d.Decided(), Skipped: d.Skipped}
	if c := d.View.Record().AppealCase().Pointer(); c != nil {
		row.Status, row.Deadline = AnyWord(c.Status.String()), c.Deadline
	}
	if a := d.View.Record().Amendment().Pointer(); a != nil {
		row.Status = AnyWord(a.State.String())
	}
	return row
}

// Due is the deadline while it runs; absent where it can no longer expire.
func (r *QueueRow) Due() Instant {
	if settledAs(AreaOf(r.Table), r.statusPlace()) {
		return Instant{}
	}
	return r.Deadline
}
