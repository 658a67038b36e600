package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

func TestAppealStatusRules(t *testing.T) { check(t, domaintest.Appeal, domaintest.AppealStatusRows) }

func TestAppealStandingRules(t *testing.T) {
	check(t, domaintest.Appeal, domaintest.AppealStandingRows)
}
