package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/audit"
	"docket/cmd/internal/handin"
	"docket/cmd/internal/remote"
	"docket/domain"
	"docket/domain/signed"
	"docket/domain/visible"
	"docket/store"
)

func newPush(p *program) *cobra.Command {
	var c calling
	cmd := &cobra.Command{
		Use:   "push [URL] [DIR]",
		Short: "Hand the records in that a service does not have yet",
		Long: "Hands the records of the store in, in the order of its log, to the service at URL; without URL the setting service counts.\n" +
			"With DIR those of the exported bundle there, which is checked first; nothing is kept of that but what is printed.\n\n" +
			"First the service sees the log's checkpoint: if the log does not extend what the service saw of it before, nothing is\n" +
			"handed in. Then every record is accounted for: accepted, with the service's receipt; already there; rejected, with what\n" +
			"changed, so that the packet has to be judged again; or waiting, with what stands in the way. Exit status 1 if any was\n" +
			"rejected or waits. It can be cut off at any moment and done again: the service takes no record twice.\n\n" +
			"The token comes from a file that only you can read, or from DOCKET_TOKEN, never from an argument.",
		Args: argumentCount(0, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && (len(args) == 2 || remote.Looks(args[0])) {
				c.address, args = args[0], args[1:]
			}
			if len(args) == 1 {
				return p.pushBundle(cmd.Context(), c, args[0])
			}
			return p.push(cmd.Context(), c)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	c.flags(cmd)
	p.jsonFlag(cmd)
	return cmd
}

// push hands in the records of the store. Where there is no store, none is made.
func (p *program) push(ctx context.Context, c calling) error {
	service, err := p.service(c)
	if err != nil {
		return err
	}
	defer service.Close()
	_, err = os.Stat(p.storePath())
	return p.withStoreAs(ctx, store.Options{ReadOnly: errors.Is(err, fs.ErrNotExist)}, func(s *store.Store) error {
		if err := ofConsole(ctx, s); err != nil {
			return err
		}
		if findings := s.Findings(); len(findings) > 0 {
			return refused("the store is not as it was left, so nothing is handed in: %s", findings[0])
		}
		return p.handIn(ctx, s, service, p.firstContact)
	})
}

// pushBundle hands in the records of a bundle that verifies.
func (p *program) pushBundle(ctx context.Context, c calling, folder string) error {
	service, err := p.service(c)
	if err != nil {
		return err
	}
	defer service.Close()
	bar := p.newBar()
	defer bar.clear()
	bar.begin("verifying", 0)
	bundle, report, err := handin.OpenBundle(ctx, folder, audit.Options{Progress: bar.progress, Found: func(f audit.Finding) {
		bar.clear()
		fmt.Fprintln(p.Err, "✗ "+visible.String(f.String()))
	}})
	bar.clear()
	if err != nil {
		return err
	}
	if bundle == nil {
		return refused("nothing was handed in: the bundle does not verify (%s); `docket verify DIR` says what that means",
			counted(report.Total, "finding"))
	}
	err = p.handIn(ctx, bundle, service, func(key signed.Key) error {
		_, err := fmt.Fprintf(p.Err, "the key of this service is\n%s\ncompare it with what whoever runs the service tells you;\n"+
			"nothing is kept that another one would be held to\n", key)
		return err
	})
	return errors.Join(err, bundle.Close())
}

func (p *program) handIn(ctx context.Context, out handin.Outbox, service *remote.Client, met func(signed.Key) error) error {
	bar := p.newBar()
	defer bar.clear()
	bar.begin("handing in", 0)
	tally, err := handin.Push(ctx, handin.Pushing{
		Outbox: out, Service: service, Met: met, Progress: bar.progress,
		Told: func(r handin.Result) error {
			bar.clear()
			return p.printHandedIn(&r)
		},
	})
	bar.clear()
	if err != nil {
		err = serviceFailure(fmt.Errorf("not everything was handed in: %w", err))
	}
	return errors.Join(err, p.sumUp(&tally, err))
}

// handInMarks is what stands before a record of each outcome.
var handInMarks = map[handin.Outcome]string{
	handin.Accepted: "✓ accepted", handin.AlreadyThere: "✓ already there", handin.Rejected: "✗ rejected", handin.Waiting: "· waits",
}

// printHandedIn prints what became of a record, on one line.
func (p *program) printHandedIn(r *handin.Result) error {
	if p.json {
		return printJSON(p.Out, r)
	}
	about := string(r.RecordID)
	if r.ID.Present() {
		about = fmt.Sprintf("%s %d  %s", r.ID, r.Revision, r.RecordID)
	}
	_, err := fmt.Fprintf(p.Out, "%-15s  %s  %s\n", handInMarks[r.Outcome], visible.String(about), visible.String(saidOf(r)))
	return err
}

// saidOf is what there is to say of a record besides what became of it.
func saidOf(r *handin.Result) string {
	switch r.Outcome {
	case handin.Accepted, handin.AlreadyThere:
		return fmt.Sprintf("sequence %d of the service's log, root %s", r.Receipt.Sequence, r.Receipt.Root)
	case handin.Rejected:
		text := r.Reason
		if len(r.Changes) > 0 {
			text += ": " + strings.Join(r.Changes, "; ")
		}
		if r.InForce.Present() {
			text += "; in force there is " + string(r.InForce)
		}
		return text
	}
	if r.Reason != "" {
		return r.Reason + ": " + r.Why
	}
	return r.Why
}

// sumUp counts what became of the records. It also does so after an error: what was handed in stays handed in.
func (p *program) sumUp(t *handin.Tally, failed error) error {
	var err error
	if !p.json {
		switch {
		case *t != (handin.Tally{}):
			_, err = fmt.Fprintf(p.Err, "%d accepted, %d already there, %d rejected, %d waiting\n", t.Of(handin.Accepted),
				t.Of(handin.AlreadyThere), t.Of(handin.Rejected), t.Of(handin.Waiting))
		case failed == nil:
			_, err = fmt.Fprintln(p.Err, "nothing to hand in: the service has answered for every record")
		}
		if err == nil && t.Of(handin.Rejected) > 0 {
			_, err = fmt.Fprintln(p.Err, "what was rejected has to be judged again: `docket pull`, then is:rejected in the console finds it")
		}
	}
	if err == nil && failed == nil && !t.Whole() {
		return errReported
	}
	return err
}

// handInWords say how far a record has come on its way to the service. Indexed by domain.HandInState.
var handInWords = [...]string{
	domain.NotHandedIn: "not handed in", domain.Accepted: "accepted", domain.Rejected: "rejected",
}

// handInJSON is what is known of a record's way to the service, as --json prints it.
type handInJSON struct {
	State   string                 `json:"state"` // accepted or rejected
	At      domain.Instant         `json:"at"`
	Receipt *domain.Receipt        `json:"receipt,omitempty"` // the service's
	Reason  domain.RejectionReason `json:"reason,omitzero"`
	InForce domain.RecordID        `json:"inForce,omitempty"`
	Changes []string               `json:"changes,omitempty"`
}

// handedIn is nil for a record that the service has not answered for.
func handedIn(h *domain.HandIn) *handInJSON {
	answer := handInJSON{State: handInWords[h.State], At: h.At}
	switch h.State {
	case domain.Accepted:
		answer.Receipt = &h.Receipt
	case domain.Rejected:
		answer.Reason, answer.InForce, answer.Changes = h.Rejection.Reason, h.Rejection.InForce, h.Changes
	default:
		return nil
	}
	return &answer
}

// isBound tells whether the store is bound to a service, so that a record without an answer waits for one.
func isBound(ctx context.Context, s *store.Store) (bool, error) {
	_, err := s.Service(ctx)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// standing says in one cell what has become of a record: the service's answer, and what superseded it.
func standing(logged *domain.LoggedRecord, bound bool) string {
	var parts []string
	switch logged.HandIn.State {
	case domain.NotHandedIn:
		if bound {
			parts = append(parts, handInWords[domain.NotHandedIn])
		}
	case domain.Accepted:
		parts = append(parts, handInWords[domain.Accepted])
	case domain.Rejected:
		parts = append(parts, "rejected by the service: "+logged.HandIn.Rejection.Reason.String())
	}
	if logged.SupersededBy.Present() {
		parts = append(parts, "superseded by "+string(logged.SupersededBy))
	}
	return strings.Join(parts, ", ")
}

// addHandIn adds the service's answer to the rows of a record.
func addHandIn(table *columns, h *domain.HandIn, bound bool) {
	if h.State == domain.NotHandedIn {
		if bound {
			table.add("service", handInWords[domain.NotHandedIn])
		}
		return
	}
	table.add("service", fmt.Sprintf("%s at %s", handInWords[h.State], toSecond(h.At)))
	if h.State == domain.Accepted {
		table.add("service sequence", fmt.Sprint(h.Receipt.Sequence))
		table.add("service tree size", fmt.Sprint(h.Receipt.TreeSize))
		table.add("service root", h.Receipt.Root.String())
		return
	}
	inForce := "nothing"
	if h.Rejection.InForce.Present() {
		inForce = string(h.Rejection.InForce)
	}
	table.add("reason", h.Rejection.Reason.String())
	table.add("in force there", inForce)
	for _, change := range h.Changes {
		table.add("changed", visible.String(change))
	}
}

// checkService says which service the store is bound to, and what waits for it.
func checkService(s *patient) symptom {
	tally := s.health.HandIns
	switch {
	case !s.health.Exists || s.health.OpenError != nil:
		return note("not looked at", "")
	case tally.Service == "":
		return ok("none; records stay on this machine")
	case tally.Rejected > 0:
		return note(fmt.Sprintf("%s turned %s away that nobody judged again; %d wait, %d are accepted", tally.Service,
			counted(tally.Rejected, "record"), tally.Waiting, tally.Accepted), "judge them again in the console: the filter is:rejected finds them")
	case tally.Waiting > 0:
		return note(fmt.Sprintf("%s has %d of the records; %d wait", tally.Service, tally.Accepted, tally.Waiting), "`docket push` hands them in")
	}
	return ok("%s; all records are handed in", tally.Service)
}
