package records_test

import (
	"errors"
	"strings"
	"testing"

	"docket/domain/records"
)

// FuzzReadRejection holds a text to being read as a rejection only if it is the one text of that rejection.
func FuzzReadRejection(f *testing.F) {
	r := rejection()
	text := r.Text()
	for _, seed := range []string{"", text, text + "\n", strings.ToUpper(text), strings.Replace(text, "\n", "\r\n", 1), strings.TrimSuffix(text, "\n"),
		strings.Repeat("\n", 7), "docket-rejection/v1\n\n\n\n\n\n\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := records.ReadRejection(text)
		if err != nil {
			if !errors.Is(err, records.ErrRejection) || r != (records.Rejection{}) {
				t.Errorf("%+v, %v", r, err)
			}
			return
		}
		if r.Text() != text || !r.RecordID.Valid() || !r.Reason.Present() || !r.Digest.Present() || r.InForce.Present() && !r.InForce.Valid() {
			t.Errorf("%q is read as %+v", text, r)
		}
	})
}
