package bundle

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"docket/domain/records"
	"docket/store/verify"
)

// summaryText is the page. Parts in double braces are replaced.
//
//go:embed summary.txt
var summaryText string

// summary writes SUMMARY.md from the log alone, so that it can be written again.
func summary(head *verify.Head, report *verify.Report) []byte {
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	add("origin of the log: %s", head.Origin)
	add("verifier key of the checkpoint: %s", report.VerifierKey)
	add("entries: %d", report.Size)
	const leftOut = "entries left out, but for position and leaf hash: %d"
	switch {
	case head.Since != nil:
		add(leftOut+", before entry %d", report.LeftOut, verify.SizeOf(head.Since))
	case head.Assigned.Present():
		add(leftOut+", all but the packets assigned to %s", report.LeftOut, head.Assigned)
	case report.LeftOut > 0:
		add(leftOut+", of others", report.LeftOut)
	}
	statements := int64(len(head.Statements))
	add("packets: %d", report.Size-report.LeftOut-report.Records()-statements)
	add("statements: %d", statements)
	add("records: %d (%d on appeals, %d on amendments)", report.Records(), report.Appeals, report.Amendments)
	add("gate: %d pass, %d blocked", report.Passed, report.Records()-report.Passed)
	add("records that supersede another: %d", report.Superseded)
	add("root of the tree: %s", report.Root)
	var revoked []string
	for _, sequence := range report.NotInForce {
		revoked = append(revoked, strconv.FormatInt(sequence, 10))
	}
	if len(revoked) > 0 {
		add("positions of records that a revoked key signed, so that they are not in force: %s", strings.Join(revoked, " "))
	}
	if report.ServiceKey != "" {
		add("verifier key of the service: %s", report.ServiceKey)
		add("records that the service accepted, by its receipts: %d", report.Receipts)
		add("records that the service rejected: %d", report.Rejected)
	}
	for i := range report.Accepted {
		add("%s", report.Accepted[i].Sentence())
	}
	signers := []string{}
	for _, reviewer := range report.Reviewers {
		signers = append(signers, fmt.Sprintf("- %s %s: %d", reviewer.ID, reviewer.Fingerprint, reviewer.Records))
	}
	if len(signers) == 0 {
		signers = []string{"- none yet"}
	}
	var files []string
	for _, p := range parts {
		files = append(files, fmt.Sprintf("- `%s`: %s", p.Path, p.Content))
	}
	return []byte(strings.NewReplacer("{{Facts}}", "- "+strings.Join(facts, "\n- "), "{{Reviewers}}", strings.Join(signers, "\n"),
		"{{Parts}}", strings.Join(files, "\n"), "{{Revoked}}", strings.Join(revoked,
			", "), "{{Namespace}}", records.SignatureNamespace).Replace(summaryText))
}
