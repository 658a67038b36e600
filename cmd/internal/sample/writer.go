package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"docket/domain/packets"
	"docket/domain/terms"
)

// writer turns templates into packets for one moment; it remembers the policies that it sealed.
type writer struct {
	start   time.Time
	stretch float64 // of the times between start and those of a template
	sealer  packets.Sealer
	reader  packets.Reader
}

func newWriter(start time.Time) *writer {
	return &writer{start: start.UTC().Truncate(time.Second), stretch: 1}
}

type packet struct {
	Private object `json:"private,omitempty"`
	Record  object `json:"record"`
	Table   string `json:"table"`
}

func (w *writer) packets(list []template) (texts [][]byte, err error) {
	texts = make([][]byte, len(list))
	for i := range list {
		if texts[i], err = w.packet(&list[i]); err != nil {
			return nil, fmt.Errorf("packet %d: %w", i+1, err)
		}
	}
	return texts, nil
}

// packet writes one packet: completed, sealed, and then with its defects.
func (w *writer) packet(t *template) ([]byte, error) {
	info, _ := packets.Info(t.table)
	id, _ := t.Record[info.IDMember].(string)
	text, err := w.filled(packet{Table: t.table.String(), Record: t.Record}, id)
	if err != nil {
		return nil, err
	}
	sealed, fault := w.sealer.Seal(text)
	if fault != nil {
		return nil, fault
	}
	var p packet
	if err := json.Unmarshal(sealed, &p); err != nil {
		return nil, err
	}
	if t.Slipped != nil {
		if err := w.slip(&p, t, id); err != nil {
			return nil, err
		}
	}
	if t.Tampered != nil {
		if err := w.merge(&p, t.Tampered, id); err != nil {
			return nil, err
		}
	}
	p.Private = t.Private
	return json.Marshal(p)
}

func (w *writer) merge(p *packet, members object, id string) error {
	text, err := w.filled(members, id)
	if err != nil {
		return err
	}
	var filled object
	err = json.Unmarshal(text, &filled)
	p.Record = merged(p.Record, filled)
	return err
}

// slip puts texts into a sealed case that the sealer would refuse, and seals it over them with the
// digests that the reader recomputes: the scope's first, because the case's hash covers it.
func (w *writer) slip(p *packet, t *template, id string) error {
	if t.table != terms.AppealCases {
		return errors.New("only cases have texts that private details could slip into")
	}
	if err := w.merge(p, t.Slipped, id); err != nil {
		return err
	}
	_, scope, err := w.hashes(p)
	if err != nil {
		return err
	}
	p.Record["scopeHash"] = scope.String()
	own, _, err := w.hashes(p)
	if err != nil {
		return err
	}
	p.Record["caseHash"] = own.String()
	return nil
}

func (w *writer) hashes(p *packet) (own, scope terms.Hash, err error) {
	text, err := json.Marshal(p)
	if err != nil {
		return own, scope, err
	}
	unredacted, fault := w.reader.Read(text)
	if fault != nil {
		return own, scope, fault
	}
	own, scope = unredacted.Seal()
	return own, scope, nil
}

// placeholder matches a string of a template that is replaced.
var placeholder = regexp.MustCompile(`"[@#](?:[^"\\]|\\.)*"`)

// filled returns the JSON of a value with every placeholder replaced, for the record with the id.
func (w *writer) filled(value any, id string) ([]byte, error) {
	text, err := json.Marshal(value)
	text = placeholder.ReplaceAllFunc(text, func(quoted []byte) []byte {
		var words string
		failed := json.Unmarshal(quoted, &words)
		if failed == nil {
			words, failed = w.value(words, id)
		}
		err = errors.Join(err, failed)
		return strconv.AppendQuote(nil, words)
	})
	return text, err
}

// value is that of a placeholder in the record with the id: a time, or the hash of hidden terms.
func (w *writer) value(text, id string) (string, error) {
	switch {
	case text[0] == '@':
		offset, err := parseOffset(text[1:])
		offset = time.Duration(float64(offset) * w.stretch).Truncate(time.Second)
		return terms.InstantOf(w.start.Add(offset)).String(), err
	case text == "#":
		return "", fmt.Errorf("%q: a hash needs words behind the number sign", text)
	}
	return terms.HashOf([]byte(id + ": " + text[1:])).String(), nil
}

var (
	offsetForm = regexp.MustCompile(`^[+-](\d{1,4}[wdhm])+$`)
	offsetPart = regexp.MustCompile(`\d+[wdhm]`)
	offsetUnit = map[byte]time.Duration{'w': 7 * 24 * time.Hour, 'd': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute}
)

// parseOffset reads a signed sum such as -3d4h.
func parseOffset(text string) (time.Duration, error) {
	if !offsetForm.MatchString(text) {
		return 0, fmt.Errorf("%q: a time is written @-3d4h or @+2w", "@"+text)
	}
	var sum time.Duration
	for _, part := range offsetPart.FindAllString(text, -1) {
		unit := len(part) - 1
		count, err := strconv.Atoi(part[:unit])
		if err != nil {
			return 0, fmt.Errorf("%q: %w", "@"+text, err)
		}
		sum += time.Duration(count) * offsetUnit[part[unit]]
	}
	if text[0] == '-' {
		return -sum, nil
	}
	return sum, nil
}
