package recording_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"docket/cmd/internal/identity"
	"docket/cmd/internal/sample"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/agent/agenttest"
	"docket/ui/workbench"
)

// withHangingAgent makes the workbench's reviewer one whose key is with an agent that hangs.
func withHangingAgent(t *testing.T, d *workbench.Workbench) (asked <-chan struct{}) {
	t.Helper()
	keys, fingerprint := agenttest.Keys(t)
	hangs, asked := agenttest.NeverSigns(t, keys)
	t.Setenv("SSH_AUTH_SOCK", agenttest.Serve(t, hangs))
	held, err := identity.Place{Folder: t.TempDir()}.Init(t.Context(), identity.Setup{ID: sample.Reviewer, Role: terms.NeutralReviewer,
		Agent: fingerprint}, func(context.Context, string) ([]byte, error) { return nil, errors.New("nobody is there") })
	must(t, err)
	d.Who, d.Sign, d.State = held.Reviewer(), held.Sign, held.State
	return asked
}

// tryToDecide records on the case with a context that may end.
func tryToDecide(ctx context.Context, t *testing.T, d *workbench.Workbench) error {
	t.Helper()
	file := opened(t, d, passing)
	return tryToRecord(ctx, t, d, &file)
}

func tryToRecord(ctx context.Context, t *testing.T, d *workbench.Workbench, file *queue.CaseFile) error {
	t.Helper()
	receipt, err := d.Record(ctx, &file.View, choice(file, d.Now()), "a note")
	if err != nil && receipt != (records.Receipt{}) {
		t.Errorf("a receipt comes with the error: %+v", receipt)
	}
	return err
}

func nothingLogged(t *testing.T, d *workbench.Workbench) {
	t.Helper()
	if page, err := d.Records(t.Context(), 0, 1); err != nil || page.Total != 0 {
		t.Errorf("%d records, %v", page.Total, err)
	}
}

func TestAnAgentThatHangsIsLeftAndNothingIsRecorded(t *testing.T) {
	d := atWork(t)
	asked := withHangingAgent(t, d)
	ctx, stop := context.WithCancelCause(t.Context())
	reason := errors.New("the reviewer leaves")
	go func() { <-asked; stop(reason) }()
	if err := tryToDecide(ctx, t, d); !errors.Is(err, reason) {
		t.Errorf("%v", err)
	}
	nothingLogged(t, d)
}

func TestALockThatIsHeldIsLeftAndNothingIsRecorded(t *testing.T) {
	d := atWork(t)
	other, err := sql.Open("sqlite", "file:"+d.Store.Path()+"?_txlock=immediate")
	must(t, err)
	defer other.Close()
	holding, err := other.BeginTx(t.Context(), nil)
	must(t, err)
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := tryToDecide(ctx, t, d); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	must(t, holding.Rollback())
	nothingLogged(t, d)
	decide(t, d, passing)
}
