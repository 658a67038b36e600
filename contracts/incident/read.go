package incident

import (
	"fmt"
	"slices"
	"strings"

	"docket/domain/canonical"
	"docket/domain/private"
)

// The limits of a profile and of what is said about one.
const (
	MaxSize     = 16 << 20 // bytes
	MaxValues   = 1 << 20  // as for packets: what is read takes many times the room of its text
	MaxProblems = 1000     // that Read lists; it counts the others
)

// Problems are what is wrong with a profile, and what is odd about it.
type Problems struct {
	List     []Problem // in the order of the shape, at most MaxProblems
	Total    int       // of what is wrong
	Warnings []Problem // what is odd, as List; nobody has to change it
	Warned   int       // how many warnings there are in all
	// Shown tells whether the profile can be shown: its shape is right, and what is wrong beyond it is masked or is said
	// beside it.
	Shown bool
}

// OK tells whether nothing is wrong. There may be warnings.
func (p *Problems) OK() bool { return p.Total == 0 }

// Read reads a profile and finds everything that is wrong with it. Where the shape is not right the Profile is the zero
// one. A text that is not JSON has that one problem.
func Read(document []byte) (Profile, Problems) {
	profile, problems, _ := read(document)
	return profile, problems
}

// read is Read. root is the zero Value for a text that is not JSON as it is read here.
func read(document []byte) (_ Profile, _ Problems, root canonical.Value) {
	in := &reading{}
	if len(document) > MaxSize || commas(document) >= MaxValues {
		in.found("", TooLarge, "")
		return Profile{}, in.problems, root
	}
	var parsed canonical.Document
	if fault := parsed.Parse(document, canonical.Limits{Bytes: MaxSize}); fault != nil {
		in.found(knownPointer(fault.Path), StrictJSON,
			fmt.Sprintf("%s on line %d", fault.Reason, canonical.Line(document, fault.Offset)))
		return Profile{}, in.problems, root
	}
	root = parsed.Root()
	profile := &Profile{}
	profileShape.read(in, profile, root, "")
	shaped := !in.misshapen
	in.checkTogether(profile)
	in.mask()
	if !shaped {
		return Profile{}, in.problems, root
	}
	in.problems.Shown = true
	return *profile, in.problems, root
}

// commas counts those outside of strings, without reading anything else: there is one less than there are values, but
// for what stands in objects and arrays of one.
func commas(document []byte) int {
	count, within := 0, false
	for i := 0; i < len(document); i++ {
		switch c := document[i]; {
		case c == '"':
			within = !within
		case within && c == '\\':
			i++
		case !within && c == ',':
			count++
		}
	}
	return count
}

// reading is one profile being read.
type reading struct {
	problems  Problems
	misshapen bool
	masks     []mask
}

// A mask is to be put in the place of a text once keys have been compared.
type mask struct {
	text  *string
	kinds private.Kinds
}

// found notes a problem or, where the rule only warns, a warning. detail is what the rule's own words leave open; "" for
// nothing.
func (in *reading) found(at string, rule Rule, detail string) {
	info := &rules[rule-1]
	list, count := &in.problems.List, &in.problems.Total
	if info.Warns {
		list, count = &in.problems.Warnings, &in.problems.Warned
	}
	in.misshapen = in.misshapen || !info.Warns && rule != PrivateDetails
	*count++
	if len(*list) >= MaxProblems {
		return
	}
	reason := info.Broken
	if detail != "" {
		reason += ": " + detail
	}
	*list = append(*list, Problem{at, rule, reason})
}

// text reads a string, and scans it before anything else can see it.
func (in *reading) text(into *string, v canonical.Value, at string) {
	switch {
	case v.Kind() != canonical.String:
		in.found(at, WrongType, "a string is needed")
		return
	case len(v.Bytes()) == 0:
		in.found(at, EmptyText, "")
		return
	}
	*into = v.Text()
	switch kinds := private.ScanString(*into); {
	case kinds.Empty():
	case strings.HasPrefix(at, channelsPlace) && addressesOnly(kinds):
		in.found(at, ChannelAddress, kindsText(kinds))
	default:
		in.found(at, PrivateDetails, kindsText(kinds))
		in.masks = append(in.masks, mask{into, kinds})
	}
}

// channelsPlace begins the pointer of everything in an intake channel, where an address belongs.
const channelsPlace = "/intakeChannels/"

// addressKinds are the ways to reach somebody.
var addressKinds = []private.Kind{private.Email, private.Phone, private.Handle, private.ChatLink}

// addressesOnly tells whether all that was found are ways to reach somebody.
func addressesOnly(kinds private.Kinds) bool {
	return !slices.ContainsFunc(kinds.List(), func(kind private.Kind) bool { return !slices.Contains(addressKinds, kind) })
}

func kindsText(kinds private.Kinds) string {
	var names []string
	for _, kind := range kinds.List() {
		names = append(names, kind.String())
	}
	return strings.Join(names, ", ")
}

// mask puts the kinds of what was found in the place of the texts that held it.
func (in *reading) mask() {
	for _, m := range in.masks {
		*m.text = "[masked: " + kindsText(m.kinds) + "]"
	}
}

// knownPointer leads as far down as the names are those of the shape.
func knownPointer(path []canonical.Step) string {
	shape := ProfileShape()
	return canonical.Pointer(path, func(_ int, step canonical.Step) bool {
		if step.IsIndex {
			return true
		}
		next, known := shape.member(step.Name)
		shape = next.Of
		return known
	})
}

// member finds a member by its name. A nil Shape has none.
func (s *Shape) member(name string) (MemberShape, bool) {
	if s == nil {
		return MemberShape{}, false
	}
	for _, m := range s.Members {
		if m.Name == name {
			return m, true
		}
	}
	return MemberShape{}, false
}
