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
	"os"

	"docket/domain/packets"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/disk"
	"docket/store/verify"
)

// Check checks the bundle in a folder: its log through verify.Check, then every other file of it. With
// Options.VerifierKeys empty, the checkpoint is checked with the key that the bundle itself names, which the Report
// repeats for a person to compare. An error means that the bundle could not be read; it wraps ErrNoBundle if there is
// none.
func Check(ctx context.Context, dir string, o verify.Options) (report verify.Report, err error) {
	b, err := Open(dir)
	if err != nil {
		return verify.Report{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	return check(ctx, b, o)
}

// check checks an open bundle.
func check(ctx context.Context, b *Bundle, o verify.Options) (report verify.Report, err error) {
	became, err := readStandings(ctx, b)
	if err != nil {
		return verify.Report{}, err
	}
	compared := &comparison{folder: &b.folder}
	files, err := newDerived(compared, b.head.Origin, became)
	if err != nil {
		return verify.Report{}, err
	}
	defer func() { err = errors.Join(err, files.close()) }()
	var tree *verify.Tree
	each := o.Each
	o.Each = func(c verify.Checked) error {
		tree = c.Tree
		documents, err := documentsOf(&c, func(refs []verify.Ref) ([][]byte, error) { return b.Packets(ctx, refs) })
		if err != nil {
			return err
		}
		if err := files.add(&c, documents); err != nil {
			return err
		}
		if each != nil {
			return each(c)
		}
		return nil
	}
	var packets *layout
	end := o.End
	o.End = func(judged func(verify.Ref) bool) (err error) {
		packets, err = b.strayPackets(func(ref verify.Ref) bool { return files.belongs(ref, judged) })
		if err == nil && end != nil {
			err = end(judged)
		}
		return err
	}
	if report, err = verify.Check(ctx, b, o); err != nil {
		return verify.Report{}, err
	}
	if tree == nil {
		tree = &verify.Tree{}
	}
	if err := files.finish(&b.head, &report, tree); err != nil {
		return verify.Report{}, err
	}
	if err := compared.compareManifest(files.out.manifest(b.head.Origin, &report), report.VerifierKey); err != nil {
		return verify.Report{}, err
	}
	for _, finding := range compared.findings {
		report.Add(finding, &o)
	}
	// Files in the folder that are not part of the bundle.
	for _, l := range [...]*layout{b.layout, packets} {
		for _, name := range l.strays {
			report.Add(verify.Finding{Sequence: verify.NoSequence, Code: verify.FileUnexpected, Detail: shown(name)}, &o)
		}
	}
	return report, nil
}

// A comparison is an output that writes nothing: it compares the expected files with the existing ones.
type comparison struct {
	*folder
	findings []verify.Finding
}

func (c *comparison) found(code verify.Code, name string) {
	if len(c.findings) < verify.DefaultKeep {
		c.findings = append(c.findings, verify.Finding{Sequence: verify.NoSequence, Code: code, Detail: name})
	}
}

func (c *comparison) put(name string, due []byte) error {
	there, err := c.read(name, int64(len(due)))
	switch {
	case err != nil:
		return err
	case there == nil:
		c.found(verify.FileMissing, name)
	case !bytes.Equal(there, due):
		c.found(verify.FileDiffers, name)
	}
	return nil
}

// create compares a file that is made piece by piece.
func (c *comparison) create(name string) (io.WriteCloser, error) {
	if info, err := c.root.Lstat(name); errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		c.found(verify.FileMissing, name)
		return &comparedFile{of: c, name: name, differs: true}, nil
	}
	file, err := c.root.OpenFile(name, os.O_RDONLY|disk.Nonblocking, 0)
	if err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	return &comparedFile{of: c, name: name, file: file}, nil
}

type comparedFile struct {
	of      *comparison
	name    string
	file    *os.File // nil if there is none
	there   []byte
	differs bool
}

// Write compares the next expected bytes.
func (f *comparedFile) Write(due []byte) (int, error) {
	if f.differs {
		return len(due), nil
	}
	if len(f.there) < len(due) {
		f.there = make([]byte, len(due))
	}
	n, err := io.ReadFull(f.file, f.there[:len(due)])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, fmt.Errorf("read %s: %w", f.name, err)
	}
	f.differs = !bytes.Equal(f.there[:n], due)
	return len(due), nil
}

// Close compares the end.
func (f *comparedFile) Close() error {
	if f.file == nil {
		return nil
	}
	if !f.differs {
		n, err := f.file.Read(make([]byte, 1))
		if err != nil && !errors.Is(err, io.EOF) {
			return errors.Join(fmt.Errorf("read %s: %w", f.name, err), f.file.Close())
		}
		f.differs = n > 0
	}
	if f.differs {
		f.of.found(verify.FileDiffers, f.name)
	}
	return f.file.Close()
}

// An output takes the files that follow from the records: one that writes them, or one that compares them.
type output interface {
	put(path string, content []byte) error
	create(path string) (io.WriteCloser, error)
}

// A bufferedFile collects small writes into large ones: a page is written cell by cell.
type bufferedFile struct {
	*bufio.Writer
	file io.WriteCloser
}

func buffered(file io.WriteCloser) *bufferedFile {
	return &bufferedFile{bufio.NewWriterSize(file, 64<<10), file}
}

// Close passes on the rest.
func (f *bufferedFile) Close() error { return errors.Join(f.Flush(), f.file.Close()) }

// derived makes every file of a bundle that follows from its records, packets, signers and checkpoint.
type derived struct {
	out      *hashed
	tiles    tiles
	sheets   [2]*sheet // appeals, amendments
	trail    *provenance
	pages    *statement.Index // index.html
	page     *bufferedFile
	origin   string
	became   *standings
	packets  hash.Hash // over the packets of each record, in the order of the log
	answers  answers
	versions map[verify.Ref]bool
}

func newDerived(to output, origin string, became *standings) (*derived, error) {
	out := &hashed{output: to}
	d := &derived{out: out, tiles: tiles{out: out}, trail: newProvenance(out), origin: origin, became: became, packets: sha256.New(),
		answers: newAnswers(), versions: map[verify.Ref]bool{}}
	var err error
	if d.sheets[0], err = newSheet(out, appealsFile, terms.Appeals); err != nil {
		return nil, err
	}
	if d.sheets[1], err = newSheet(out, amendmentsFile, terms.Amendments); err != nil {
		return nil, err
	}
	page, err := out.create(indexFile)
	if err != nil {
		return nil, err
	}
	d.page = buffered(page)
	d.pages, err = statement.NewIndex(d.page, "Decisions", []string{
		fmt.Sprintf("This page holds every decision of the log %s, in the order in which they were recorded.", visible.String(origin)),
		"It was made from signed records. The records count, not the page: SUMMARY.md in the same folder holds the commands that check them."})
	return d, err
}

// add takes the next entry of the log. documents are those of its packets, in the order of its Refs.
func (d *derived) add(c *verify.Checked, documents [][]byte) error {
	if err := d.tiles.add(c.Entry.Document, c.Tree); err != nil {
		return err
	}
	for i, ref := range c.Refs {
		if i > 0 {
			d.versions[ref] = true
		}
		sum := sha256.Sum256(documents[i])
		_, _ = fmt.Fprintf(d.packets, "%s\n", packetPath(ref)) // a hash never fails
		d.packets.Write(sum[:])
	}
	d.answers.add(c)
	if c.Record.Document() == nil {
		return nil
	}
	in, err := d.became.statementOf(d.origin, c)
	if err != nil {
		return err
	}
	d.trail.add(c, &in.Standing)
	stated := statement.New(&in)
	if err := d.pages.Add(&stated); err != nil {
		return err
	}
	sheet := d.sheets[0]
	if c.Record.Table() == terms.AmendmentEnforcements {
		sheet = d.sheets[1]
	}
	return sheet.add(c.Entry.Sequence, c.Entry.Document)
}

// finish makes the files that need the whole log.
func (d *derived) finish(head *verify.Head, report *verify.Report, tree *verify.Tree) error {
	if err := d.tiles.finish(tree); err != nil {
		return err
	}
	for _, sheet := range d.sheets {
		if err := sheet.close(); err != nil {
			return err
		}
	}
	if err := errors.Join(d.pages.Close(), d.page.Close(), d.trail.finish()); err != nil {
		return err
	}
	if err := d.out.put(signersFile, allowedSigners(head.Signers, report.Reviewers)); err != nil {
		return err
	}
	d.answers.addService(head)
	d.answers.addServiceRecords(d.became.atService)
	return d.out.put(summaryFile, summary(report, digests{head.Origin, d.packets.Sum(nil), d.answers.rejections.Sum(nil), d.answers.receipts.Sum(nil)}))
}

// close releases what is kept until finish.
func (d *derived) close() error { return d.trail.close() }

// belongs reports whether a packet belongs to the records: it is the packet or the policy of a record, or a newer one
// than these.
func (d *derived) belongs(ref verify.Ref, judged func(verify.Ref) bool) bool {
	return d.versions[ref] || judged(ref)
}

// documentsOf returns the documents of an entry's packets, and reads those that the entry lacks from the log. A missing
// one is nil.
func documentsOf(c *verify.Checked, fetch func([]verify.Ref) ([][]byte, error)) ([][]byte, error) {
	documents := make([][]byte, 0, len(c.Refs))
	for i := range c.Packets {
		documents = append(documents, c.Packets[i].Document())
	}
	if rest := c.Refs[len(documents):]; len(rest) > 0 {
		fetched, err := fetch(rest)
		if err != nil {
			return nil, err
		}
		var reader packets.Reader
		for _, document := range fetched {
			if packet, err := reader.ReadStored(document); err == nil {
				document = packet.Document() // a store's own has the salt of the texts in it
			}
			documents = append(documents, document)
		}
	}
	return documents, nil
}
