package client

import (
	"errors"
	"strings"
	"testing"

	"docket/cmd/internal/api"
)

func FuzzAnAnswerIsReadWholeOrRefusedWithoutBeingRepeated(f *testing.F) {
	f.Add(`{"packets": [{"a": 1}], "cursor": "c", "more": true, "key": "k"}`)
	f.Add(`{"receipt": {"recordId": "01910000-0000-7000-8000-000000000001", "sequence": 4, "leafHash": "x", "treeSize": 5, "root": "x"}, "checkpoint": ""}`)
	f.Add(`{"type": "urn:docket:problem:packet_stale", "status": 409, "changes": ["x"], "stated": ["notice_missing"], "latest": 4}`)
	f.Add(`{"size": 1e400, "CANARY": [[[]]]}`)
	f.Fuzz(func(t *testing.T, body string) {
		text := []byte(strings.ReplaceAll(body, "\x00", "CANARY"))
		_, page := readAnswer(text, pageShape)
		_, enforced := readAnswer(text, enforcedShape)
		read := 0
		for _, err := range []error{page, enforced} {
			if err == nil {
				read++
			} else if !errors.Is(err, ErrUnreadable) || strings.Contains(err.Error(), "CANARY") {
				t.Error(err)
			}
		}
		if read > 1 {
			t.Errorf("%s is %d answers", text, read)
		}
		for _, status := range []int{200, 302, 401, 409, 503} {
			err := problemOf(&reply{status: status, media: api.ProblemJSON, body: text})
			var problem *api.Problem
			if errors.As(err, &problem) && (problem.Status != status || status < 400) || !errors.As(err, &problem) && !errors.Is(err, ErrUnreadable) {
				t.Errorf("%d: %v", status, err)
			}
		}
	})
}
