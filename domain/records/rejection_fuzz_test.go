package records_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"docket/domain/records"
)

// FuzzReadRejection holds a text to being read as a rejection only if it is the one text of that rejection.
func FuzzReadRejection(f *testing.F) {
	r := rejection()
	text := r.Text()
	for _, seed := range []string{"", text, text + "\n", strings.ToUpper(text), strings.Replace(text, "\n", "\r\n", 1), strings.TrimSuffix(text, "\n"),
		strings.Repeat("\n", 7), "docket-rejection/v1\n\n\n\n\n\n\n", "\n" + text, strings.ReplaceAll(text, "\n", "\r\n")} {
		f.Add(seed)
	}
	lines := strings.Split(text, "\n")
	for i, wrong := range []string{"docket-rejection/v2", "", "not-a-record", "sha256:00", "no_reason", "", "no_code", "yesterday", "more"} {
		for _, line := range []string{wrong, lines[i] + " ", " " + lines[i]} {
			changed := slices.Clone(lines)
			changed[i] = line
			f.Add(strings.Join(changed, "\n"))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := records.ReadRejection(text)
		if err != nil {
			if !errors.Is(err, records.ErrRejection) || r != (records.Rejection{}) {
				t.Errorf("%+v, %v", r, err)
			}
			return
		}
		if r.Text() != text || r.Origin == "" || !r.RecordID.Valid() || !r.Reason.Present() || !r.Digest.Present() || r.InForce.Present() && !r.InForce.Valid() {
			t.Errorf("%q is read as %+v", text, r)
		}
	})
}
