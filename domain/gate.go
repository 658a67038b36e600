package domain

import "fmt"

// A Gate is what the rules conclude. The zero value is Blocked, so a forgotten assignment lets nothing through.
type Gate uint8

const (
	Blocked Gate = iota // a blocker holds, or nothing was evaluated
	Pass                // every rule was evaluated and none holds
)

var gateWords = [...]string{Blocked: "blocked", Pass: "pass"}

// Gates lists the words of the gate, pass first, as contracts print them.
func Gates() []string { return []string{gateWords[Pass], gateWords[Blocked]} }

// String returns "pass" or "blocked"; whatever is not Pass is blocked.
func (g Gate) String() string {
	if g == Pass {
		return gateWords[Pass]
	}
	return gateWords[Blocked]
}

// ParseGate reads a gate; an unknown word is an error and Blocked.
func ParseGate(text string) (Gate, error) {
	for gate, word := range gateWords {
		if word == text {
			return Gate(gate), nil
		}
	}
	return Blocked, fmt.Errorf("not a gate: %s or %s is", gateWords[Pass], gateWords[Blocked])
}

// MarshalJSON writes the gate's word.
func (g Gate) MarshalJSON() ([]byte, error) { return []byte(`"` + g.String() + `"`), nil }

// A Flag is a boolean control that may be absent. The zero value is absent: neither yes nor no.
type Flag uint8

const (
	FlagAbsent Flag = iota
	FlagNo
	FlagYes
)

// IsTrue tells whether the control is present and true.
func (f Flag) IsTrue() bool { return f == FlagYes }

// IsFalse tells whether the control is present and false.
func (f Flag) IsFalse() bool { return f == FlagNo }
