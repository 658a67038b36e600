package serve

import (
	"docket/cmd/internal/api"
	"docket/contracts"
	"docket/domain/canonical"
	"docket/domain/shape"
)

// readBody reads a body as strictly as a packet. known reports which names below the members may be shown.
func readBody[T any](doc *canonical.Document, text []byte, body api.Reader[T], known func(string) bool) (T, error) {
	if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
		at := shape.FaultOf(fault, func(depth int, step canonical.Step) bool {
			return step.IsIndex || depth == 0 && body.Shape().Member(step.Name) != nil || known(step.Name)
		})
		return *new(T), malformedBy("", at)
	}
	into, fault := body.Read(doc.Root())
	if fault != nil {
		return into, malformedBy("", fault)
	}
	return into, nil
}

// malformed returns the problem of a request that cannot be read. reason is one clause about the value at the pointer.
func malformed(pointer, reason string) *api.Problem {
	problem := api.Malformed.New(reason)
	problem.Pointer = pointer
	return problem
}

// malformedBy returns malformed for a fault that domain found in the part of the body under the pointer.
func malformedBy(under string, fault *shape.Fault) *api.Problem {
	return malformed(under+fault.Pointer, fault.Reason)
}

// malformedByAll returns malformed with all faults of the body, although the reader stopped at the first.
func malformedByAll(fault *shape.Fault, all []shape.Fault) *api.Problem {
	foremost := contracts.Foremost(fault, all)
	problem := malformed(foremost.Pointer, foremost.Reason)
	for _, fault := range all {
		if len(all) > 1 {
			problem.Faults = append(problem.Faults, api.Fault{Pointer: fault.Pointer, Reason: fault.Reason})
		}
	}
	return problem
}
