package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"docket/cmd/internal/exchange"
	"docket/cmd/internal/handin"
	"docket/cmd/internal/identity"
	"docket/cmd/internal/remote"
	"docket/cmd/internal/settings"
	"docket/contracts"
	"docket/domain"
	"docket/domain/signed"
	"docket/store"
)

// calling is what a command that calls a service was told of it. There is no flag for a token itself: arguments can be read by
// everybody on the machine.
type calling struct {
	address   string // "" for the one of the settings
	tokenFile string // "" for the usual places
	caFile    string // "" for who vouches on this system
}

func (c *calling) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.tokenFile, "token-file", "", "the `FILE` with the token that the service knows you by; nobody else may be able to read it (default: DOCKET_TOKEN, else docket/token in the XDG config folder)")
	cmd.Flags().StringVar(&c.caFile, "ca", "", "the `FILE` with the certificates, in PEM, of who vouches for the service, in place of those of this system")
}

// service makes the client of the service that is meant.
func (p *program) service(c calling) (*remote.Client, error) {
	if c.address == "" {
		chosen, err := settings.Load(settings.Source{
			Path: configPath(), Getenv: p.Getenv, Flag: func(string) (string, bool) { return "", false },
		})
		if err != nil {
			return nil, wrongUsage("%w", err)
		}
		if c.address = chosen.Service; c.address == "" {
			return nil, wrongUsage("no service is named: give its address, or write it into the config file as service")
		}
	}
	if err := remote.CheckAddress(c.address); err != nil {
		return nil, wrongUsage("%w", err)
	}
	token, err := p.token(c.tokenFile)
	if err != nil {
		return nil, err
	}
	roots, err := p.readRoots(c.caFile)
	if err != nil {
		return nil, err
	}
	return remote.New(remote.Options{Address: c.address, Token: token, Roots: roots})
}

// tokenVariable is the environment variable that holds the token where no file is named.
const tokenVariable = "DOCKET_TOKEN"

// tokenPath is where a token is looked for that stands nowhere else.
func tokenPath() string { return filepath.Join(xdg.ConfigHome, "docket", "token") }

// The largest files that are read of a service, in bytes.
const (
	maxTokenFile = 4 << 10
	maxRoots     = 4 << 20
)

// token is what the service knows the caller by: that of the file that was named, else of the environment, else of the usual
// file.
func (p *program) token(named string) (remote.Token, error) {
	path := named
	if path == "" {
		if text := p.Getenv(tokenVariable); text != "" {
			token, err := remote.ParseToken(text)
			if err != nil {
				return remote.Token{}, fmt.Errorf("%s: %w", tokenVariable, err)
			}
			return token, nil
		}
		path = tokenPath()
	}
	text, err := identity.ReadPrivate(path, maxTokenFile)
	if errors.Is(err, identity.ErrNoFile) && named == "" {
		return remote.Token{}, fmt.Errorf("there is no token: write the one that you were given for the service into %s, for nobody but you "+
			"to read (`chmod 600`), or into %s", path, tokenVariable)
	}
	if err != nil {
		return remote.Token{}, fmt.Errorf("the token file %w", err)
	}
	token, err := remote.ParseToken(string(text))
	if err != nil {
		return remote.Token{}, fmt.Errorf("the token file %s: %w", path, err)
	}
	return token, nil
}

// readRoots reads who vouches for the service; nil where no file is named.
func (p *program) readRoots(path string) (roots *x509.CertPool, err error) {
	if path == "" {
		return nil, nil
	}
	file, _, err := p.openInput(path)
	if err != nil {
		return nil, refused("the certificates of --ca cannot be read: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	text, err := io.ReadAll(io.LimitReader(file, maxRoots))
	if err != nil {
		return nil, err
	}
	roots = x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, refused("the certificates of --ca cannot be read: %s holds none in PEM", path)
	}
	return roots, nil
}

// ofConsole refuses the store of a service, which is nobody's console.
func ofConsole(ctx context.Context, s *store.Store) error {
	service, err := s.OfService(ctx)
	if err == nil && service {
		return refused("%s is the store of a service, and no console; name another one with --db", s.Path())
	}
	return err
}

// serviceFailure gives an error of pulling or pushing its status: what the service, or this program, refused is refused; that
// there is no service to be reached is the environment's.
func serviceFailure(err error) error {
	var problem *exchange.Problem
	var unwitnessed *handin.WitnessError
	switch {
	case errors.As(err, &problem), errors.As(err, &unwitnessed), errors.Is(err, store.ErrOtherService),
		errors.Is(err, handin.ErrNotAService), errors.Is(err, handin.ErrForged), errors.Is(err, domain.ErrRefused):
		return refused("%w", err)
	}
	return err
}

// firstContact says with which service the console will have to do from now on.
func (p *program) firstContact(key signed.Key) error {
	_, err := fmt.Fprintf(p.Err, "first contact with this service, whose key is\n%s\ncompare it with what whoever runs the service tells you;\n"+
		"from now on this store takes no other service\n", key)
	return err
}

func newPull(p *program) *cobra.Command {
	var c calling
	var afresh bool
	cmd := &cobra.Command{
		Use:   "pull [URL]",
		Short: "Bring in the packets that a service has for you",
		Long: "Brings policies, cases and amendments in that the service at URL has for whoever the token belongs to. Without URL the\n" +
			"setting service counts. It goes on where the last pull ended, and can be cut off at any moment and done again.\n\n" +
			"At the first contact the store is bound to the service by its key, which is printed; another one is refused from then on.\n" +
			"The token comes from a file that only you can read, or from DOCKET_TOKEN, never from an argument. It is sent by https\n" +
			"only, or by http to this machine, and never on to where a redirect points.\n\n" +
			"A packet that cannot be read, or is held already with other content, is reported and passed over: exit status 1.",
		Args: argumentCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				c.address = args[0]
			}
			return p.pull(cmd.Context(), c, afresh)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.flags(cmd)
	cmd.Flags().BoolVar(&afresh, "afresh", false, "begin at the beginning: what is held already stays as it is")
	p.jsonFlag(cmd)
	return cmd
}

func (p *program) pull(ctx context.Context, c calling, afresh bool) error {
	service, err := p.service(c)
	if err != nil {
		return err
	}
	defer service.Close()
	return p.withStore(ctx, func(s *store.Store) error { return p.pullFrom(ctx, s, service, afresh) })
}

func (p *program) pullFrom(ctx context.Context, s *store.Store, service *remote.Client, afresh bool) error {
	if err := ofConsole(ctx, s); err != nil {
		return err
	}
	out := &importReport{p: p, bar: p.newBar()}
	if err := out.start(); err != nil {
		return err
	}
	out.bar.begin("pulling packets", 0)
	defer out.bar.clear()
	pulled, err := handin.Pull(ctx, handin.Pulling{
		Inbox: s, Service: service, Afresh: afresh, Met: p.firstContact, Progress: out.bar.set,
		Refused: func(number int, key domain.Key, reason string) error {
			if key.ID.Present() {
				reason = fmt.Sprintf("%s %d %s", key.ID, key.Number, reason)
			}
			return out.refusal(contracts.Refusal{File: service.Address(), Line: number, Reason: reason})
		},
	})
	out.bar.clear()
	if err != nil {
		err = serviceFailure(fmt.Errorf("not everything was pulled: %w", err))
	}
	return errors.Join(err, out.finish(importCounts{imported: pulled.Imported, unchanged: pulled.Unchanged, refused: pulled.Refused}, err))
}
