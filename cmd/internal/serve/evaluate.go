package serve

import (
	"net/http"
	"sync"

	"docket/cmd/internal/api"
	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// readers hold memory for reading inputs.
var readers = sync.Pool{New: func() any { return &packets.Reader{} }}

// evaluate evaluates an input exactly as `docket evaluate` does, without a clock or a store.
func evaluate(area terms.Area) handler {
	return func(s *Service, c *call) (answer, error) {
		reader := readers.Get().(*packets.Reader)
		defer readers.Put(reader)
		question, fault := rules.ReadInput(reader, c.body)
		if fault != nil {
			all := contracts.ExplainInput(c.body, fault)
			foremost := contracts.Foremost(fault, all)
			problem := malformed(foremost.Pointer, foremost.Reason)
			for i := 0; i < len(all) && len(all) > 1; i++ {
				problem.Faults = append(problem.Faults, api.Fault{Pointer: all[i].Pointer, Reason: all[i].Reason})
			}
			return answer{}, problem
		}
		if question.Area() != area {
			return answer{}, malformed("/table", "is of the other evaluate route's area")
		}
		return answer{status: http.StatusOK, document: views.AppendAnswer(nil, &question, rules.Evaluate(&question))}, nil
	}
}
