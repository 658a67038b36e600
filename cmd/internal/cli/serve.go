package cli

import (
	"context"
	"crypto/tls"
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
	"docket/domain"
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

// A binding is where the service listens, and in which way.
type binding struct {
	listen           string
	certificate, key string // PEM files; "" for no TLS
	behindProxy      bool
}

// check finds out the address, and that it may be listened at: whoever listens at anything but loopback has TLS, or a proxy
// in front that has it.
func (b binding) check() (*net.TCPAddr, *tls.Config, error) {
	switch {
	case (b.certificate == "") != (b.key == ""):
		return nil, nil, wrongUsage("--tls-cert and --tls-key go together")
	case b.certificate != "" && b.behindProxy:
		return nil, nil, wrongUsage("--behind-proxy is for a service without TLS of its own; give it or --tls-cert and --tls-key")
	}
	address, err := net.ResolveTCPAddr("tcp", b.listen)
	if err != nil {
		return nil, nil, wrongUsage("--listen takes an address and a port such as %s", defaultListen)
	}
	if !address.IP.IsLoopback() && b.certificate == "" && !b.behindProxy {
		return nil, nil, wrongUsage("%s can be reached from other machines: give --tls-cert and --tls-key, or --behind-proxy if a "+
			"proxy in front sees to TLS; nothing is served", b.listen)
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

// url is how the service is reached at the address.
func (b binding) url(address net.Addr) string {
	if b.certificate != "" {
		return "https://" + address.String()
	}
	return "http://" + address.String()
}

// bareOf is the bare reason of a network error, without the address, which the caller has named already.
func bareOf(err error) error {
	var operation *net.OpError
	if errors.As(err, &operation) {
		return operation.Err
	}
	return err
}

func (p *program) newServeCheckpoints() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "checkpoints",
		Short: "List the consoles' logs as the service last saw them, and the forks that it refused",
		Long: "Lists each log whose checkpoints were lodged, with the size that the service last cosigned. Below them stand the\n" +
			"checkpoints that it refused because their log is shorter than it was, or has another history: each of them is\n" +
			"signed by its log, and proves it. --json gives the checkpoints themselves.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.listCheckpoints(cmd.Context()) },
	}
	p.jsonFlag(cmd)
	return cmd
}

// lodgedState is of a checkpoint that was cosigned; that of a refused one is a fault's word.
const lodgedState = "cosigned"

// A lodgedRow is a checkpoint in the list.
type lodgedRow struct {
	Log        string         `json:"log"` // its origin
	Principal  domain.ID      `json:"principal"`
	State      string         `json:"state"`
	Size       int64          `json:"size"` // as the service holds it
	At         domain.Instant `json:"at"`
	Checkpoint string         `json:"checkpoint"` // as it was signed
}

func (p *program) listCheckpoints(ctx context.Context) error {
	return p.withServiceReading(ctx, func(s *store.Store) error {
		seen, err := s.Witnessed(ctx)
		if err != nil {
			return err
		}
		disputed, err := s.Disputed(ctx)
		if err != nil {
			return err
		}
		var rows []lodgedRow
		for _, w := range seen {
			rows = append(rows, lodgedRow{w.Origin, w.Principal, lodgedState, w.Size, w.At, string(w.Checkpoint)})
		}
		for _, d := range disputed {
			rows = append(rows, lodgedRow{d.Origin, d.Principal, d.Fault, d.HeldSize, d.At, string(d.Checkpoint)})
		}
		table := &columns{heads: []string{"LOG", "PRINCIPAL", "STATE", "SIZE HELD", "AT"}}
		for _, row := range rows {
			if p.json {
				if err := printJSON(p.Out, row); err != nil {
					return err
				}
				continue
			}
			table.add(row.Log, string(row.Principal), row.State, fmt.Sprint(row.Size), row.At.String())
		}
		return p.printOr(table, "no checkpoints yet; `docket push` lodges them")
	})
}
