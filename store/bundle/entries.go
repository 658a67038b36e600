package bundle

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"docket/domain/records"
	"docket/domain/terms"
	"docket/store/verify"
)

// entriesHead heads entries.csv; an entry that is left out has only position and leaf hash.
const entriesHead = "position,kind,subject,at,leaf hash,file\n"

func entryLine(e *verify.Entry, id records.RecordID) string {
	leaf := verify.LeafOf(e)
	subject, file := string(id), recordPath(id)
	switch {
	case e.LeftOut:
		return fmt.Sprintf("%d,,,,%x,\n", e.Sequence, leaf[:])
	case e.Kind == records.PacketEntry:
		ref := verify.Ref{Table: e.Table, Key: e.Key}
		subject, file = verify.RefName(ref), packetPath(ref)
	}
	return fmt.Sprintf("%d,%s,%s,%s,%x,%s\n", e.Sequence, e.Kind, subject, e.At, leaf[:], file)
}

// entries are what entries.csv says of a log, in its order.
type entries struct {
	list    []entryName
	leftOut map[int64]tlog.Hash
}

// An entryName names the record or the packet of an entry; neither if it is left out.
type entryName struct {
	record verify.RecordName
	packet verify.Ref
	at     string
}

// names are those of the records, sorted.
func (e *entries) names() (names []verify.RecordName) {
	for i := range e.list {
		if e.list[i].record != (verify.RecordName{}) {
			names = append(names, e.list[i].record)
		}
	}
	sortNames(names)
	return names
}

// readEntries reads entries.csv or, if it has a malformed line, takes the records of which there
// are files in the order of their names, which is that of their times.
func (f *folder) readEntries() (e entries, err error) {
	if e, ok, err := f.readEntryLines(); err != nil || ok {
		return e, err
	}
	var names []verify.RecordName
	err = f.walk(recordsFolder, func(string) bool { return false }, func(name string, _ fs.DirEntry) {
		if id, is := strings.CutSuffix(path.Base(name), jsonSuffix); is && records.RecordID(id).Valid() {
			names = append(names, verify.NameOf(records.RecordID(id)))
		}
	}, func(string) {})
	sortNames(names)
	for _, name := range names {
		e.list = append(e.list, entryName{record: name})
	}
	return e, err
}

func sortNames(names []verify.RecordName) {
	sort.Slice(names, func(i, j int) bool { return compareNames(names[i], names[j]) < 0 })
}

func compareNames(a, b verify.RecordName) int { return slices.Compare(a[:], b[:]) }

func (f *folder) readEntryLines() (e entries, ok bool, err error) {
	file, err := f.open(entriesFile)
	if err != nil || file == nil {
		return entries{}, false, err
	}
	defer func() { _ = file.Close() }() // only read
	e.leftOut = map[int64]tlog.Hash{}
	lines := bufio.NewScanner(file)
	ok = lines.Scan() && lines.Text()+"\n" == entriesHead
	for ok && lines.Scan() {
		cells := strings.Split(strings.Clone(lines.Text()), ",")
		if ok = len(cells) == 6 && cells[0] == fmt.Sprint(len(e.list)); !ok {
			break
		}
		kind, _ := records.EntryKinds.Parse(cells[1])
		name := entryName{at: cells[3]}
		switch kind {
		case records.RecordEntry:
			id := records.RecordID(cells[2])
			if ok = id.Valid() && cells[5] == recordPath(id); ok {
				name.record = verify.NameOf(id)
			}
		case records.PacketEntry:
			table, rest, _ := strings.Cut(cells[2], " ")
			name.packet.Table, err = terms.Tables.Parse(table)
			name.packet.Key, ok = records.ParsePacketSubject(rest)
			ok = ok && err == nil && terms.PacketTables.Has(name.packet.Table) && cells[5] == packetPath(name.packet)
			err = nil
		default:
			leaf, notHex := hex.DecodeString(cells[4])
			if ok = cells[1]+cells[2]+cells[3]+cells[5] == "" && notHex == nil && len(leaf) == tlog.HashSize; ok {
				e.leftOut[int64(len(e.list))] = tlog.Hash(leaf)
			}
		}
		e.list = append(e.list, name)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return entries{}, false, nil
	}
	return e, ok, lines.Err()
}

// belongsToRecord reports whether a path is a file of one of the records, whose names are sorted.
func belongsToRecord(sorted []verify.RecordName, name string) bool {
	suffixes := []string{saltSuffix, jsonSuffix}
	if top(name) == recordsFolder {
		suffixes = []string{jsonSuffix + ".sig", jsonSuffix}
	}
	for _, suffix := range suffixes {
		if id, is := strings.CutSuffix(path.Base(name), suffix); is && strings.Count(name, "/") == 1 && records.RecordID(id).Valid() {
			_, found := slices.BinarySearchFunc(sorted, verify.NameOf(records.RecordID(id)), compareNames)
			return found
		}
	}
	return false
}
