package bundle

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
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
	case e.Kind == records.StatementEntry:
		subject, file = e.Stated.String(), statementPath(e.Sequence, textSuffix)
	}
	return fmt.Sprintf("%d,%s,%s,%s,%x,%s\n", e.Sequence, e.Kind, subject, e.At, leaf[:], file)
}

// entries are what entries.csv says of a log, in its order.
type entries struct {
	list       []entryName
	statements []int64 // their positions
	leftOut    map[int64]tlog.Hash
}

// An entryName names the record, the packet or the statement of an entry; none if it is left out.
type entryName struct {
	record verify.RecordName
	packet verify.Ref
	stated records.LogStatementKind
	at     string
}

// readEntries reads entries.csv. A malformed line is an entry of which nothing is known.
func (f *folder) readEntries() (e entries, err error) {
	file, err := f.open(entriesFile)
	if err != nil || file == nil {
		return e, err
	}
	defer func() { _ = file.Close() }() // only read
	e.leftOut = map[int64]tlog.Hash{}
	lines := bufio.NewScanner(file)
	lines.Scan() // the head, which is compared with the file
	for lines.Scan() {
		cells := strings.Split(lines.Text(), ",")
		if len(cells) != 6 || cells[0] != strconv.Itoa(len(e.list)) {
			cells = make([]string, 6)
		}
		leaf, err := hex.DecodeString(cells[4])
		if cells[1]+cells[2]+cells[3]+cells[5] == "" && err == nil && len(leaf) == tlog.HashSize {
			e.leftOut[int64(len(e.list))] = tlog.Hash(leaf)
		}
		name := nameOf(cells)
		if name.stated.Present() {
			e.statements = append(e.statements, int64(len(e.list)))
		}
		e.list = append(e.list, name)
	}
	if err = lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return e, nil
	}
	return e, err
}

// nameOf returns the name of a line's entry; the zero entryName if it has none.
func nameOf(cells []string) (name entryName) {
	at := strings.Clone(cells[3])
	switch kind, _ := records.EntryKinds.Parse(cells[1]); kind {
	case records.RecordEntry:
		if id := records.RecordID(cells[2]); id.Valid() && cells[5] == recordPath(id) {
			return entryName{record: verify.NameOf(id), at: at}
		}
	case records.PacketEntry:
		text, rest, _ := strings.Cut(strings.Clone(cells[2]), " ")
		table, err := terms.Tables.Parse(text)
		key, ok := records.ParsePacketSubject(rest)
		ref := verify.Ref{Table: table, Key: key}
		if ok && err == nil && terms.PacketTables.Has(table) && cells[5] == packetPath(ref) {
			return entryName{packet: ref, at: at}
		}
	case records.StatementEntry:
		stated, err := records.LogStatementKinds.Parse(cells[2])
		if err == nil && cells[5] == statementsFolder+"/"+cells[0]+textSuffix {
			return entryName{stated: stated, at: at}
		}
	}
	return name
}

// beside reports whether a path is that of a file of an entry which no MANIFEST lists: a record, a
// signature or texts.
func (e *entries) beside() func(name string) bool {
	of, texts := map[verify.RecordName]bool{}, map[string]bool{}
	for i := range e.list {
		if ref := e.list[i].packet; ref != (verify.Ref{}) {
			texts[packetTextsPath(ref)] = true
		} else {
			of[e.list[i].record] = true
		}
	}
	return func(name string) bool {
		if texts[name] {
			return true
		}
		base, _, _ := strings.Cut(path.Base(name), ".")
		id := records.RecordID(base)
		return id.Valid() && of[verify.NameOf(id)] &&
			slices.Contains([]string{recordPath(id), signaturePath(id), reasonsPath(id), saltPath(id)}, name)
	}
}
