package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/cmd/internal/api"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

var setbackCodes = map[records.SetbackKind]verify.Code{records.LogRolledBack: verify.RolledBack,
	records.LogForked: verify.Forked, records.LogUnproven: verify.RootDiffers}

// CheckLog checks what a service shows of its log to anybody, and reads no record: its checkpoint
// is signed with one of Options.VerifierKeys, its hashes are of that checkpoint, it extends each of
// Options.Earlier, and the witnesses of Options.Policy cosigned it. A key or a checkpoint of a log
// from before a restore is a finding, or a note with Options.AcceptRestore. An error means that the
// service gives no usable answer.
func CheckLog(ctx context.Context, service *Client, o verify.Options) (report verify.Report, err error) {
	add := func(code verify.Code, detail string) { report.Add(code.OfLog(detail), &o) }
	shown := shownLog{options: &o, report: &report}
	note, err := service.Checkpoint(ctx)
	if err == nil {
		err = shown.open(ctx, service, note)
	}
	if err != nil {
		return verify.Report{}, err
	}
	c := contact{service: service, key: shown.key}
	if c.key.Origin() == "" {
		add(verify.CheckpointUnusable, "no known key signed it")
		return report, nil
	}
	c.keys = []signed.Key{c.key}
	report.Origin, report.VerifierKey, report.Depth, report.Lineage = c.key.Origin(), c.key.String(), verify.HeadOnly, shown.lineage
	known := &unkept{}
	for _, earlier := range o.Earlier {
		opened, place, extended, err := report.OpenEarlier(earlier, shown.lineage, []string{c.key.String()}, &o)
		if err != nil {
			add(verify.EarlierUnusable, earlier.Name)
			continue
		}
		if shown.from = min(shown.from, place); extended {
			known.knows(records.LogHead{Origin: opened.Origin, Size: opened.Size, Root: signed.FromTree(opened.Root)})
		}
	}
	for _, restored := range shown.lineage[shown.from : len(shown.lineage)-1] {
		known.knows(records.LogHead{Origin: restored.Ended.Origin, Size: restored.Ended.Size, Root: restored.Ended.Root})
	}
	c.binding = known
	found := func(err error) error {
		var setback *SetbackError
		if errors.As(err, &setback) {
			add(setbackCodes[setback.Setback.Kind], setback.Setback.Sentence())
			return nil
		}
		return err
	}
	if err := found(c.meet(ctx)); err != nil || !report.OK() && c.last == nil {
		return report, err
	}
	report.Size, report.Root, report.Checkpoint = c.last.Size, c.last.Root, c.last.LogHead
	if c.last.Size > 0 {
		if _, err := c.last.ReadHashes([]int64{tlog.StoredHashIndex(0, c.last.Size-1)}); c.last.failed != nil {
			return verify.Report{}, c.last.failed
		} else if err != nil {
			add(verify.RootDiffers, "the hashes are not those of the checkpoint")
		}
	}
	if o.Policy == nil {
		return report, nil
	}
	err = found(c.cosigned(ctx, Witnessed{Policy: o.Policy, Now: func() terms.Instant {
		return o.Now
	}, Tell: func(coverage verify.Coverage) error {
		report.Coverage = &coverage
		switch {
		case !o.Policy.Covers(c.key.String()):
			add(verify.PolicyUnmet, "the policy is for other logs")
		case !coverage.Met:
			add(verify.PolicyUnmet, "")
		case coverage.IsOlder(o.MaxAge, o.Now):
			add(verify.PolicyUnmet, coverage.Sentence())
		}
		return nil
	}}))
	return report, err
}

// A shownLog is the log that a service shows, as far back as the caller trusts it.
type shownLog struct {
	options *verify.Options
	report  *verify.Report
	key     signed.Key // of the log; zero if nothing leads to it from a key that is trusted
	lineage verify.Lineage
	// The place of the trusted log; the statements of the restores from there on are relied on.
	from int
}

// open finds the checkpoint's key, by the service's statements where the caller trusts another log.
func (l *shownLog) open(ctx context.Context, service *Client, note []byte) error {
	for _, text := range l.options.VerifierKeys {
		key, err := signed.ParseKey(text)
		if err != nil {
			return err
		}
		if _, err := openShown(key, note); err == nil {
			l.key, l.lineage = key, verify.Lineage{{Origin: key.Origin(), Key: key.String()}}
		}
	}
	if l.key.Origin() != "" && !slices.ContainsFunc(l.options.Earlier, func(e verify.Earlier) bool {
		return originOf(e.Signed) != l.key.Origin()
	}) {
		return nil
	}
	written, err := service.LogStatements(ctx)
	if isProblem(err, api.NotFound) {
		return nil // an older program, which has no such route
	}
	if err != nil {
		return fmt.Errorf("the statements of the service about its log: %w", err)
	}
	newest := l.key
	for _, w := range written {
		if read, err := records.ReadLogStatement(w.Text); err == nil && read.Kind == records.LogRestored && l.key.Origin() == "" {
			if newest, err = signed.ParseKey(read.Restore.NewKey); err != nil {
				return nil
			}
		}
	}
	if newest.Origin() == "" {
		return nil
	}
	lineage, _ := verify.ReadLineage(newest.Origin(), newest.String(), nil, api.Signed(written))
	if l.key.Origin() == "" {
		if _, err := openShown(newest, note); err != nil {
			return nil
		}
		keys, from := l.report.Trusted(lineage, l.options)
		if !slices.Contains(keys, newest.String()) {
			return nil
		}
		l.key, l.from = newest, from
	} else {
		l.from = len(lineage) - 1
	}
	l.lineage = lineage
	return nil
}

func originOf(checkpoint []byte) string {
	origin, _, _ := strings.Cut(string(checkpoint), "\n")
	return origin
}
