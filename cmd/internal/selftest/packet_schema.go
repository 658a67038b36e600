package selftest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/terms"
	"docket/ui/wording"
)

// packetSchema compares the published schema and the reader of an area's two packet tables, with the sample and with
// copies of it that have to be refused.
func packetSchema(area terms.Area) check {
	return func(_ context.Context, b *bench) (string, error) {
		sample, err := b.pair(area)
		if err != nil {
			return "", err
		}
		var members, refused int
		for _, p := range []packet{sample.policy, sample.record} {
			fits, err := b.compile(p.table)
			if err != nil {
				return "", err
			}
			strict := strictly{b, fits}
			if err := strict.takes(p); err != nil {
				return "", err
			}
			copies := brokenCopies(p)
			for _, c := range copies {
				if err := strict.refuses(p.table, c); err != nil {
					return "", err
				}
			}
			info, _ := packets.Info(p.table)
			members, refused = members+len(info.Shape.Members), refused+len(copies)
		}
		return fmt.Sprintf("2 samples with %s taken by schema and reader; %s refused by both without an echo",
			wording.Plural(members, "member", "members"), wording.Plural(refused, "altered record", "altered records")), nil
	}
}

// strictly is the reader and the schema of one table.
type strictly struct {
	*bench
	fits func(record []byte) []shape.Fault
}

// A brokenCopy is a record that has to be refused, with the reason.
type brokenCopy struct {
	what   string
	record []byte
}

// brokenCopies removes, doubles, adds or retypes one member at a time.
func brokenCopies(p packet) []brokenCopy {
	text := encoded(p.record)
	copies := []brokenCopy{
		{"an unknown member", encoded(edited(p.record, canary, canary))},
		{"a double member", twice(text)},
	}
	info, _ := packets.Info(p.table)
	for _, member := range info.Shape.Members {
		if member.Required {
			copies = append(copies, brokenCopy{fmt.Sprintf("no %s", member.Name), encoded(edited(p.record, member.Name, removed{}))})
		}
		if !member.Nullable {
			copies = append(copies, brokenCopy{fmt.Sprintf("null in %s", member.Name), encoded(edited(p.record, member.Name, nil))})
		}
		copies = append(copies, brokenCopy{fmt.Sprintf("a wrong type in %s", member.Name),
			encoded(edited(p.record, member.Name, wrongFor(p.record[member.Name])))})
	}
	walk(p.record, "", func(pointer string, value any) {
		if _, isObject := value.(object); isObject {
			copies = append(copies, brokenCopy{fmt.Sprintf("an unknown member in %s", pointer),
				encoded(edited(p.record, pointer+"/"+canary, canary))})
		}
	})
	return copies
}

func (s strictly) takes(p packet) error {
	if _, fault := s.read(p.text()); fault != nil {
		return fmt.Errorf("the reader refuses the sample of %s: %w", p.table, fault)
	}
	if faults := s.fits(encoded(p.record)); len(faults) > 0 {
		return fmt.Errorf("the schema refuses the sample of %s: %w", p.table, &faults[0])
	}
	return nil
}

func (s strictly) refuses(table terms.Table, c brokenCopy) error {
	_, fault := s.read(fmt.Appendf(nil, `{"table":"%s","record":%s}`, table, c.record))
	faults := s.fits(c.record)
	switch {
	case fault == nil:
		return fmt.Errorf("the reader takes a record of %s with %s", table, c.what)
	case len(faults) == 0:
		return fmt.Errorf("the schema takes a record of %s with %s", table, c.what)
	}
	for _, told := range append(faults, *fault) {
		if strings.Contains(told.Pointer+told.Reason, canary) {
			return errors.New("a refusal repeats what it refuses")
		}
	}
	return nil
}
