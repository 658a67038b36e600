package incident

// A Profile is an incident response profile (seed 2.2). Its texts are masked where they held private details, but may
// hold hostile characters: whoever prints them does so by way of a View, or through package visible.
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

// A Severity is how bad an incident is, and how fast it is answered.
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

// A DisclosureRule says what is told to whom.
type DisclosureRule struct{ Key, Label, Rule string }

// A Gate is what has to be in place before the profile is relied upon.
type Gate struct {
	Key, Label, Rule string
	Requires         []string
}
