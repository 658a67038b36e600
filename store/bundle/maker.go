package bundle

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/pages"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/statement"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store/verify"
)

// A Source is a log that can be exported: it names its packets and signs the export's manifest.
type Source interface {
	verify.Source
	// SignManifest signs it as a note. It signs nothing that is no manifest of the log.
	SignManifest(ctx context.Context, manifest signed.Manifest) ([]byte, error)
}

// An output writes a bundle's files, if it has a folder, and keeps the digests for the MANIFEST.
type output struct {
	folder *folder
	files  []signed.ManifestFile
	sizes  map[string]int64
}

func (o *output) list(path string, digest [sha256.Size]byte, size int64) {
	o.files, o.sizes[path] = append(o.files, signed.ManifestFile{Path: path, SHA256: digest}), size
}

// put adds a file that the MANIFEST lists.
func (o *output) put(path string, content []byte) error {
	o.list(path, sha256.Sum256(content), int64(len(content)))
	return o.write(path, content)
}

// write adds a file to which the tree or a record vouches.
func (o *output) write(path string, content []byte) error {
	if o.folder == nil {
		return nil
	}
	return o.folder.put(path, content)
}

// create adds a file that is made piece by piece.
func (o *output) create(path string) (*outputFile, error) {
	f := &outputFile{of: o, path: path, sum: sha256.New()}
	to := []io.Writer{f.sum, &f.size}
	if o.folder != nil {
		var err error
		if f.file, err = o.folder.create(path); err != nil {
			return nil, err
		}
		to = append(to, f.file)
	}
	f.Writer = bufio.NewWriterSize(io.MultiWriter(to...), 64<<10)
	return f, nil
}

type length int64

func (n *length) Write(p []byte) (int, error) {
	*n += length(len(p))
	return len(p), nil
}

// An outputFile hashes its content, whether it is written or not.
type outputFile struct {
	*bufio.Writer
	of   *output
	path string
	sum  hash.Hash
	size length
	file io.WriteCloser // nil: it is not written
}

// Close ends the file.
func (f *outputFile) Close() error {
	err := f.Flush()
	f.of.list(f.path, [sha256.Size]byte(f.sum.Sum(nil)), int64(f.size))
	if f.file != nil {
		err = errors.Join(err, f.file.Close())
	}
	return err
}

type maker struct {
	out      output
	ctx      context.Context
	log      verify.Source
	head     verify.Head
	became   *standings
	entries  *outputFile
	stated   int // how many statements were added
	tiles    tiles
	sheets   [2]*sheet // appeals, amendments
	trail    provenance
	reliance reliance
	judgedAt terms.Instant // what may be relied on; absent: the time of the newest record
	pages    *pages.Index
	page     *outputFile
	owner    terms.ID         // of the records, if there is one owner
	strange  []verify.Finding // about single files
	tree     *verify.Tree
	reader   packets.Reader
	told     func(*verify.Checked, *statement.Input) // of each record; nil: nobody
}

func newMaker(ctx context.Context, log verify.Source, into *folder) (*maker, error) {
	m := &maker{out: output{folder: into, sizes: map[string]int64{}}, ctx: ctx, log: log, tree: &verify.Tree{}, reliance: newReliance()}
	var err error
	if m.head, err = log.Head(ctx); err != nil {
		return nil, fmt.Errorf("read the head of the log: %w", err)
	}
	if m.became, err = readStandings(ctx, log); err != nil {
		return nil, err
	}
	m.tiles = tiles{out: &m.out, hashesOnly: m.head.Partial}
	if m.trail, err = newProvenance(&m.out); err != nil {
		return nil, err
	}
	if m.entries, err = m.out.create(entriesFile); err != nil {
		return nil, err
	}
	if m.sheets[0], err = newSheet(&m.out, appealsFile, terms.Appeals); err != nil {
		return nil, err
	}
	if m.sheets[1], err = newSheet(&m.out, amendmentsFile, terms.Amendments); err != nil {
		return nil, err
	}
	if m.page, err = m.out.create(indexFile); err != nil {
		return nil, err
	}
	m.pages, err = pages.NewIndex(m.page, "Decisions", []string{
		fmt.Sprintf(
			"This page holds every decision of the log %s that is in this folder, in the order in which they were recorded.",
			visible.String(m.head.Origin)),
		"It was made from signed records. The records count, not the page: SUMMARY.md in the same folder holds the commands that check them."})
	if err == nil {
		_, err = m.entries.WriteString(entriesHead)
	}
	return m, err
}

func (m *maker) add(c verify.Checked) error {
	m.tree = c.Tree
	id := c.Entry.RecordID
	if c.Record.Document() != nil {
		id = c.Record.Members().RecordID
	}
	if _, err := m.entries.WriteString(entryLine(&c.Entry, id)); err != nil {
		return err
	}
	if err := m.tiles.add(c.Entry.Leaf(), c.Tree); err != nil {
		return err
	}
	switch {
	case c.Entry.LeftOut:
		return nil
	case c.Entry.Kind == records.PacketEntry:
		return m.addPacket(&c.Entry)
	case c.Entry.Kind == records.StatementEntry:
		return m.addStatement(&c.Entry)
	case c.Record.Document() == nil:
		m.tell(&c, nil)
		return nil
	}
	if err := m.addFiles(id, &c.Entry); err != nil {
		return err
	}
	in, err := m.became.statementOf(m.head.Origin, &c)
	if err != nil {
		return err
	}
	m.tell(&c, &in)
	if err := m.trail.add(&c, &in.Standing); err != nil {
		return err
	}
	if s := &in.Standing; !s.Revoked && !s.Rejected && !s.SupersededBy.Present() {
		m.reliance.record(c.Record.Members())
	}
	stated := statement.New(&in)
	if err := m.pages.Add(&stated); err != nil {
		return err
	}
	m.noteOwner(c.Record.Members().OwnerID, recordPath(id))
	sheet := m.sheets[0]
	if c.Record.Table() == terms.AmendmentEnforcements {
		sheet = m.sheets[1]
	}
	return sheet.add(c.Entry.Sequence, c.Entry.Document)
}

func (m *maker) tell(c *verify.Checked, in *statement.Input) {
	if m.told != nil {
		m.told(c, in)
	}
}

func (m *maker) noteOwner(owner terms.ID, path string) {
	if !m.owner.Present() {
		m.owner = terms.ID(strings.Clone(string(owner)))
	}
	if m.head.OfOwner() && (owner != m.owner || !owner.Present()) {
		m.found(verify.FileUnexpected, path+" is not of the owner whom the export is for")
	}
}

func (m *maker) found(code verify.Code, detail string) {
	m.strange = append(m.strange, code.OfLog(visible.String(detail)))
}

func (m *maker) addFiles(id records.RecordID, e *verify.Entry) error {
	for _, file := range [...]struct {
		path    string
		content []byte
		add     func(string, []byte) error
	}{
		{recordPath(id), e.Document, m.out.write},
		{signaturePath(id), e.Signature, m.out.write},
		{saltPath(id), present(e.PacketSalt != "", e.PacketSalt.Document), m.out.write}, // else erased
		{reasonsPath(id), present(e.Statement.Present(), e.Statement.Document), m.out.write},
		{of(receiptsFolder, id), present(e.Acceptance != nil, e.Acceptance.Document), m.out.put},
	} {
		if file.content == nil {
			continue
		}
		if err := file.add(file.path, file.content); err != nil {
			return err
		}
	}
	return nil
}

func present(is bool, document func() []byte) []byte {
	if !is {
		return nil
	}
	return document()
}

// finish makes the files that need the whole log, and returns the manifest.
func (m *maker) finish(report *verify.Report) (manifest signed.Manifest, err error) {
	if err := m.tiles.finish(m.tree); err != nil {
		return manifest, err
	}
	if err := errors.Join(m.sheets[0].close(), m.sheets[1].close(), m.pages.Close(), m.page.Close(),
		m.entries.Close(), m.trail.Close()); err != nil {
		return manifest, err
	}
	at := m.judgedAt
	if !at.Present() {
		at = report.Newest
	}
	if err := errors.Join(m.addReliance(at), m.addEvidence()); err != nil {
		return manifest, err
	}
	if err := m.out.write(checkpointFile, m.head.Checkpoint); err != nil {
		return manifest, err
	}
	for path, content := range map[string][]byte{
		sinceFile:      m.head.Since,
		assignedFile:   present(m.head.Assigned.Present(), func() []byte { return []byte(m.head.Assigned + "\n") }),
		keyFile:        keyLines(logKeys(report)),
		signersFile:    allowedSigners(m.head.Signers, report.Reviewers),
		summaryFile:    summary(&m.head, report),
		attributesFile: []byte("* -text\n"),
	} {
		if content == nil {
			continue
		}
		if err := m.out.put(path, content); err != nil {
			return manifest, err
		}
	}
	json.Sort(m.out.files, func(a, b signed.ManifestFile) int { return strings.Compare(a.Path, b.Path) })
	return signed.Manifest{Origin: m.head.Origin, Size: report.Size, Root: report.Root, Files: m.out.files}, nil
}

// logKeys returns the verifier keys of the log, the newest last.
func logKeys(report *verify.Report) (keys []string) {
	for i := range report.Lineage {
		keys = append(keys, report.Lineage[i].Key)
	}
	return keys
}

// addPacket adds a packet as it is stored, and the texts that lie beside it.
func (m *maker) addPacket(e *verify.Entry) error {
	ref := verify.Ref{Table: e.Table, Key: e.Key}
	m.reliance.packet(ref)
	if e.Document == nil {
		return nil
	}
	if packet, err := m.reader.ReadStored(e.Document); err == nil {
		if ref.Table == terms.RecordTable(terms.AreaOf(ref.Table)) {
			m.noteOwner(packet.Amendment().Record().OwnerID, packetPath(ref))
		}
		m.checkTexts(e, packet)
	}
	err := m.out.put(packetPath(ref), e.Document)
	if err == nil && e.Texts != nil {
		err = m.out.write(packetTextsPath(ref), e.Texts)
	}
	return err
}

// checkTexts names the file of the texts of a packet that does not fit it, or is missing.
func (m *maker) checkTexts(e *verify.Entry, packet packets.Packet) {
	name := packetTextsPath(verify.Ref{Table: e.Table, Key: e.Key})
	_, err := m.reader.ReadStored(packets.Joined(e.Document, e.Texts))
	switch {
	case e.Texts == nil && m.became.erased.Left(packet) == verify.TextMissing:
		m.found(verify.FileMissing, name)
	case err != nil || e.Texts != nil && len(e.Texts) == 0:
		m.found(verify.FileDiffers, name)
	}
}

// addStatement adds the statement of an entry, which is the next one, with its signatures.
func (m *maker) addStatement(e *verify.Entry) error {
	if m.stated++; m.stated > len(m.head.Statements) {
		return nil // the verifier has found that the log does not list it
	}
	s := &m.head.Statements[m.stated-1]
	for _, part := range [...]struct {
		suffix  string
		content []byte
	}{{textSuffix, e.Document}, {sshSuffix, s.Signature}, {logSuffix, s.LogSignature}} {
		if len(part.content) == 0 {
			continue
		}
		if err := m.out.put(statementPath(e.Sequence, part.suffix), part.content); err != nil {
			return err
		}
	}
	return nil
}

// addEvidence adds what others signed.
func (m *maker) addEvidence() error {
	n := 0
	err := m.log.Cosignatures(m.ctx, func(c verify.Cosigned) error {
		n++
		return errors.Join(m.out.put(nth(cosignaturesFolder, n-1, textSuffix), slices.Concat(c.Checkpoint, c.Line)),
			m.out.put(nth(cosignaturesFolder, n-1, vkeySuffix), []byte(c.Key+"\n")))
	})
	if err != nil || m.head.ServiceKey == "" {
		return err
	}
	if err := m.out.put(serviceKeyFile, keyLines(append(slices.Clone(m.head.EarlierServiceKeys), m.head.ServiceKey))); err != nil {
		return err
	}
	err = m.log.Rejections(m.ctx, func(r verify.Rejection) error { return m.out.put(rejectionPath(r.RecordID), r.Signed) })
	if err != nil {
		return err
	}
	n = 0
	return m.log.ServiceRecords(m.ctx, func(r signed.ServiceRecord) error {
		n++
		return m.out.put(nth(elsewhereFolder, n-1, jsonSuffix), r.Document())
	})
}
