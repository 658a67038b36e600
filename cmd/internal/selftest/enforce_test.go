package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
)

// enforceBreakings break what deciding and appending do.
func enforceBreakings() []breaking {
	var all []breaking
	for hook, area := range map[string]terms.Area{
		"challenge_appeal_enforce_route_contract": terms.Appeals, "agreement_amendment_enforce_route_contract": terms.Amendments,
	} {
		all = append(all,
			breaking{hook, "the contract states an open route", "does not state the enforcement route", func(t *testing.T, p *program) {
				publishing(t, p, func(o object) object { return edited(o, bodyPointer+"/enforcementRoute/auth", "none") })
			}},
			breaking{hook, "nothing is appended", "recording adds 0 rows", appending(
				func(ctx context.Context, s *store.Store, sub store.Submission) (records.Receipt, error) {
					if _, err := s.Record(ctx, sub.Record.Members().RecordID); err != nil && len(sub.Signature) > 0 && verifies(sub) {
						return records.Receipt{}, nil
					}
					return s.Append(ctx, sub)
				})},
			breaking{hook, "appending brings packets along", "changes another table", appending(
				func(ctx context.Context, s *store.Store, sub store.Submission) (records.Receipt, error) {
					receipt, err := s.Append(ctx, sub)
					if err == nil {
						importOther(ctx, s)
					}
					return receipt, err
				})},
			breaking{hook, "the same record has another receipt", "not the one row", appending(
				func() func(context.Context, *store.Store, store.Submission) (records.Receipt, error) {
					times := int64(0)
					return func(ctx context.Context, s *store.Store, sub store.Submission) (records.Receipt, error) {
						receipt, err := s.Append(ctx, sub)
						times++
						receipt.Sequence += times
						return receipt, err
					}
				}())},
			breaking{hook, "anybody may hand in", "did not sign", appending(
				func(ctx context.Context, s *store.Store, sub store.Submission) (records.Receipt, error) {
					receipt, err := s.Append(ctx, sub)
					if !verifies(sub) {
						err = nil
					}
					return receipt, err
				})},
			breaking{hook, "what changed meanwhile is not looked at", "no longer the latest", appending(
				func(ctx context.Context, s *store.Store, sub store.Submission) (records.Receipt, error) {
					receipt, err := s.Append(ctx, sub)
					var stale *records.StaleError
					if errors.As(err, &stale) {
						err = nil
					}
					return receipt, err
				})},
			breaking{hook, "every outcome may be recorded on blocked", "refused is false", func(_ *testing.T, p *program) {
				p.decide = func(v *views.View, c records.Choice, s records.Stamp) (records.Enforcement, error) {
					record, err := records.Decide(v, c, s)
					if err != nil {
						c.Outcome = 0
						if area == terms.Appeals {
							c.Outcome = terms.RouteHumanReview
						}
						record, err = records.Decide(v, c, s)
					}
					return record, err
				}
			}},
			breaking{hook, "the reviewer's own blockers are left out", "refused is", func(_ *testing.T, p *program) {
				p.decide = func(v *views.View, c records.Choice, s records.Stamp) (records.Enforcement, error) {
					if area == terms.Amendments {
						c.Outcome = 0
					}
					c.AddedBlockers = 0
					return records.Decide(v, c, s)
				}
			}})
	}
	return append(all, breaking{"agreement_amendment_enforce_route_contract", "the record is another owner's", "not scoped to the owner",
		func(t *testing.T, p *program) {
			p.read = func(text []byte) (packets.Packet, *shape.Fault) {
				o, err := decoded(text)
				if err != nil {
					t.Fatal(err)
				}
				if o["table"] != terms.AmendmentRecords.String() {
					return read(text)
				}
				record, _ := o["record"].(object)
				other, err := packet{terms.AmendmentRecords, record}.with("ownerId", "own-another").rehashed()
				if err != nil {
					t.Fatal(err)
				}
				return read(other.text())
			}
		}})
}

func appending(with func(context.Context, *store.Store, store.Submission) (records.Receipt, error)) func(*testing.T, *program) {
	return func(_ *testing.T, p *program) { p.append = with }
}

// importOther brings a policy into the store that is not there.
func importOther(ctx context.Context, s *store.Store) {
	packet, fault := read([]byte(`{"table":"trade_appeal_policies","record":{"policyId":"another","policyVersion":1,` +
		`"contractVersion":"another","status":"draft"}}`))
	if fault != nil {
		panic(fault)
	}
	if _, err := s.Import(ctx, []packets.Packet{packet}); err != nil {
		panic(err)
	}
}

// verifies reports whether a submission is signed with the key that its record names.
func verifies(sub store.Submission) bool {
	return signedBy(sub.Signature) == fingerprintIn(sub.Record.Document())
}

func fingerprintIn(document []byte) string {
	var record struct{ Reviewer records.Reviewer }
	if err := json.Unmarshal(document, &record); err != nil {
		panic(err)
	}
	return record.Reviewer.KeyFingerprint
}
