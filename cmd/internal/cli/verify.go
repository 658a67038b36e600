package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	sumdbnote "golang.org/x/mod/sumdb/note"

	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/visible"
	"docket/store"
	"docket/store/bundle"
	"docket/store/disk"
	"docket/store/verify"
	"docket/ui/wording"
)

func newVerify(p *program) *cobra.Command {
	var since, keys, services []string
	restored := false
	var held holding
	cmd := command("verify", 0, -1, func(cmd *cobra.Command, args []string) error {
		options := verify.Options{VerifierKeys: keys, ServiceKeys: services, AcceptRestore: restored}
		for _, service := range services {
			if _, err := signed.ParseKey(service); err != nil {
				return wrongUsage("--service takes the verifier key of a service as `docket verify` prints it: NAME+HASH+KEY")
			}
		}
		for _, key := range keys {
			if _, err := sumdbnote.NewVerifier(key); err != nil {
				return wrongUsage("--key takes a verifier key as `docket verify` prints it: NAME+HASH+KEY")
			}
		}
		policy, age, err := p.policy(held)
		if err != nil {
			return err
		}
		if policy != nil {
			options.Policy, options.MaxAge, options.Now = policy, age, p.instant()
		}
		if options.Earlier, err = readEach(since, readCheckpoint); err != nil {
			return err
		}
		of := store.Options{ReadOnly: true}
		status := func(err error) error { return err }
		switch {
		case len(args) == 1 && isFile(args[0]):
			of.Path, status = args[0], ofArgument
		case len(args) > 0:
			return p.verifyBundles(cmd.Context(), args, options)
		}
		// Of a store the findings of the opening count, too. One that is too damaged to be opened
		// has the finding that it is.
		opened := false
		err = p.withStoreAs(cmd.Context(), of, func(s *store.Store) error {
			opened = true
			return p.verify(func(o verify.Options) (verify.Report, error) { return s.Verify(cmd.Context(), o) }, options)
		})
		if !opened && errors.Is(err, store.ErrDamaged) {
			damage := verify.StructureDamaged.OfLog("the store cannot be opened")
			return p.verify(func(o verify.Options) (report verify.Report, _ error) { report.Add(damage, &o); return report, nil }, options)
		}
		return status(err)
	})
	cmd.Flags().StringArrayVar(&since, "since", nil,
		"the file of a `CHECKPOINT` kept from earlier, which the log must extend; may be repeated")
	cmd.Flags().StringArrayVar(&keys, "key", nil, "the verifier `KEY` of the checkpoint, as its keeper gave it to you; may be repeated")
	cmd.Flags().StringArrayVar(&services, "service", nil,
		"the verifier `KEY` of the service that records are handed in to, as its operator gave it to you; may be repeated")
	cmd.Flags().BoolVar(&restored, "accept-restore", false,
		"take it as a note, not a finding, that a --since or --key is of a log that was restored since")
	held.flags(cmd)
	ageFlag(cmd, &held.age, "max-age",
		"how long ago the quorum of the policy may have cosigned, an `AGE` in days or hours (default: the setting witness_max_age with the policy of the config file, else any)")
	return p.jsonFlag(cmd)
}

// A holding holds the flags that name the witness policy of a log.
type holding struct {
	policy string
	age    time.Duration // 0: that of the settings
}

func (h *holding) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&h.policy, "policy", "", "the `FILE` with the policy of witnesses (default: the setting witness_policy)")
}

// witnessPolicy returns the policy's path, by flag or settings, and largest age; "" for none.
func (p *program) witnessPolicy(h holding) (path string, age time.Duration, err error) {
	if h.policy != "" {
		return h.policy, h.age, nil
	}
	chosen, err := p.settings()
	if err != nil {
		return "", 0, err
	}
	if chosen.Policy == "" && h.age > 0 {
		return "", 0, wrongUsage(
			"--max-age is about the witnesses of a policy: name it with --policy, or set witness_policy in the config file")
	}
	return chosen.Policy, cmp.Or(h.age, chosen.MaxAge), nil
}

// readPolicy reads the witness policy in a file, whose path may begin with "~/".
func readPolicy(path string) (*verify.Policy, error) {
	path, err := disk.AtHome(path)
	if err != nil {
		return nil, err
	}
	text, err := disk.ReadRegular(path, verify.MostPolicy)
	if err != nil {
		return nil, refused("the witness policy %s cannot be read: %w", path, disk.Reason(err))
	}
	policy, err := verify.ParsePolicy(text)
	if err != nil {
		return nil, refused("%s: %s", path, visible.String(err.Error()))
	}
	return policy, nil
}

// isFile reports whether the path is of a copy of a store: a bundle is a folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func readCheckpoint(name string) (verify.Earlier, error) {
	signed, err := disk.ReadRegular(name, maxCheckpoint)
	if err != nil {
		return verify.Earlier{},
			fmt.Errorf("the checkpoint %s cannot be read: %w; name the file `checkpoint` of an export",
				name, disk.Reason(err))
	}
	return verify.Earlier{Name: name, Signed: signed}, nil
}

func readEach[T any](names []string, read func(string) (T, error)) (list []T, err error) {
	for _, name := range names {
		one, err := read(name)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// verifyBundles checks every bundle, also after one does not verify; an unreadable one ends it.
func (p *program) verifyBundles(ctx context.Context, dirs []string, options verify.Options) (failed error) {
	for i, dir := range dirs {
		if len(dirs) > 1 && !p.json {
			if i > 0 {
				fmt.Fprintln(p.Out)
			}
			fmt.Fprintf(p.Out, "%s:\n", visible.String(dir))
		}
		err := p.verifyBundle(ctx, dir, options)
		if err != nil && !errors.Is(err, errReported) {
			return err
		}
		failed = cmp.Or(err, failed)
	}
	return failed
}

// verifyBundle says before the findings what happened to the bundle, where one thing explains all.
func (p *program) verifyBundle(ctx context.Context, dir string, options verify.Options) error {
	return p.verify(func(o verify.Options) (report verify.Report, err error) {
		var findings []verify.Finding
		found := o.Found
		o.Found = func(f verify.Finding) { findings = append(findings, f) }
		report, err = bundle.Check(ctx, dir, o)
		if report.Cause != "" && !p.json {
			fmt.Fprintf(p.Out, "✗ What happened: %s\n", report.Cause)
		}
		for _, f := range findings {
			found(f)
		}
		return report, err
	}, options)
}

func (p *program) printFinding(f verify.Finding) { p.print(f, "✗ "+visible.String(f.String())) }

// verify runs a check with a bar, lists every finding as it is found, and prints a summary.
func (p *program) verify(check func(verify.Options) (verify.Report, error), options verify.Options) error {
	bar := p.newBar()
	options.Progress = bar.Of("verifying")
	options.Found = func(f verify.Finding) {
		bar.Clear()
		p.printFinding(f)
	}
	report, err := check(options)
	bar.Clear()
	if err != nil {
		return err
	}
	p.printVerified(&report)
	return reportedUnless(report.OK())
}

// acceptedNotes lists the statements of persons, and the restores on which the check relied.
func acceptedNotes(r *verify.Report) (notes []string) {
	for _, accepted := range r.Accepted {
		notes = append(notes, accepted.Sentence())
		e, is := accepted.Erasure()
		switch {
		case !is || e.Unchecked() == "":
		case accepted.OfServiceToConsoles() && !records.OfService(r.Lineage.Newest().Origin):
			notes = append(notes, fmt.Sprintf("not recomputed, unless %s came before that: %s", e.String(), e.Unchecked()))
		default:
			notes = append(notes, fmt.Sprintf("not recomputed, because %s was erased: %s", e.String(), e.Unchecked()))
		}
	}
	if r.LeftOut > 0 {
		notes = append(notes, leftOutNote(r))
	}
	if len(r.Beside) > 0 {
		notes = append(notes, fmt.Sprintf("not part of the export, and left alone: %s", strings.Join(r.Beside, ", ")))
	}
	return append(notes, r.Followed...)
}

func leftOutNote(r *verify.Report) string {
	of := "for one owner"
	switch {
	case r.Since > 0:
		of = fmt.Sprintf("of what came from entry %d on", r.Since)
	case r.Assigned.Present():
		of = "of the packets assigned to " + string(r.Assigned)
	case r.Owner.Present():
		of = "for " + string(r.Owner)
	}
	return fmt.Sprintf(
		"an export %s: of %s only position and leaf hash are in it and were checked; not checked: these packets and records, "+
			"the order of supersession, and whether a key of theirs vouches for another", of, wording.Plural(
			int(r.LeftOut), "other entry", "other entries"))
}

type verified struct {
	Verified    bool              `json:"verified"`
	Findings    int64             `json:"findings"`
	Cause       string            `json:"cause,omitempty"` // where one thing explains the findings
	Origin      string            `json:"origin"`
	VerifierKey string            `json:"verifierKey"`
	Entries     int64             `json:"entries"`
	Records     int64             `json:"records"`
	Appeals     int64             `json:"appeals"`
	Amendments  int64             `json:"amendments"`
	Passed      int64             `json:"passed"`
	Superseded  int64             `json:"superseded"`
	Root        string            `json:"root"`
	Reviewers   []verify.Reviewer `json:"reviewers"`
	ServiceKey  string            `json:"serviceKey,omitempty"`
	Rejected    int64             `json:"rejected,omitempty"`
	Witnesses   []verify.Cosigner `json:"witnesses,omitempty"`
	Policy      *verify.Coverage  `json:"policy,omitempty"`
	Notes       []string          `json:"notes,omitempty"`
}

func (p *program) printVerified(r *verify.Report) {
	notes := acceptedNotes(r)
	if now := p.instant(); r.Newest.Present() && now.Before(r.Newest) { // not a finding about the log
		notes = append(notes, fmt.Sprintf("this machine's clock says %s, which is before the newest record, of %s", now, r.Newest))
	}
	if r.Unanchored != "" {
		notes = append(notes, r.Unanchored)
	}
	part := pages.Part{}
	add := func(label, format string, args ...any) {
		part.Rows = append(part.Rows, pages.Row{Label: label, Value: fmt.Sprintf(format, args...)})
	}
	add("records", "%d: %s, %s; %d pass, %d blocked; %d superseded", r.Records(), wording.Plural(int(r.Appeals), "appeal", "appeals"),
		wording.Plural(int(r.Amendments), "amendment", "amendments"), r.Passed, r.Appeals+r.Amendments-r.Passed, r.Superseded)
	add("entries", "%d", r.Size)
	add("root", "%s", r.Root)
	add("log", "%s", r.Origin)
	add("verifier key", "%s", r.VerifierKey)
	if r.ServiceKey != "" {
		add("service key", "%s", r.ServiceKey)
		add("rejected", "%s by the service", wording.Plural(int(r.Rejected), "record", "records"))
	}
	for i := range r.Cosigners {
		w := &r.Cosigners[i]
		add("witness", "%s cosigned %s at %s", w.Witness, records.Count(w.Size), w.At)
	}
	if r.Coverage != nil {
		add("policy", "%s", r.Coverage.Sentence())
	}
	for _, reviewer := range r.Reviewers {
		add("reviewer", "%s with key %s, %s", reviewer.ID, reviewer.Fingerprint, wording.Plural(int(reviewer.Records), "record", "records"))
	}
	result := "everything verifies"
	if r.Records() == 0 {
		result += "; the log has no record"
	}
	switch {
	case p.json:
		p.object(verified{r.OK(), r.Total, r.Cause, r.Origin, r.VerifierKey, r.Size, r.Records(), r.Appeals, r.Amendments, r.Passed,
			r.Superseded, r.Root.String(), r.Reviewers, r.ServiceKey, r.Rejected, r.Cosigners, r.Coverage, notes})
		return
	case !r.OK():
		p.printRefuted(r)
		return
	}
	for _, note := range notes {
		add("note", "%s", note)
	}
	p.page(pages.Page{Mark: pages.Good, State: result, Parts: []pages.Part{part}})
}

func (p *program) printRefuted(r *verify.Report) {
	part := pages.Part{}
	for _, code := range verify.Codes() {
		if count := r.Count(code); count > 0 {
			part.Rows = append(part.Rows, pages.Row{Value: fmt.Sprintf("%s (%d)", code, count), Notes: []string{code.Meaning(), code.Cure()}})
		}
	}
	verdict := "this log does not verify"
	switch {
	case r.Sound() && r.Count(verify.SignedAfterRevocation) > 0:
		verdict = "the log verifies, but for records that are not in force"
	case r.Sound():
		verdict = "the log verifies; that of its service does not"
	}
	part.Blocks = []pages.Block{{Text: fmt.Sprintf("%s in %s: %s", wording.Plural(int(r.Total), "finding", "findings"),
		records.Count(r.Size), verdict)}}
	fmt.Fprintln(p.Out)
	p.page(pages.Page{Parts: []pages.Part{part}})
}
