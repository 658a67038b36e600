package bundle

import (
	_ "embed"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"docket/domain/records"
	"docket/domain/shape"
	"docket/domain/terms"
	"docket/store/verify"
)

// summaryText is the page. Parts in double braces are replaced.
//
//go:embed summary.txt
var summaryText string

// keyLabel begins the line of SUMMARY.md with the verifier key of the checkpoint.
const keyLabel = "- verifier key of the checkpoint: "

// digests holds the values of SUMMARY.md that are not in the report.
type digests struct {
	origin                        string
	packets, rejections, receipts []byte
}

// written writes a digest.
func written(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// summary writes SUMMARY.md. It contains only what follows from the log, so that it can be written again.
func summary(report *verify.Report, d digests) []byte {
	var notInForce, passing, service, accepted, signers, files string
	if len(report.NotInForce) > 0 {
		var numbers []string
		for _, sequence := range report.NotInForce {
			numbers = append(numbers, strconv.FormatInt(sequence, 10))
		}
		notInForce = fmt.Sprintf("\n- records that a revoked key signed, so that they are not in force: %s", strings.Join(numbers, " "))
		passing = fmt.Sprintf("\n    if n in {%s}: continue  # a revoked key signed it: not in force", strings.Join(numbers, ", "))
	}
	if report.ServiceKey != "" {
		service = fmt.Sprintf("\n- verifier key of the service that records are handed in to: %s"+
			"\n- records that the service took in, by its receipts: %d", report.ServiceKey, report.Receipts)
		if report.Lost > 0 {
			service += fmt.Sprintf("\n- receipts of records that the service took in and lost in a restore: %d", report.Lost)
		}
		service += fmt.Sprintf("\n- digest over the receipts: %s\n- records that the service turned away: %d\n- digest over the rejections: %s",
			written(d.receipts), report.Rejected, written(d.rejections))
	}
	for i := range report.Accepted {
		accepted += "\n- " + report.Accepted[i].Sentence()
	}
	for _, reviewer := range report.Reviewers {
		signers += fmt.Sprintf("\n- %s %s: %d", reviewer.ID, reviewer.Fingerprint, reviewer.Records)
	}
	if signers == "" {
		signers = "\n- none yet"
	}
	for _, p := range partsIn(report) {
		files += fmt.Sprintf("\n| `%s` | %s |", p.Path(), p.Content())
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	return []byte(strings.NewReplacer(
		"{{KeyLabel}}", keyLabel, "{{Key}}", report.VerifierKey, "{{Origin}}", d.origin, "{{Namespace}}", records.SignatureNamespace,
		"{{Size}}", number(report.Size), "{{Appeals}}", number(report.Appeals), "{{Amendments}}", number(report.Amendments),
		"{{Passed}}", number(report.Passed), "{{Blocked}}", number(report.Appeals+report.Amendments-report.Passed),
		"{{Superseded}}", number(report.Superseded), "{{Root}}", report.Root.String(), "{{Packets}}", written(d.packets),
		"{{NotInForce}}", notInForce, "{{Passing}}", passing, "{{Service}}", service, "{{Accepted}}", accepted,
		"{{Reviewers}}", signers, "{{Parts}}", files,
	).Replace(summaryText))
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

// A sheet holds the records of one area as comma-separated values: the sequence, then one column for each member in the
// order of the record's shape, the members of an object as object.member. The words of a list are separated by spaces,
// and an absent member is empty.
type sheet struct {
	file    io.WriteCloser
	rows    *csv.Writer
	members []shape.MemberShape
	cells   []string
}

func newSheet(out output, path string, area terms.Area) (*sheet, error) {
	file, err := out.create(path)
	if err != nil {
		return nil, err
	}
	s := &sheet{file: file, rows: csv.NewWriter(file), members: records.EnforcementShape(area).Members}
	s.cells = append(s.cells, "sequence")
	for i := range s.members {
		member := &s.members[i]
		if member.Form.Shape == nil {
			s.cells = append(s.cells, member.Name)
			continue
		}
		for j := range member.Form.Shape.Members {
			s.cells = append(s.cells, member.Name+"."+member.Form.Shape.Members[j].Name)
		}
	}
	return s, s.rows.Write(s.cells)
}

// add appends a record.
func (s *sheet) add(sequence int64, document []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(document, &values); err != nil {
		return fmt.Errorf("record %d: %w", sequence, err)
	}
	s.cells = append(s.cells[:0], strconv.FormatInt(sequence, 10))
	for i := range s.members {
		member := &s.members[i]
		if member.Form.Shape == nil {
			s.cells = append(s.cells, cell(values[member.Name]))
			continue
		}
		var nested map[string]json.RawMessage
		if err := json.Unmarshal(values[member.Name], &nested); err != nil {
			return fmt.Errorf("record %d: %w", sequence, err)
		}
		for j := range member.Form.Shape.Members {
			s.cells = append(s.cells, cell(nested[member.Form.Shape.Members[j].Name]))
		}
	}
	return s.rows.Write(s.cells)
}

func (s *sheet) close() error {
	s.rows.Flush()
	if err := s.rows.Error(); err != nil {
		return err
	}
	return s.file.Close()
}

// cell returns a JSON value for a spreadsheet.
func cell(value json.RawMessage) string {
	var text string
	var list []string
	switch {
	case len(value) == 0 || string(value) == "null":
		return ""
	case json.Unmarshal(value, &text) == nil:
		return harmless(text)
	case json.Unmarshal(value, &list) == nil:
		return harmless(strings.Join(list, " "))
	}
	return harmless(string(value))
}

// formulaStarts lists the characters with which a formula of a spreadsheet may begin, and the quote itself.
const formulaStarts = "=+-@\t\r'"

// harmless prevents a spreadsheet from evaluating a cell: a cell that begins like a formula gets a leading quote. So
// does one that begins with a quote, so that removing one leading quote restores every cell.
func harmless(text string) string {
	if text != "" && strings.IndexByte(formulaStarts, text[0]) >= 0 {
		return "'" + text
	}
	return text
}
