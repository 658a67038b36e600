package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"docket/domain/packets"
	"docket/domain/terms"
	"docket/store/verify"
)

// ErrNoBundle says that a folder is not a bundle.
var ErrNoBundle = errors.New("there is no bundle; make one with `docket export DIR`")

// A Bundle is an exported log. It is an verify.Source: what it yields may be damaged. Use Check to check all of it.
type Bundle struct {
	folder
	records folder
	layout  *layout
	head    verify.Head
}

// Open opens the bundle in a folder and reads what is at its top. It follows no link out of the folder. The error wraps
// ErrNoBundle if there is nothing like one.
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

// Close gives the folder up.
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
	b.head.ServiceKey = serviceKey(service)
	if b.head.Statements, err = b.readStatements(b.layout.statements); err != nil {
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
		if entry.Document, err = b.records.read(recordName(sequence), maxRecordFile); err != nil {
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
		if err := yield(entry); err != nil {
			return err
		}
	}
	return nil
}

// tableOf tells the two kinds of record apart by a member that only one has. Whether the record is one at all, reading
// it shows.
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
			// Only the packet itself says which id the digest in its path stands for.
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

// everyPacket lets every packet belong whose path is that of one.
func everyPacket(verify.Ref) bool { return true }
