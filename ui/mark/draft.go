package mark

import (
	"context"
	"fmt"

	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/ui/decision"
)

// MostDrafts is how many decisions are begun together: each of them has to be reviewed and signed separately.
const MostDrafts = 100

// A Bench opens packets and keeps drafts. See screen.Workbench.
type Bench interface {
	Open(ctx context.Context, table terms.Table, id terms.ID, revision int64) (queue.CaseFile, error)
	decision.Drafts
}

// Drafting begins decisions on marked cases, or goes on with the drafts that there are.
type Drafting struct {
	Table      terms.Table
	Keys       []packets.Key
	Addition   decision.Addition
	Reviewer   records.Reviewer
	Blind      bool                         // the advice on an appeal is held back
	WhyNot     func(*queue.CaseFile) string // why the reviewer may not decide on a packet; "" if they may
	DiscardKey string                       // what discards a draft that cannot be read
}

// Run saves a draft with the addition for each case, and returns the cases that have one now and those that were passed over. The error says why the rest have
// none.
func (d Drafting) Run(ctx context.Context, bench Bench) (drafted []packets.Key, passed []Passed, err error) {
	for _, key := range d.Keys {
		file, err := bench.Open(ctx, d.Table, key.ID, key.Number)
		if err != nil {
			return drafted, passed, err
		}
		if why := d.whyNot(&file); why != "" {
			passed = append(passed, Passed{key.ID, why})
			continue
		}
		if err := bench.SaveDraft(ctx, d.Table, key, d.draft(&file)); err != nil {
			return drafted, passed, fmt.Errorf("the draft on %s cannot be kept: %w", key.ID, err)
		}
		drafted = append(drafted, key)
	}
	return drafted, passed, nil
}

func (d Drafting) whyNot(file *queue.CaseFile) string {
	if file.View.Latest().Revision > file.View.Key().Number {
		return "a newer revision has come"
	}
	if why := d.WhyNot(file); why != "" {
		return why
	}
	return decision.Unreadable(file, d.DiscardKey)
}

// draft is the draft of a case with the addition. The case counts as opened when the reviewer opens it.
func (d Drafting) draft(file *queue.CaseFile) records.Draft {
	kept := file.Draft
	going := decision.New(file, terms.Instant{}, d.Reviewer, d.Blind && decision.HoldsBackAdvice(file))
	if kept.Present() {
		going.Resume(&kept, going.Blind())
	}
	going.Add(d.Addition, d.Reviewer)
	draft := going.Current()
	draft.OpenedAt = terms.Instant{}
	if kept.Revision == file.View.Key().Number {
		draft.OpenedAt = kept.OpenedAt
	}
	return draft
}
