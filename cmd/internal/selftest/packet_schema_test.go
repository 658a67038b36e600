package selftest

import (
	"bytes"
	"testing"

	"docket/domain/packets"
	"docket/domain/shape"
	"docket/domain/terms"
)

// packetBreakings break the reader of packets and the published schemas.
func packetBreakings() []breaking {
	var all []breaking
	for _, hook := range []string{"appeal_case_record_contract", "agreement_amendment_schema_contract"} {
		all = append(all,
			breaking{hook, "the reader passes over what it does not know", "the reader takes", func(_ *testing.T, p *program) {
				p.read = func(text []byte) (packets.Packet, *shape.Fault) {
					return read(bytes.Replace(text, []byte(`"`+canary+`":"`+canary+`",`), nil, 1))
				}
			}},
			breaking{hook, "the reader takes the second of two", "a double member", func(t *testing.T, p *program) {
				p.read = func(text []byte) (packets.Packet, *shape.Fault) {
					return read(altering(t, text, func(o object) object { return o }))
				}
			}},
			breaking{hook, "the reader refuses all", "refuses the sample", func(_ *testing.T, p *program) {
				p.read = func([]byte) (packets.Packet, *shape.Fault) { return packets.Packet{}, &shape.Fault{Reason: "no"} }
			}},
			breaking{hook, "a refusal repeats the packet", "repeats", func(_ *testing.T, p *program) {
				p.read = func(text []byte) (packets.Packet, *shape.Fault) {
					packet, fault := read(text)
					if fault != nil {
						fault.Reason = string(text)
					}
					return packet, fault
				}
			}},
			breaking{hook, "the schema accepts all", "the schema takes", schemaFinding(func([]shape.Fault) []shape.Fault { return nil })},
			breaking{hook, "the schema refuses all", "the schema refuses the sample", schemaFinding(func([]shape.Fault) []shape.Fault {
				return []shape.Fault{{Reason: "no"}}
			})},
			breaking{hook, "the schema's refusal repeats the record", "repeats", schemaFinding(func(faults []shape.Fault) []shape.Fault {
				for i := range faults {
					faults[i].Pointer += "/" + canary
				}
				return faults
			})})
	}
	return all
}

func schemaFinding(change func([]shape.Fault) []shape.Fault) func(*testing.T, *program) {
	return func(_ *testing.T, p *program) {
		p.compile = func(table terms.Table) (func([]byte) []shape.Fault, error) {
			check, err := compile(table)
			return func(record []byte) []shape.Fault { return change(check(record)) }, err
		}
	}
}
