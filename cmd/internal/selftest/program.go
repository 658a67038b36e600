package selftest

import (
	"context"
	"encoding/json"
	"net/http"

	"golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/health"
	"docket/cmd/internal/serve"
	"docket/contracts"
	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/shape"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store"
	"docket/store/bundle"
	"docket/store/verify"
)

// A program holds the parts of docket that the hooks check, each as the commands use it.
type program struct {
	publish     func(kind report.Kind, at terms.Instant) ([]byte, error)
	examiner    func() (func(text []byte, now terms.Instant) (report.Examination, error), error)
	read        func(text []byte) (packets.Packet, *shape.Fault)
	compile     func(table terms.Table) (func(record []byte) []shape.Fault, error)
	evaluate    func(line []byte) []byte
	judge       func(q *rules.Input) verdict
	decide      func(v *views.View, c records.Choice, s records.Stamp) (records.Enforcement, error)
	readRecord  func(area terms.Area, document []byte) (records.Enforcement, error)
	openStore   func(ctx context.Context, o store.Options) (*store.Store, error)
	append      func(ctx context.Context, s *store.Store, sub store.Submission) (records.Receipt, error)
	checkLog    func(ctx context.Context, log verify.Source, o verify.Options) (verify.Report, error)
	checkBundle func(ctx context.Context, dir string, o verify.Options) (verify.Report, error)
	pilot       func() pilot
	answer      func(action overlap.Action, request []byte, receipt overlap.ReceiptID) ([]byte, *overlap.Refusal)
	openChain   func(key note.Verifier, ids []overlap.ReceiptID) ([]overlap.Receipt, error)
	health      func(ctx context.Context, o health.Options) (health.Health, error)
	mount       func(c serve.Config) (http.Handler, error)
}

// A verdict is the result of evaluating an input.
type verdict struct {
	gate     terms.Gate
	blockers []terms.Blocker
	decision views.Decision // of appeals
}

// A pilot is the state of the private-overlap pilot.
type pilot struct {
	release   overlap.Release
	reviews   []overlap.RequiredReview
	states    []string // that a review can be in
	endpoints []overlap.Endpoint
}

// thisProgram returns the program itself.
func thisProgram() program {
	return program{
		publish: publish, examiner: newExaminer, read: read, compile: compile, evaluate: evaluate, judge: judge,
		decide: records.Decide, readRecord: readRecord, openStore: store.Open, append: appendRecord,
		checkLog: verify.Check, checkBundle: bundle.Check, pilot: currentPilot, answer: answer,
		openChain: overlap.OpenChain, health: health.Of, mount: mount,
	}
}

func publish(kind report.Kind, at terms.Instant) ([]byte, error) {
	r, err := report.Of(kind, at)
	if err != nil {
		return nil, err
	}
	return r.JSON(), nil
}

func newExaminer() (func([]byte, terms.Instant) (report.Examination, error), error) {
	examiner, err := report.NewExaminer()
	if err != nil {
		return nil, err
	}
	return examiner.Examine, nil
}

func read(text []byte) (packets.Packet, *shape.Fault) {
	var reader packets.Reader
	unredacted, fault := reader.Read(text)
	if fault != nil {
		return packets.Packet{}, fault
	}
	return unredacted.Redact(), nil
}

func compile(table terms.Table) (func([]byte) []shape.Fault, error) {
	schema, err := contracts.Compile(table)
	if err != nil {
		return nil, err
	}
	return schema.Check, nil
}

// evaluate answers one line of `docket evaluate`.
func evaluate(line []byte) []byte {
	var reader packets.Reader
	question, fault := rules.ReadInput(&reader, line)
	if fault != nil {
		return views.AppendRefusal(nil, 1, *fault)
	}
	return views.AppendAnswer(nil, &question, rules.Evaluate(&question))
}

func judge(q *rules.Input) verdict {
	judgment := rules.Evaluate(q)
	return verdict{judgment.Gate(), judgment.Blockers(), views.DecisionOf(judgment)}
}

func readRecord(area terms.Area, document []byte) (records.Enforcement, error) {
	var reader packets.Reader
	return records.ReadEnforcement(&reader, area, document)
}

func appendRecord(ctx context.Context, s *store.Store, sub store.Submission) (records.Receipt, error) {
	return s.Append(ctx, sub)
}

func currentPilot() pilot {
	return pilot{overlap.CurrentRelease(), overlap.RequiredReviews(), overlap.ReviewStates.Texts(), overlap.PlannedEndpoints()}
}

// answer answers one request to a planned route as `docket overlap` does.
func answer(action overlap.Action, text []byte, receipt overlap.ReceiptID) ([]byte, *overlap.Refusal) {
	if refusal := overlap.CheckRequest(text); refusal != nil {
		return nil, refusal
	}
	printed, err := json.Marshal(overlap.AnswerTo(action, receipt))
	if err != nil {
		return nil, &overlap.Refusal{}
	}
	return printed, nil
}
