package bundle

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"
	"text/template"

	"docket/domain/records"
	"docket/store/verify"
)

//go:embed summary.md.tmpl
var summaryText string

// keyLabel starts the line of SUMMARY.md that holds the verifier key of the checkpoint.
const keyLabel = "- verifier key of the checkpoint: "

// summaryTemplate is only read. A mistake in it is a mistake of this package.
var summaryTemplate = template.Must(template.New(summaryFile).Parse(summaryText))

// digests are what SUMMARY.md says besides the report.
type digests struct {
	origin              string
	packets, rejections []byte
}

// written writes a digest.
func written(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// summary writes SUMMARY.md. It holds nothing but what follows from the log, so that it can be written again.
func summary(report *verify.Report, d digests) []byte {
	var text strings.Builder
	err := summaryTemplate.Execute(&text, map[string]any{
		"KeyLabel": keyLabel, "Key": report.VerifierKey, "Origin": d.origin, "Report": report,
		"Blocked": report.Appeals + report.Amendments - report.Passed, "Root": report.Root.String(),
		"Packets": written(d.packets), "Rejections": written(d.rejections), "Namespace": records.SignatureNamespace,
	})
	if err != nil {
		panic(fmt.Sprintf("bundle: the summary cannot be written: %v", err))
	}
	return []byte(text.String())
}

// verifierKey finds the verifier key in a SUMMARY.md; "" if there is none.
func verifierKey(text string) string {
	for line := range strings.Lines(text) {
		if key, found := strings.CutPrefix(line, keyLabel); found {
			return strings.TrimSuffix(key, "\n")
		}
	}
	return ""
}
