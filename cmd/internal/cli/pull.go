package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"docket/cmd/internal/api"
	"docket/cmd/internal/client"
	"docket/cmd/internal/identity"
	"docket/cmd/internal/intake"
	"docket/contracts"
	"docket/domain/packets"
	"docket/domain/queue"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/visible"
	"docket/store"
	"docket/store/disk"
	"docket/store/verify"
	"docket/ui/wording"
)

func newPull(p *program) *cobra.Command {
	var c calling
	var afresh bool
	cmd := command("pull", 0, 1, func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 {
			if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
				return p.withStore(cmd.Context(), func(s *store.Store) error { return p.pullFolder(cmd.Context(), s, args[0]) })
			}
		}
		return p.withClient(c, args, func(service *client.Client) error {
			return p.withStore(cmd.Context(), func(s *store.Store) error { return p.pullFrom(cmd.Context(), s, service, afresh) })
		})
	})
	c.flags(cmd)
	cmd.Flags().BoolVar(&afresh, "afresh", false, "start from the beginning; packets in the store stay as they are")
	return p.jsonFlag(cmd)
}

// pullFolder takes in what a service wrote, if the known key signed it and it extends its log.
func (p *program) pullFolder(ctx context.Context, s *store.Store, dir string) error {
	if err := ofConsole(ctx, s); err != nil {
		return err
	}
	known, err := s.KnownOfService(ctx)
	switch {
	case err != nil:
		return err
	case len(known.Keys) == 0:
		return refused("this store knows no service, so nothing says whose folder that is; `docket enroll FILE` takes the invitation of one")
	case known.Setback.Kind.Present():
		return refused("%w", &client.SetbackError{Setback: known.Setback})
	}
	options := verify.Options{VerifierKeys: known.Keys[len(known.Keys)-1:]}
	for i := range known.Checkpoints {
		options.Earlier = append(options.Earlier, verify.Earlier{Name: "what is known of the service",
			Signed: []byte(known.Checkpoints[i].Note)})
	}
	out := p.reportImport()
	in := intake.New(ctx, s, out.refusal)
	in.Open(dir)
	err = in.Close(p.importBundle(ctx, in, out, dir, options))
	if err == nil && in.Refused == 0 {
		err = client.KeepStated(ctx, p.consoleOf(s), dir, p.namedOperator)
	}
	if err = errors.Join(err, out.finish(in.Counts, err)); err != nil {
		return err
	}
	return p.eraseWhatTheServiceErased(ctx, s)
}

func (p *program) pullFrom(ctx context.Context, s *store.Store, service *client.Client, afresh bool) error {
	if err := ofConsole(ctx, s); err != nil {
		return err
	}
	out := p.reportImport()
	defer out.bar.Clear()
	pulled, err := client.Pull(ctx, client.PullOptions{
		Session: p.sessionOf(s, service), Afresh: afresh, Progress: out.bar.Toward("pulling packets", 0),
		Reassigned: func(r verify.Ref) error {
			out.bar.Clear()
			return p.say("%s: %s at the service, with revision %d; nothing is lost, and it is not offered for deciding\n", r.Key.ID,
				queue.GivenAway, r.Key.Number)
		},
		Refused: func(number int, key packets.Key, reason string) error {
			if key.ID.Present() {
				reason = fmt.Sprintf("%s %d %s", key.ID, key.Number, reason)
			}
			return out.refusal(contracts.Refusal{File: service.Address(), Line: number, Reason: reason})
		},
	})
	out.bar.Clear()
	if err != nil {
		err = serviceFailure("not everything was pulled", err)
	}
	err = errors.Join(err, out.finish(intake.Counts{Imported: pulled.Imported,
		Unchanged: pulled.Unchanged, Refused: pulled.Refused}, err))
	if err == nil && pulled.InForce > 0 && !p.json {
		p.say("pulled %s in force at the service that other consoles handed in; `docket show ID` shows a case with its records\n",
			wording.Plural(pulled.InForce, "record", "records"))
	}
	if err != nil {
		return err
	}
	return p.eraseWhatTheServiceErased(ctx, s)
}

// A calling holds the flags for a service, without the token: every user can read arguments.
type calling struct {
	tokenFile string // "" for the default places
	caFile    string // "" for the system's certificates
}

func (c *calling) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.tokenFile, "token-file", "",
		"the `FILE` with your token for the service, readable by you only (default: DOCKET_TOKEN, else docket/token in the XDG config folder)")
	cmd.Flags().StringVar(&c.caFile, "ca", "", "the `FILE` with the CA certificates for the service, in PEM, instead of the system's")
}

// withClient runs work with a client of the service that the argument names, or the settings.
func (p *program) withClient(c calling, args []string, work func(*client.Client) error) error {
	address := strings.Join(args, "")
	if address == "" {
		chosen, err := p.settings()
		if err != nil {
			return err
		}
		if address = chosen.Service; address == "" {
			return wrongUsage("no service is named: give its address, or set service in the config file")
		}
	}
	if err := client.CheckAddress(address); err != nil {
		return wrongUsage("%w", err)
	}
	token, err := p.token(c.tokenFile)
	if err != nil {
		return err
	}
	next := client.Token{}
	if c.tokenFile == "" && p.Getenv(tokenVariable) == "" {
		// That of an invitation, which the service may not accept yet.
		if next, err = client.ReadToken(client.NextToken(tokenPath())); err != nil && !errors.Is(err, identity.ErrNoFile) {
			return err
		}
	}
	roots, err := p.readRoots(c.caFile)
	if err != nil {
		return err
	}
	service, err := client.New(client.Options{Address: address, Token: token, Next: next, Accepted: p.useNextToken, Roots: roots})
	if err != nil {
		return err
	}
	defer service.Close()
	return work(service)
}

const tokenVariable = "DOCKET_TOKEN"

func tokenPath() string { return filepath.Join(xdg.ConfigHome, "docket", "token") }

func (p *program) useNextToken() {
	if err := os.Rename(client.NextToken(tokenPath()), tokenPath()); err != nil {
		fmt.Fprintf(p.Err, "docket: the service accepted the new token, which stays in %s: %v\n",
			visible.String(client.NextToken(tokenPath())), disk.Reason(err))
	}
}

// token returns the caller's token, from the named file, the environment or the default file.
func (p *program) token(named string) (client.Token, error) {
	if named != "" {
		return client.ReadToken(named)
	}
	if text := p.Getenv(tokenVariable); text != "" {
		token, err := client.ParseToken(text)
		if err != nil {
			return client.Token{}, fmt.Errorf("%s: %w", tokenVariable, err)
		}
		return token, nil
	}
	token, err := client.ReadToken(tokenPath())
	if errors.Is(err, identity.ErrNoFile) {
		return client.Token{}, fmt.Errorf(
			"there is no token: write the token that you were given for the service into %s, readable by you only "+
				"(`chmod 600`), or set %s", tokenPath(), tokenVariable)
	}
	return token, err
}

func (p *program) readRoots(path string) (roots *x509.CertPool, err error) {
	if path == "" {
		return nil, nil
	}
	text, err := p.readInput(path, maxRoots)
	if err != nil {
		return nil, refused("the certificates of --ca cannot be read: %w", err)
	}
	roots = x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, refused("the certificates of --ca cannot be read: %s holds none in PEM", path)
	}
	return roots, nil
}

func ofConsole(ctx context.Context, s *store.Store) error {
	service, err := s.OfService(ctx)
	if err == nil && service {
		return refused("%s is the store of a service, not of a console; name another store with --db", s.Path())
	}
	return err
}

// serviceFailure says what was not done; a refusal has the status Refused, else Environment.
func serviceFailure(what string, err error) error {
	var problem *api.Problem
	var setback *client.SetbackError
	if !errors.As(err, &setback) {
		err = fmt.Errorf("%s: %w", what, err)
	}
	if errors.Is(err, client.ErrUnreachable) {
		err = fmt.Errorf("%w; check its address, and that it runs, then try again", err)
	}
	switch {
	case errors.As(err, &setback), errors.As(err, &problem), errors.Is(err, store.ErrOtherService),
		errors.Is(err, client.ErrNotAService), errors.Is(err, client.ErrForged), errors.Is(err, records.ErrRefused):
		return refused("%w", err)
	}
	return err
}

// sessionOf is the session of a store's console with its service.
func (p *program) sessionOf(s *store.Store, service *client.Client) client.Session {
	return client.Session{Store: p.consoleOf(s), Service: service, FirstContact: p.firstContact, Operator: p.namedOperator}
}

// consoleOf is the console of a store; this machine's reviewer names its service.
func (p *program) consoleOf(s *store.Store) *client.Console {
	return &client.Console{Store: s, State: func(ctx context.Context, due records.LogStatement) (stated signed.Statement, err error) {
		held, err := p.identities().Load(ctx, p.askPassphrase)
		if errors.Is(err, identity.ErrNone) {
			return stated, &records.Refusal{Reason: "a reviewer names the service that a store works with, and none is set up here: " +
				"run `docket identity init --id ID --role ROLE`, then this again"}
		}
		if err != nil {
			return stated, err
		}
		due.At = p.instant()
		return held.State(ctx, due)
	}}
}

func (p *program) firstContact(key signed.Key) error {
	return p.say("first contact with this service. Its key is\n%s\nCompare it with the key that the service's operator gives you.\n"+
		"From now on this store refuses every other service.\n", key)
}

func (p *program) namedOperator(stated records.LogStatement) error {
	return p.say("the service has another operator: %s\n", visible.String(stated.Sentence()))
}
