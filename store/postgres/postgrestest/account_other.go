//go:build !unix

package postgrestest

import (
	"errors"
	"syscall"
)

// An account is the user as whom a server runs.
type account struct{}

// noAccount says why no server can run here.
func noAccount() string { return "PostgreSQL is started for tests on Unix only" }

func accountOf() (account, error) { return account{}, errors.New(noAccount()) }

func (account) attributes() *syscall.SysProcAttr { return nil }

func (account) own(string) error { return nil }

func killProcess(int) error { return errors.New(noAccount()) }
