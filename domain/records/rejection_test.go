package records_test

import (
	"strings"
	"testing"

	"docket/domain/internal/domaintest"
	"docket/domain/records"
	"docket/domain/terms"
)

func rejection() records.Rejection {
	at, _ := terms.ParseInstant(domaintest.Now)
	return records.Rejection{Origin: "docket/service/00", RecordID: domaintest.SampleRecordID, Digest: terms.HashOf([]byte("leaf")),
		Reason: records.PacketStale, InForce: domaintest.OtherRecordID, Carried: terms.SetOf(terms.NoticeMissing, terms.ScopeMissing), At: at}
}

func TestARejectionIsReadBackAsItWasWritten(t *testing.T) {
	for _, reason := range records.RejectionReasons.All() {
		for _, inForce := range []records.RecordID{"", domaintest.OtherRecordID} {
			r := rejection()
			r.Reason, r.InForce = reason, inForce
			if again, err := records.ReadRejection(r.Text()); err != nil || again != r {
				t.Errorf("%s: %+v, error %v", reason, again, err)
			}
		}
	}
}

func TestARejectionIsEightLines(t *testing.T) {
	r := rejection()
	want := "docket-rejection/v1\ndocket/service/00\n" + string(r.RecordID) + "\n" + r.Digest.String() + "\npacket_stale\n" +
		string(domaintest.OtherRecordID) + "\nnotice_missing scope_missing\n" + domaintest.Now + "\n"
	if r.Text() != want {
		t.Errorf("it reads\n%s", r.Text())
	}
	r.InForce, r.Carried = "", 0
	if lines := strings.Split(r.Text(), "\n"); len(lines) != 9 || lines[5] != "-" || lines[6] != "-" {
		t.Errorf("nothing in force reads\n%s", r.Text())
	}
}
