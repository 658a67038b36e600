package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/store/verify"
)

// ErrNoBundle says that a folder is not a bundle.
var ErrNoBundle = errors.New("there is no bundle; make one with `docket export DIR`")

// The largest sizes of files of a bundle, in bytes. Of a larger file one byte more is read, so that
// it differs from the expected one.
const (
	maxSmall  = 64 << 10 // signatures, statements, checkpoints, receipts, reasons
	maxLarge  = 4 << 20  // packets and what a service sent
	maxSource = 16 << 20 // allowed_signers
)

// A Bundle is an exported log: a Source whose data may be damaged. Use Check to check all of it.
type Bundle struct {
	*folder
	entries entries
	head    verify.Head
}

// Open opens the bundle in a folder and reads the files at its top. It follows no link out of it.
// The error wraps ErrNoBundle if there is no bundle.
func Open(dir string) (*Bundle, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: it is no folder: %w", dir, ErrNoBundle) // opening a FIFO would wait
	}
	root, err := openFolder(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoBundle)
	}
	if err != nil {
		return nil, fmt.Errorf("open the bundle: %w", err)
	}
	b := &Bundle{folder: root}
	if err := b.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), b.Close())
	}
	return b, nil
}

func (b *Bundle) load() (err error) {
	_, noCheckpoint := b.root.Lstat(checkpointFile)
	_, noRecords := b.root.Lstat(recordsFolder)
	if noCheckpoint != nil && noRecords != nil {
		return ErrNoBundle
	}
	if b.entries, err = b.readEntries(); err != nil {
		return err
	}
	h := &b.head
	var assigned, signers, key, service []byte
	for _, f := range [...]struct {
		name  string
		limit int64
		into  *[]byte
	}{
		{sinceFile, maxSmall, &h.Since}, {assignedFile, maxSmall, &assigned}, {checkpointFile, maxSmall, &h.Checkpoint},
		{signersFile, maxSource, &signers}, {keyFile, maxSmall, &key}, {serviceKeyFile, maxSmall, &service},
	} {
		if *f.into, err = b.readLines(f.name, f.limit); err != nil {
			return err
		}
	}
	h.Assigned, _ = terms.ParseID(strings.TrimSuffix(string(assigned), "\n"))
	h.Size, h.Partial = int64(len(b.entries.list)), len(b.entries.leftOut) > 0 || h.Since != nil || h.Assigned.Present()
	origin, _, _ := bytes.Cut(h.Checkpoint, []byte("\n"))
	h.Origin = string(origin)
	h.Signers = parseSigners(signers)
	if keys := verifierKeys(key); len(keys) > 0 {
		if _, err := note.NewVerifier(keys[len(keys)-1]); err == nil {
			h.VerifierKeys = keys[len(keys)-1:]
		}
	}
	if keys := verifierKeys(service); len(keys) > 0 {
		h.ServiceKey, h.EarlierServiceKeys = keys[len(keys)-1], keys[:len(keys)-1]
	}
	h.FirstRecord = int64(max(0, slices.IndexFunc(b.entries.list, func(e entryName) bool { return e.record != (verify.RecordName{}) })))
	h.Statements, err = b.readStatements()
	return err
}

// verifierKeys reads a key a line, newest last; other content is returned as it is, to be found.
func verifierKeys(content []byte) []string {
	if content == nil {
		return nil
	}
	if text, ended := strings.CutSuffix(string(content), "\n"); ended && text != "" && !strings.Contains("\n"+text+"\n", "\n\n") {
		return strings.Split(text, "\n")
	}
	return []string{"\n" + string(content)}
}

func keyLines(keys []string) []byte { return []byte(strings.Join(keys, "\n") + "\n") }

// readStatements reads the statements of the entries; one whose file is missing is empty.
func (b *Bundle) readStatements() (list []signed.Statement, err error) {
	for _, position := range b.entries.statements {
		var parts [3][]byte
		for i, suffix := range [...]string{textSuffix, sshSuffix, logSuffix} {
			if parts[i], err = b.readLines(statementPath(position, suffix), maxSmall); err != nil {
				return nil, err
			}
		}
		list = append(list, signed.Statement{Text: string(parts[0]), Signature: parts[1], LogSignature: parts[2]})
	}
	return list, nil
}

// Head implements verify.Source.
func (b *Bundle) Head(context.Context) (verify.Head, error) { return b.head, nil }

// Entries implements verify.Source.
func (b *Bundle) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	var reader packets.Reader
	for n := from; n < b.head.Size; n++ {
		entry, err := b.entry(&reader, n)
		if err = errors.Join(ctx.Err(), err); err == nil {
			err = yield(entry)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Bundle) entry(reader *packets.Reader, sequence int64) (e verify.Entry, err error) {
	e.Sequence = sequence
	if leaf, left := b.entries.leftOut[sequence]; left {
		e.LeftOut, e.LeafHash = true, leaf[:]
		return e, nil
	}
	name := &b.entries.list[sequence]
	e.At = name.at
	if ref := name.packet; ref != (verify.Ref{}) {
		e.Kind, e.Table, e.Key = records.PacketEntry, ref.Table, ref.Key
		e.Document, e.Texts, err = b.packet(ref)
		return e, err
	}
	if name.stated.Present() {
		n, _ := slices.BinarySearch(b.entries.statements, sequence)
		e.Kind, e.Stated, e.Document = records.StatementEntry, name.stated, []byte(b.head.Statements[n].Text)
		return e, nil
	}
	if name.record == (verify.RecordName{}) {
		e.LeftOut = true
		return e, nil
	}
	e.Kind, e.RecordID = records.RecordEntry, name.record.ID()
	if e.Document, err = b.read(recordPath(e.RecordID), int64(records.MaxEnforcementSize)); err != nil {
		return e, err
	}
	e.Table = tableOf(e.Document)
	if e.Signature, err = b.readLines(signaturePath(e.RecordID), maxSmall); err != nil {
		return e, err
	}
	salt, err := b.read(saltPath(e.RecordID), maxSmall)
	if err != nil {
		return e, err
	}
	e.PacketSalt, _ = reader.ReadSalt(salt) // one that cannot be read is none, which is found
	reasons, err := b.read(reasonsPath(e.RecordID), maxSmall)
	if err != nil {
		return e, err
	}
	if reasons != nil {
		if e.Statement, err = records.ReadStatement(reasons); err != nil {
			e.Statement = records.Statement{Salt: "unreadable"} // which has no record's digest
		}
	}
	e.Acceptance, err = b.receipt(e.RecordID)
	return e, err
}

// receipt reads the service's receipt of a record; nil if there is none.
func (b *Bundle) receipt(id records.RecordID) (*signed.Acceptance, error) {
	if b.head.ServiceKey == "" {
		return nil, nil
	}
	document, err := b.read(of(receiptsFolder, id), maxSmall)
	if err != nil || document == nil {
		return nil, err
	}
	accepted, _ := signed.ReadAcceptance(document) // unreadable: empty, which is found
	return &accepted, nil
}

// tableOf distinguishes the two kinds of record by a member that only one has; it checks nothing.
func tableOf(document []byte) terms.Table {
	if bytes.Contains(document, []byte(`"amendmentId":`)) {
		return terms.AmendmentEnforcements
	}
	return terms.AppealEnforcements
}

// packet reads a packet and the texts that lie beside it.
func (b *Bundle) packet(ref verify.Ref) (document, texts []byte, err error) {
	if document, err = b.read(packetPath(ref), maxLarge); err == nil {
		texts, err = b.read(packetTextsPath(ref), maxLarge)
	}
	return document, texts, err
}

// Packets implements verify.Source.
func (b *Bundle) Packets(ctx context.Context, refs []verify.Ref) ([][]byte, error) {
	documents := make([][]byte, len(refs))
	for i, ref := range refs {
		document, texts, err := b.packet(ref)
		if err = errors.Join(ctx.Err(), err); err != nil {
			return nil, err
		}
		documents[i] = packets.Joined(document, texts)
	}
	return documents, nil
}

// Rejections implements verify.Source. They come in the order of their names.
func (b *Bundle) Rejections(ctx context.Context, yield func(verify.Rejection) error) error {
	var ids []records.RecordID
	within := func(name string) bool {
		return name == evidenceFolder || name == rejectionsFolder
	}
	err := b.walk(".", within, func(name string, entry fs.DirEntry) {
		id, is := strings.CutPrefix(name, rejectionsFolder+"/")
		id, json := strings.CutSuffix(id, textSuffix)
		if is && json && entry.Type().IsRegular() && records.RecordID(id).Valid() {
			ids = append(ids, records.RecordID(id))
		}
	}, func(string) {})
	if err != nil {
		return err
	}
	slices.Sort(ids)
	for _, id := range ids {
		text, err := b.readLines(rejectionPath(id), maxSmall)
		if err = errors.Join(ctx.Err(), err); err == nil {
			err = yield(verify.Rejection{RecordID: id, Signed: text})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func rejectionPath(id records.RecordID) string {
	return rejectionsFolder + "/" + string(id) + textSuffix
}

// ServiceRecords implements verify.Source.
func (b *Bundle) ServiceRecords(ctx context.Context, yield func(signed.ServiceRecord) error) error {
	return b.eachNumbered(ctx, elsewhereFolder, jsonSuffix, maxLarge, func(_ int, document []byte) error {
		kept, _ := signed.ReadServiceRecord(document) // unreadable: zero, which is found
		return yield(kept)
	})
}

// eachNumbered yields the files of a folder by their numbers from 0, up to the first missing one.
func (b *Bundle) eachNumbered(ctx context.Context, folder, suffix string, limit int64, yield func(n int, content []byte) error) error {
	for n := 0; ; n++ {
		content, err := b.readLines(nth(folder, n, suffix), limit)
		if err = errors.Join(ctx.Err(), err); err != nil || content == nil {
			return err
		}
		if err := yield(n, content); err != nil {
			return err
		}
	}
}

// Cosignatures implements verify.Source. Each file is a note with the signature lines of the log
// and of a witness, whose key is in a file beside it.
func (b *Bundle) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	return b.eachNumbered(ctx, cosignaturesFolder, textSuffix, maxSmall, func(n int, text []byte) error {
		key, err := b.readLines(nth(cosignaturesFolder, n, vkeySuffix), maxSmall)
		if err != nil {
			return err
		}
		end := bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n') + 1
		c := verify.Cosigned{Checkpoint: text[:end], Line: text[end:], Key: strings.TrimSuffix(string(key), "\n")}
		return yield(c)
	})
}

const vkeySuffix = ".vkey"

// Packets checks the bundle in a folder as Check does and, if it is sound, yields its packets. It
// stops with the error that yield returns, unchanged.
func Packets(ctx context.Context, dir string, o verify.Options, yield func(packets.Packet) error) (report verify.Report, err error) {
	b, err := Open(dir)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if report, err = checkBundle(ctx, b, o, nil); err != nil || !report.Sound() {
		return report, err
	}
	var reader packets.Reader
	return report, b.Entries(ctx, 0, func(e verify.Entry) error {
		if e.Kind != records.PacketEntry {
			return nil
		}
		packet, err := reader.ReadStored(packets.Joined(e.Document, e.Texts))
		if err != nil {
			return fmt.Errorf("a packet changed while it was read: %w", err)
		}
		return yield(packet)
	})
}
