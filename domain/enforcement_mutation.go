package domain

// EnforcementMutation is the stateMutation of an enforcement record and of the routes that append one (seed 4): the only
// one there is.
const EnforcementMutation = mutation
