package serve

import (
	"docket/cmd/internal/api"
	"docket/contracts"
	"docket/domain/canonical"
	"docket/domain/shape"
)

const tooLong = "is too long"

// Bodies are read by package shape without a state. Every body has all of its members.
type (
	none              = struct{}
	bodyMember[T any] = shape.Member[none, *T]
	bodyShape[T any]  = shape.Of[none, *T]
)

func newBody[T any](members ...bodyMember[T]) *bodyShape[T] {
	return shape.New(shape.All(members...)...)
}

// readBody reads a body as strictly as a packet. known reports which names below the members may be shown. The values are
// valid until the next use of doc.
func readBody[T any](doc *canonical.Document, text []byte, body *bodyShape[T], known func(string) bool) (T, error) {
	var into T
	if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
		at := shape.FaultOf(fault, func(depth int, step canonical.Step) bool {
			return step.IsIndex || depth == 0 && body.Shape().Member(step.Name) != nil || known(step.Name)
		})
		return into, malformedBy("", at)
	}
	var problem error
	body.Check(&into, doc.Root(), nil, "", func(f shape.Finding) bool {
		if f.Reason == shape.Null { // a body may leave nothing out
			f.Reason = f.Form.Want()
		}
		problem = malformed(f.Pointer, f.Reason)
		return false
	})
	if problem != nil {
		return *new(T), problem
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

// shortMember reads a string of at most most bytes.
func shortMember[T any](name string, most int, at func(*T) *string) bodyMember[T] {
	return shape.NewMember(name, shape.Form{Kind: shape.FormString}, func(into *T, v canonical.Value, _ *none) *shape.Fault {
		switch {
		case v.Kind() != canonical.String:
			return shape.FaultAt(v, shape.WantString)
		case len(v.Bytes()) > most:
			return shape.FaultAt(v, tooLong)
		}
		*at(into) = v.Text()
		return nil
	})
}
