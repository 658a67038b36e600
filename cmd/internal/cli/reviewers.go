package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/cmd/internal/serve"
	"docket/cmd/internal/serve/daemon"
	"docket/domain/ordered"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/disk"
	"docket/ui/wording"
)

func (p *program) newServeReviewers() *cobra.Command {
	log := ""
	cmd := &cobra.Command{
		Use:   "reviewers",
		Short: "List the reviewers that the service knows: tokens, keys, assigned cases and last contact",
		Long: "Lists each principal of the service with their tokens, invitations and keys, revoked ones included, and how many open appeals\n" +
			"and amendments are assigned to them. Secrets are not stored, so none is shown.\n\n" +
			"The store does not hold the times of contacts. A service that runs on this machine keeps them in memory from its start, and is asked;\n" +
			"for earlier contacts, --log names the log of the service (- for standard input), in either format:\n" +
			"journalctl -u docket -o cat | docket serve reviewers --log -\n" +
			"Without either the last contact is not known.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.listReviewers(cmd.Context(), log) },
	}
	cmd.Flags().StringVar(&log, "log", "", "the `FILE` with the log of the service, which has the times of contacts (default: the running service is asked)")
	p.jsonFlag(cmd)
	return cmd
}

// A reviewerRow is a principal in a list.
type reviewerRow struct {
	Principal  terms.ID    `json:"principal"`
	Tokens     []usedToken `json:"tokens"`
	Keys       []keyRow    `json:"keys"`
	Appeals    int64       `json:"assignedAppeals"`
	Amendments int64       `json:"assignedAmendments"`
	Contact    lastContact `json:"lastContact"`
}

// A usedToken is a token with the time of its last use.
type usedToken struct {
	tokenRow
	LastUsed terms.Instant `json:"lastUsed"` // null: not since what lastContact says
}

// A lastContact is the last request of a principal, according to the service or its log.
type lastContact struct {
	At    terms.Instant `json:"at"`    // null: none since then, or it is not known
	Token string        `json:"token"` // the name of the token that it had
	Since terms.Instant `json:"since"` // the start of the service, or the first line of the log; null: it is not known
}

// String returns the contact for people.
func (c *lastContact) String() string {
	switch {
	case !c.Since.Present():
		return "not known: no service runs here"
	case !c.At.Present():
		return fmt.Sprintf("none since %s", output.ToSecond(c.Since))
	}
	return fmt.Sprintf("%s with %s", output.ToSecond(c.At), visible.String(c.Token))
}

func (p *program) listReviewers(ctx context.Context, log string) error {
	contacts := contacts{}
	if log != "" {
		if err := p.withInput([]string{log}, contacts.read); err != nil {
			return err
		}
	}
	return p.withServiceReading(ctx, func(s *store.Store) error {
		if log == "" {
			if err := contacts.ask(ctx, s); err != nil {
				return err
			}
		}
		rows, err := p.reviewers(ctx, s, &contacts)
		if err != nil {
			return err
		}
		for i := range rows {
			if p.json {
				err = output.JSON(p.Out, rows[i])
			} else {
				err = p.printReviewer(&rows[i])
			}
			if err != nil {
				return err
			}
		}
		if len(rows) == 0 && !p.json {
			_, err = fmt.Fprintln(p.Err, "no reviewers yet; `docket serve invite` invites one")
		}
		return err
	})
}

// reviewers returns all principals with a token, a key or an assigned packet, by id.
func (p *program) reviewers(ctx context.Context, s *store.Store, contacts *contacts) (rows []reviewerRow, err error) {
	tokens, err := s.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := s.Keys(ctx)
	if err != nil {
		return nil, err
	}
	assigned, err := s.Assigned(ctx)
	if err != nil {
		return nil, err
	}
	known := map[terms.ID]*reviewerRow{}
	of := func(principal terms.ID) *reviewerRow {
		if known[principal] == nil {
			known[principal] = &reviewerRow{Principal: principal, Tokens: []usedToken{}, Keys: []keyRow{}, Contact: contacts.of(principal)}
		}
		return known[principal]
	}
	for i := range tokens {
		row := of(tokens[i].Principal)
		row.Tokens = append(row.Tokens, usedToken{p.tokenRow(&tokens[i], tokens), contacts.uses[tokens[i].ID].At})
	}
	for _, key := range keys {
		row := of(key.Principal)
		row.Keys = append(row.Keys, keyRow{key.Principal, key.Fingerprint, key.Added, key.Revoked})
	}
	for principal, count := range assigned[terms.Appeals] {
		of(principal).Appeals = count
	}
	for principal, count := range assigned[terms.Amendments] {
		of(principal).Amendments = count
	}
	for _, row := range known {
		rows = append(rows, *row)
	}
	ordered.Sort(rows, func(a, b reviewerRow) int { return strings.Compare(string(a.Principal), string(b.Principal)) })
	return rows, nil
}

// printReviewer prints a principal and, below it, the tokens and keys.
func (p *program) printReviewer(row *reviewerRow) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s  assigned: %s, %s  last contact: %s\n", row.Principal, wording.Plural(int(row.Appeals), "appeal", "appeals"), wording.Plural(int(row.Amendments), "amendment", "amendments"), &row.Contact)
	for _, token := range row.Tokens {
		fmt.Fprintf(&text, "  %s  %s  %s until %s", visible.String(token.ID), token.Role, token.State, output.ToSecond(token.Expires))
		if token.Revoked.Present() {
			fmt.Fprintf(&text, ", ended %s", output.ToSecond(token.Revoked))
		}
		if token.LastUsed.Present() {
			fmt.Fprintf(&text, ", last used %s", output.ToSecond(token.LastUsed))
		}
		if len(token.Owners) > 0 {
			fmt.Fprintf(&text, "  owners %s", joined(token.Owners))
		}
		text.WriteString("\n")
	}
	for _, key := range row.Keys {
		fmt.Fprintf(&text, "  %s  added %s", visible.String(key.Fingerprint), output.ToSecond(key.Added))
		if key.Revoked.Present() {
			fmt.Fprintf(&text, ", revoked %s", output.ToSecond(key.Revoked))
		}
		text.WriteString("\n")
	}
	if len(row.Tokens) == 0 && len(row.Keys) == 0 {
		text.WriteString("  neither token nor key: their packets wait; `docket serve invite` invites them\n")
	}
	_, err := io.WriteString(p.Out, text.String())
	return err
}

// contacts holds the newest request with each token, from a log or the running service.
type contacts struct {
	since terms.Instant
	uses  map[string]serve.TokenUse
}

// of returns the last contact of a principal.
func (c *contacts) of(principal terms.ID) lastContact {
	contact := lastContact{Since: c.since}
	for _, use := range c.uses {
		if use.Principal == principal && (!contact.At.Present() || contact.At.Before(use.At)) {
			contact.At, contact.Token = use.At, use.Token
		}
	}
	return contact
}

// saw takes a request into account.
func (c *contacts) saw(use serve.TokenUse) {
	if c.uses == nil {
		c.uses = map[string]serve.TokenUse{}
	}
	if known, is := c.uses[use.Token]; !is || !use.At.Before(known.At) {
		c.uses[use.Token] = use
	}
}

// ask asks the processes of the service that run on this machine. A principal that is in none of their answers sent no
// request since the newest of them started.
func (c *contacts) ask(ctx context.Context, s *store.Store) error {
	key, err := s.Verifier(ctx)
	if err != nil {
		return err
	}
	told, err := daemon.ContactsPlace{Folder: contactsFolder(), Log: key}.Ask()
	for _, process := range told {
		if c.since.Before(process.Since) || !c.since.Present() {
			c.since = process.Since
		}
		for _, use := range process.Uses {
			c.saw(use)
		}
	}
	return err
}

// longestLogLine is in bytes. A longer line is not about a request.
const longestLogLine = 64 << 10

// read reads a log of the service. It skips other lines, which a journal may have.
func (c *contacts) read(name string, in io.Reader) error {
	lines := bufio.NewReaderSize(in, longestLogLine)
	for {
		line, err := lines.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		if !long {
			c.take(readLogLine(line))
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: it cannot be read: %w", name, disk.Reason(err))
		}
	}
	if !c.since.Present() {
		return refused("%s has no line of the service's log; of a journal take `journalctl -o cat`", name)
	}
	return nil
}

// A logLine holds the request of a line of the log.
type logLine struct{ Time, Msg, Principal, Token string }

// readLogLine reads a line in either format; the zero logLine if it is not about a request. In a line of text the first
// value of a name counts: later ones may be within the text of an error.
func readLogLine(line []byte) (read logLine) {
	if len(line) > 0 && line[0] == '{' {
		if json.Unmarshal(line, &read) != nil {
			return logLine{}
		}
		return read
	}
	for _, field := range strings.Fields(string(line)) {
		name, value, _ := strings.Cut(field, "=")
		for known, into := range map[string]*string{"time": &read.Time, "msg": &read.Msg, "principal": &read.Principal, "token": &read.Token} {
			if name == known && *into == "" {
				*into = value
			}
		}
	}
	return read
}

// take takes a line into account.
func (c *contacts) take(line logLine) {
	moment, err := time.Parse(time.RFC3339Nano, line.Time) // in the time zone of the service
	if err != nil {
		return
	}
	at := terms.InstantOf(moment.UTC())
	if !c.since.Present() || at.Before(c.since) {
		c.since = at
	}
	principal, named := terms.ParseID(line.Principal)
	if _, tokened := terms.ParseID(line.Token); line.Msg == answeredLine && named && tokened {
		c.saw(serve.TokenUse{Token: line.Token, Principal: principal, At: at})
	}
}

// answeredLine is the message of a line about a request.
const answeredLine = "answered"
