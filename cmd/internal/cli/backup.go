package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"docket/domain/visible"
	"docket/store"
)

// backupStages is what the bar says of a stage.
var backupStages = map[store.BackupStage]string{store.Copying: "copying", store.Verifying: "verifying the copy"}

func newBackup(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the store while consoles work on it, and verify the copy",
		Args:  argumentCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.withStoreAs(cmd.Context(), store.Options{ReadOnly: true}, func(s *store.Store) error {
				bar := p.newBar()
				defer bar.clear()
				err := s.Backup(cmd.Context(), args[0], func(stage store.BackupStage, done, total int64) {
					bar.stage(backupStages[stage], done, total)
				})
				bar.clear()
				if err != nil {
					return unwritten("nothing was copied to "+args[0], err)
				}
				_, err = fmt.Fprintf(p.Err, "%s holds a verified copy of %s\nit holds no key: keep a copy of %s too, in a place of its own; without it a restored store is only read\n",
					visible.String(args[0]), visible.String(s.Path()), visible.String(s.KeyFile()))
				return err
			})
		},
	}
}
