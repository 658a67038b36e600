package selftest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"docket/domain/overlap"
)

// overlapRoute checks what an answer holds and what a request may not.
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
	return fmt.Sprintf("%s with exactly result_bucket, receipt_id, blockers, the same whatever the token; %s refused without an echo; "+
		"the service reads no request, stores nothing and answers all of them with 403",
		counted(len(routeStatuses), "answer"), counted(len(texts), "request")), nil
}

// threeMembers asks twice, with different tokens, for one receipt id. Nothing of the token may make a difference.
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

// refusedRequests are requests that hold what no request may: each forbidden input and any unknown member at either
// level, free text in place of a tag, a member missing, twice or of a wrong type.
func refusedRequests() []brokenCopy {
	request := object{"tokens": []any{token(tag("1"))}}
	var copies []brokenCopy
	for _, name := range append(append(overlap.ForbiddenInputs.Texts(), overlap.ForbiddenStoredFields.Texts()...), "note", canary) {
		copies = append(copies, brokenCopy{name, encoded(edited(request, name, canary))},
			brokenCopy{name + " in a token", encoded(edited(request, "tokens/0/"+name, canary))})
	}
	for name, value := range token("") {
		copies = append(copies, brokenCopy{"no " + name, encoded(edited(request, "tokens/0/"+name, removed{}))},
			brokenCopy{"a wrong type in " + name, encoded(edited(request, "tokens/0/"+name, wrongFor(value)))},
			brokenCopy{"free text in " + name, encoded(edited(request, "tokens/0/"+name, "free text "+canary))})
	}
	doubled := twice(encoded(token(tag("1"))))
	return append(copies, brokenCopy{"no tokens", encoded(edited(request, "tokens", []any{}))},
		brokenCopy{"a double member", encoded(object{"tokens": []any{json.RawMessage(doubled)}})},
		brokenCopy{"no object", encoded(canary)}, brokenCopy{"nothing", nil})
}
