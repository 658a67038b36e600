package incident

import (
	"bytes"
	_ "embed" // the sample is part of the program
)

//go:embed sample.json
var sampleText []byte

// SampleText returns the sample profile that the program ships, as it is written.
func SampleText() []byte { return bytes.Clone(sampleText) }

// Sample returns the sample profile: what there is to show where nobody brought another.
func Sample() Profile {
	profile, _ := Read(sampleText)
	return profile
}
