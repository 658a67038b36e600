package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"docket/cmd/internal/handin"
	"docket/cmd/internal/remote"
	"docket/contracts"
	"docket/domain"
	"docket/store"
)

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
