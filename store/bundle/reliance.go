package bundle

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"docket/domain/json"
	"docket/domain/packets"
	"docket/domain/records"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
	"docket/store/verify"
)

// relianceHead heads reliance.csv: what may be relied on at judgedAt by the bundle's contents.
var relianceHead = []string{"table", "id", "revision", "relianceGate", "relianceReasons", "judgedAt"}

// A reliance follows what reliance depends on; the keys of ruled and latest have the number 0.
type reliance struct {
	ruled  map[verify.Ref]ruled // what people decided on a case or an amendment
	latest map[verify.Ref]int64 // the highest number of each id of packets

	policies map[verify.Ref]packets.Packet // that were read
}

// ruled holds the record in force on the highest revision that has one.
type ruled struct {
	number int64
	ruling records.Ruling
	added  terms.BlockerSet // by people
}

func newReliance() reliance {
	return reliance{map[verify.Ref]ruled{}, map[verify.Ref]int64{}, map[verify.Ref]packets.Packet{}}
}

// record takes a record in force, in the order of the log.
func (r *reliance) record(m *records.Members) {
	ref := verify.Ref{Table: terms.RecordTable(m.Area), Key: packets.Key{ID: m.Key.ID}}
	if r.ruled[ref].number > m.Key.Number {
		return
	}
	ref.Key.ID = terms.ID(strings.Clone(string(ref.Key.ID))) // not a part of the whole record
	r.ruled[ref] = ruled{m.Key.Number, m.Ruling(), terms.SetOf(m.CarriedBlockers...).Union(terms.SetOf(m.ReviewerBlockers...))}
}

// packet takes the name of a packet, which comes before the records on it.
func (r *reliance) packet(ref verify.Ref) {
	number := ref.Key.Number
	ref.Key.Number = 0
	r.latest[ref] = max(r.latest[ref], number)
}

func (m *maker) addReliance(at terms.Instant) error {
	rows, err := newRows(&m.out, relianceFile)
	if err != nil {
		return err
	}
	if err := rows.Write(relianceHead); err != nil {
		return err
	}
	refs := slices.Collect(maps.Keys(m.reliance.ruled))
	json.Sort(refs, compareRefs)
	for _, ref := range refs {
		judged, number, err := m.judgeReliance(ref, at)
		if err != nil {
			return err
		}
		err = rows.Write([]string{ref.Table.String(), string(ref.Key.ID), strconv.FormatInt(number, 10), judged.Gate.String(),
			strings.Join(judged.Reasons, " "), at.String()})
		if err != nil {
			return err
		}
	}
	return rows.close()
}

func compareRefs(a, b verify.Ref) int {
	return cmp.Or(strings.Compare(a.Table.String(), b.Table.String()), strings.Compare(string(a.Key.ID), string(b.Key.ID)))
}

// judgeReliance judges the latest revision; with a packet missing or unreadable it is blocked.
func (m *maker) judgeReliance(of verify.Ref, at terms.Instant) (judged records.Reliance, number int64, err error) {
	read := func(ref verify.Ref) (packet packets.Packet, err error) {
		documents, err := m.log.Packets(m.ctx, []verify.Ref{ref})
		if err != nil || documents[0] == nil {
			return packet, err
		}
		var reader packets.Reader
		packet, _ = reader.ReadStored(documents[0]) // else the verifier has found it
		return packet, nil
	}
	number = m.reliance.latest[of]
	packet, err := read(verify.Ref{Table: of.Table, Key: packets.Key{ID: of.Key.ID, Number: number}})
	if err != nil {
		return judged, number, err
	}
	latest := rules.Latest{Revision: number}
	var policy packets.Packet
	if key := packet.PolicyKey(); key.ID.Present() {
		named := verify.Ref{Table: terms.PolicyTable(terms.AreaOf(of.Table)), Key: key}
		known := false
		if policy, known = m.reliance.policies[named]; !known {
			if policy, err = read(named); err != nil {
				return judged, number, err
			}
			m.reliance.policies[named] = policy
		}
		named.Key.Number = 0
		latest.PolicyVersion = m.reliance.latest[named]
	}
	view, decided := views.New(policy, packet, latest, at), m.reliance.ruled[of]
	blockers := view.Evaluation().BlockerSet()
	if decided.number != number {
		return records.JudgeReliance(packet, blockers, nil, true), number, nil
	}
	return records.JudgeReliance(packet, blockers.Union(decided.added), &decided.ruling, false), number, nil
}

// judgedAt returns the time for which a bundle's reliance was judged; absent if it is not stated.
func (b *Bundle) judgedAt() (at terms.Instant, err error) {
	content, err := b.read(relianceFile, maxSmall)
	rows := csv.NewReader(bytes.NewReader(content))
	_, _ = rows.Read() // what cannot be read states no time, and the file is found to differ
	if row, _ := rows.Read(); len(row) == len(relianceHead) {
		at, _ = terms.ParseInstant(row[len(row)-1])
	}
	return at, err
}
