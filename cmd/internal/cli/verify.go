package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	sumdbnote "golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/bundle"
	"docket/domain/signed"
	"docket/domain/visible"
	"docket/store"
	"docket/store/verify"
)

func newVerify(p *program) *cobra.Command {
	var since, keys []string
	var service string
	cmd := &cobra.Command{
		Use:   "verify [DIR|FILE]",
		Short: "Check the log, an exported bundle or a copy of a store, record by record",
		Long: "Checks the store's log, the bundle in DIR, or the copy of a store in FILE: every hash, signature and checkpoint, that each record judged again\n" +
			"comes to the same blockers, that nobody judged their own decision or cause or was recused, that supersedes chains are\n" +
			"whole and that nothing private is there. Every finding is listed; exit status 1 if there is any.\n\n" +
			"Without --key and --since a bundle is only checked against itself, and a complete forgery passes. Give the\n" +
			"verifier key and a checkpoint that came to you by another way, and compare the reviewers' keys with theirs. With\n" +
			"--service and the verifier key of the service, that it was this service that turned records away.",
		Args: argumentCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p.setGarbageTarget(checkingGarbage)
			options := verify.Options{VerifierKeys: keys, ServiceKey: service}
			if _, err := signed.ParseKey(service); service != "" && err != nil {
				return wrongUsage("--service takes the verifier key of a service as `docket verify` prints it: NAME+HASH+KEY")
			}
			for _, key := range keys {
				if _, err := sumdbnote.NewVerifier(key); err != nil {
					return wrongUsage("--key takes a verifier key as `docket verify` prints it: NAME+HASH+KEY")
				}
			}
			for _, name := range since {
				signed, err := readCheckpoint(name)
				if err != nil {
					return err
				}
				options.Earlier = append(options.Earlier, verify.Earlier{Name: name, Signed: signed})
			}
			if len(args) == 1 && isFile(args[0]) {
				return p.withStoreAs(cmd.Context(), store.Options{Path: args[0], ReadOnly: true}, func(s *store.Store) error {
					return p.verifyStore(cmd.Context(), s, options)
				})
			}
			if len(args) == 1 {
				return p.verify(func(o verify.Options) (verify.Report, error) { return bundle.Check(cmd.Context(), args[0], o) },
					options, unanchored(options)...)
			}
			return p.withStoreAs(cmd.Context(), store.Options{ReadOnly: true}, func(s *store.Store) error {
				return p.verifyStore(cmd.Context(), s, options)
			})
		},
	}
	cmd.Flags().StringArrayVar(&since, "since", nil, "the file of a `CHECKPOINT` kept from earlier, which the log must extend; may be given again")
	cmd.Flags().StringArrayVar(&keys, "key", nil, "the verifier `KEY` of the checkpoint, as its keeper gave it to you; may be given again")
	cmd.Flags().StringVar(&service, "service", "", "the verifier `KEY` of the service that records are handed in to, as its operator gave it to you")
	p.jsonFlag(cmd)
	return cmd
}

// isFile tells whether the path is of a regular file, which can only be a copy of a store: a bundle is a folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// maxCheckpoint is in bytes: far more than a checkpoint has.
const maxCheckpoint = 1 << 16

func readCheckpoint(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, refused("the checkpoint %s cannot be read: %w; name the file `checkpoint` of an export", name, reasonOf(err))
	}
	if !info.Mode().IsRegular() || info.Size() > maxCheckpoint {
		return nil, refused("%s is no checkpoint; name the file `checkpoint` of an export", name)
	}
	signed, err := os.ReadFile(name)
	if err != nil {
		return nil, refused("the checkpoint %s cannot be read: %w", name, reasonOf(err))
	}
	return signed, nil
}

// printFinding prints a finding on one line.
func (p *program) printFinding(f verify.Finding) error {
	if p.json {
		return printJSON(p.Out, f)
	}
	_, err := fmt.Fprintln(p.Out, "✗ "+visible.String(f.String()))
	return err
}

// verifyStore checks the whole log and what lies beside the records in the store; what the opening found counts.
func (p *program) verifyStore(ctx context.Context, s *store.Store, options verify.Options) error {
	var notes []string
	if !s.KeepsAnchor() {
		notes = unanchored(options)
	}
	return p.verify(func(o verify.Options) (verify.Report, error) { return s.Verify(ctx, o) }, options, notes...)
}

// verify runs a check with a bar, lists every finding as it is found, and sums up.
func (p *program) verify(check func(verify.Options) (verify.Report, error), options verify.Options, notes ...string) error {
	bar := p.newBar()
	defer bar.clear()
	bar.begin("verifying", 0)
	var printing error
	options.Progress = bar.progress
	options.Found = func(f verify.Finding) {
		bar.clear()
		printing = errors.Join(printing, p.printFinding(f))
	}
	report, err := check(options)
	bar.clear()
	if err != nil || printing != nil {
		return errors.Join(err, printing)
	}
	if err := p.printVerified(&report, notes); err != nil {
		return err
	}
	if !report.OK() {
		return errReported
	}
	return nil
}

// acceptedNotes says what persons stated about the log, and which restores the check relied on.
func acceptedNotes(r *verify.Report) (notes []string) {
	for _, accepted := range r.Accepted {
		notes = append(notes, accepted.Sentence())
	}
	for _, followed := range r.Followed {
		notes = append(notes, fmt.Sprintf("followed a restore from %s to this log for %s", followed.Origin, followed.Name))
	}
	return notes
}

// behindNotes is the note of a check whose own clock stands before the newest record. That is nothing about the log.
func (p *program) behindNotes(r *verify.Report) []string {
	if now := p.instant(); r.Newest.Present() && now.Before(r.Newest) {
		return []string{fmt.Sprintf("this machine's clock says %s, which is before the newest record, of %s", now, r.Newest)}
	}
	return nil
}

// unanchored is the note on a log that nothing outside of it was held to.
func unanchored(options verify.Options) []string {
	if len(options.Earlier) > 0 {
		return nil
	}
	return []string{"not held to an anchor: whether newer records are missing, only a checkpoint kept elsewhere tells (--since)"}
}

// verified is the summary of a check, as --json prints it.
type verified struct {
	Verified    bool              `json:"verified"`
	Findings    int64             `json:"findings"`
	Origin      string            `json:"origin"`
	VerifierKey string            `json:"verifierKey"`
	Records     int64             `json:"records"`
	Appeals     int64             `json:"appeals"`
	Amendments  int64             `json:"amendments"`
	Passed      int64             `json:"passed"`
	Superseded  int64             `json:"superseded"`
	Root        string            `json:"root"`
	Reviewers   []verify.Reviewer `json:"reviewers"`
	ServiceKey  string            `json:"serviceKey,omitempty"`
	Rejected    int64             `json:"rejected,omitempty"`
	Notes       []string          `json:"notes,omitempty"`
}

func (p *program) printVerified(r *verify.Report, notes []string) error {
	notes = append(append(acceptedNotes(r), p.behindNotes(r)...), notes...)
	if p.json {
		return printJSON(p.Out, verified{r.OK(), r.Total, r.Origin, r.VerifierKey, r.Size, r.Appeals, r.Amendments, r.Passed,
			r.Superseded, r.Root.String(), r.Reviewers, r.ServiceKey, r.Rejected, notes})
	}
	if !r.OK() {
		return p.printRefuted(r)
	}
	table := &columns{heads: []string{"", ""}}
	table.add("records", fmt.Sprintf("%d: %d appeals, %d amendments; %d pass, %d blocked; %d superseded", r.Size, r.Appeals,
		r.Amendments, r.Passed, r.Appeals+r.Amendments-r.Passed, r.Superseded))
	table.add("root", r.Root.String())
	table.add("log", r.Origin)
	table.add("verifier key", r.VerifierKey)
	if r.ServiceKey != "" {
		table.add("service key", r.ServiceKey)
		table.add("turned away", counted(r.Rejected, "record")+" by the service")
	}
	for _, reviewer := range r.Reviewers {
		table.add("reviewer", fmt.Sprintf("%s with key %s, %s", reviewer.ID, reviewer.Fingerprint, counted(reviewer.Records, "record")))
	}
	for _, note := range notes {
		table.add("note", visible.String(note))
	}
	if _, err := fmt.Fprintln(p.Out, "✓ everything verifies"); err != nil {
		return err
	}
	return table.printRows(p.Out)
}

// printRefuted says of each kind of finding what it means and what to do.
func (p *program) printRefuted(r *verify.Report) error {
	var text strings.Builder
	for _, kind := range verify.Codes() {
		if count := r.Count(kind); count > 0 {
			fmt.Fprintf(&text, "\n%s (%d)\n  %s\n  %s\n", kind, count, kind.Meaning(), kind.Cure())
		}
	}
	fmt.Fprintf(&text, "\n%s in %s: this log does not verify", counted(r.Total, "finding"), counted(r.Size, "record"))
	_, err := fmt.Fprintln(p.Out, text.String())
	return err
}
