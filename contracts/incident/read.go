package incident

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"docket/domain/json"
	"docket/domain/private"
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

// Read reads a profile and finds all of its problems. The Profile is zero if the shape is wrong; a
// text that is not JSON has that one problem.
func Read(document []byte) (Profile, Problems) {
	in := &reading{}
	var parsed json.Document
	if fault := parsed.Parse(document, json.Limits{Bytes: MaxSize, Values: MaxValues}); fault != nil {
		if fault.Reason == json.ReasonSize || fault.Reason == json.ReasonValues {
			in.found("", TooLarge, "")
			return Profile{}, in.problems
		}
		in.found(parsed.Where(profileShape.Shape().Shown()), StrictJSON,
			fmt.Sprintf("%s on line %d", fault.Reason, json.Line(document, fault.Offset)))
		return Profile{}, in.problems
	}
	profile := &Profile{}
	profileShape.Check(reflect.ValueOf(profile).Elem(), parsed.Root(), in, "", in.tell)
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

type mask struct {
	text  *string
	kinds private.Kinds
}

// needed names the type that a value should have.
var needed = map[json.FormKind]string{
	json.FormSentence: "a string is needed", json.FormSentences: "an array is needed", json.FormList: "an array is needed",
	json.FormPositive: "a number is needed",
}

// tell adds a finding of the shape as a problem with the rule that it breaks.
func (in *reading) tell(f json.Finding) bool {
	switch f.Cause {
	case json.NotKnown:
		in.found(f.Pointer, UnknownMember, fmt.Sprintf("%d in all", f.Count))
	case json.Missing:
		in.found(f.Pointer, MemberMissing, "")
	case json.NoItem:
		in.found(f.Pointer, EmptyArray, "")
	case json.NotKind:
		detail := "an object is needed"
		if f.Form != nil {
			detail = needed[f.Form.Kind]
		}
		in.found(f.Pointer, WrongType, detail)
	case json.Refused:
		in.found(f.Pointer, in.refused.rule, in.refused.detail)
	}
	return true
}

// found notes a problem, or a warning if the rule only warns; detail adds to its words.
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

func (in *reading) breaks(v json.Value, rule Rule, detail string) *json.Fault {
	in.refused = refusal{rule, detail}
	return json.FaultAt(v, rules[rule-1].Broken)
}

// text scans a string before anything else can see it, but for an address where one is allowed.
func (in *reading) text(into *string, v json.Value, addressAllowed bool) *json.Fault {
	switch {
	case v.Kind() != json.KindString:
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

// memberOf reads the texts, lists of texts and hours of a profile.
func memberOf(name string, field reflect.StructField, at json.At) (m json.Member[reading, reflect.Value], known bool) {
	address := field.Tag.Get("address") == "allowed"
	switch field.Type {
	case reflect.TypeFor[string]():
		text := json.FieldAt[string](at)
		return json.NewMember(name, json.Form{Kind: json.FormSentence}, func(r reflect.Value, v json.Value, in *reading) *json.Fault {
			return in.text(text(r), v, address)
		}), true
	case reflect.TypeFor[[]string]():
		return json.ElementsMember(name, json.Form{Kind: json.FormSentences, NotEmpty: true}, json.FieldAt[[]string](at),
			func(into *string, v json.Value, in *reading) *json.Fault { return in.text(into, v, address) }), true
	case reflect.TypeFor[float64]():
		return json.NewMember(name, json.Form{Kind: json.FormPositive}, func(r reflect.Value, v json.Value, in *reading) *json.Fault {
			number, ok := v.Float()
			switch {
			case !ok:
				return in.breaks(v, WrongType, needed[json.FormPositive])
			case number <= 0:
				return in.breaks(v, HoursNotPositive, "")
			}
			at(r).SetFloat(number)
			return nil
		}), true
	}
	return m, false
}

const addressKinds = private.Kinds(1<<private.Email | 1<<private.Phone | 1<<private.Handle | 1<<private.ChatLink)

func (in *reading) mask() {
	for _, m := range in.masks {
		*m.text = fmt.Sprintf("[masked: %s]", strings.Join(m.kinds.Texts(), ", "))
	}
}

// checkTogether finds faults between the parts, which do not keep the profile from being shown; it
// compares phases with severities only if the shape is right.
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
