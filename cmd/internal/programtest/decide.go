package programtest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"docket/cmd/internal/identity"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/ui/workbench"
)

// decideOnce is the command `docket-decide CASE OUTCOME [BLOCKER…]` of the scripts: it records a
// decision as the console does, with a clock that is ahead by DOCKET_DECIDE_AHEAD, and prints the
// record's id; docket has no such command, because recording needs a person at a terminal.
func decideOnce() {
	ahead, err := time.ParseDuration(cmp.Or(os.Getenv("DOCKET_DECIDE_AHEAD"), "0s"))
	if err == nil {
		clock := func() time.Time { return time.Now().Add(ahead) }
		err = decideAs(context.Background(), clock, os.Args[1], os.Args[2], os.Args[3:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func decideAs(ctx context.Context, clock func() time.Time, id, word string, added []string) error {
	held, err := identity.Place{Folder: filepath.Join(os.Getenv("HOME"), "config", "docket")}.Load(ctx, nil)
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, store.Options{Path: os.Getenv("DOCKET_DB"), Now: clock, BusyTimeout: 1500 * time.Millisecond,
		AnchorFolder: filepath.Join(os.Getenv("XDG_STATE_HOME"), "docket", "anchors")})
	if err != nil {
		return err
	}
	defer s.Close()
	d := &workbench.Workbench{Store: s, Who: held.Reviewer(), Sign: held.Sign, State: held.State, Clock: clock}
	opened := d.Now()
	dossier, err := d.Open(ctx, terms.AppealCases, terms.ID(id), 0)
	if err != nil {
		return err
	}
	outcome, err := terms.Outcomes.Parse(word)
	if err != nil {
		return err
	}
	choice := records.Choice{Outcome: outcome, Factors: terms.SetOf(terms.HumanReviewRequired),
		SectionsViewed: []views.SectionName{views.SectionGate}, OpenedAt: opened, Supersedes: dossier.InForce}
	for _, word := range added {
		blocker, err := terms.Blockers.Parse(word)
		if err != nil {
			return err
		}
		choice.AddedBlockers = choice.AddedBlockers.With(blocker)
	}
	if records.StatementRequired(&dossier.View, &choice) != "" {
		choice.Statement.Text = "The notice does not say who was told."
	}
	receipt, err := d.Record(ctx, &dossier.View, choice, "a private note")
	if err != nil {
		return err
	}
	fmt.Println(receipt.RecordID)
	return nil
}
