// Package selftest answers the contract test hooks that the reports name (source 2.5.4). The source gives the names and
// leaves their actions open; here each runs the real check that its name describes, against this program with its
// sample packets, and returns a line of evidence: codes and counts, never a packet's text.
//
//	results, err := selftest.Run(ctx, selftest.Options{Now: time.Now})
//
// Everything happens in a temporary folder that Run makes and removes, with separate stores and a key that is written
// nowhere. The user's store and identity are not touched, and neither a network nor a terminal is used.
//
// hook.go has the one table of hooks. Each uses docket through a program (program.go): the parts as the commands use
// them, one function each. A test replaces a part with a broken one and checks that the hook fails.
package selftest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"docket/contracts/report"
	"docket/domain/terms"
)

// A Hook is one contract test of source 2.5.4.
type Hook struct {
	Name   string
	Kind   report.Kind // the contract that names it
	Checks string      // what it checks, one clause
	run    check
}

// A check checks a part of the program. It returns its evidence, or the fault.
type check func(ctx context.Context, b *bench) (evidence string, err error)

// hooks is the one table of hooks, in the order of the reports.
var hooks = [...]Hook{
	{"challenge_appeal_contract_validator", report.Appeals,
		"the published contract passes its checks and its schema, and a copy without any one code does not",
		contractValidator(report.Appeals)},
	{"challenge_appeal_evaluate_route_contract", report.Appeals,
		"an evaluation has the members of the contract, is the same every time, refuses what it cannot read and writes nothing",
		evaluateRoute(terms.Appeals)},
	{"challenge_appeal_enforce_route_contract", report.Appeals,
		"recording appends one row, once, changes no packet, and allows no reliance on a case with blockers",
		enforceRoute(terms.Appeals)},
	{"challenge_appeal_enforcement_record_schema_contract", report.Appeals,
		"the record table is strict, has a column for each member and takes no change, and records are read strictly",
		recordSchema(terms.Appeals)},
	{"appeal_case_record_contract", report.Appeals,
		"schema and reader take the sample case and policy and refuse what is missing, unknown, double or of a wrong type",
		packetSchema(terms.Appeals)},
	{"appeal_case_fail_closed_evaluator", report.Appeals,
		"each absent member is refused or blocks, and every fail-closed code is reached",
		failClosed(terms.Appeals)},
	{"challenge_appeal_scope_smoke", report.Appeals,
		"an appeal is about its one subject, and what reaches beyond it blocks",
		appealScope},
	{"technical_spec_challenge_appeal_smoke", report.Appeals,
		"a packet goes the whole way to a signed, logged, exported and verified record that judges the same again",
		wholeWay},
	{"background_private_overlap_contract_validator", report.Overlap,
		"the published contract passes its checks and its schema, and a copy without any one code does not",
		contractValidator(report.Overlap)},
	{"background_private_overlap_governance_gated_route_smoke", report.Overlap,
		"all planned routes answer blocked, with 403 at the service, and no review can be anything but open",
		overlapGate},
	{"background_private_overlap_route_contract_smoke", report.Overlap,
		"an answer has its three members only, and a request with anything else is refused without an echo",
		overlapRoute},
	{"background_private_overlap_receipt_chain_validator", report.Overlap,
		"a chain of receipts verifies, one that was edited, replaced, moved or removed from between is found, and none is stored",
		receiptChain},
	{"agreement_amendment_contract_validator", report.Amendments,
		"the published contract passes its checks and its schema, and a copy without any one code does not",
		contractValidator(report.Amendments)},
	{"agreement_amendment_evaluator_fail_closed", report.Amendments,
		"each absent member is refused or blocks, and every fail-closed code is reached",
		failClosed(terms.Amendments)},
	{"agreement_amendment_route_contract", report.Amendments,
		"an evaluation has the members of the contract and holds back exactly what each transition blocks",
		evaluateRoute(terms.Amendments)},
	{"agreement_amendment_enforce_route_contract", report.Amendments,
		"recording appends one row for the packet's owner, once, changes no packet, and passes no gate with blockers",
		enforceRoute(terms.Amendments)},
	{"agreement_amendment_schema_contract", report.Amendments,
		"schema and reader take the sample amendment and policy and refuse what is missing, unknown, double or of a wrong type",
		packetSchema(terms.Amendments)},
	{"agreement_amendment_enforcement_record_schema_contract", report.Amendments,
		"the record table is strict, has a column for each member and takes no change, and records are read strictly",
		recordSchema(terms.Amendments)},
	{"agreement_amendment_health_contract", report.Amendments,
		"a sound store is well, a damaged or missing one is not, and neither answer identifies anyone",
		amendmentHealth},
}

// Hooks lists the hooks in the order of the reports.
func Hooks() []Hook { return append([]Hook(nil), hooks[:]...) }

// A Result is the result of a hook.
type Result struct {
	Hook     string     `json:"hook"`
	Area     string     `json:"area"`     // the report that names the hook
	Status   terms.Gate `json:"status"`   // pass if everything is as it has to be
	Evidence string     `json:"evidence"` // codes and counts; on blocked, what is not as it has to be
	Checks   string     `json:"-"`        // what the hook checks, one clause
}

// Options say which hooks to run.
type Options struct {
	Names []string         // in any order; none: all
	Now   func() time.Time // the clock; required
}

// ErrUnknownHook says that there is no hook of a requested name.
var ErrUnknownHook = errors.New("there is no contract test hook of that name")

// Run runs hooks one after the other, in the order of the reports, and leaves nothing behind. Faults are in the
// Results. The error is ErrUnknownHook, that of ctx, or says that no temporary folder can be made.
func Run(ctx context.Context, o Options) ([]Result, error) { return runOn(ctx, thisProgram(), o) }

func runOn(ctx context.Context, p program, o Options) (results []Result, err error) {
	chosen, err := choose(o.Names)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "docket-selftest-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder for the selftest: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	for _, hook := range chosen {
		result, err := hook.result(ctx, p, folder, o.Now)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

func choose(names []string) ([]Hook, error) {
	for _, name := range names {
		if !slices.ContainsFunc(hooks[:], func(h Hook) bool { return h.Name == name }) {
			return nil, ErrUnknownHook
		}
	}
	return slices.DeleteFunc(Hooks(), func(h Hook) bool { return len(names) > 0 && !slices.Contains(names, h.Name) }), nil
}

// result runs one hook in a separate folder.
func (h *Hook) result(ctx context.Context, p program, parent string, now func() time.Time) (Result, error) {
	folder, err := os.MkdirTemp(parent, "hook-")
	if err != nil {
		return Result{}, fmt.Errorf("make a temporary folder for the selftest: %w", err)
	}
	b, err := newBench(p, folder, now())
	if err != nil {
		return Result{}, err
	}
	result := Result{Hook: h.Name, Area: h.Kind.String(), Checks: h.Checks}
	evidence, err := h.guarded(ctx, b)
	err = errors.Join(err, b.close())
	if ended := ctx.Err(); ended != nil {
		return Result{}, ended
	}
	if err != nil {
		result.Evidence = err.Error()
		return result, nil
	}
	result.Status, result.Evidence = terms.Pass, evidence
	return result, nil
}

// guarded turns a panic of the examined part into a failure, without its text, which may quote a packet.
func (h *Hook) guarded(ctx context.Context, b *bench) (evidence string, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the check broke off: a part of the program panicked")
		}
	}()
	return h.run(ctx, b)
}
