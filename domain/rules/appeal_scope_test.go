package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

// TestChallengeAppealScopeSmoke: an appeal is about its one subject, and what reaches beyond it blocks.
func TestChallengeAppealScopeSmoke(t *testing.T) {
	check(t, domaintest.Appeal, domaintest.AppealScopeRows)
	check(t, domaintest.Appeal, domaintest.AppealRequestRows)
}
