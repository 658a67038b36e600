package verifytest

import (
	"fmt"
	"testing"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// crowdCases is the number of cases and amendments over which a crowd's records are spread.
const crowdCases = 1000

// Crowd makes a log of n records on many cases and amendments; on each, a record supersedes the one before.
func Crowd(t testing.TB, n int) *Log {
	t.Helper()
	l := New(t)
	who := Person(Assigned, terms.NeutralReviewer)
	refs := make([]verify.Ref, min(n, crowdCases))
	for i := range refs {
		if i%4 == 3 {
			refs[i] = l.Hold(terms.AmendmentRecords, Amendment(fmt.Sprintf("amendment-%d", i), 1))
		} else {
			refs[i] = l.Hold(terms.AppealCases, AppealCase(fmt.Sprintf("case-%d", i), 1))
		}
	}
	inForce := make([]records.RecordID, len(refs))
	for i := range n {
		on := i % len(refs)
		record := l.Decide(refs[on], who, func(c *records.Choice) { c.Supersedes = inForce[on] })
		inForce[on] = record.Members().RecordID
		l.List = append(l.List, verify.Entry{Sequence: int64(i), Table: record.Table(), Document: record.Document(),
			Signature: l.Armored(record.Document(), Key(Assigned), records.SignatureNamespace), PacketSalt: Salt,
			Statement: ReasonsOf(record.Document())})
		l.grow(record.Document())
	}
	l.Sign()
	return l
}
