package incident

import "strconv"

// checkTogether finds what is wrong or odd between the parts of a profile. Whether phases and severities go together is only
// asked where the shape is right: what is not there refers to nothing. Problems found here do not keep the profile from
// being shown.
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

// uniqueKeys holds the keys of an array to standing once each, and returns where each stands first.
func uniqueKeys[O any](in *reading, at string, items []O, key func(*O) string) map[string]int {
	first := make(map[string]int, len(items))
	for i := range items {
		k := key(&items[i])
		if k == "" {
			continue
		}
		if earlier, there := first[k]; there {
			in.found(at+"/"+strconv.Itoa(i)+"/key", DuplicateKey, "at "+at+"/"+strconv.Itoa(earlier)+"/key")
			continue
		}
		first[k] = i
	}
	return first
}
