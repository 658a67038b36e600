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
	facts := []string{
		fmt.Sprintf("origin of the log: %s", head.Origin),
		fmt.Sprintf("verifier key of the checkpoint: %s", report.VerifierKey),
		fmt.Sprintf("records: %d (%d on appeals, %d on amendments)", report.Size, report.Appeals, report.Amendments),
		fmt.Sprintf("gate: %d pass, %d blocked", report.Passed, report.Appeals+report.Amendments-report.Passed),
		fmt.Sprintf("records that supersede another: %d", report.Superseded),
		fmt.Sprintf("root of the tree: %s", report.Root),
	}
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	switch {
	case head.Since != nil:
		add("records before record %d, of which only leaf hashes are here: %d", verify.SizeOf(head.Since), report.LeftOut)
	case head.Assigned.Present():
		add("packets that are assigned to %s; records, of which only leaf hashes are here: %d", head.Assigned, report.LeftOut)
	case report.LeftOut > 0:
		add("records of others, of which only leaf hashes are here: %d", report.LeftOut)
	}
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
