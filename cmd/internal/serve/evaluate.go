package serve

import (
	"bytes"
	"net/http"

	"docket/contracts"
	"docket/domain/rules"
	"docket/domain/terms"
	"docket/domain/views"
)

// evaluate evaluates an input of the area, exactly as `docket evaluate` does. It reads no clock and no store, and writes
// nothing.
func evaluate(area terms.Area) handler {
	return func(s *Service, c *call) (answer, error) {
		reader := s.readers.Get().(*reader)
		defer s.reuse(reader, len(c.body))
		question, fault := rules.ReadInput(&reader.domain, c.body)
		if fault != nil {
			return answer{}, malformedByAll(fault, contracts.ExplainInput(c.body, fault))
		}
		if question.Area() != area {
			return answer{}, malformed("/table", "is of the other evaluate route's area")
		}
		reader.written = views.AppendAnswer(reader.written[:0], &question, rules.Evaluate(&question))
		return answer{status: http.StatusOK, document: bytes.Clone(reader.written)}, nil
	}
}
