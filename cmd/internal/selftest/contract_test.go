package selftest

import (
	"strconv"
	"testing"

	"docket/contracts/report"
	"docket/domain/terms"
)

// contractBreakings break what the contract validators look at.
func contractBreakings() []breaking {
	var all []breaking
	for hook, lists := range map[string]string{
		"challenge_appeal_contract_validator":           "failClosedStatuses",
		"background_private_overlap_contract_validator": "forbiddenInputs",
		"agreement_amendment_contract_validator":        "transitions",
	} {
		all = append(all,
			breaking{hook, "a code is missing from the contract", "fall short", func(t *testing.T, p *program) {
				publishing(t, p, func(o object) object {
					list, _ := at(o, bodyPointer+"/"+lists).([]any)
					return edited(o, bodyPointer+"/"+lists, list[1:])
				})
			}},
			breaking{hook, "a code stands in the wrong place", "fall short", func(t *testing.T, p *program) {
				publishing(t, p, func(o object) object {
					list, _ := at(o, bodyPointer+"/"+lists).([]any)
					return edited(o, bodyPointer+"/"+lists, append(list[1:len(list):len(list)], list[0]))
				})
			}},
			breaking{hook, "the report is not ok", "not ok", func(t *testing.T, p *program) {
				publishing(t, p, func(o object) object { return edited(o, "ok", false) })
			}},
			breaking{hook, "the report is another one each time", "not the same", func(t *testing.T, p *program) {
				times := 0
				publishing(t, p, func(o object) object { times++; return edited(o, "purpose", strconv.Itoa(times)) })
			}},
			breaking{hook, "the checks see nothing", "no check sees", func(_ *testing.T, p *program) {
				p.examiner = func() (func([]byte, terms.Instant) (report.Examination, error), error) {
					examine, err := newExaminer()
					var first []byte
					return func(text []byte, now terms.Instant) (report.Examination, error) {
						if first == nil {
							first = text
						}
						return examine(first, now)
					}, err
				}
			}})
	}
	return all
}

// publishing changes what is published.
func publishing(t *testing.T, p *program, change func(object) object) {
	p.publish = func(kind report.Kind, at terms.Instant) ([]byte, error) {
		text, err := publish(kind, at)
		if err != nil {
			return nil, err
		}
		return altering(t, text, change), nil
	}
}
