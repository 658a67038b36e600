package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

func TestAppealPolicyRules(t *testing.T) { check(t, domaintest.Appeal, domaintest.AppealPolicyRows) }

func TestAppealRulesWithoutRecord(t *testing.T) {
	check(t, domaintest.Appeal, domaintest.AppealWithoutRecordRows)
}
