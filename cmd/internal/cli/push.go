package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"docket/cmd/internal/client"
	"docket/cmd/internal/doctor"
	"docket/cmd/internal/output"
	"docket/domain/keys"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/ui/wording"
)

func newPush(p *program) *cobra.Command {
	var c calling
	var asNew []records.RecordID
	cmd := command("push", 0, 1, func(cmd *cobra.Command, args []string) error {
		return p.withClient(c, args, func(service *client.Client) error { return p.push(cmd.Context(), service, asNew) })
	})
	c.flags(cmd)
	recordsFlag(cmd, &asNew, "as-new", "the id of a `RECORD` that the service lost in a restore, to be judged for now; may be repeated")
	return p.jsonFlag(cmd)
}

// push hands in the records of the store, which it does not create.
func (p *program) push(ctx context.Context, service *client.Client, asNew []records.RecordID) error {
	_, err := os.Stat(p.storePath())
	return p.withStoreAs(ctx, store.Options{ReadOnly: errors.Is(err, fs.ErrNotExist)}, func(s *store.Store) error {
		if err := ofConsole(ctx, s); err != nil {
			return err
		}
		if findings := s.Findings(); len(findings) > 0 {
			return refused("nothing is handed in, because the store was changed or damaged outside of docket: %s", findings[0])
		}
		return errors.Join(p.handIn(ctx, s, service, asNew), p.tellRevoked(ctx, s))
	})
}

func (p *program) tellRevoked(ctx context.Context, s *store.Store) error {
	tally, err := s.HandInTally(ctx)
	if err == nil && tally.Revoked > 0 && !p.json {
		p.say(
			"not handed in: %s that a revoked key signed, not in force; filter by is:rejected in the console and decide the listed cases again\n",
			wording.Plural(int(tally.Revoked), "record", "records"))
	}
	return err
}

func (p *program) handIn(ctx context.Context, s *store.Store, service *client.Client, asNew []records.RecordID) error {
	bar := p.newBar()
	tally, err := client.Push(ctx, client.PushOptions{
		Session: p.sessionOf(s, service), AsNew: asNew, Progress: bar.Of("handing in"),
		Each: func(r client.Result) error {
			bar.Clear()
			about := string(r.RecordID)
			if r.ID.Present() {
				about = fmt.Sprintf("%s %d  %s", r.ID, r.Revision, r.RecordID)
			}
			p.print(r, fmt.Sprintf("%-15s  %s  %s", handInMarks[r.Disposition], visible.String(about),
				visible.String(details(&r))))
			return p.wrote()
		},
	})
	bar.Clear()
	if err != nil {
		err = serviceFailure("not everything was handed in", err)
	}
	return errors.Join(err, p.sumUp(&tally, err))
}

var handInMarks = map[client.Disposition]string{
	client.Accepted: "✓ accepted", client.AlreadyThere: "✓ already there", client.Rejected: "✗ rejected", client.Waiting: "· waits",
}

func details(r *client.Result) string {
	switch r.Disposition {
	case client.Accepted, client.AlreadyThere:
		text := fmt.Sprintf("sequence %d of the service's log, root %s", r.Receipt.Sequence, r.Receipt.Root)
		if r.ReceivedAt.Present() {
			text += fmt.Sprintf(", received %s", output.ToSecond(r.ReceivedAt))
		}
		return text
	case client.Rejected:
		text := r.Reason
		if len(r.Changes) > 0 {
			text += ": " + strings.Join(r.Changes, "; ")
		}
		if r.InForce.Present() {
			text += fmt.Sprintf("; in force at the service: %s", string(r.InForce))
		}
		if r.ServiceRecord != nil {
			text += ", " + wording.ServiceRecordInShort(r.ServiceRecord)
		}
		return text
	}
	if r.Reason != "" {
		return r.Reason + ": " + r.Why
	}
	return r.Why
}

// sumUp prints the counts, after an error, too: records that were handed in stay handed in.
func (p *program) sumUp(t *client.Tally, failed error) error {
	if !p.json {
		switch {
		case *t != (client.Tally{}):
			p.say("%d accepted, %d already there, %d rejected, %d waiting\n", t[client.Accepted],
				t[client.AlreadyThere], t[client.Rejected], t[client.Waiting])
		case failed == nil:
			p.say("nothing to hand in: the service has answered every record\n")
		}
		if t[client.Rejected] > 0 {
			p.say("decide the rejected cases again: run `docket pull`, then filter by is:rejected in the console\n")
		}
	}
	return reportedUnless(failed != nil || t.Whole())
}

var handInWords = [...]string{
	records.NotHandedIn: "not handed in", records.Accepted: "accepted", records.Rejected: "rejected",
}

type handInJSON struct {
	State   string                  `json:"state"` // accepted or rejected
	At      terms.Instant           `json:"at"`
	Receipt *records.Receipt        `json:"receipt,omitempty"` // the service's
	Reason  records.RejectionReason `json:"reason,omitzero"`
	InForce records.RecordID        `json:"inForce,omitempty"`
	Changes []string                `json:"changes,omitempty"`
}

func handedIn(h *records.HandIn) *handInJSON {
	answer := handInJSON{State: handInWords[h.State], At: h.At}
	switch h.State {
	case records.Accepted:
		answer.Receipt = &h.Receipt
	case records.Rejected:
		answer.Reason, answer.InForce, answer.Changes = h.Rejection.Reason, h.Rejection.InForce, h.Changes
	default:
		return nil
	}
	return &answer
}

func recordState(logged *records.LoggedRecord) string {
	var parts []string
	switch logged.HandIn.State {
	case records.NotHandedIn:
		parts = append(parts, handInWords[records.NotHandedIn])
		if logged.HandIn.By.Present() {
			parts = append(parts, fmt.Sprintf("hand in by %s", output.ToSecond(logged.HandIn.By)))
		}
	case records.Accepted:
		parts = append(parts, handInWords[records.Accepted])
	case records.Rejected:
		parts = append(parts, fmt.Sprintf("rejected by the service: %s", logged.HandIn.Rejection.Reason.String()))
	}
	if logged.Revoked {
		parts = append(parts, fmt.Sprintf("not in force: %s", wording.SignerRevoked))
	}
	if logged.SupersededBy.Present() {
		parts = append(parts, fmt.Sprintf("superseded by %s", string(logged.SupersededBy)))
	}
	return strings.Join(parts, ", ")
}

// checkService checks the bound service, the records that wait for it, and the key that signs next.
func checkService(s *env) result {
	tally := s.health.HandIns
	switch {
	case s.health.OpenError != nil:
		return result{}
	case records.OfService(s.health.Origin):
		return ok("this is the store of a service")
	case tally.Service == "":
		return ok("none; records stay on this machine")
	case tally.Setback.Kind.Present():
		return wrong("%s", tally.Setback.Sentence()).
			Do("ask the operator of the service whether it was restored, then look at both logs with `docket accept service`")
	}
	service := tally.Service
	if named := doctor.AcceptedBy(&s.health, records.ServiceNamed, records.ServiceAccepted); named != "" {
		service += ", named " + named + ","
	}
	found := []string{fmt.Sprintf("%s has %d of the records", service, tally.Accepted)}
	var cures []string
	if tally.Waiting > 0 {
		found, cures = append(found, fmt.Sprintf("%d wait", tally.Waiting)), append(cures, "`docket push` hands in what waits")
	}
	late := tally.By.Present() && tally.By.Before(s.health.Now)
	if by := wording.HandInBy(tally.By, s.health.Now); by != "" {
		found = append(found, fmt.Sprintf("the first of them: %s", by))
	}
	if tally.Rejected > 0 {
		found = append(found, fmt.Sprintf("%s rejected and not decided again yet", wording.Plural(int(tally.Rejected), "record", "records")))
	}
	if tally.Revoked > 0 {
		found = append(found, fmt.Sprintf("not handed in: %s that a revoked key signed",
			wording.Plural(int(tally.Revoked), "record", "records")))
	}
	unregistered := tally.Pulled.Present() && s.keyError == nil &&
		!slices.Contains(s.health.Registered, s.identity.Reviewer().KeyFingerprint)
	if unregistered {
		found = append(found, "your key is not registered there")
		cure := "have the operator register your key (`docket identity` prints the line for `docket serve key add`), then `docket pull`"
		if stateOf(s.health.Keys, s.identity.Reviewer()) == keys.Revoked {
			cure = fmt.Sprintf("set up another key, see identity below; %s", cure)
		}
		cures = append([]string{cure}, cures...)
	}
	if tally.Rejected+tally.Revoked > 0 {
		cures = append(cures, "in the console filter by is:rejected and decide again what is listed")
	}
	switch text := strings.Join(found, "; "); {
	case late || unregistered:
		return wrong("%s", text).Do("%s", strings.Join(cures, "; "))
	case len(cures) > 0:
		return note("%s", text).Do("%s", strings.Join(cures, "; "))
	}
	return ok("%s; all records are handed in", strings.TrimSuffix(service, ","))
}
