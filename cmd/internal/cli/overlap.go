package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	sumdbnote "golang.org/x/mod/sumdb/note"

	"docket/cmd/internal/output"
	"docket/domain/overlap"
	"docket/domain/terms"
	"docket/store"
	"docket/store/disk"
)

// newOverlap shows the state of the private-overlap pilot, and answers requests to its planned routes.
func newOverlap(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "overlap",
		Short: "Show the state of the private-overlap pilot, which is not live",
		Long: "Shows the pilot's release state, the five reviews that production use requires, the planned routes and the fallback.\n" +
			"Nothing in this program can mark a review complete or make the pilot live.",
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return p.printPilot() },
	}
	p.jsonFlag(cmd)
	cmd.AddCommand(
		p.newOverlapAction(overlap.CheckOverlap, "check [FILE]", "Answer a check request: blocked, with a receipt"),
		p.newOverlapAction(overlap.RefreshTokens, "refresh [FILE]", "Answer a request to refresh tokens: blocked, with a receipt"),
		p.newOverlapAction(overlap.DeleteTokens, "delete [FILE]", "Answer a request to delete tokens: blocked, with a receipt"),
		newOverlapVerify(p))
	return cmd
}

func newOverlapVerify(p *program) *cobra.Command {
	var encoded string
	cmd := &cobra.Command{
		Use:   "verify RECEIPT...",
		Short: "Verify overlap receipts and their chain",
		Long: "Checks that the key signed every RECEIPT (a receipt_id) and that each contains the hash of the one before it; exit\n" +
			"status 1 if not. --key takes the verifier key of a service, which its operator publishes; a service's receipts are\n" +
			"not chained. Without --key the receipts are checked with the key of this store.",
		Args: argumentCount(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if encoded != "" {
				return p.verifyReceipts(encoded, args)
			}
			return p.withReading(cmd.Context(), func(s *store.Store) error {
				own, err := s.Verifier(cmd.Context())
				if err != nil {
					return err
				}
				return p.verifyReceipts(own, args)
			})
		},
	}
	cmd.Flags().StringVar(&encoded, "key", "", "the verifier `KEY` of the service, as `docket serve` prints it")
	return cmd
}

func (p *program) verifyReceipts(encoded string, texts []string) error {
	key, err := sumdbnote.NewVerifier(encoded)
	if err != nil {
		return wrongUsage("--key takes a verifier key as `docket serve` prints it: NAME+HASH+KEY")
	}
	ids := make([]overlap.ReceiptID, len(texts))
	for i, text := range texts {
		ids[i] = overlap.ReceiptID(text)
	}
	receipts, err := overlap.OpenChain(key, ids)
	if err != nil {
		return &failure{Refused, err}
	}
	for _, receipt := range receipts {
		if _, err := fmt.Fprintf(p.Out, "genuine  %s  %s\n", receipt.At, receipt.Action); err != nil {
			return err
		}
	}
	return nil
}

func (p *program) newOverlapAction(action overlap.Action, use, short string) *cobra.Command {
	var after string
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long: "Reads {\"tokens\": [{\"blinded_tag\", \"tag_namespace\", \"token_version\", \"expires_at\"}]} from FILE or standard\n" +
			"input and prints {\"result_bucket\", \"receipt_id\", \"blockers\"}. The request is always blocked: exit status 1. The\n" +
			"receipt is signed with the key of the store's log; `docket overlap verify` verifies it. Neither the receipt nor the\n" +
			"tokens are stored. --after chains receipts. A request with any other member is refused.",
		Args: argumentCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withInput(args, func(name string, in io.Reader) error {
				return p.answerOverlap(cmd.Context(), action, overlap.ReceiptID(after), name, in)
			})
		},
	}
	cmd.Flags().StringVar(&after, "after", "", "the previous `RECEIPT`, issued by the same store")
	return cmd
}

// answerOverlap answers one request.
func (p *program) answerOverlap(ctx context.Context, action overlap.Action, after overlap.ReceiptID, name string, in io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(in, overlap.MaxRequestSize+1))
	if err != nil {
		return fmt.Errorf("%s: it cannot be read: %w", name, disk.Reason(err))
	}
	if refusal := overlap.CheckRequest(text); refusal != nil {
		return refused("%s: the request is refused: %w", name, refusal)
	}
	receipt := overlap.Receipt{Action: action, At: terms.InstantOf(p.Now().Truncate(time.Second))}
	rand.Read(receipt.Nonce[:])
	err = p.withReading(ctx, func(s *store.Store) error {
		if after != "" {
			if err := p.follow(ctx, s, &receipt, after); err != nil {
				return err
			}
		}
		id, err := s.SignReceipt(ctx, receipt)
		if err != nil {
			return err
		}
		return output.JSON(p.Out, overlap.AnswerTo(action, id))
	})
	if err != nil {
		return err
	}
	return errReported // blocked means refused
}

// follow chains a receipt to an earlier one of the same store.
func (p *program) follow(ctx context.Context, s *store.Store, receipt *overlap.Receipt, after overlap.ReceiptID) error {
	encoded, err := s.Verifier(ctx)
	if err != nil {
		return err
	}
	key, err := sumdbnote.NewVerifier(encoded)
	if err != nil {
		return err
	}
	if _, err := after.Open(key); err != nil {
		return refused("--after: %w; name a receipt that this store issued", err)
	}
	receipt.Previous = after.Link()
	return nil
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
		return output.JSON(p.Out, state)
	}
	var page output.Page
	page.Heading("Private-overlap pilot: not live")
	page.Pair(20, "contract", state.ContractVersion)
	page.Pair(20, "release state", state.ReleaseState.String())
	page.Pair(20, "live endpoint", enabled(state.LiveEndpointEnabled, "enabled", "disabled"))
	page.Pair(20, "ready to go live", enabled(state.LiveReady, "yes", "no"))
	page.Pair(20, "storage", state.StorageState.String())
	page.Heading("Reviews that production use requires")
	for _, review := range state.RequiredReviews {
		page.Text("  ✗ "+review.State.String()+"  ", review.Text)
	}
	page.Heading("Routes, which a service always answers with 403")
	for _, route := range state.PlannedEndpoints {
		page.Text("  ", fmt.Sprintf("%s %s", route.Method, route.Path))
		page.Text("      ", route.Status.String())
	}
	page.Heading("Rules in this state")
	for i, rule := range overlap.Rules() {
		page.Text(fmt.Sprintf("  %d. ", i+1), rule)
	}
	page.Heading("Participants may see")
	page.Text("  ", strings.Join(overlap.AllowedOutputs.Texts(), ", "))
	page.Text("  never: ", strings.Join(overlap.ForbiddenOutputs.Texts(), ", "))
	page.Heading("Why a request is blocked")
	for _, rule := range overlap.BlockerRules() {
		page.Text("  ✗ ", rule.Code.String())
		page.Text("      ", rule.Meaning)
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
