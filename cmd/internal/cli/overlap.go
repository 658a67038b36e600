package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"docket/domain"
	"docket/domain/overlap"
	"docket/store"
)

// newOverlap shows the state of the private-overlap pilot, and answers requests to its planned routes.
func newOverlap(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "overlap",
		Short: "Show the state of the private-overlap pilot, which is not live",
		Long: "Shows the pilot's release state, the five reviews that production use waits for, the planned routes and what is\n" +
			"done in their place. Nothing in this program can mark a review complete or make the pilot live.",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return p.printPilot() },
	}
	p.jsonFlag(cmd)
	cmd.AddCommand(
		p.newOverlapAction(overlap.CheckOverlap, "check [FILE]", "Answer a check request: blocked, with a receipt"),
		p.newOverlapAction(overlap.RefreshTokens, "refresh [FILE]", "Answer a request to refresh tokens: blocked, with a receipt"),
		p.newOverlapAction(overlap.DeleteTokens, "delete [FILE]", "Answer a request to delete tokens: blocked, with a receipt"))
	return cmd
}

func (p *program) newOverlapAction(action overlap.Action, use, short string) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Long: "Reads {\"tokens\": [{\"blinded_tag\", \"tag_namespace\", \"token_version\", \"expires_at\"}]} from FILE or standard\n" +
			"input and prints {\"result_bucket\", \"receipt_id\", \"blockers\"}. The request is always blocked: exit status 1. Its\n" +
			"receipt is appended to the store's chain; nothing of the tokens is kept. Whatever else a request holds refuses it.",
		Args: argumentCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withInput(args, func(name string, in io.Reader) error {
				return p.answerOverlap(cmd.Context(), action, name, in)
			})
		},
	}
}

// answerOverlap answers one request. The answer is printed once its receipt is durable.
func (p *program) answerOverlap(ctx context.Context, action overlap.Action, name string, in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, overlap.MaxRequestSize+1))
	if err != nil {
		return fmt.Errorf("%s: it cannot be read: %w", name, reasonOf(err))
	}
	request, refusal := overlap.ReadRequest(text)
	if refusal != nil {
		return refused("%s: the request is refused: %w", name, refusal)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("make a receipt id: %w", err)
	}
	answer, entry := overlap.Respond(action, request, overlap.Call{ReceiptID: domain.RecordID(id.String()), At: p.instant()})
	err = p.withStore(ctx, func(s *store.Store) error {
		_, err := s.AppendReceipt(ctx, entry)
		return err
	})
	var behind *store.AnchorError
	if errors.As(err, &behind) {
		fmt.Fprintln(p.Err, "docket: "+behind.Error())
		err = nil
	}
	if errors.Is(err, store.ErrReceipts) {
		return &failure{Refused, err}
	}
	if err != nil {
		return err
	}
	if err := printJSON(p.Out, answer); err != nil {
		return err
	}
	return errReported // an answer that blocks is a refusal
}

// A pilot is the state of the pilot, as --json prints it.
type pilot struct {
	ContractVersion     string               `json:"contractVersion"`
	ReleaseState        overlap.ReleaseState `json:"releaseState"`
	LiveEndpointEnabled bool                 `json:"liveEndpointEnabled"`
	LiveReady           bool                 `json:"liveReady"`
	StorageState        overlap.StorageState `json:"storageState"`
	RequiredReviews     []pilotReview        `json:"requiredReviews"`
	PlannedEndpoints    []pilotRoute         `json:"plannedEndpoints"`
	FallbackBehavior    string               `json:"fallbackBehavior"`
}

type pilotReview struct {
	Key   overlap.Review      `json:"key"`
	Text  string              `json:"text"`
	State overlap.ReviewState `json:"state"`
}

type pilotRoute struct {
	Method string              `json:"method"`
	Path   string              `json:"path"`
	Status overlap.RouteStatus `json:"status"`
}

func currentPilot() pilot {
	release := overlap.CurrentRelease()
	state := pilot{ContractVersion: overlap.Contract.Version, ReleaseState: release.ReleaseState,
		LiveEndpointEnabled: release.LiveEndpointEnabled, LiveReady: release.LiveReady, StorageState: release.StorageState,
		FallbackBehavior: overlap.FallbackBehavior}
	for _, review := range overlap.RequiredReviews() {
		state.RequiredReviews = append(state.RequiredReviews, pilotReview{review.Key, review.Text, review.State})
	}
	for _, route := range overlap.PlannedEndpoints() {
		state.PlannedEndpoints = append(state.PlannedEndpoints, pilotRoute{route.Method, route.Path, route.Status})
	}
	return state
}

func (p *program) printPilot() error {
	state := currentPilot()
	if p.json {
		return printJSON(p.Out, state)
	}
	var page wrappedPage
	page.heading("Private-overlap pilot: not live")
	page.pair(20, "contract", state.ContractVersion)
	page.pair(20, "release state", state.ReleaseState.String())
	page.pair(20, "live endpoint", enabled(state.LiveEndpointEnabled, "enabled", "disabled"))
	page.pair(20, "ready to go live", enabled(state.LiveReady, "yes", "no"))
	page.pair(20, "storage", state.StorageState.String())
	page.heading("Reviews that production use waits for")
	for _, review := range state.RequiredReviews {
		page.text("  ✗ "+review.State.String()+"  ", review.Text)
	}
	page.heading("Planned routes, none of which is served")
	for _, route := range state.PlannedEndpoints {
		page.text("  ", fmt.Sprintf("%s %s", route.Method, route.Path))
		page.text("      ", route.Status.String())
	}
	page.heading("Rules in this state")
	for i, rule := range overlap.Rules() {
		page.text(fmt.Sprintf("  %d. ", i+1), rule)
	}
	page.heading("A participant is told")
	page.text("  ", strings.Join(overlap.AllowedOutputs.Texts(), ", "))
	page.text("  never: ", strings.Join(overlap.ForbiddenOutputs.Texts(), ", "))
	page.heading("Why a request is blocked")
	for _, rule := range overlap.BlockerRules() {
		page.text("  ✗ ", rule.Code.String())
		page.text("      ", rule.Meaning)
	}
	_, err := io.WriteString(p.Out, page.String())
	return err
}

func enabled(on bool, yes, no string) string {
	if on {
		return yes
	}
	return no
}
