// Package incident reads, checks and lays out incident response profiles: the document shape of
// source 2.2.
//
// The contract fixes the shape only; which channels, severities or phases a profile has is for
// those who write it. The shape stands once, in this file: tests hold the JSON Schema under
// schemas/ to it. The parts of a profile also have to fit together; rule.go lists every rule.
//
//	bytes    --Read-->     Profile, Problems   strict; each problem with its place, never a value
//	Profile  --Page-->     pages.Page          parts, facts and a matrix, ready to draw
//
// A text of a profile that holds private details is a problem, and is masked in every place that
// shows the profile.
package incident

import (
	"bytes"
	_ "embed" // the sample and the schema are part of the program
	"reflect"

	"docket/domain/json"
)

// A Profile is an incident response profile (source 2.2), whose members are the fields in their
// order. Its texts are masked where they held private details, but may hold hostile characters:
// print them by way of Page, or through package visible.
type Profile struct {
	Version            string
	Purpose            string
	IntakeChannels     []Channel        `least:"1"`
	IncidentCategories []Category       `least:"1"`
	SeverityLevels     []Severity       `least:"1"`
	ResponsePhases     []Phase          `least:"1"`
	DisclosureRules    []DisclosureRule `least:"1"`
	ReadinessGates     []Gate           `least:"1"`
	PublicNonClaims    []string
	IncidentTests      []string
}

// A Channel is a way in which an incident is reported. Its texts may hold an address.
type Channel struct {
	Key, Label, Audience, Rule string `address:"allowed"`
}

// A Category is a kind of incident.
type Category struct {
	Key, Label, Owner string
	Examples          []string
}

// A Severity is a level of severity of an incident, with its response times.
type Severity struct {
	Key, Label, PublicSummary string
	ResponseHours             float64 `json:"responseSlaHours"`     // above 0
	NotificationHours         float64 `json:"notificationSlaHours"` // above 0
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

// profileShape is source 2.2, in which every member is required.
var profileShape = json.StructReader(reflect.TypeFor[Profile](), memberOf)

// schemaText is the published JSON Schema of profiles, in the 2020-12 dialect (source 9). It
// refuses what Read refuses, but for severity keys, which no schema can compare.
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
