package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/disk"
	"docket/store/verify"
)

// ErrNoBundle says that a folder is not a bundle.
var ErrNoBundle = errors.New("there is no bundle; make one with `docket export DIR`")

// A Bundle is an exported log. It is a verify.Source, whose data may be damaged. Use Check to check all of it.
type Bundle struct {
	folder
	records folder
	layout  *layout
	head    verify.Head
}

// Open opens the bundle in a folder and reads the files at its top. It follows no link out of the folder. The error
// wraps ErrNoBundle if there is no bundle.
func Open(dir string) (*Bundle, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: it is no folder: %w", dir, ErrNoBundle) // opening a FIFO would wait
	}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoBundle)
	}
	if err != nil {
		return nil, fmt.Errorf("open the bundle: %w", err)
	}
	b := &Bundle{folder: folder{root: root}}
	if err := b.load(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), b.Close())
	}
	return b, nil
}

// Close releases the folder.
func (b *Bundle) Close() error { return errors.Join(b.records.close(), b.close()) }

func (b *Bundle) load() error {
	_, noCheckpoint := b.root.Lstat(checkpointFile)
	_, noRecords := b.root.Lstat(recordsFolder)
	if noCheckpoint != nil && noRecords != nil {
		return ErrNoBundle
	}
	var err error
	if b.layout, err = b.survey(); err != nil {
		return err
	}
	b.careful = b.layout.irregular
	if info, err := b.root.Lstat(recordsFolder); err == nil && info.IsDir() {
		if b.records, err = b.within(recordsFolder); err != nil {
			return err
		}
	}
	b.head.Size = b.layout.records
	if b.head.Checkpoint, err = b.read(checkpointFile, maxCheckpoint); err != nil {
		return err
	}
	origin, _, _ := bytes.Cut(b.head.Checkpoint, []byte("\n"))
	b.head.Origin = string(origin)
	signers, err := b.read(signersFile, maxOtherSource)
	if err != nil {
		return err
	}
	b.head.Signers = parseSigners(signers)
	service, err := b.read(serviceFile, maxCheckpoint)
	if err != nil {
		return err
	}
	if keys := serviceKeys(service); len(keys) > 0 {
		b.head.ServiceKey, b.head.EarlierServiceKeys = keys[len(keys)-1], keys[:len(keys)-1]
	}
	if b.head.Statements, err = b.readStatements(b.layout); err != nil {
		return err
	}
	if b.head.ServiceStatements, err = b.readServiceStatements(b.layout); err != nil {
		return err
	}
	if b.head.Setbacks, err = b.readSetbacks(b.layout); err != nil {
		return err
	}
	text, err := b.read(summaryFile, maxOtherSource)
	if key := verifierKey(string(text)); key != "" {
		b.head.VerifierKeys = []string{key}
	}
	return err
}

// Head implements verify.Source.
func (b *Bundle) Head(context.Context) (verify.Head, error) { return b.head, nil }

// Entries implements verify.Source.
func (b *Bundle) Entries(ctx context.Context, from int64, yield func(verify.Entry) error) error {
	var reader packets.Reader
	for sequence := from; sequence < b.head.Size; sequence++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		entry := verify.Entry{Sequence: sequence}
		var err error
		if entry.Document, err = b.records.read(recordName(sequence), records.MaxEnforcementSize); err != nil {
			return err
		}
		if entry.Signature, err = b.records.read(signatureName(sequence), maxSignature); err != nil {
			return err
		}
		entry.Table = tableOf(entry.Document)
		if entry.PacketSalt, err = b.saltOf(&reader, sequence); err != nil {
			return err
		}
		if entry.Statement, err = b.statementOf(&reader, sequence); err != nil {
			return err
		}
		if entry.Acceptance, err = b.receiptOf(&reader, sequence); err != nil {
			return err
		}
		if entry.Lost, err = b.lostOf(&reader, sequence); err != nil {
			return err
		}
		if err := yield(entry); err != nil {
			return err
		}
	}
	return nil
}

// tableOf distinguishes the two kinds of record by a member that only one has. Reading the record shows whether it is
// one.
func tableOf(document []byte) terms.Table {
	if bytes.Contains(document, []byte(`"amendmentId":`)) {
		return terms.AmendmentEnforcements
	}
	return terms.AppealEnforcements
}

// Packets implements verify.Source.
func (b *Bundle) Packets(ctx context.Context, refs []verify.Ref) ([][]byte, error) {
	documents := make([][]byte, len(refs))
	for i, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if documents[i], err = b.read(path.Join(packetsFolder, packetPath(ref)), maxPacket); err != nil {
			return nil, err
		}
	}
	return documents, nil
}

// strayPackets walks the packets once it is known which belong to the records.
func (b *Bundle) strayPackets(belongs func(verify.Ref) bool) (*layout, error) {
	l := &layout{}
	if b.layout.irregular {
		return l, nil
	}
	var reader packets.Reader
	err := b.surveyTree(l, packetsFolder, func(name string) (bool, error) {
		table, id, number, ok := packetAt(strings.TrimPrefix(name, packetsFolder+"/"))
		if !ok {
			return false, nil
		}
		ref := verify.Ref{Table: table, Key: packets.Key{ID: id, Number: number}}
		if !id.Present() {
			// Only the packet itself has the id for the digest in its path.
			document, err := b.read(name, maxPacket)
			packet, fault := reader.ReadStored(document)
			ref.Key.ID = packet.Key().ID
			if err != nil || fault != nil || path.Join(packetsFolder, packetPath(ref)) != name {
				return false, nil
			}
		}
		return belongs(ref), nil
	})
	return l, err
}

// everyPacket counts every file with the path of a packet as belonging.
func everyPacket(verify.Ref) bool { return true }

// The largest sizes of files of a bundle, in bytes. Of a larger file no more is read, so that it differs from the
// expected one.
const (
	maxSignature   = 16 << 10
	maxPacket      = 4 << 20
	maxCheckpoint  = 64 << 10
	maxOtherSource = 16 << 20
)

// A folder reads and writes files below a root and follows no link out of it. Without a root it is empty.
type folder struct {
	root    *os.Root
	careful bool // something below is neither file nor folder: look before opening
}

// within returns a folder below this one, whose files open in half the time. A missing folder is empty.
func (f *folder) within(name string) (folder, error) {
	root, err := f.root.OpenRoot(name)
	if errors.Is(err, fs.ErrNotExist) {
		return folder{}, nil
	}
	if err != nil {
		return folder{}, fmt.Errorf("open a folder of the bundle: %w", err)
	}
	return folder{root, f.careful}, nil
}

func (f *folder) close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}

// read returns the content of a file, cut off after limit bytes and one more; nil if it does not exist or is not a
// file.
func (f *folder) read(name string, limit int64) ([]byte, error) {
	file, err := f.open(name, fs.FileMode.IsRegular)
	if err != nil || file == nil {
		return nil, err
	}
	content := bytes.NewBuffer(make([]byte, 0, 4096))
	_, err = content.ReadFrom(io.LimitReader(file, limit+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return content.Bytes(), nil // never nil
}

// open opens a file or a folder to read it; nil if it does not exist or is something else, which the survey of the
// folder above reports.
func (f *folder) open(name string, is func(fs.FileMode) bool) (*os.File, error) {
	if f.root == nil {
		return nil, nil
	}
	if f.careful {
		if info, err := f.root.Lstat(name); err == nil && !is(info.Mode()) {
			return nil, nil
		}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|disk.Nonblocking, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENXIO) || err != nil && f.linked(name) {
		return nil, nil // ENXIO: it is a socket
	}
	if err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	if info, err := file.Stat(); err != nil || !is(info.Mode()) {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// linked reports whether the path of a file has a link. A link out of the folder cannot be opened.
func (f *folder) linked(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if info, err := f.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// put writes a new file and its folders. The error wraps fs.ErrExist if the file exists.
func (f *folder) put(name string, content []byte) error {
	file, err := f.create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

func (f *folder) create(name string) (io.WriteCloser, error) {
	file, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return nil, fmt.Errorf("make a folder of the bundle: %w", err)
		}
		file, err = f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("write the bundle: %w", err)
	}
	return file, nil
}
