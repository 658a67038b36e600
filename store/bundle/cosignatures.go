package bundle

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"docket/domain/ordered"
	"docket/store/verify"
)

// A cosigned checkpoint is a note with the signature line of the log and one line for each witness, in the form of
// C2SP's tools. It is filed under its size; a separate file lists the keys of the witnesses.

const (
	// witnessesFile lists the verifier keys of the witnesses, sorted, one on each line.
	witnessesFile = "witnesses"
	// maxCosigned is the largest size of a cosigned checkpoint, in bytes; a real one is far smaller.
	maxCosigned = 256 << 10
	// maxWitnesses is the largest number of signatures of a note, apart from the log's.
	maxWitnesses = 99
)

// A cosignedName is the name of a cosigned checkpoint: its size and, if the log signed several of one size, a number.
type cosignedName struct{ size, number int64 }

func (n cosignedName) String() string {
	if n.number == 0 {
		return strconv.FormatInt(n.size, 10)
	}
	return fmt.Sprintf("%d-%d", n.size, n.number)
}

func cosignedNamed(name string) (n cosignedName, ok bool) {
	digits, number, several := strings.Cut(name, "-")
	n.size, ok = numbered(digits, "")
	if ok && several {
		n.number, ok = numbered(number, "")
	}
	return n, ok && n.String() == name
}

// surveyCosignatures finds the strays in the folder of the cosignatures.
func (f *folder) surveyCosignatures(l *layout) error {
	return f.each(cosignaturesFolder, func(entry fs.DirEntry) error {
		_, cosigned := cosignedNamed(entry.Name())
		l.file(path.Join(cosignaturesFolder, entry.Name()), entry, cosigned || entry.Name() == witnessesFile)
		return nil
	})
}

// Cosignatures implements verify.Source: it yields each cosignature of each file, in the order of their sizes.
func (b *Bundle) Cosignatures(ctx context.Context, yield func(verify.Cosigned) error) error {
	var names []cosignedName
	err := b.each(cosignaturesFolder, func(entry fs.DirEntry) error {
		if name, ok := cosignedNamed(entry.Name()); ok && entry.Type().IsRegular() {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	ordered.Sort(names, func(a, b cosignedName) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.number, b.number))
	})
	list, err := b.read(path.Join(cosignaturesFolder, witnessesFile), maxCosigned)
	if err != nil {
		return err
	}
	witnesses := readWitnesses(list)
	for _, name := range names {
		signed, err := b.read(path.Join(cosignaturesFolder, name.String()), maxCosigned)
		if err = errors.Join(ctx.Err(), err); err != nil {
			return err
		}
		for _, cosigned := range witnesses.split(name, signed) {
			if err := yield(cosigned); err != nil {
				return err
			}
		}
	}
	if !witnesses.exact(list) {
		return yield(verify.Cosigned{Line: list}) // no cosignature, to be found
	}
	return nil
}

// A witnessList is the list of the keys, by the name and hash that signature lines hold.
type witnessList struct {
	keys map[string]string
	used []string
}

func readWitnesses(list []byte) witnessList {
	w := witnessList{keys: map[string]string{}}
	for key := range strings.Lines(string(list)) {
		key = strings.TrimSuffix(key, "\n")
		if parts := strings.SplitN(key, "+", 3); len(parts) == 3 {
			w.keys[parts[0]+"+"+parts[1]] = key
		}
	}
	return w
}

// exact reports whether the list is the one of the cosignatures.
func (w *witnessList) exact(list []byte) bool {
	slices.Sort(w.used)
	return string(witnessDocument(slices.Compact(w.used))) == string(list)
}

func witnessDocument(sorted []string) []byte {
	if len(sorted) == 0 {
		return nil
	}
	return []byte(strings.Join(sorted, "\n") + "\n")
}

// split takes a cosigned checkpoint apart. For any other file it returns a checkpoint that does not verify.
func (w *witnessList) split(name cosignedName, signed []byte) []verify.Cosigned {
	text := string(signed)
	end := strings.LastIndex(text, "\n\n")
	if end < 0 {
		return []verify.Cosigned{{Checkpoint: signed}}
	}
	lines := strings.SplitAfter(text[end+2:], "\n")
	if len(lines) < 3 || lines[len(lines)-1] != "" || sizeOf(text) != strconv.FormatInt(name.size, 10) {
		return []verify.Cosigned{{Checkpoint: signed}} // only the log signed it, it is not complete, or it is of a different log
	}
	var list []verify.Cosigned
	for _, line := range lines[1 : len(lines)-1] {
		c := verify.Cosigned{Checkpoint: []byte(text[:end+2] + lines[0]), Line: []byte(line), Key: w.keys[signerOf(line)]}
		w.used = append(w.used, c.Key)
		list = append(list, c)
	}
	return list
}

// sizeOf returns the size that a checkpoint states, which is its second line.
func sizeOf(checkpoint string) string {
	_, rest, _ := strings.Cut(checkpoint, "\n")
	size, _, _ := strings.Cut(rest, "\n")
	return size
}

// signerOf returns the name and hash of the key of a signature line; "" if it is not such a line.
func signerOf(line string) string {
	name, signature, _ := strings.Cut(strings.TrimPrefix(line, "— "), " ")
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(signature, "\n"))
	if err != nil || len(raw) < 4 {
		return ""
	}
	return fmt.Sprintf("%s+%08x", name, binary.BigEndian.Uint32(raw))
}

// A cosignedFile is a cosigned checkpoint to be written, with the newest line of each witness.
type cosignedFile struct {
	name  cosignedName
	lines map[string]cosignedLine // by key
}

type cosignedLine struct {
	at   int64
	text []byte
}

// writeCosignatures writes the cosigned checkpoints and the keys of their witnesses.
func (w *writer) writeCosignatures(*verify.Head) error {
	files, last := map[string]*cosignedFile{}, map[int64]int64{}
	var checkpoints, keys []string
	err := w.log.Cosignatures(w.ctx, func(c verify.Cosigned) error {
		opened, err := verify.OpenCosignature(c)
		if err != nil {
			return fmt.Errorf("write the cosignatures: %w", err)
		}
		file := files[string(c.Checkpoint)]
		if file == nil {
			size, err := strconv.ParseInt(sizeOf(string(c.Checkpoint)), 10, 64)
			if err != nil {
				return fmt.Errorf("write the cosignatures: %w", err)
			}
			file = &cosignedFile{cosignedName{size, last[size]}, map[string]cosignedLine{}}
			files[string(c.Checkpoint)] = file
			checkpoints, last[size] = append(checkpoints, string(c.Checkpoint)), last[size]+1
		}
		if held, there := file.lines[c.Key]; !there || held.at < opened.At.Time().Unix() {
			file.lines[c.Key] = cosignedLine{opened.At.Time().Unix(), c.Line}
		}
		keys = append(keys, c.Key)
		return nil
	})
	if err != nil || len(keys) == 0 {
		return err
	}
	for _, checkpoint := range checkpoints {
		file, signed := files[checkpoint], []byte(checkpoint)
		for _, key := range slices.Sorted(maps.Keys(file.lines)) {
			signed = append(signed, file.lines[key].text...)
		}
		if len(file.lines) > maxWitnesses {
			return fmt.Errorf("write the cosignatures: %d witnesses cosigned %d records; a note has at most %d", len(file.lines), file.name.size, maxWitnesses)
		}
		if err := w.put(path.Join(cosignaturesFolder, file.name.String()), signed); err != nil {
			return err
		}
	}
	slices.Sort(keys)
	return w.put(path.Join(cosignaturesFolder, witnessesFile), witnessDocument(slices.Compact(keys)))
}
