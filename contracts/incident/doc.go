// Package incident reads, checks and lays out incident response profiles: the document shape of seed 2.2.
//
// The contract fixes the shape only; which channels, severities or phases a profile has is for those who write it. The
// shape stands once, in shape.go: the reader, the JSON Schema under schemas/ and the tables of the docs page derive from
// it. Beyond the shape a profile has to fit together: see rule.go, which lists everything that can be wrong.
//
//	bytes    --Read-->     Profile, Problems   strict reading; every problem with its place, never with a value
//	Profile  --Lay-->      View                sections, facts and a matrix, ready to draw
//
// A text of a profile that holds private details is a problem, and is masked wherever the profile is shown.
package incident
