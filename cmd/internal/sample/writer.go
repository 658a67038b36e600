package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"docket/domain"
)

// writer turns templates into packets for one moment. It remembers the policies that it has sealed.
type writer struct {
	start  time.Time
	sealer domain.Sealer
	reader domain.Reader
}

func newWriter(start time.Time) *writer {
	return &writer{start: start.UTC().Truncate(time.Second)}
}

// packet is a packet on its way out.
type packet struct {
	Private object `json:"private,omitempty"`
	Record  object `json:"record"`
	Table   string `json:"table"`
}

// file writes the packets of one template file, in its order.
func (w *writer) file(text []byte) ([][]byte, error) {
	file, table, err := readTemplates(text)
	if err != nil {
		return nil, err
	}
	packets := make([][]byte, len(file.Packets))
	for i := range file.Packets {
		if packets[i], err = w.packet(table, file.Like, &file.Packets[i]); err != nil {
			return nil, fmt.Errorf("packet %d: %w", i+1, err)
		}
	}
	return packets, nil
}

// packet writes one packet: completed, sealed, and then whatever befell it.
func (w *writer) packet(table domain.Table, like object, t *template) ([]byte, error) {
	record := merged(like, t.Record)
	info, _ := domain.Info(table)
	id, _ := record[info.IDMember].(string)
	var filled [3]object
	for i, part := range []object{record, t.Slipped, t.Tampered} {
		var err error
		if filled[i], err = (placeholders{w.start, id}).object(part); err != nil {
			return nil, err
		}
	}
	p := packet{Table: table.String(), Record: filled[0]}
	if err := w.seal(&p); err != nil {
		return nil, err
	}
	if t.Slipped != nil {
		if err := w.slip(&p, table, filled[1]); err != nil {
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

// slip puts texts into a sealed case that the sealer would not take, and seals it over them with the digests that the
// reader recomputes: the scope's first, because the case's hash covers it.
func (w *writer) slip(p *packet, table domain.Table, texts object) error {
	if table != domain.AppealCases {
		return errors.New("only cases have texts that private details could slip into")
	}
	p.Record = merged(p.Record, texts)
	digests, err := w.digests(p)
	if err != nil {
		return err
	}
	p.Record["scopeHash"] = digests.Scope.String()
	if digests, err = w.digests(p); err != nil {
		return err
	}
	p.Record["caseHash"] = digests.Content.String()
	return nil
}

func (w *writer) digests(p *packet) (domain.Digests, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return domain.Digests{}, err
	}
	unredacted, fault := w.reader.Read(text)
	if fault != nil {
		return domain.Digests{}, fault
	}
	return unredacted.Redact().Digests(), nil
}
