package bundle

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"slices"
	"strings"

	"docket/domain/signed"
	"docket/domain/statement"
	"docket/domain/visible"
	"docket/store/verify"
)

// Check checks the bundle in a folder: its log through verify.Check, then every file of it. With
// Options.VerifierKeys empty, the checkpoint is checked with the key that the bundle itself names,
// which the Report repeats for a person to compare. An error means that the bundle could not be
// read; it wraps ErrNoBundle if there is none.
func Check(ctx context.Context, dir string, o verify.Options) (report verify.Report, err error) {
	b, err := Open(dir)
	if err != nil {
		return verify.Report{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return checkBundle(ctx, b, o, nil)
}

// checkBundle calls told, unless nil, with each record and, if it can be read, what is stated of it.
func checkBundle(ctx context.Context, b *Bundle, o verify.Options, told func(*verify.Checked,
	*statement.Input)) (report verify.Report, err error) {
	m, err := newMaker(ctx, b, nil)
	if err != nil {
		return verify.Report{}, err
	}
	m.told = told
	if m.judgedAt, err = b.judgedAt(); err != nil {
		return verify.Report{}, err
	}
	each := o.Each
	o.Each = func(c verify.Checked) error {
		if err := m.add(c); err != nil || each == nil {
			return err
		}
		return each(c)
	}
	if report, err = verify.Check(ctx, b, o); err != nil {
		return verify.Report{}, err
	}
	manifest, err := m.finish(&report)
	if err != nil {
		return verify.Report{}, err
	}
	report.Since, report.Assigned = verify.SizeOf(m.head.Since), m.head.Assigned
	if m.head.OfOwner() {
		report.Owner = m.owner
	}
	c := &comparison{Bundle: b, report: &report, options: &o, sizes: m.out.sizes,
		due: map[string][sha256.Size]byte{}, listed: map[string][sha256.Size]byte{}}
	if err := errors.Join(c.compare(&manifest), c.strays()); err != nil {
		return verify.Report{}, err
	}
	for _, finding := range m.strange {
		report.Add(finding, &o)
	}
	if n := len(b.dosEnds); n > 0 {
		slices.Sort(b.dosEnds)
		c.found(verify.LineEndsChanged, fmt.Sprintf("files: %d, the first: %s", n, b.dosEnds[0]))
	}
	report.Cause = c.cause()
	return report, nil
}

// A comparison compares a bundle's files with those that follow from its log and with its MANIFEST.
type comparison struct {
	*Bundle
	report  *verify.Report
	options *verify.Options
	sizes   map[string]int64             // of the files that are due
	due     map[string][sha256.Size]byte // as they follow from the log
	listed  map[string][sha256.Size]byte // as the MANIFEST lists them; nil without a MANIFEST

	changed      []string // files that are not as the MANIFEST lists them
	manifestSize int64    // of the log, as the MANIFEST has it
}

func (c *comparison) found(code verify.Code, name string) {
	c.report.Add(verify.Finding{Sequence: verify.NoSequence, Code: code, Detail: visible.String(name)}, c.options)
}

func (c *comparison) compare(manifest *signed.Manifest) error {
	if err := c.readManifest(manifest); err != nil {
		return err
	}
	for i := range manifest.Files {
		name, due := manifest.Files[i].Path, manifest.Files[i].SHA256
		c.due[name] = due
		there, is, err := c.digest(name, due)
		listed, isListed := c.listed[name]
		switch {
		case err != nil:
			return err
		case !is:
			c.found(verify.FileMissing, name)
		case there != due || isListed && listed != due:
			if c.found(verify.FileDiffers, name); isListed && there != listed {
				c.changed = append(c.changed, name)
			}
		case !isListed && c.listed != nil:
			c.found(verify.FileUnexpected, name)
		}
	}
	for _, name := range sortedNames(c.listed) {
		if _, is := c.due[name]; is {
			continue
		}
		code := verify.FileUnexpected
		if _, err := c.root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			code = verify.FileMissing
		}
		c.due[name] = c.listed[name]
		c.found(code, name)
	}
	return nil
}

func sortedNames(files map[string][sha256.Size]byte) (names []string) {
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// readManifest reads what the MANIFEST lists, and checks its signature if the checkpoint verifies.
func (c *comparison) readManifest(manifest *signed.Manifest) error {
	c.due[manifestFile], c.due[checkpointFile] = [sha256.Size]byte{}, [sha256.Size]byte{}
	text, err := c.readLines(manifestFile, int64(2*len(manifest.Text()))+maxSmall)
	if err != nil {
		return err
	}
	if text == nil {
		c.listed = nil
		c.found(verify.FileMissing, manifestFile)
		return nil
	}
	listed, ok := signed.ReadManifest(text, c.report.VerifierKey)
	c.manifestSize = listed.Size
	if !ok || listed.Origin != manifest.Origin || listed.Size != manifest.Size || listed.Root != manifest.Root {
		c.found(verify.FileDiffers, manifestFile)
	}
	for _, file := range listed.Files {
		c.listed[file.Path] = file.SHA256
	}
	if !ok && len(listed.Files) == 0 {
		c.listed = nil
	}
	return nil
}

// digest returns the digest of a file, and whether it is there; a file that is as due but for its
// line ends is noted, and has the digest due.
func (c *comparison) digest(name string, due [sha256.Size]byte) (digest [sha256.Size]byte, is bool, err error) {
	sum := sha256.New()
	if is, err = c.hash(name, func(file io.Reader) error { _, err := io.Copy(sum, file); return err }); err != nil || !is {
		return digest, is, err
	}
	if digest = [sha256.Size]byte(sum.Sum(nil)); digest == due {
		return digest, true, nil
	}
	sum.Reset()
	if _, err = c.hash(name, func(file io.Reader) error {
		return hashLines(sum, file)
	}); err == nil && [sha256.Size]byte(sum.Sum(nil)) == due {
		c.noteDOS(name)
		return due, true, nil
	}
	return digest, true, err
}

func (c *comparison) hash(name string, take func(io.Reader) error) (bool, error) {
	file, err := c.open(name)
	if err != nil || file == nil {
		return false, err
	}
	// Of a file that is longer than it could be with changed line ends no more is read.
	if err = errors.Join(take(io.LimitReader(file, 2*c.sizes[name]+1)), file.Close()); err != nil {
		return false, fmt.Errorf("read %s: %w", visible.String(name), err)
	}
	return true, nil
}

// hashLines hashes a file in which every line ended with CR LF as it would be with LF.
func hashLines(sum hash.Hash, file io.Reader) error {
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if bare, cut := bytes.CutSuffix(line, []byte("\r\n")); cut {
			line = append(bare, '\n')
		} else if err == nil {
			sum.Write([]byte("\r")) // a line as it was: not all of them were changed
		}
		sum.Write(line)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// maxDepth is the depth of the tiles of the longest log.
const maxDepth = 12

// strays finds what is no part of the bundle; what file managers left is only a note.
func (c *comparison) strays() error {
	var names []string
	beside := c.entries.beside()
	within := func(name string) bool {
		return slices.Contains(folders, top(name)) && strings.Count(name, "/") < maxDepth
	}
	err := c.walk(".", within, func(name string, entry fs.DirEntry) {
		_, due := c.due[name]
		if !entry.Type().IsRegular() || !due && !beside(name) {
			names = append(names, name)
		}
	}, func(name string) { c.report.Beside = append(c.report.Beside, visible.String(name)) })
	slices.Sort(names)
	for _, name := range names {
		if !slices.ContainsFunc(c.report.Findings, func(f verify.Finding) bool {
			return f.Code == verify.FileUnexpected && f.Detail == visible.String(name)
		}) {
			c.found(verify.FileUnexpected, name)
		}
	}
	slices.Sort(c.report.Beside)
	return err
}
