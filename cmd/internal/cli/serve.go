package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/admission"
	"docket/cmd/internal/health"
	"docket/cmd/internal/serve"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
)

// defaultListen is the default address of the service.
const defaultListen = "127.0.0.1:8417"

// newServe runs the service and manages its tokens and keys.
func newServe(p *program) *cobra.Command {
	var where binding
	var profile string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service to which consoles hand in their records",
		Long: "Serves the contract reports, evaluation, and the log to which consoles hand in their records. On SIGTERM or SIGINT it\n" +
			"finishes the running requests and stops. It creates its store if there is none: --db, else DOCKET_DB, else\n" +
			"docket/service.db in the XDG data folder. `docket import` adds packets.\n\n" +
			"Any address but loopback needs TLS: --tls-cert and --tls-key, or --behind-proxy if a proxy terminates it.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), where, profile) },
	}
	cmd.Flags().StringVar(&where.listen, "listen", defaultListen, "the `ADDRESS` to listen on; port 0 takes any free port")
	cmd.Flags().StringVar(&where.certificate, "tls-cert", "", "serve with TLS and the certificate chain in this PEM `FILE`")
	cmd.Flags().StringVar(&where.key, "tls-key", "", "the key of the certificate, in this PEM `FILE`")
	cmd.Flags().BoolVar(&where.behindProxy, "behind-proxy", false, "a proxy in front terminates TLS; no caller counts as local then")
	cmd.Flags().StringArrayVar(&where.trusted, "trusted-proxy", nil, "believe this `NETWORK` or address of a proxy, or unix, what it says in X-Forwarded-For or Forwarded; may be repeated")
	cmd.Flags().StringVar(&profile, "profile", "", "publish the incident response profile in this `FILE`")
	p.jsonFlag(cmd)
	cmd.AddCommand(p.newServeInvite(), p.newServeEnroll(), p.newServeToken(), p.newServeKey(), p.newServeOperator())
	return cmd
}

// servicePath returns the path of a service's store: --db, else DOCKET_DB, else a file in the XDG data folder.
func (p *program) servicePath() string {
	if p.db != "" || p.Getenv("DOCKET_DB") != "" {
		return p.storePath()
	}
	return serviceStore()
}

// withService opens the store of a service, creates it if there is none, and runs work.
func (p *program) withService(ctx context.Context, work func(*store.Store) error) error {
	return p.withServiceAs(ctx, store.Options{}, work)
}

// withServiceReading opens the store of a service for reading only.
func (p *program) withServiceReading(ctx context.Context, work func(*store.Store) error) error {
	return p.withServiceAs(ctx, store.Options{ReadOnly: true}, work)
}

func (p *program) withServiceAs(ctx context.Context, o store.Options, work func(*store.Store) error) error {
	o.Service = true
	p.db = p.servicePath()
	return p.withStoreAs(ctx, o, func(s *store.Store) error {
		p.caution(s)
		if own := ownStore(); s.Made() && s.Path() == serviceStore() && exists(own) {
			fmt.Fprintf(p.Err, "docket: `docket import` and the other commands are about the console's store %s, unless --db or DOCKET_DB names this one\n", visible.String(own))
		}
		return work(s)
	})
}

// servicePatience is the service's longest wait for a lock. It is longer than a command's, because its callers can wait.
const servicePatience = 10 * time.Second

// serve runs the service until ctx ends.
func (p *program) serve(ctx context.Context, where binding, profileFile string) error {
	address, config, err := where.check()
	if err != nil {
		return err
	}
	if where.proxies, err = admission.ParseProxies(where.trusted); err != nil {
		return wrongUsage("--trusted-proxy: %w", err)
	}
	profile, err := p.readServedProfile(profileFile)
	if err != nil {
		return err
	}
	return p.withServiceAs(context.WithoutCancel(ctx), store.Options{BusyTimeout: servicePatience}, func(s *store.Store) error {
		log := slog.New(slog.NewTextHandler(p.Err, nil))
		service, err := serve.New(serve.Config{
			Store: s, Now: p.Now, Log: log, Profile: profile, BehindProxy: where.behindProxy, Proxies: where.proxies,
			Version: p.build.version,
			Health: func(ctx context.Context) (health.Health, error) {
				return health.OfOpen(ctx, report.Amendments, p.instant(), s)
			},
		})
		if err != nil {
			return err
		}
		listener, err := net.ListenTCP("tcp", address)
		if err != nil {
			return fmt.Errorf("cannot listen on %s: %w; check whether another program does, or name another --listen", where.listen, bareOf(err))
		}
		if err := p.sayServing(ctx, s, where.url(listener.Addr())); err != nil {
			return errors.Join(err, listener.Close())
		}
		return service.Run(ctx, listener, config)
	})
}

// A serving is printed when the service has started.
type serving struct {
	URL string `json:"url"`
	Key string `json:"key"` // of its log
}

// sayServing prints the service's URL and the verifier key of its log. The listener accepts connections already.
func (p *program) sayServing(ctx context.Context, s *store.Store, url string) error {
	key, err := s.Verifier(ctx)
	if err != nil {
		return err
	}
	if p.json {
		return printJSON(p.Out, serving{url, key})
	}
	_, err = fmt.Fprintf(p.Out, "%s\n%s\n", url, visible.String(key))
	return err
}

// readServedProfile reads and checks the profile to publish; nil for none.
func (p *program) readServedProfile(name string) (text []byte, err error) {
	if name == "" {
		return nil, nil
	}
	err = p.withInput([]string{name}, func(name string, in io.Reader) (err error) {
		text, err = io.ReadAll(io.LimitReader(in, incident.MaxSize+1))
		if err != nil {
			return fmt.Errorf("%s: it cannot be read: %w", name, reasonOf(err))
		}
		if err := serve.CheckProfile(text); err != nil {
			return refused("%s: %w", name, err)
		}
		return nil
	})
	return text, err
}

// A binding is the address on which the service listens, and its TLS settings.
type binding struct {
	listen           string
	certificate, key string // PEM files; "" for no TLS
	behindProxy      bool
	trusted          []string // proxies
	proxies          admission.Proxies
}

// check resolves the address and refuses one other than loopback without TLS or a proxy that terminates it.
func (b binding) check() (*net.TCPAddr, *tls.Config, error) {
	switch {
	case (b.certificate == "") != (b.key == ""):
		return nil, nil, wrongUsage("--tls-cert and --tls-key must be given together")
	case b.certificate != "" && b.behindProxy:
		return nil, nil, wrongUsage("--behind-proxy is for a service without TLS of its own; give either it or --tls-cert and --tls-key")
	}
	address, err := net.ResolveTCPAddr("tcp", b.listen)
	if err != nil {
		return nil, nil, wrongUsage("--listen takes an address and a port such as %s", defaultListen)
	}
	if !address.IP.IsLoopback() && b.certificate == "" && !b.behindProxy {
		return nil, nil, wrongUsage("%s can be reached from other machines: give --tls-cert and --tls-key, or --behind-proxy if a "+
			"proxy terminates TLS; nothing is served", b.listen)
	}
	if b.certificate == "" {
		return address, nil, nil
	}
	pair, err := tls.LoadX509KeyPair(b.certificate, b.key)
	if err != nil {
		return nil, nil, fmt.Errorf("the certificate cannot be used: %w", err)
	}
	return address, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}, nil
}

// url returns the service's URL for the address.
func (b binding) url(address net.Addr) string {
	if b.certificate != "" {
		return "https://" + address.String()
	}
	return "http://" + address.String()
}

// bareOf returns the cause of a network error without the address, which the caller names.
func bareOf(err error) error {
	var operation *net.OpError
	if errors.As(err, &operation) {
		return operation.Err
	}
	return err
}

func (p *program) newServeOperator() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "operator",
		Short: "Be named as the operator, whose key signs restores and revocations of keys",
		Long: "Names you, with the key of this machine's identity, as the operator of the service, once. `docket restore` of the\n" +
			"service then needs a statement by that key, and consoles follow no other; so does `docket serve key revoke`. A\n" +
			"statement signed with your key and the log's key says so; consoles get it at first contact. Name the operator before\n" +
			"consoles meet the service, and keep a copy of the key apart from the machine. The command needs a person at a terminal.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.db = p.servicePath()
			return p.accept(cmd.Context(), &acceptedOperator)
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "change ID FILE",
		Short: "Name another person and key as the operator, signed with the operator's key",
		Long: "Names the person with the ID, whose public key or line of allowed_signers is in FILE, as the operator of the service. It is signed with the\n" +
			"key of the operator before, which this machine's identity has to be, so consoles follow. To change only your own key,\n" +
			"give your own ID. The command needs a person at a terminal.",
		Args: argumentCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, ok := terms.ParseID(args[0])
			if !ok {
				return wrongUsage("%q is not an id", args[0])
			}
			fingerprint, err := p.readFingerprint(to, args[1])
			if err != nil {
				return err
			}
			p.db = p.servicePath()
			return p.accept(cmd.Context(), changedOperator(to, fingerprint))
		},
	}, &cobra.Command{
		Use:   "replace",
		Short: "Take the place of an operator whose key is lost",
		Long: "Names you, with the key of this machine's identity, as the operator in the place of one whose key is lost. Only the log's\n" +
			"key vouches for that, so every check names it, and consoles that know the operator stop until a person has compared the\n" +
			"fingerprint of your key and runs `docket pull --operator FINGERPRINT`. The command needs a person at a terminal.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			p.db = p.servicePath()
			return p.accept(cmd.Context(), &replacedOperator)
		},
	})
	return cmd
}

// maxPublicKey is in bytes: more than an OpenSSH public key has.
const maxPublicKey = 16 << 10

// readFingerprint reads the OpenSSH public key of a person, and returns its fingerprint.
func (p *program) readFingerprint(of terms.ID, name string) (fingerprint string, err error) {
	err = p.withInput([]string{name}, func(name string, in io.Reader) error {
		text, err := io.ReadAll(io.LimitReader(in, maxPublicKey))
		if err != nil {
			return err
		}
		line, err := publicKeyLine(of, string(text))
		if err != nil {
			return refused("%s: %w", name, err)
		}
		key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
		if err != nil {
			return refused("%s holds no OpenSSH public key", name)
		}
		if _, err := signed.PublicKey(signed.AuthorizedKey(key)); err != nil {
			return refused("%s: %w", name, err)
		}
		fingerprint = ssh.FingerprintSHA256(key)
		return nil
	})
	return fingerprint, err
}
