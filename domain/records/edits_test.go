package records_test

import (
	"encoding/json"
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
)

// samples are what a word after $ stands for in edits.
var samples = strings.NewReplacer("$hash", domaintest.OtherHash, "$recorded", domaintest.RecordedAt,
	"$opened", domaintest.OpenedAt, "$record", string(domaintest.OtherRecordID), "$rechecked", domaintest.RecheckedAt,
	"$farAhead", domaintest.FarAhead, "$longAgo", domaintest.LongAgo, "$fingerprint", domaintest.Fingerprint)

// edits reads edits such as `/gate = "pass"; -/policy`.
func edits(text string) (list []domaintest.Edit) {
	for edit := range strings.SplitSeq(samples.Replace(text), ";") {
		edit = strings.TrimSpace(edit)
		if pointer, del := strings.CutPrefix(edit, "-"); del {
			list = append(list, domaintest.Del(pointer))
		} else if edit != "" {
			pointer, written, _ := strings.Cut(edit, " = ")
			var value any
			if err := json.Unmarshal([]byte(written), &value); err != nil {
				panic(edit)
			}
			list = append(list, domaintest.Set(pointer, value))
		}
	}
	return list
}

// forged is the record with some members changed, which still has to be readable.
func forged(t *testing.T, record records.Enforcement, changes ...domaintest.Edit) records.Enforcement {
	t.Helper()
	read, err := domaintest.Reread(record.Members().Area, domaintest.Edited(record, changes...))
	if err != nil {
		t.Fatal(err)
	}
	return read
}
