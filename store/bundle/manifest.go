package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"strings"

	"docket/domain/ordered"
	"docket/domain/signed"
	"docket/store/verify"
)

// A Source is a log that can be exported: it signs the manifest of its export with its key.
type Source interface {
	verify.Source
	// SignManifest signs it as a note. It signs nothing that is no manifest of the log.
	SignManifest(ctx context.Context, manifest signed.Manifest) ([]byte, error)
}

// hashed passes files on and keeps their digests.
type hashed struct {
	output
	files []signed.ManifestFile
}

func (h *hashed) put(path string, content []byte) error {
	h.files = append(h.files, signed.ManifestFile{Path: path, SHA256: sha256.Sum256(content)})
	return h.output.put(path, content)
}

func (h *hashed) create(path string) (io.WriteCloser, error) {
	file, err := h.output.create(path)
	if err != nil {
		return nil, err
	}
	return &hashedFile{file, path, sha256.New(), h}, nil
}

// A hashedFile hashes the expected content, whether it is written or compared.
type hashedFile struct {
	io.WriteCloser
	path string
	sum  hash.Hash
	of   *hashed
}

func (f *hashedFile) Write(due []byte) (int, error) {
	f.sum.Write(due)
	return f.WriteCloser.Write(due)
}

func (f *hashedFile) Close() error {
	f.of.files = append(f.of.files, signed.ManifestFile{Path: f.path, SHA256: [sha256.Size]byte(f.sum.Sum(nil))})
	return f.WriteCloser.Close()
}

// manifest lists the files that were passed on.
func (h *hashed) manifest(origin string, report *verify.Report) signed.Manifest {
	ordered.Sort(h.files, func(a, b signed.ManifestFile) int { return strings.Compare(a.Path, b.Path) })
	return signed.Manifest{Origin: origin, Size: report.Size, Root: report.Root, Files: h.files}
}

// writeManifest signs the manifest and writes it.
func (w *writer) writeManifest(manifest signed.Manifest) error {
	text, err := w.log.SignManifest(w.ctx, manifest)
	if err != nil {
		return fmt.Errorf("sign the manifest: %w", err)
	}
	return w.put(manifestFile, text)
}

// compareManifest compares the existing manifest with the expected files. If the checkpoint does not verify, there is
// no key for its signature; the finding is about the checkpoint.
func (c *comparison) compareManifest(manifest signed.Manifest, verifierKey string) error {
	there, err := c.read(manifestFile, maxOtherSource)
	switch {
	case err != nil:
		return err
	case there == nil:
		c.found(verify.FileMissing, manifestFile)
	case verifierKey == "" && bytes.HasPrefix(there, []byte(manifest.Text()+"\n")), manifest.SignedAs(there, verifierKey):
	default:
		c.found(verify.FileDiffers, manifestFile)
	}
	return nil
}
