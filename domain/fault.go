package domain

import (
	"docket/domain/canonical"
	"docket/domain/shape"
)

// The reasons that refuse a packet beyond those of its JSON, which are canonical's, and of its shape, which are package shape's.
const (
	reasonWantMask      = "is not the mask of a text"
	reasonPrivateText   = "holds private details that have to be taken out first: "
	reasonRecordSize    = "is over 1 MiB"
	reasonPacketTable   = "must be one of the four packet tables"
	reasonQuestionTable = "must be the table of appeal cases or of amendment records"
)

// fromCanonical takes over a fault of the JSON itself. Of its path only the names that known accepts are kept, from
// the top down to the first one it does not; what lies under the private member is never pointed into.
func fromCanonical(fault *canonical.Fault, known func(name string) bool) *Fault {
	private := false
	return shape.FaultOf(fault, func(_ int, step canonical.Step) bool {
		shown := !private && (step.IsIndex || known(step.Name))
		private = private || !step.IsIndex && step.Name == privateMember
		return shown
	})
}
