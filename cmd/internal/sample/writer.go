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

// writer turns templates into packets for one moment. It remembers the policies that it has sealed.
type writer struct {
	start   time.Time
	stretch float64 // of the times between start and those of a template
	sealer  packets.Sealer
	reader  packets.Reader
}

func newWriter(start time.Time) *writer {
	return &writer{start: start.UTC().Truncate(time.Second), stretch: 1}
}

// packet is a packet under construction.
type packet struct {
	Private object `json:"private,omitempty"`
	Record  object `json:"record"`
	Table   string `json:"table"`
}

// packets writes the packets of templates, in their order.
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
	var filled [3]object
	for i, part := range []object{t.Record, t.Slipped, t.Tampered} {
		var err error
		if filled[i], err = (placeholders{w.start, w.stretch, id}).object(part); err != nil {
			return nil, err
		}
	}
	p := packet{Table: t.table.String(), Record: filled[0]}
	if err := w.seal(&p); err != nil {
		return nil, err
	}
	if t.Slipped != nil {
		if err := w.slip(&p, t.table, filled[1]); err != nil {
			return nil, err
		}
	}
	if t.Tampered != nil {
		p.Record = merged(p.Record, filled[2])
	}
	p.Private = t.Private
	return json.Marshal(p)
}

// seal fills in the hashes.
func (w *writer) seal(p *packet) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	sealed, fault := w.sealer.Seal(text)
	if fault != nil {
		return fault
	}
	return json.Unmarshal(sealed, p)
}

// slip puts texts into a sealed case that the sealer would refuse, and seals it over them with the digests that the
// reader recomputes: the scope's first, because the case's hash covers it.
func (w *writer) slip(p *packet, table terms.Table, texts object) error {
	if table != terms.AppealCases {
		return errors.New("only cases have texts that private details could slip into")
	}
	p.Record = merged(p.Record, texts)
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

// placeholders holds the values of placeholders: times, and hashes of hidden terms.
type placeholders struct {
	start   time.Time // to the second
	stretch float64
	id      string // of the record that is written
}

// fill returns the value with every placeholder in it replaced, at any depth.
func (p placeholders) fill(value any) (any, error) {
	switch value := value.(type) {
	case string:
		return p.text(value)
	case object:
		return p.object(value)
	case []any:
		filled := make([]any, len(value))
		for i := range value {
			var err error
			if filled[i], err = p.fill(value[i]); err != nil {
				return nil, err
			}
		}
		return filled, nil
	}
	return value, nil
}

func (p placeholders) object(members object) (object, error) {
	filled := make(object, len(members))
	for name, value := range members {
		replaced, err := p.fill(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		filled[name] = replaced
	}
	return filled, nil
}

func (p placeholders) text(text string) (string, error) {
	switch {
	case text == "":
		return "", nil
	case text[0] == '@':
		offset, err := parseOffset(text[1:])
		if err != nil {
			return "", err
		}
		offset = time.Duration(float64(offset) * p.stretch).Truncate(time.Second)
		return terms.InstantOf(p.start.Add(offset)).String(), nil
	case text == "#":
		return "", fmt.Errorf("%q: a hash needs words behind the number sign", text)
	case text[0] == '#':
		return terms.HashOf([]byte(p.id + ": " + text[1:])).String(), nil
	}
	return text, nil
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
