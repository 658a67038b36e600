package bundle

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"docket/domain/records"
	"docket/domain/visible"
	"docket/store/verify"
)

// cause says in a clause what happened, where one thing explains what was found, such as changed
// line ends; "" if none does, as where a log was forged as a whole.
func (c *comparison) cause() string {
	missing, edited := c.missing(), changedRecords(c.report)
	signs := verify.SizeOf(c.head.Checkpoint)
	switch {
	case c.report.OK():
		return ""
	case len(missing) > 0:
		return "the copy is incomplete: " + ofFiles(missing, "missing")
	case c.manifestSize != signs:
		return fmt.Sprintf("files of an older export are mixed in: MANIFEST is of %d entries, checkpoint of %d", c.manifestSize, signs)
	case len(edited) > 0: // what else differs may only follow from them
		return ofFiles(edited, "changed, or of an older export")
	case len(c.changed) > 0:
		return ofFiles(c.changed, "changed, or of an older export")
	case len(c.ofAnother()) > 0:
		return "files of an older export are mixed in: " + ofFiles(c.ofAnother(), "not of this one")
	case len(c.dosEnds) > 0:
		return "line ends were changed on the way: " + ofFiles(c.dosEnds, "changed")
	}
	return ""
}

// ofFiles says what is wrong with files, of which it names the first.
func ofFiles(names []string, what string) string {
	if len(names) == 1 {
		return visible.String(names[0]) + " is " + what
	}
	return fmt.Sprintf("%d files are %s, the first: %s", len(names), what, visible.String(names[0]))
}

// ofAnother lists the files of another export of the log that was copied over this one.
func (c *comparison) ofAnother() (names []string) {
	for i := range c.report.Findings {
		f := &c.report.Findings[i]
		name := f.Detail
		id, _, _ := strings.Cut(path.Base(name), ".")
		switch {
		case f.Code == verify.TextAltered && strings.HasSuffix(name, verify.ThereAgain) && f.RecordID.Valid():
			names = append(names, textsFolder+"/"+string(f.RecordID)+jsonSuffix)
		case f.Code != verify.FileUnexpected:
		case slices.Contains(folders, top(name)) && (top(name) != recordsFolder || records.RecordID(id).Valid()):
			names = append(names, name)
		}
	}
	return slices.Compact(names)
}

// missing lists the files that the MANIFEST, or entries.csv, names and that are not there.
func (c *comparison) missing() (names []string) {
	names = append([]string{manifestFile, checkpointFile}, sortedNames(c.listed)...)
	for i := range c.entries.list {
		if record := c.entries.list[i].record; record != (verify.RecordName{}) {
			names = append(names, recordPath(record.ID()), signaturePath(record.ID()))
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		_, err := c.root.Lstat(name)
		return err == nil
	})
}

func changedRecords(report *verify.Report) (names []string) {
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.RecordID.Valid() && (f.Code == verify.SignatureInvalid || f.Code == verify.RecordAltered) {
			names = append(names, recordPath(f.RecordID))
		}
	}
	return slices.Compact(names)
}
