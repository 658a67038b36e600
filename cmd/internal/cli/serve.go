package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"docket/cmd/internal/serve"
	"docket/cmd/internal/serve/daemon"
	"docket/cmd/internal/settings"
	"docket/contracts/incident"
	"docket/domain/json"
	"docket/domain/records"
	"docket/domain/signed"
	"docket/domain/terms"
	"docket/domain/visible"
	"docket/store"
	"docket/store/bundle"
	"docket/store/postgres"
)

func newServe(p *program) *cobra.Command {
	var from settings.Source
	var check bool
	cmd := command("serve", 0, 0, func(cmd *cobra.Command, _ []string) error {
		from.Flag = flagOf(cmd) // --db is one of every command
		chosen, err := daemon.Load(from)
		if err == nil {
			_, err = daemon.Pair(&chosen) // the files that the settings name for TLS
		}
		if err != nil {
			return settingError(err)
		}
		profile, err := p.readServedProfile(chosen.Profile)
		switch {
		case err != nil:
			return err
		case check:
			return p.printSettings(chosen.Rows())
		}
		return p.serve(cmd.Context(), chosen, profile)
	})
	cmd.Flags().StringVar(&from.Path, "config", "", "take the settings and limits from this TOML `FILE`")
	cmd.Flags().BoolVar(&check, "check", false, "print the settings in effect and where each comes from; serve nothing")
	settingFlags(cmd, settings.Service)
	p.jsonFlag(cmd)
	cmd.AddCommand(p.newServeInvite(), p.newServeEnroll(), p.newServeToken(), p.newServeKey(),
		p.newServeOperator(), p.newServeDB(), p.newServeExport())
	return cmd
}

// servicePath returns --db, otherwise DOCKET_DB, otherwise a file in the XDG data folder.
func (p *program) servicePath() string {
	if p.db != "" || p.Getenv("DOCKET_DB") != "" {
		return p.storePath()
	}
	return serviceStore()
}

func (p *program) withServiceAs(ctx context.Context, o store.Options, work func(*store.Store) error) error {
	o.Service = true
	return p.withStoreAs(ctx, o, func(s *store.Store) error {
		p.caution(s)
		if own := ownStore(); s.Made() && s.Path() == serviceStore() && exists(own) {
			fmt.Fprintf(p.Err,
				"docket: `docket import` and the other commands are about the console's store %s, unless --db or DOCKET_DB names this one\n",
				visible.String(own))
		}
		return work(s)
	})
}

// servicePatience is the longest wait for a lock; callers of a service can wait.
const servicePatience = 10 * time.Second

func (p *program) serve(ctx context.Context, chosen settings.Effective, profile []byte) error {
	if p.db == "" && chosen.Store != "" { // of the file
		p.db, p.named = chosen.Store, true
	}
	return p.withServiceAs(context.WithoutCancel(ctx), store.Options{BusyTimeout: servicePatience}, func(s *store.Store) error {
		if findings := s.Findings(); len(findings) > 0 {
			return refused(
				"the service does not start, because its store was changed, damaged or set back outside of docket: %s %s",
				visible.String(findings[0].Sentence()), findings[0].Code.Cure())
		}
		key, err := s.Verifier(ctx)
		if err != nil {
			return err
		}
		d := daemon.Daemon{Log: p.Err,
			Service: func(v *settings.Values, log *slog.Logger) (*serve.Service, error) {
				return serve.New(serve.Config{
					Store: s, Now: p.Now, Log: log, Limits: v.Limits, Profile: profile, BehindProxy: v.BehindProxy, Proxies: v.Proxies(),
				})
			},
			Ready: func(url string) error { // the listener accepts connections already
				return p.print(json.Of("url", url, "key", key), url+"\n"+visible.String(key))
			},
		}
		return d.Run(ctx, chosen)
	})
}

func (p *program) readServedProfile(name string) (text []byte, err error) {
	if name == "" {
		return nil, nil
	}
	if text, err = p.readInput(name, incident.MaxSize+1); err != nil {
		return nil, err
	}
	if err := serve.CheckProfile(text); err != nil {
		return nil, refused("%s: %w", name, err)
	}
	return text, nil
}

func (p *program) newServeOperator() *cobra.Command {
	change := command("serve operator change", 2, 2, func(cmd *cobra.Command, args []string) error {
		to, err := parseID("ID", args[0])
		if err != nil {
			return err
		}
		fingerprint, err := p.readFingerprint(to, args[1])
		if err != nil {
			return err
		}
		return p.accept(cmd.Context(), changedOperator(to, fingerprint))
	})
	return command("serve operator", 0, 0, p.accepting(&acceptedOperator), change,
		command("serve operator replace", 0, 0, p.accepting(&replacedOperator)))
}

func (p *program) readFingerprint(of terms.ID, name string) (fingerprint string, err error) {
	line, err := p.readKey(of, name)
	if err != nil {
		return "", err
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
	if err != nil {
		return "", refused("%s holds no OpenSSH public key", name)
	}
	if _, err := signed.PublicKey(signed.AuthorizedKey(key)); err != nil {
		return "", refused("%s: %w", name, err)
	}
	return ssh.FingerprintSHA256(key), nil
}

func (p *program) newServeExport() *cobra.Command {
	var reviewer terms.ID
	cmd := command("serve export", 1, 1, func(cmd *cobra.Command, args []string) error {
		p.db = p.servicePath()
		return p.withStoreAs(cmd.Context(), store.Options{ReadOnly: true}, func(s *store.Store) error {
			if service, err := s.OfService(cmd.Context()); err != nil || !service {
				return errors.Join(err, refused("%s is not the store of a service; name that with --db", s.Path()))
			}
			return p.export(cmd.Context(), s, args[0], bundle.Options{Assigned: reviewer, Stated: true})
		})
	})
	idFlag(cmd, &reviewer, "for", "the `ID` of the reviewer", ofPerson)
	needed(cmd, "for")
	return p.jsonFlag(cmd)
}

func (p *program) newServeDB() *cobra.Command {
	printed := false
	initialize := command("serve db init", 0, 0, func(cmd *cobra.Command, _ []string) error {
		if printed {
			return p.write(postgres.DDL())
		}
		return p.migrateDatabase(cmd.Context())
	})
	initialize.Flags().BoolVar(&printed, "print", false, "print the statements; connect to nothing")
	move := command("serve db copy", 1, 1, func(cmd *cobra.Command, args []string) error {
		to, err := p.databaseOptions()
		if err != nil {
			return err
		}
		return p.moveStore(cmd.Context(), args[0], to)
	})
	return command("serve db", 0, 0, nil, initialize, move)
}

func (p *program) databaseOptions() (store.Options, error) {
	path := p.servicePath()
	if !postgres.IsAddress(path) {
		return store.Options{}, wrongUsage("--db takes the address of a database: postgres://user@host/name")
	}
	return p.completed(store.Options{Path: path})
}

func (p *program) migrateDatabase(ctx context.Context) error {
	o, err := p.databaseOptions()
	if err != nil {
		return err
	}
	db := o.Database.(*postgres.DB) // of an address
	before, after, err := db.Migrate(ctx)
	if err != nil {
		return db.Explain("set up the database", err)
	}
	switch before {
	case after:
		return p.say("%s has version %d of the schema already\n", visible.String(db.Name()), after)
	case 0:
		return p.say(
			"%s has the roles and version %d of the schema; make the login of the service a member of docket_writer, and name the database with --db\n",
			visible.String(db.Name()), after)
	}
	return p.say("%s now has version %d of the schema; it had %d\n", visible.String(db.Name()), after, before)
}

func (p *program) moveStore(ctx context.Context, path string, to store.Options) error {
	from := store.Options{Path: path, AnchorFolder: anchorFolder(), Service: true, Existing: true}
	return p.withStoreAs(ctx, from, func(s *store.Store) error {
		bar := p.newBar()
		head, err := s.MoveTo(ctx, to, func(stage store.BackupStage, done, total int64) { bar.Stage(backupStages[stage], done, total) })
		if bar.Clear(); err != nil {
			return err
		}
		return p.say(
			"moved %s of the log %s from %s to %s; %[3]s is marked as moved and takes no record again\n",
			records.Count(head.Size),
			visible.String(head.Origin), visible.String(path), visible.String(to.Path))
	})
}
