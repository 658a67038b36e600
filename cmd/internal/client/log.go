package client

import (
	"context"
	"errors"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store"
	"docket/store/verify"
)

// NewAnonymous returns a client without a token, which can read what a service gives to anybody: its checkpoints and the hashes of its log.
func NewAnonymous(o Options) (*Client, error) {
	base, err := parseBase(o.Address)
	if err != nil {
		return nil, err
	}
	return newClient(base, o), nil
}

// unbound is the Binding of who is bound to no service and keeps nothing.
type unbound struct {
	Binding
	known store.KnownOfService
}

// KnownOfService returns what the caller gave.
func (u *unbound) KnownOfService(context.Context) (store.KnownOfService, error) { return u.known, nil }

// KeepShown keeps nothing.
func (*unbound) KeepShown(context.Context, string) error { return nil }

// KeepSetback keeps nothing.
func (*unbound) KeepSetback(context.Context, signed.Setback) error { return nil }

// setbackCodes are the findings for what a log that does not extend an earlier checkpoint shows.
var setbackCodes = map[records.SetbackKind]verify.Code{records.LogRolledBack: verify.RolledBack, records.LogForked: verify.Forked, records.LogUnproven: verify.RootDiffers}

// CheckLog checks what a service shows of its log to anybody: that its checkpoint is signed with one of Options.VerifierKeys, that its hashes are
// of that checkpoint, that it extends each of Options.Earlier, and that the witnesses of Options.Policy cosigned it. It reads no record. An
// error means that the service gives no answer that can be used.
func CheckLog(ctx context.Context, service Service, o verify.Options) (report verify.Report, err error) {
	add := func(code verify.Code, detail string) { report.Add(code.OfLog(detail), &o) }
	note, err := service.Checkpoint(ctx)
	if err != nil {
		return verify.Report{}, err
	}
	c := contact{service: service}
	for _, text := range o.VerifierKeys {
		key, err := signed.ParseKey(text)
		if err != nil {
			return verify.Report{}, err
		}
		if _, err := openShown(key, note); err == nil {
			c.key, c.keys = key, []signed.Key{key}
		}
	}
	if len(c.keys) == 0 {
		add(verify.CheckpointUnknownKey, "")
		return report, nil
	}
	report.Origin, report.VerifierKey, report.Depth = c.key.Origin(), c.key.String(), verify.HeadOnly
	known := &unbound{}
	for _, earlier := range o.Earlier {
		opened, err := openShown(c.key, earlier.Signed)
		if err != nil {
			add(verify.EarlierUnusable, earlier.Name)
			continue
		}
		known.known.Checkpoints = append(known.known.Checkpoints, opened)
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
	if err := found(c.meet(ctx)); err != nil || !report.OK() && c.hashes == nil {
		return report, err
	}
	report.Size, report.Root, report.Checkpoint = c.last.Size, c.last.Root, c.last.LogHead
	if c.last.Size > 0 {
		if _, err := c.hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, c.last.Size-1)}); c.tiles.failed != nil {
			return verify.Report{}, c.tiles.failed
		} else if err != nil {
			add(verify.RootDiffers, "the hashes are not those of the checkpoint")
		}
	}
	if o.Policy == nil {
		return report, nil
	}
	err = found(c.cosigned(ctx, Witnessed{Policy: o.Policy, Now: func() terms.Instant { return o.Now }, Tell: func(coverage verify.Coverage) error {
		report.Coverage = &coverage
		switch {
		case !o.Policy.Covers(c.key.String()):
			add(verify.PolicyUnmet, "the policy is for other logs")
		case !coverage.Met:
			add(verify.PolicyUnmet, "")
		case coverage.IsOlder(o.MaxAge, o.Now):
			add(verify.PolicyOld, coverage.Sentence())
		}
		return nil
	}}))
	return report, err
}
