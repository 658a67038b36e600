package rules_test

import (
	"testing"

	"docket/domain/internal/domaintest"
)

func TestAppealScopeRules(t *testing.T) { check(t, domaintest.Appeal, domaintest.AppealScopeRows) }

func TestAppealRequestRules(t *testing.T) { check(t, domaintest.Appeal, domaintest.AppealRequestRows) }
