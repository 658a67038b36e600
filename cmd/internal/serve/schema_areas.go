package serve

import "docket/domain"

func enforceSchema(area domain.Area) object {
	return closed("A signed enforcement record.", object{
		{"record", schemaRef(schemaRecord(area))},
		{"signature", described("Armored SSHSIG of the record's canonical form (RFC 8785), namespace "+domain.SignatureNamespace+".",
			object{{"type", "string"}, {"maxLength", largestSignature}})},
		{"packetSalt", described("The salt of the record's packetDigest, which is H of {salt, view}.", saltForm())},
		{"statement", orNull(closed("The reviewer's statement of reasons, of which statementDigest is H; null where the record has none.",
			object{{"salt", saltForm()}, {"statement", object{{"type", "string"}, {"minLength", 1}, {"maxLength", 2000}}}}))}})
}

// saltForm is the form of a domain.Salt.
func saltForm() object { return object{{"type", "string"}, {"pattern", "^[0-9A-Za-z]{22,128}$"}} }

func questionSchema(area domain.Area) object {
	return closed("An evaluation input. What is absent blocks.", object{
		{"table", object{{"const", domain.RecordTable(area).String()}}},
		{"at", schemaRef(schemaTime)},
		{"policy", orNull(schemaRef(schemaInput(domain.PolicyTable(area))))},
		{"record", orNull(schemaRef(schemaInput(domain.RecordTable(area))))},
		{"latestPolicyVersion", schemaRef(schemaCount)},
		{"latestRevision", schemaRef(schemaCount)},
	}, "policy", "record", "latestPolicyVersion", "latestRevision")
}

func evaluationSchema(area domain.Area) object {
	properties := object{
		{"table", object{{"const", domain.RecordTable(area).String()}}},
		{"id", orNull(schemaRef(schemaID))},
		{"revision", orNull(object{{"type", "integer"}, {"minimum", 1}})},
		{"gate", oneOf(domain.Gates())},
		{"blockers", listOf(oneOf(domain.Blockers.Texts()))},
	}
	if area == domain.Appeals {
		properties = append(properties, member{"decision", decisionSchema()})
	} else {
		properties = append(properties, member{"transition", orNull(oneOf(domain.Transitions.Texts()))},
			member{"protectedBoundary", object{{"type", []string{"string", "null"}}}},
			member{"blockedTransitions", listOf(oneOf(domain.GuardedActions.Texts()))})
	}
	return closed("What the rules conclude.", properties)
}

func decisionSchema() object {
	return closed("The advisory decision (seed 2.3.7). A human decides.", object{
		{"status", oneOf(domain.DecisionStatuses.Texts())}, {"outcome", oneOf(domain.Outcomes.Texts())},
		{"factorCodes", listOf(oneOf(domain.FactorCodes.Texts()))}, {"humanReviewRequired", object{{"const", true}}},
		{"stateMutation", object{{"const", false}}}, {"standingAccepted", flag()},
		{"reviewScope", listOf(oneOf(domain.Subjects.Texts()))}, {"requiredArtifacts", listOf(anyText)}, {"privacyActions", listOf(anyText)},
		{"provenanceActivity", anyText}, {"traceabilityBusinessStep", anyText}, {"appealScopeStatement", anyText},
		{"blockers", listOf(oneOf(domain.Blockers.Texts()))}})
}
