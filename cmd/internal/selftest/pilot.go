package selftest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"docket/contracts/report"
	"docket/domain/overlap"
	"docket/domain/terms"
	"docket/store"
	"docket/ui/wording"
)

// routeStatuses are the statuses of the planned routes (source 3.4).
var routeStatuses = map[overlap.Action]string{
	overlap.CheckOverlap:  "governance_gated",
	overlap.RefreshTokens: "blocked_pending_crypto_review",
	overlap.DeleteTokens:  "blocked_pending_crypto_review",
}

// openReviews is the number of reviews that production use requires.
const openReviews = 5

// outputMembers are the members of an answer (source 2.4, participantOutput).
var outputMembers = []string{"result_bucket", "receipt_id", "blockers"}

// tokenText is a request of one token.
func tokenText(tag string) []byte {
	return encoded(object{"tokens": []any{token(tag)}})
}

func token(tag string) object {
	return object{"blinded_tag": tag, "tag_namespace": "exact_capability_tag", "token_version": 1,
		"expires_at": "2099-01-01T00:00:00Z"}
}

// tag is a blinded tag of one repeated digit.
func tag(digit string) string { return strings.Repeat(digit, 64) }

// sampleReceipt is the receipt of an answer where any receipt will do.
const sampleReceipt overlap.ReceiptID = "receipt"

// overlapGate checks that the pilot stays behind its gate.
func overlapGate(ctx context.Context, b *bench) (string, error) {
	if err := b.releaseStated(); err != nil {
		return "", err
	}
	state := b.pilot()
	if r := state.release; r.ReleaseState.String() != "governance_gated_pilot" || r.LiveEndpointEnabled || r.LiveReady ||
		r.StorageState.String() != "pilot_schema_created" {
		return "", errors.New("the pilot is not in the state governance_gated_pilot, with its endpoint disabled")
	}
	if !slices.Equal(state.states, []string{overlap.ReviewOpen.String()}) {
		return "", errors.New("a review can be in another state than open")
	}
	open := map[string]bool{}
	for _, review := range state.reviews {
		if review.State != overlap.ReviewOpen {
			return "", fmt.Errorf("%s is not open", review.Key)
		}
		open[review.Blocker.String()] = true
	}
	if len(state.reviews) != openReviews || len(open) != openReviews {
		return "", errors.New("there are not five reviews with a blocker each")
	}
	if len(state.endpoints) != len(routeStatuses) {
		return "", errors.New("there are not three planned routes")
	}
	for _, endpoint := range state.endpoints {
		if err := b.routeBlocked(endpoint, open); err != nil {
			return "", fmt.Errorf("%s: %w", endpoint.Action, err)
		}
	}
	if err := b.overlapServed(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, not live; %s answer blocked, at the service too; %s, and no other state of a review", state.release.ReleaseState,
		wording.Plural(len(state.endpoints), "route", "routes"), wording.Plural(len(state.reviews), "open review", "open reviews")), nil
}

// releaseStated holds what the contract publishes of the release to source 3.3.
func (b *bench) releaseStated() error {
	published, _, err := b.published(report.Overlap)
	if err != nil {
		return err
	}
	for name, want := range map[string]any{"releaseState": "governance_gated_pilot", "liveEndpointEnabled": false,
		"liveReady": false, "storageState": "pilot_schema_created"} {
		if at(published, bodyPointer+"/"+name) != want {
			return fmt.Errorf("the contract does not state %s as it is", name)
		}
	}
	return nil
}

// routeBlocked calls a route: it has to have its status, and to answer with that and with every open review as
// blockers.
func (b *bench) routeBlocked(endpoint overlap.Endpoint, open map[string]bool) error {
	status, known := routeStatuses[endpoint.Action]
	if !known || endpoint.Status.String() != status {
		return errors.New("it has not the status that the contract gives it")
	}
	_, blockers, err := b.asked(endpoint.Action, tokenText(tag("1")))
	if err != nil {
		return err
	}
	if !slices.Contains(blockers, status) {
		return fmt.Errorf("its answer does not block with %s", status)
	}
	for code := range open {
		if !slices.Contains(blockers, code) {
			return fmt.Errorf("its answer does not block with %s", code)
		}
	}
	return nil
}

// asked returns the answer of a route and its blockers.
func (b *bench) asked(action overlap.Action, text []byte) (answer object, blockers []string, err error) {
	given, refusal := b.answer(action, text, sampleReceipt)
	if refusal != nil {
		return nil, nil, refusal
	}
	if answer, err = decoded(given); err != nil {
		return nil, nil, err
	}
	list, _ := answer["blockers"].([]any)
	for _, entry := range list {
		code, _ := entry.(string)
		if _, err := overlap.Blockers.Parse(code); err != nil {
			return nil, nil, errors.New("an answer blocks with what is no code")
		}
		blockers = append(blockers, code)
	}
	return answer, blockers, nil
}

// overlapRoute checks the members of an answer, and that requests with other members are refused.
func overlapRoute(ctx context.Context, b *bench) (string, error) {
	for action := range routeStatuses {
		if err := b.threeMembers(action); err != nil {
			return "", fmt.Errorf("%s: %w", action, err)
		}
	}
	texts := refusedRequests()
	for _, c := range texts {
		given, refusal := b.answer(overlap.CheckOverlap, c.record, sampleReceipt)
		if refusal == nil || given != nil {
			return "", fmt.Errorf("a request with %s is answered", c.what)
		}
		if strings.Contains(refusal.Error(), canary) {
			return "", fmt.Errorf("the refusal of a request with %s repeats it", c.what)
		}
	}
	if err := b.overlapServed(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s with exactly result_bucket, receipt_id, blockers, the same for every token; %s refused without an echo; "+
		"the service reads no request, stores nothing and answers all of them with 403",
		wording.Plural(len(routeStatuses), "answer", "answers"), wording.Plural(len(texts), "request", "requests")), nil
}

// threeMembers makes two requests with different tokens for one receipt id. The answers must not differ.
func (b *bench) threeMembers(action overlap.Action) error {
	first, refusal := b.answer(action, tokenText(tag("1")), sampleReceipt)
	if refusal != nil {
		return refusal
	}
	second, refusal := b.answer(action, tokenText(tag("2")), sampleReceipt)
	if refusal != nil {
		return refusal
	}
	if !bytes.Equal(first, second) {
		return errors.New("the answer depends on the token")
	}
	answer, err := decoded(first)
	if err != nil {
		return err
	}
	if err := withMembers("an answer", answer, outputMembers...); err != nil {
		return err
	}
	if answer["receipt_id"] != string(sampleReceipt) {
		return errors.New("the answer does not name its receipt")
	}
	return nil
}

// refusedRequests returns invalid requests: with each forbidden input and an unknown member at either level, with free
// text in place of a tag, and with a member that is missing, doubled or of a wrong type.
func refusedRequests() []brokenCopy {
	request := object{"tokens": []any{token(tag("1"))}}
	var copies []brokenCopy
	for _, name := range append(append(overlap.ForbiddenInputs.Texts(), overlap.ForbiddenStoredFields.Texts()...), "note", canary) {
		copies = append(copies, brokenCopy{name, encoded(edited(request, name, canary))},
			brokenCopy{fmt.Sprintf("%s in a token", name), encoded(edited(request, "tokens/0/"+name, canary))})
	}
	for name, value := range token("") {
		copies = append(copies, brokenCopy{fmt.Sprintf("no %s", name), encoded(edited(request, "tokens/0/"+name, removed{}))},
			brokenCopy{fmt.Sprintf("a wrong type in %s", name), encoded(edited(request, "tokens/0/"+name, wrongFor(value)))},
			brokenCopy{fmt.Sprintf("free text in %s", name), encoded(edited(request, "tokens/0/"+name, fmt.Sprintf("free text %s", canary)))})
	}
	doubled := twice(encoded(token(tag("1"))))
	return append(copies, brokenCopy{"no tokens", encoded(edited(request, "tokens", []any{}))},
		brokenCopy{"a double member", encoded(object{"tokens": []any{json.RawMessage(doubled)}})},
		brokenCopy{"no object", encoded(canary)}, brokenCopy{"nothing", nil})
}

// chained is how many receipts a chain is checked with.
const chained = 5

// receiptChain makes a chain of receipts, checks it, and then checks tampered copies. The signing store does not keep
// them.
func receiptChain(ctx context.Context, b *bench) (string, error) {
	s, o, err := b.openWith(ctx)
	if err != nil {
		return "", err
	}
	key, err := verifierOf(ctx, s)
	if err != nil {
		return "", err
	}
	var chain []overlap.ReceiptID
	err = unwritten(ctx, o.Path, func() error {
		chain, err = b.receipts(ctx, s)
		return err
	})
	if err != nil {
		return "", err
	}
	receipts, err := b.openChain(key, chain)
	if err != nil || len(receipts) != chained {
		return "", errors.Join(err, fmt.Errorf("the chain of %s does not verify", wording.Plural(len(receipts), "receipt", "receipts")))
	}
	other, err := b.otherChain(ctx)
	if err != nil {
		return "", err
	}
	copies := tamperedReceipts(chain, other)
	for _, c := range copies {
		if _, err := b.openChain(key, c.chain); err == nil {
			return "", fmt.Errorf("nothing is found where %s", c.what)
		}
	}
	return fmt.Sprintf("%s, each signed and after the one before, verify; %s found; none is stored", wording.Plural(chained, "receipt", "receipts"),
		wording.Plural(len(copies), "tampered chain", "tampered chains")), nil
}

// verifierOf returns the public key of a store's log.
func verifierOf(ctx context.Context, s *store.Store) (note.Verifier, error) {
	encoded, err := s.Verifier(ctx)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(encoded)
}

// receipts answers requests as `docket overlap --after` does, and returns the receipts.
func (b *bench) receipts(ctx context.Context, s *store.Store) (chain []overlap.ReceiptID, err error) {
	for i := range chained {
		action := overlap.Actions.All()[i%overlap.Actions.Len()]
		r := overlap.Receipt{Action: action, At: terms.InstantOf(b.now().Truncate(time.Second))}
		rand.Read(r.Nonce[:])
		if i > 0 {
			r.Previous = chain[i-1].Link()
		}
		id, err := s.SignReceipt(ctx, r)
		if err != nil {
			return nil, err
		}
		if _, refusal := b.answer(action, tokenText(tag("a")), id); refusal != nil {
			return nil, refusal
		}
		chain = append(chain, id)
	}
	return chain, nil
}

// otherChain returns the chain of another store.
func (b *bench) otherChain(ctx context.Context) ([]overlap.ReceiptID, error) {
	s, _, err := b.openWith(ctx)
	if err != nil {
		return nil, err
	}
	return b.receipts(ctx, s)
}

// A tampered is a tampered chain with a description of the change.
type tampered struct {
	what  string
	chain []overlap.ReceiptID
}

// tamperedReceipts returns copies of a chain in which each receipt in turn was edited, replaced with one of another
// store, moved behind the next, or removed from between two others.
func tamperedReceipts(whole, other []overlap.ReceiptID) []tampered {
	var copies []tampered
	add := func(what string, i int, change func(list []overlap.ReceiptID) []overlap.ReceiptID) {
		copies = append(copies, tampered{fmt.Sprintf("receipt %d was %s", i+1, what), change(slices.Clone(whole))})
	}
	for i := range whole {
		add("edited", i, func(list []overlap.ReceiptID) []overlap.ReceiptID {
			text := []byte(list[i])
			text[10] ^= 1 // in the time
			list[i] = overlap.ReceiptID(text)
			return list
		})
		add("put in from another store", i, func(list []overlap.ReceiptID) []overlap.ReceiptID {
			list[i] = other[i]
			return list
		})
		if i+1 < len(whole) {
			add("moved", i, func(list []overlap.ReceiptID) []overlap.ReceiptID {
				list[i], list[i+1] = list[i+1], list[i]
				return list
			})
		}
		if i > 0 && i+1 < len(whole) {
			add("removed", i, func(list []overlap.ReceiptID) []overlap.ReceiptID { return slices.Delete(list, i, i+1) })
		}
	}
	return copies
}
