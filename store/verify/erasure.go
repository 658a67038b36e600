package verify

import (
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/terms"
)

// ErasuresOf returns the statements about the erasures in a log, keyed by the erasure without its
// reason. Of two about the same thing the first counts; one that does not count allows nothing.
// With atService they are those by which the operator of the service erased something there: they
// only excuse texts that a console's store never got; others stay until they are erased here.
func ErasuresOf(list []OpenedStatement, atService bool) map[records.Erasure]records.LogStatement {
	stated := map[records.Erasure]records.LogStatement{}
	for i := range list {
		if !list[i].Counts || list[i].Foreign != atService {
			continue
		}
		e, is := list[i].Statement.Erasure()
		if _, known := stated[e.Object()]; is && !known {
			stated[e.Object()] = list[i].Statement
		}
	}
	return stated
}

// Erasures holds the statements about the erasures in a log, and the known ones at the service.
type Erasures struct {
	here, atService map[records.Erasure]records.LogStatement
	restored        map[byWhom]bool // a restore takes over what was erased after its backup
}

// A byWhom is a person's key and the size of the log before which they stated something.
type byWhom struct {
	person      terms.ID
	fingerprint string
	size        int64
}

func whoStated(s *records.LogStatement) byWhom { return byWhom{s.By, s.KeyFingerprint, s.Size} }

// ReadErasures takes them from the statements of a log.
func ReadErasures(list []OpenedStatement) Erasures {
	l := Erasures{ErasuresOf(list, false), ErasuresOf(list, true), map[byWhom]bool{}}
	for i := range list {
		if s := &list[i].Statement; s.Kind == records.LogRestored && list[i].Counts {
			l.restored[whoStated(s)] = true
		}
	}
	return l
}

// Left says what is wrong with the texts of a packet, or with what their erasure left of it; 0:
// nothing. After the erasure its statement alone vouches for the rest of the packet.
func (l *Erasures) Left(packet packets.Packet) Code {
	ref := Ref{Table: packet.Table(), Key: packet.Key()}
	statement, here := l.texts(ref)
	stated := here
	if !here {
		statement, stated = l.atService[textsOf(ref)]
	}
	e, _ := statement.Erasure()
	switch {
	case packet.Erased() && !stated:
		return TextMissing
	case packet.Erased() && !e.Leaves(packet):
		return PacketAltered
	case packet.HasTexts() && here:
		return PacketAltered // they were erased, and are there again
	}
	return 0
}

// ofRecord reports whether a text of a record was erased, and by somebody who may: its reviewer, the
// operator of a service in its log, a person who takes over what that operator erased, or the person
// of a restore with it.
func (l *Erasures) ofRecord(what records.Erasable, m *records.Members) (erased, may bool) {
	e := records.Erasure{What: what, Record: m.RecordID}
	statement, erased := l.here[e]
	_, there := l.atService[e]
	may = statement.By == m.Reviewer.ID || there || records.OfService(statement.Origin)
	return erased, may || l.restored[whoStated(&statement)]
}

func (l *Erasures) of(m *records.Members) (list []records.LogStatement) {
	texts := records.Erasure{What: records.ErasableTexts, Table: terms.RecordTable(m.Area), Key: m.Key}
	for _, what := range append([]records.Erasure{texts}, records.ErasuresOfRecord(m.RecordID)...) {
		if statement, erased := l.here[what]; erased {
			list = append(list, statement)
		}
	}
	return list
}

func (l *Erasures) texts(ref Ref) (records.LogStatement, bool) {
	statement, erased := l.here[textsOf(ref)]
	return statement, erased
}

// cameErased reports whether the texts were erased at the service, by its statement, and not here.
func (l *Erasures) cameErased(ref Ref) bool {
	_, there := l.atService[textsOf(ref)]
	_, here := l.texts(ref)
	return there && !here
}

func textsOf(ref Ref) records.Erasure {
	return records.Erasure{What: records.ErasableTexts, Table: ref.Table, Key: ref.Key}
}
