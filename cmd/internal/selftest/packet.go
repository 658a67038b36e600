package selftest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"docket/cmd/internal/sample"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/shape"
	"docket/domain/terms"
)

// A packet is a packet of the sample docket before it is read.
type packet struct {
	table  terms.Table
	record object
}

func sampleDocket(start time.Time) ([]packet, error) {
	texts, err := sample.Packets(start)
	if err != nil {
		return nil, fmt.Errorf("make the sample packets: %w", err)
	}
	packets := make([]packet, len(texts))
	for i, text := range texts {
		whole, err := decoded(text)
		if err != nil {
			return nil, err
		}
		name, _ := whole["table"].(string)
		if packets[i].table, err = terms.Tables.Parse(name); err != nil {
			return nil, err
		}
		packets[i].record, _ = whole["record"].(object)
	}
	return packets, nil
}

// text returns the packet in the form in which it is imported.
func (p packet) text() []byte { return encoded(object{"table": p.table.String(), "record": p.record}) }

// with returns the packet with a value at a pointer into its record.
func (p packet) with(pointer string, value any) packet {
	return packet{p.table, edited(p.record, pointer, value)}
}

// number returns the packet's version or revision.
func (p packet) number() int64 {
	info, _ := packets.Info(p.table)
	text, _ := p.record[info.NumberMember].(json.Number)
	number, err := strconv.ParseInt(text.String(), 10, 64)
	if err != nil {
		return 0
	}
	return number
}

// A pair is a case or amendment and the policy it names.
type pair struct{ policy, record packet }

// A sampleName names the packets of the sample docket for the pair of an area, and the members that are added so that
// together they have every member.
type sampleName struct {
	policy, record           packets.Key
	policyExtra, recordExtra func(later string) object
}

var sampleNames = map[terms.Area]sampleName{
	terms.Appeals: {
		packets.Key{ID: "pol-appeals-general", Number: 4}, packets.Key{ID: "case-004122", Number: 1},
		func(later string) object { return object{"effectiveUntil": later} },
		func(string) object {
			return object{"remedyGap": "The stoves are not counted anywhere else.",
				"standing": object{"category": "participant", "accepted": true, "privacySafeSummary": "Took part in the trade."}}
		},
	},
	terms.Amendments: {
		packets.Key{ID: "pol-amendments-swaps", Number: 1}, packets.Key{ID: "amd-000226", Number: 1},
		func(later string) object { return object{"staleAfter": later} },
		func(string) object { return object{"destinationReview": object{"completed": true}} },
	},
}

// pair returns the sample of an area: a record that passes under its policy, in which every member is present.
func (b *bench) pair(area terms.Area) (pair, error) {
	names := sampleNames[area]
	policy, policyThere := b.find(terms.PolicyTable(area), names.policy)
	record, recordThere := b.find(terms.RecordTable(area), names.record)
	if !policyThere || !recordThere {
		return pair{}, fmt.Errorf("the sample docket has no sample of %s", area)
	}
	later := terms.InstantOf(b.clock.AddDate(1, 0, 0)).String()
	maps.Copy(policy.record, names.policyExtra(later))
	maps.Copy(record.record, names.recordExtra(later))
	sealed, err := (pair{policy, record}).sealed()
	if err != nil {
		return pair{}, err
	}
	for _, p := range []packet{sealed.policy, sealed.record} {
		info, _ := packets.Info(p.table)
		if missing := absent(&info.Shape, p.record, ""); missing != "" {
			return pair{}, fmt.Errorf("the sample of %s has no %s", p.table, missing)
		}
	}
	return sealed, nil
}

func (b *bench) find(table terms.Table, key packets.Key) (packet, bool) {
	info, _ := packets.Info(table)
	for _, p := range b.docket {
		if p.table == table && p.record[info.IDMember] == string(key.ID) && p.number() == key.Number {
			return packet{table, maps.Clone(p.record)}, true
		}
	}
	return packet{}, false
}

// absent returns the first member of the shape that the object lacks; "" if it has all.
func absent(described *shape.Shape, o object, pointer string) string {
	for i := range described.Members {
		m := &described.Members[i]
		value, there := o[m.Name]
		inner, isObject := value.(object)
		switch {
		case !there:
			return pointer + "/" + m.Name
		case m.Form.Kind == shape.FormObject && isObject:
			if missing := absent(m.Form.Shape, inner, pointer+"/"+m.Name); missing != "" {
				return missing
			}
		}
	}
	return ""
}

// sealed returns the pair with hashes that fit its content.
func (p pair) sealed() (pair, error) {
	var sealer packets.Sealer
	var done [2]packet
	record := p.record.with("policyHash", removed{})
	if _, there := record.record["policySnapshotBundle"].(object); there {
		record = record.with("policySnapshotBundle/policyHash", removed{})
	}
	for i, one := range []packet{p.policy, record} {
		text, fault := sealer.Seal(one.text())
		if fault != nil {
			return pair{}, fault
		}
		whole, err := decoded(text)
		if err != nil {
			return pair{}, err
		}
		done[i].table = one.table
		done[i].record, _ = whole["record"].(object)
	}
	return pair{done[0], done[1]}, nil
}

// rehashed returns the packet with only its own hash computed again.
func (p packet) rehashed() (packet, error) {
	var reader packets.Reader
	unredacted, fault := reader.Read(p.text())
	if fault != nil {
		return packet{}, fault
	}
	info, _ := packets.Info(p.table)
	own, _ := unredacted.Seal()
	return p.with(info.HashMember, own.String()), nil
}

// readPair reads both packets as an import does. The error is that of the first refused one.
func (b *bench) readPair(p pair) (policy, record packets.Packet, fault *shape.Fault) {
	if policy, fault = b.read(p.policy.text()); fault != nil {
		return policy, record, fault
	}
	record, fault = b.read(p.record.text())
	return policy, record, fault
}

// question returns the evaluation input of a record under a policy, both as the latest ones; either may be the zero
// Packet.
func (b *bench) question(area terms.Area, policy, record packets.Packet) rules.Input {
	latest := rules.Latest{PolicyVersion: policy.Key().Number, Revision: record.Key().Number}
	at := b.instant()
	if area == terms.Amendments {
		return rules.AmendmentInput(policy.AmendmentPolicy(), record.Amendment(), latest, at)
	}
	return rules.AppealInput(policy.AppealPolicy(), record.AppealCase(), latest, at)
}

// judged returns the evaluation of a pair.
func (b *bench) judged(p pair) (verdict, *shape.Fault) {
	policy, record, fault := b.readPair(p)
	if fault != nil {
		return verdict{}, fault
	}
	question := b.question(terms.AreaOf(record.Table()), policy, record)
	return b.judge(&question), nil
}

// An object is a JSON object that the bench takes apart. Numbers in it are json.Number.
type object = map[string]any

// removed in place of a value removes a member.
type removed struct{}

// decoded reads JSON that this program wrote.
func decoded(text []byte) (object, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var o object
	if err := decoder.Decode(&o); err != nil {
		return nil, fmt.Errorf("a document of the program is no JSON object: %T", err)
	}
	return o, nil
}

// encoded writes an object that decoded read, or that a bench made. It cannot fail, because the object contains only
// JSON values.
func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("selftest: a document cannot be written")
	}
	return text
}

// edited returns a copy of the object with the value at the pointer (RFC 6901, without escapes). The parent has to
// exist.
func edited(o object, pointer string, value any) object {
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	changed, _ := editedValue(o, steps, value).(object)
	return changed
}

func editedValue(v any, steps []string, value any) any {
	if len(steps) == 0 {
		return value
	}
	switch v := v.(type) {
	case object:
		changed := maps.Clone(v)
		if _, gone := value.(removed); gone && len(steps) == 1 {
			delete(changed, steps[0])
			return changed
		}
		changed[steps[0]] = editedValue(v[steps[0]], steps[1:], value)
		return changed
	case []any:
		index, err := strconv.Atoi(steps[0])
		if err != nil || index >= len(v) {
			return v
		}
		changed := slices.Clone(v)
		changed[index] = editedValue(v[index], steps[1:], value)
		return changed
	}
	return v
}

// walk visits every member and entry below the value, parents first, in the order of the names.
func walk(v any, pointer string, visit func(pointer string, value any)) {
	switch v := v.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			visit(pointer+"/"+name, v[name])
			walk(v[name], pointer+"/"+name, visit)
		}
	case []any:
		for i, entry := range v {
			at := pointer + "/" + strconv.Itoa(i)
			visit(at, entry)
			walk(entry, at, visit)
		}
	}
}

// at returns the value at a pointer; nil if there is none.
func at(v any, pointer string) any {
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		inner, _ := v.(object)
		v = inner[step]
	}
	return v
}

// withMembers compares the names of an object's members with the required ones.
func withMembers(what string, v any, names ...string) error {
	o, isObject := v.(object)
	if !isObject {
		return fmt.Errorf("%s is not an object", what)
	}
	found := slices.Sorted(maps.Keys(o))
	if want := slices.Sorted(slices.Values(names)); !slices.Equal(found, want) {
		return fmt.Errorf("%s has %d members where it has to have %s", what, len(found), strings.Join(names, ", "))
	}
	return nil
}
