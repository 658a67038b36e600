package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docket/cmd/internal/doctor"
	"docket/cmd/internal/identity"
	"docket/cmd/internal/settings"

	"docket/domain/pages"
	"docket/domain/records"
	"docket/store"
	"docket/store/disk"
	"docket/store/postgres"
	"docket/store/verify"
	"docket/ui/frame"
	"docket/ui/wording"
)

func newDoctor(p *program) *cobra.Command {
	return p.jsonFlag(command("doctor", 0, 0, func(cmd *cobra.Command, _ []string) error {
		return p.doctor(cmd.Context())
	}))
}

type result = doctor.Result

var stateMarks = map[string]pages.Mark{doctor.StateOK: pages.Good, doctor.StateNote: pages.Unread, doctor.StateWrong: pages.Bad}

type env struct {
	p        *program
	health   store.Health
	identity identity.Identity
	keyError error    // why the identity cannot be used; identity.ErrNone where none is set up
	covering covering // by the witness policy
	unsigned error    // why the identity's key does not sign; nil if it does, and without an identity
}

// checks are in printed order; each returns the zero result if it does not apply.
var checks = []struct {
	name    string
	look    func(*env) result
	ofStore bool // it applies only where there is a store
}{
	{"store", ofHealth(doctor.Store), false}, {"log", ofHealth(doctor.Log), false},
	{"permissions", ofHealth(doctor.Permissions), true}, {"disk", ofHealth(doctor.Disk), true},
	{"anchor", ofHealth(doctor.Anchor), true}, {"witnesses", checkWitnesses, false},
	{"service", checkService, true}, {"erasures", checkErasures, true}, {"backups", checkBackups, false},
	{"clock", ofHealth(doctor.Clock), false}, {"identity", checkIdentity, false},
	{"terminal", checkTerminal, false}, {"config", checkConfig, false},
}

func ofHealth(look func(*store.Health) result) func(*env) result {
	return func(s *env) result { return look(&s.health) }
}

func (p *program) doctor(ctx context.Context) error {
	o, err := p.completed(store.Options{ReadOnly: true, Reviewer: p.identities().Reviewer()})
	if err != nil {
		return err
	}
	health, err := store.Inspect(ctx, o)
	if err != nil {
		return err
	}
	if health.Exists && health.OpenError == nil {
		if health.Findings, err = p.proven(ctx); err != nil && ctx.Err() != nil {
			return err
		}
		health.OpenError = err
	}
	seen := &env{p: p, health: health, covering: p.covering(ctx, &health)}
	if seen.identity, seen.keyError = p.identities().Load(ctx, p.askPassphrase); seen.keyError == nil {
		seen.unsigned = seen.identity.Try(ctx)
	}
	var found []result
	for _, check := range checks {
		if check.ofStore && !health.Exists {
			continue
		}
		if one := check.look(seen); one.State != "" {
			one.Check = check.name
			found = append(found, one)
		}
	}
	if db, is := o.Database.(*postgres.DB); is {
		facts, err := db.Facts(ctx)
		if err == nil {
			found = append(found, doctor.OfServer(&facts, p.Now())...)
		} else {
			one := wrong("%v", db.Explain("look at the server", err))
			one.Check = "server"
			found = append(found, one)
		}
	}
	faults, shown := 0, pages.Part{}
	for _, one := range found {
		if one.State == doctor.StateWrong {
			faults++
		}
		row := pages.Row{Mark: stateMarks[one.State], Label: one.Check, Value: one.Found}
		if one.Advice != "" {
			row.Notes = []string{"→ " + one.Advice}
		}
		shown.Rows = append(shown.Rows, row)
		if p.json {
			p.object(one)
		}
	}
	said := "nothing is wrong"
	if faults > 0 {
		said = wording.Plural(faults, "problem", "problems") + "; see → above"
	}
	shown.Blocks = []pages.Block{{Text: said}}
	if !p.json {
		p.page(pages.Page{Parts: []pages.Part{shown}})
	}
	return reportedUnless(faults == 0)
}

// proven returns the findings about the store, after a check of every row, hash and signature.
func (p *program) proven(ctx context.Context) (found []verify.Finding, err error) {
	err = p.withStoreAs(ctx, store.Options{ReadOnly: true}, func(s *store.Store) error {
		_, err := s.Verify(ctx, verify.Options{Depth: verify.Storage})
		found = s.Findings()
		return err
	})
	return found, err
}

var (
	ok    = doctor.OK
	note  = doctor.Note
	wrong = doctor.Wrong
)

// A covering says how far the log fulfils the witness policy of the settings.
type covering struct {
	named    bool  // the settings name a policy
	fault    error // why the policy cannot be read, or the log not be held to it
	seen     bool  // there is a log
	coverage verify.Coverage
	age      time.Duration // how long ago the quorum may have cosigned
}

func (p *program) covering(ctx context.Context, health *store.Health) (c covering) {
	path, age, err := p.witnessPolicy(holding{})
	if err != nil || path == "" {
		return covering{} // checkConfig reports settings that cannot be read
	}
	c.named, c.age = true, age
	policy, err := readPolicy(path)
	if err != nil {
		c.fault = err
		return c
	}
	if c.seen = health.Exists && health.OpenError == nil; c.seen {
		c.fault = p.withStoreAs(ctx, store.Options{ReadOnly: true}, func(s *store.Store) (err error) {
			c.coverage, err = s.Coverage(ctx, policy)
			return err
		})
	}
	return c
}

func checkWitnesses(s *env) result {
	const advice = "`docket witness submit` submits the checkpoint and says what each witness answers"
	c := &s.covering
	switch {
	case !c.named:
		return note("no witness policy is set, so no witness holds the log to one history")
	case c.fault != nil:
		return wrong("%v", c.fault).
			Do("correct the policy or the setting witness_policy; until then nothing is submitted")
	case !c.seen:
		return result{}
	case !c.coverage.Met:
		return wrong("%s", c.coverage.Sentence()).Do(advice)
	case c.coverage.IsOlder(c.age, s.health.Now):
		return wrong("%s, which is more than %s ago", c.coverage.Sentence(), settings.WriteAge(c.age)).
			Do(advice)
	case c.coverage.Uncovered > 0:
		return note("%s", c.coverage.Sentence()).Do(advice)
	}
	return ok("%s", c.coverage.Sentence())
}

// checkErasures finds bytes that an erasure may have left, and data that only the service erased.
func checkErasures(s *env) result {
	left := s.health.ErasedElsewhere
	switch {
	case s.health.Unscrubbed:
		return wrong("a docket was ended while it erased: bytes of what it erased may be left in the store's file").
			Do("close every other docket on this store, then open it with `docket`: it begins by rewriting the file")
	case len(left) > 0:
		e, _ := left[0].Erasure()
		more := ""
		switch n := len(left) - 1; {
		case n == 1:
			more = ", and so is 1 more"
		case n > 1:
			more = fmt.Sprintf(", and so are %d more", n)
		}
		return wrong("the operator of the service erased %s; it is still here%s", e, more).
			Do("erase it here, too: `docket pull` asks for each, or run `%s`", eraseCommand(e))
	}
	return ok("nothing that the service erased is still here")
}

// checkBackups reports the age of the last backup; a console's store need not have any.
func checkBackups(s *env) result {
	chosen, err := s.p.settings()
	if err != nil {
		return result{} // checkConfig reports settings that cannot be read
	}
	if chosen.Backups == "" && !records.OfService(s.health.Origin) {
		return result{}
	}
	path, err := disk.AtHome(chosen.Backups)
	if err != nil {
		return wrong("%v", err).Do("name the backups in the config file by a whole path")
	}
	return doctor.OfBackups(path, chosen.BackupsAge, s.p.Now())
}

func checkIdentity(s *env) result {
	switch {
	case errors.Is(s.keyError, identity.ErrNone):
		return note("no reviewer is set up, so the console only reads").
			Do("`docket identity init --id ID --role ROLE` sets one up")
	case errors.Is(s.keyError, identity.ErrNobodyToAsk) && records.OfService(s.health.Origin):
		return note("the operator's key asks for its passphrase at a terminal").
			Do("the service needs it for revocations and restores only; at a terminal `docket doctor` tries it")
	case s.keyError != nil:
		return wrong("%v", s.keyError).
			Do("nothing can be recorded until the key can be used; see the advice above")
	}
	if s.unsigned != nil {
		return wrong("%v", s.unsigned).
			Do("nothing can be recorded until the key signs; see the advice above")
	}
	reviewer := s.identity.Reviewer()
	if advice := keyAdvice(stateOf(s.health.Keys, reviewer), len(s.health.Keys)); advice != "" {
		return wrong("%s, %s, key %s signs, and does not count in this log", reviewer.ID,
			reviewer.Role.Label(), reviewer.KeyFingerprint).Do("%s", strings.ReplaceAll(advice, "\n", " "))
	}
	return ok("%s, %s, key %s signs", reviewer.ID, reviewer.Role.Label(), reviewer.KeyFingerprint)
}

func checkTerminal(s *env) result {
	kind := s.p.Getenv("TERM")
	switch {
	case !s.p.InTerminal || !s.p.OutTerminal:
		return note("standard input or output is not a terminal").
			Do("the console needs one; the other commands do not")
	case kind == "":
		return wrong("TERM does not name the terminal").
			Do("set TERM to the terminal's type, such as xterm-256color, or use `docket --plain`")
	case kind == onlyPrints:
		return note("%s, which can only print", kind).
			Do("the console works line by line in it, as with `docket --plain`")
	}
	width, height, err := s.p.TerminalSize()
	switch {
	case err != nil:
		return note("%s, which does not say its size", kind).
			Do("the console draws itself once it is told")
	case width < frame.LeastWidth || height < frame.LeastHeight:
		return wrong("%d columns and %d rows are too few to show a case in", width, height).
			Do("make the window at least %d columns wide and %d rows high", frame.LeastWidth,
				frame.LeastHeight)
	}
	return ok("%s, %d columns and %d rows", kind, width, height)
}
