//go:build !unix

package postgrestest

import (
	"errors"
	"syscall"
)

type account struct{}

func noAccount() string { return "PostgreSQL is started for tests on Unix only" }

func accountOf() (account, error) { return account{}, errors.New(noAccount()) }

func (account) attributes() *syscall.SysProcAttr { return nil }

func (account) own(string) error { return nil }

func killProcess(int) error { return errors.New(noAccount()) }
