package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"docket/cmd/internal/backing"
	"docket/cmd/internal/health"
	"docket/cmd/internal/serve"
	"docket/contracts/incident"
	"docket/contracts/report"
	"docket/domain/visible"
	"docket/store"
)

// defaultListen is where the service listens unless told otherwise.
const defaultListen = "127.0.0.1:8417"

// newServe runs the service, and keeps who may use it.
func newServe(p *program) *cobra.Command {
	var where binding
	var profile string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the service, into which consoles hand their records",
		Long: "Serves the contract reports, evaluation, and the log into which consoles hand their records. It stops on SIGTERM\n" +
			"or SIGINT, after what it has begun. Its store is made where there is none: --db, else DOCKET_DB, else\n" +
			"docket/service.db in the XDG data folder. Packets are put into it with `docket import`.\n\n" +
			"Anything but loopback needs TLS, or a proxy in front that sees to it: --behind-proxy.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), where, profile) },
	}
	cmd.Flags().StringVar(&where.listen, "listen", defaultListen, "the `ADDRESS` to listen at; port 0 takes any that is free")
	cmd.Flags().StringVar(&where.certificate, "tls-cert", "", "serve with TLS; the certificate chain in this PEM `FILE`")
	cmd.Flags().StringVar(&where.key, "tls-key", "", "the key of the certificate, in this PEM `FILE`")
	cmd.Flags().BoolVar(&where.behindProxy, "behind-proxy", false, "a proxy in front sees to TLS; nobody counts as local then")
	cmd.Flags().StringVar(&profile, "profile", "", "publish the incident response profile in this `FILE`")
	p.jsonFlag(cmd)
	cmd.AddCommand(p.newServeToken(), p.newServeKey(), p.newServeCheckpoints())
	return cmd
}

// servicePath is where a service's store lies: --db, else DOCKET_DB, else the XDG data folder.
func (p *program) servicePath() string {
	if p.db != "" || p.Getenv("DOCKET_DB") != "" {
		return p.storePath()
	}
	return filepath.Join(xdg.DataHome, "docket", "service.db")
}

// withService opens the store of a service for work, and makes it if there is none.
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
		return work(s)
	})
}

// servicePatience is how long a service waits for a lock: its callers try again rather than be told.
const servicePatience = 10 * time.Second

// serve runs the service until ctx ends.
func (p *program) serve(ctx context.Context, where binding, profileFile string) error {
	address, config, err := where.check()
	if err != nil {
		return err
	}
	profile, err := p.readServedProfile(profileFile)
	if err != nil {
		return err
	}
	return p.withServiceAs(context.WithoutCancel(ctx), store.Options{BusyTimeout: servicePatience}, func(s *store.Store) error {
		log := slog.New(slog.NewTextHandler(p.Err, nil))
		service, err := serve.New(serve.Config{
			Backing: backing.New(s, log), Now: p.Now, Log: log, Profile: profile, BehindProxy: where.behindProxy,
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
			return fmt.Errorf("it cannot listen at %s: %w; see whether something else does, or name another --listen", where.listen, bareOf(err))
		}
		if err := p.sayServing(ctx, s, where.url(listener.Addr())); err != nil {
			return errors.Join(err, listener.Close())
		}
		return service.Run(ctx, listener, serve.Server{TLS: config})
	})
}

// A serving is what is said of a service that has started.
type serving struct {
	URL string `json:"url"`
	Key string `json:"key"` // of its log
}

// sayServing says where the service listens, and by which key its log is verified. Connections are taken from now on.
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

// readServedProfile reads and checks the profile that is to be published; nil for none.
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
