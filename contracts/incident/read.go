package incident

import (
	"fmt"
	"strconv"
	"strings"

	"docket/domain/canonical"
	"docket/domain/private"
	"docket/domain/shape"
)

// The limits of a profile and of its problems.
const (
	MaxSize     = 16 << 20 // bytes
	MaxValues   = 1 << 20  // as for packets: what is read takes many times the room of its text
	MaxProblems = 1000     // that Read lists; it counts the others
)

// Problems are the problems of a profile, and the warnings about it.
type Problems struct {
	List     []Problem // in the order of the shape, at most MaxProblems
	Total    int       // of what is wrong
	Warnings []Problem // what is odd, as List; nobody has to change it
	Warned   int       // how many warnings there are in all
}

// OK reports whether there are no problems. There may be warnings.
func (p *Problems) OK() bool { return p.Total == 0 }

// Read reads a profile and finds all of its problems. If the shape is wrong, the Profile is the zero one. A text that is not JSON
// has that one problem.
func Read(document []byte) (Profile, Problems) {
	in := &reading{}
	var parsed canonical.Document
	if fault := parsed.Parse(document, canonical.Limits{Bytes: MaxSize, Values: MaxValues}); fault != nil {
		if fault.Reason == canonical.ReasonSize || fault.Reason == canonical.ReasonValues {
			in.found("", TooLarge, "")
			return Profile{}, in.problems
		}
		in.found(shape.FaultOf(fault, profileShape.Shape().Shown()).Pointer, StrictJSON,
			fmt.Sprintf("%s on line %d", fault.Reason, canonical.Line(document, fault.Offset)))
		return Profile{}, in.problems
	}
	profile := &Profile{}
	profileShape.Check(profile, parsed.Root(), in, "", in.tell)
	shaped := !in.misshapen
	in.checkTogether(profile)
	in.mask()
	if !shaped {
		return Profile{}, in.problems
	}
	return *profile, in.problems
}

type reading struct {
	problems  Problems
	misshapen bool
	masks     []mask
	refused   refusal // what the latest value that was refused breaks
}

type refusal struct {
	rule   Rule
	detail string
}

// A mask is to be put in the place of a text once keys have been compared.
type mask struct {
	text  *string
	kinds private.Kinds
}

// needed names the type that a value should have.
var needed = map[shape.FormKind]string{
	shape.FormSentence: "a string is needed", shape.FormSentences: "an array is needed", shape.FormList: "an array is needed",
	shape.FormPositive: "a number is needed",
}

// tell adds a finding of the shape as a problem with the rule that it breaks.
func (in *reading) tell(f shape.Finding) bool {
	switch f.Cause {
	case shape.NotKnown:
		in.found(f.Pointer, UnknownMember, fmt.Sprintf("%d in all", f.Count))
	case shape.Missing:
		in.found(f.Pointer, MemberMissing, "")
	case shape.NoItem:
		in.found(f.Pointer, EmptyArray, "")
	case shape.NotKind:
		detail := "an object is needed"
		if f.Form != nil {
			detail = needed[f.Form.Kind]
		}
		in.found(f.Pointer, WrongType, detail)
	case shape.Refused:
		in.found(f.Pointer, in.refused.rule, in.refused.detail)
	}
	return true
}

// found notes a problem or, if the rule only warns, a warning. detail adds to the words of the rule; it may be "".
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

// breaks refuses a value that breaks a rule.
func (in *reading) breaks(v canonical.Value, rule Rule, detail string) *shape.Fault {
	in.refused = refusal{rule, detail}
	return shape.FaultAt(v, rules[rule-1].Broken)
}

// text reads a string, and scans it before anything else can see it. Where an address may stand, it is no private detail.
func (in *reading) text(into *string, v canonical.Value, addressAllowed bool) *shape.Fault {
	switch {
	case v.Kind() != canonical.String:
		return in.breaks(v, WrongType, "a string is needed")
	case len(v.Bytes()) == 0:
		return in.breaks(v, EmptyText, "")
	}
	*into = v.Text()
	switch kinds := private.ScanString(*into); {
	case kinds.Empty():
		return nil
	case addressAllowed && kinds.Minus(addressKinds).Empty():
		return in.breaks(v, ChannelAddress, strings.Join(kinds.Texts(), ", "))
	default:
		in.masks = append(in.masks, mask{into, kinds})
		return in.breaks(v, PrivateDetails, strings.Join(kinds.Texts(), ", "))
	}
}

type member[R any] = shape.Member[reading, *R]

func text[R any](name string, at func(*R) *string) member[R] {
	return shape.Required(shape.NewMember(name, shape.Form{Kind: shape.FormSentence}, func(r *R, v canonical.Value, in *reading) *shape.Fault {
		return in.text(at(r), v, false)
	}))
}

// address is a text that may hold an address, as that of an intake channel does.
func address[R any](name string, at func(*R) *string) member[R] {
	return shape.Required(shape.NewMember(name, shape.Form{Kind: shape.FormSentence}, func(r *R, v canonical.Value, in *reading) *shape.Fault {
		return in.text(at(r), v, true)
	}))
}

func texts[R any](name string, at func(*R) *[]string) member[R] {
	return shape.Required(shape.ElementsMember(name, shape.Form{Kind: shape.FormSentences, NotEmpty: true}, at,
		func(into *string, v canonical.Value, in *reading) *shape.Fault { return in.text(into, v, false) }))
}

func list[R, O any](name string, of *shape.Of[reading, *O], at func(*R) *[]O) member[R] {
	return shape.Required(shape.FilledListMember(name, of, at))
}

func hours[R any](name string, at func(*R) *float64) member[R] {
	return shape.Required(shape.NewMember(name, shape.Form{Kind: shape.FormPositive}, func(r *R, v canonical.Value, in *reading) *shape.Fault {
		number, ok := v.Float()
		switch {
		case !ok:
			return in.breaks(v, WrongType, needed[shape.FormPositive])
		case number <= 0:
			return in.breaks(v, HoursNotPositive, "")
		}
		*at(r) = number
		return nil
	}))
}

const addressKinds = private.Kinds(1<<private.Email | 1<<private.Phone | 1<<private.Handle | 1<<private.ChatLink)

func (in *reading) mask() {
	for _, m := range in.masks {
		*m.text = fmt.Sprintf("[masked: %s]", strings.Join(m.kinds.Texts(), ", "))
	}
}

// checkTogether finds problems and warnings between the parts of a profile. It compares phases with severities only if the shape
// is right. Problems found here do not keep the profile from being shown.
func (in *reading) checkTogether(p *Profile) {
	misshapen := in.misshapen
	defer func() { in.misshapen = misshapen }()
	uniqueKeys(in, "/intakeChannels", p.IntakeChannels, func(c *Channel) string { return c.Key })
	uniqueKeys(in, "/incidentCategories", p.IncidentCategories, func(c *Category) string { return c.Key })
	severities := uniqueKeys(in, "/severityLevels", p.SeverityLevels, func(s *Severity) string { return s.Key })
	uniqueKeys(in, "/responsePhases", p.ResponsePhases, func(p *Phase) string { return p.Key })
	uniqueKeys(in, "/disclosureRules", p.DisclosureRules, func(d *DisclosureRule) string { return d.Key })
	uniqueKeys(in, "/readinessGates", p.ReadinessGates, func(g *Gate) string { return g.Key })
	if misshapen {
		return
	}
	served := map[string]bool{}
	for i := range p.ResponsePhases {
		for j, key := range p.ResponsePhases[i].RequiredForSeverity {
			served[key] = true
			if _, known := severities[key]; !known {
				in.found("/responsePhases/"+strconv.Itoa(i)+"/requiredForSeverity/"+strconv.Itoa(j), UnknownSeverity, "")
			}
		}
	}
	for i := range p.SeverityLevels {
		if !served[p.SeverityLevels[i].Key] {
			in.found("/severityLevels/"+strconv.Itoa(i), SeverityNotServed, "")
		}
	}
}

// uniqueKeys refuses repeated keys in an array, and returns the first place of each key.
func uniqueKeys[O any](in *reading, at string, items []O, key func(*O) string) map[string]int {
	first := make(map[string]int, len(items))
	for i := range items {
		k := key(&items[i])
		if k == "" {
			continue
		}
		if earlier, there := first[k]; there {
			in.found(at+"/"+strconv.Itoa(i)+"/key", DuplicateKey, fmt.Sprintf("at %s/%d/key", at, earlier))
			continue
		}
		first[k] = i
	}
	return first
}
