package incident

import (
	"slices"
	"strconv"

	"docket/domain/canonical"
)

// A Form is the kind of value that a member holds.
type Form uint8

// The forms.
const (
	FormText  Form = iota + 1 // a string of at least one character
	FormTexts                 // an array of at least one such string
	FormHours                 // a number greater than 0
	FormList                  // an array of at least one object
)

// A Shape describes an object of a profile: its members, all of which are required, and no others.
type Shape struct {
	Name    string // as in the source, such as intakeChannel
	Members []MemberShape
}

// A MemberShape describes one member.
type MemberShape struct {
	Name string
	Form Form
	Says string // what it holds, one clause
	Of   *Shape // of FormList
}

// ProfileShape is the shape of a profile.
func ProfileShape() *Shape { return &profileShape.described }

// member is a MemberShape and the function that reads a value at a place into an R.
type member[R any] struct {
	MemberShape
	read func(in *reading, into *R, v canonical.Value, at string)
}

type shapeOf[R any] struct {
	described Shape
	members   []member[R]
}

func newShape[R any](name string, members ...member[R]) *shapeOf[R] {
	s := &shapeOf[R]{Shape{Name: name}, members}
	for i := range members {
		s.described.Members = append(s.described.Members, members[i].MemberShape)
	}
	return s
}

// profileShape is seed 2.2, the one place where it stands.
var profileShape = newShape("profile",
	text("version", "the version of the profile, in any form", func(p *Profile) *string { return &p.Version }),
	text("purpose", "what the profile is for", func(p *Profile) *string { return &p.Purpose }),
	list("intakeChannels", "the ways in which incidents are reported", channelShape,
		func(p *Profile) *[]Channel { return &p.IntakeChannels }),
	list("incidentCategories", "the kinds of incidents", categoryShape,
		func(p *Profile) *[]Category { return &p.IncidentCategories }),
	list("severityLevels", "how bad an incident is, and how fast it is answered", severityShape,
		func(p *Profile) *[]Severity { return &p.SeverityLevels }),
	list("responsePhases", "the steps of the response", phaseShape, func(p *Profile) *[]Phase { return &p.ResponsePhases }),
	list("disclosureRules", "what is told to whom", disclosureShape,
		func(p *Profile) *[]DisclosureRule { return &p.DisclosureRules }),
	list("readinessGates", "what has to be in place before the profile is relied upon", gateShape,
		func(p *Profile) *[]Gate { return &p.ReadinessGates }),
	texts("publicNonClaims", "what is not claimed in public", func(p *Profile) *[]string { return &p.PublicNonClaims }),
	texts("incidentTests", "the tests of the response", func(p *Profile) *[]string { return &p.IncidentTests }),
)

const (
	saysKey   = "names it within its array"
	saysLabel = "its name for readers"
)

var channelShape = newShape("intakeChannel",
	text("key", saysKey, func(c *Channel) *string { return &c.Key }),
	text("label", saysLabel, func(c *Channel) *string { return &c.Label }),
	text("audience", "who uses it", func(c *Channel) *string { return &c.Audience }),
	text("rule", "how reports are taken", func(c *Channel) *string { return &c.Rule }),
)

var categoryShape = newShape("incidentCategory",
	text("key", saysKey, func(c *Category) *string { return &c.Key }),
	text("label", saysLabel, func(c *Category) *string { return &c.Label }),
	text("owner", "who answers for it", func(c *Category) *string { return &c.Owner }),
	texts("examples", "incidents of this kind", func(c *Category) *[]string { return &c.Examples }),
)

var severityShape = newShape("severity",
	text("key", saysKey, func(s *Severity) *string { return &s.Key }),
	text("label", saysLabel, func(s *Severity) *string { return &s.Label }),
	text("publicSummary", "what is said of it in public", func(s *Severity) *string { return &s.PublicSummary }),
	hours("responseSlaHours", "hours until somebody responds", func(s *Severity) *float64 { return &s.ResponseHours }),
	hours("notificationSlaHours", "hours until those affected are notified",
		func(s *Severity) *float64 { return &s.NotificationHours }),
)

var phaseShape = newShape("responsePhase",
	text("key", saysKey, func(p *Phase) *string { return &p.Key }),
	text("label", saysLabel, func(p *Phase) *string { return &p.Label }),
	text("rule", "what is done in it", func(p *Phase) *string { return &p.Rule }),
	texts("requiredForSeverity", "keys of the severity levels that it serves",
		func(p *Phase) *[]string { return &p.RequiredForSeverity }),
)

var disclosureShape = newShape("disclosureRule",
	text("key", saysKey, func(d *DisclosureRule) *string { return &d.Key }),
	text("label", saysLabel, func(d *DisclosureRule) *string { return &d.Label }),
	text("rule", "what is told, to whom and when", func(d *DisclosureRule) *string { return &d.Rule }),
)

var gateShape = newShape("readinessGate",
	text("key", saysKey, func(g *Gate) *string { return &g.Key }),
	text("label", saysLabel, func(g *Gate) *string { return &g.Label }),
	text("rule", "what it guards", func(g *Gate) *string { return &g.Rule }),
	texts("requires", "what it asks for", func(g *Gate) *[]string { return &g.Requires }),
)

// read takes the object's members into the R. What is wrong is noted, and the rest is read all the same.
func (s *shapeOf[R]) read(in *reading, into *R, object canonical.Value, at string) {
	if object.Kind() != canonical.Object {
		in.found(at, WrongType, "an object is needed")
		return
	}
	unknown := 0
	for m := object.First(); m.Exists(); m = m.Next() {
		if !slices.ContainsFunc(s.members, func(known member[R]) bool { return known.Name == string(m.NameBytes()) }) {
			unknown++
		}
	}
	if unknown > 0 {
		in.found(at, UnknownMember, strconv.Itoa(unknown)+" in all")
	}
	for i := range s.members {
		m := &s.members[i]
		value, place := object.Member(m.Name), at+"/"+m.Name
		if !value.Exists() {
			in.found(place, MemberMissing, "")
			continue
		}
		m.read(in, into, value, place)
	}
}

func text[R any](name, says string, at func(*R) *string) member[R] {
	return member[R]{MemberShape{name, FormText, says, nil}, func(in *reading, into *R, v canonical.Value, place string) {
		in.text(at(into), v, place)
	}}
}

func texts[R any](name, says string, at func(*R) *[]string) member[R] {
	return member[R]{MemberShape{name, FormTexts, says, nil}, func(in *reading, into *R, v canonical.Value, place string) {
		*at(into) = make([]string, v.Len())
		in.items(v, place, func(i int, item canonical.Value, place string) { in.text(&(*at(into))[i], item, place) })
	}}
}

func hours[R any](name, says string, at func(*R) *float64) member[R] {
	return member[R]{MemberShape{name, FormHours, says, nil}, func(in *reading, into *R, v canonical.Value, place string) {
		number, ok := v.Float()
		switch {
		case !ok:
			in.found(place, WrongType, "a number is needed")
		case number <= 0:
			in.found(place, HoursNotPositive, "")
		default:
			*at(into) = number
		}
	}}
}

func list[R, O any](name, says string, of *shapeOf[O], at func(*R) *[]O) member[R] {
	return member[R]{MemberShape{name, FormList, says, &of.described}, func(in *reading, into *R, v canonical.Value, place string) {
		*at(into) = make([]O, v.Len())
		in.items(v, place, func(i int, item canonical.Value, place string) { of.read(in, &(*at(into))[i], item, place) })
	}}
}

// items hands on the items of an array that must not be empty.
func (in *reading) items(v canonical.Value, at string, take func(i int, item canonical.Value, at string)) {
	switch {
	case v.Kind() != canonical.Array:
		in.found(at, WrongType, "an array is needed")
	case v.Len() == 0:
		in.found(at, EmptyArray, "")
	default:
		i := 0
		for item := v.First(); item.Exists(); item = item.Next() {
			take(i, item, at+"/"+strconv.Itoa(i))
			i++
		}
	}
}
