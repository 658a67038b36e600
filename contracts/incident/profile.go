// Package incident reads, checks and lays out incident response profiles: the document shape of source 2.2.
//
// The contract fixes the shape only; which channels, severities or phases a profile has is for those who write it. The shape
// stands once, in this file: tests hold the JSON Schema under schemas/ to it. The parts of a profile also have to fit together; rule.go lists every rule.
//
//	bytes    --Read-->     Profile, Problems   strict reading; every problem with its place, never with a value
//	Profile  --Page-->     pages.Page          parts, facts and a matrix, ready to draw
//
// A text of a profile that holds private details is a problem, and is masked in every place that shows the profile.
package incident

import (
	"bytes"
	_ "embed" // the sample and the schema are part of the program

	"docket/domain/json"
)

// A Profile is an incident response profile (source 2.2). Its texts are masked where they held private details, but may
// hold hostile characters: print them by way of Page, or through package visible.
type Profile struct {
	Version            string
	Purpose            string
	IntakeChannels     []Channel
	IncidentCategories []Category
	SeverityLevels     []Severity
	ResponsePhases     []Phase
	DisclosureRules    []DisclosureRule
	ReadinessGates     []Gate
	PublicNonClaims    []string
	IncidentTests      []string
}

// A Channel is a way in which an incident is reported.
type Channel struct{ Key, Label, Audience, Rule string }

// A Category is a kind of incident.
type Category struct {
	Key, Label, Owner string
	Examples          []string
}

// A Severity is a level of severity of an incident, with its response times.
type Severity struct {
	Key, Label, PublicSummary string
	ResponseHours             float64 // responseSlaHours, above 0
	NotificationHours         float64 // notificationSlaHours, above 0
}

// A Phase is a step of the response.
type Phase struct {
	Key, Label, Rule    string
	RequiredForSeverity []string // keys of severity levels
}

// A DisclosureRule says which information goes to which audience.
type DisclosureRule struct{ Key, Label, Rule string }

// A Gate is a condition that has to hold before anybody relies on the profile.
type Gate struct {
	Key, Label, Rule string
	Requires         []string
}

// profileShape is source 2.2, the one place where it stands. Every member is required.
var profileShape = json.NewReader(
	text("version", func(p *Profile) *string { return &p.Version }),
	text("purpose", func(p *Profile) *string { return &p.Purpose }),
	list("intakeChannels", channelShape, func(p *Profile) *[]Channel { return &p.IntakeChannels }),
	list("incidentCategories", categoryShape, func(p *Profile) *[]Category { return &p.IncidentCategories }),
	list("severityLevels", severityShape, func(p *Profile) *[]Severity { return &p.SeverityLevels }),
	list("responsePhases", phaseShape, func(p *Profile) *[]Phase { return &p.ResponsePhases }),
	list("disclosureRules", disclosureShape, func(p *Profile) *[]DisclosureRule { return &p.DisclosureRules }),
	list("readinessGates", gateShape, func(p *Profile) *[]Gate { return &p.ReadinessGates }),
	texts("publicNonClaims", func(p *Profile) *[]string { return &p.PublicNonClaims }),
	texts("incidentTests", func(p *Profile) *[]string { return &p.IncidentTests }),
)

var channelShape = json.NewReader(
	address("key", func(c *Channel) *string { return &c.Key }),
	address("label", func(c *Channel) *string { return &c.Label }),
	address("audience", func(c *Channel) *string { return &c.Audience }),
	address("rule", func(c *Channel) *string { return &c.Rule }),
)

var categoryShape = json.NewReader(
	text("key", func(c *Category) *string { return &c.Key }),
	text("label", func(c *Category) *string { return &c.Label }),
	text("owner", func(c *Category) *string { return &c.Owner }),
	texts("examples", func(c *Category) *[]string { return &c.Examples }),
)

var severityShape = json.NewReader(
	text("key", func(s *Severity) *string { return &s.Key }),
	text("label", func(s *Severity) *string { return &s.Label }),
	text("publicSummary", func(s *Severity) *string { return &s.PublicSummary }),
	hours("responseSlaHours", func(s *Severity) *float64 { return &s.ResponseHours }),
	hours("notificationSlaHours", func(s *Severity) *float64 { return &s.NotificationHours }),
)

var phaseShape = json.NewReader(
	text("key", func(p *Phase) *string { return &p.Key }),
	text("label", func(p *Phase) *string { return &p.Label }),
	text("rule", func(p *Phase) *string { return &p.Rule }),
	texts("requiredForSeverity", func(p *Phase) *[]string { return &p.RequiredForSeverity }),
)

var disclosureShape = json.NewReader(
	text("key", func(d *DisclosureRule) *string { return &d.Key }),
	text("label", func(d *DisclosureRule) *string { return &d.Label }),
	text("rule", func(d *DisclosureRule) *string { return &d.Rule }),
)

var gateShape = json.NewReader(
	text("key", func(g *Gate) *string { return &g.Key }),
	text("label", func(g *Gate) *string { return &g.Label }),
	text("rule", func(g *Gate) *string { return &g.Rule }),
	texts("requires", func(g *Gate) *[]string { return &g.Requires }),
)

// schemaText is the published JSON Schema of profiles, in the 2020-12 dialect (source 9). A test holds it and
// Read to refusing the same documents, but for severity keys, which no schema can compare.
//
//go:embed schemas/incident_response_profile.schema.json
var schemaText []byte

// Schema is the JSON Schema of profiles.
func Schema() []byte { return bytes.Clone(schemaText) }

//go:embed sample.json
var sampleText []byte

// Sample returns the sample profile, which is shown if no other is given.
func Sample() Profile {
	profile, _ := Read(sampleText)
	return profile
}
