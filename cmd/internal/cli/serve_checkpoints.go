package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"docket/domain"
	"docket/store"
)

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
