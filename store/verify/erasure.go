package verify

import (
	"docket/domain/records"
)

// ErasuresOf are the statements about what was erased, by what it was, without the reason. Of two about the same thing the first counts.
func ErasuresOf(list []OpenedStatement) map[records.Erasure]records.LogStatement {
	stated := map[records.Erasure]records.LogStatement{}
	for i := range list {
		if !list[i].OK {
			continue
		}
		e, is := list[i].Statement.Erasure()
		if _, known := stated[e.Object()]; is && !known {
			stated[e.Object()] = list[i].Statement
		}
	}
	return stated
}

// erasures tell what of a log was erased.
type erasures map[records.Erasure]records.LogStatement

func (l erasures) ofRecord(what records.Erasable, id records.RecordID) bool {
	_, erased := l[records.Erasure{What: what, Record: id}]
	return erased
}

// texts is the statement about the texts of a packet.
func (l erasures) texts(ref Ref) (records.LogStatement, bool) {
	statement, erased := l[records.Erasure{What: records.ErasableTexts, Table: ref.Table, Key: ref.Key}]
	return statement, erased
}

// erasedIn are the erasures that a head states.
func erasedIn(head *Head) erasures {
	key := ""
	if len(head.VerifierKeys) > 0 {
		key = head.VerifierKeys[0]
	}
	_, opened := ReadLineage(head.Origin, key, head.ServiceKeys(), head.Statements)
	return ErasuresOf(opened)
}
