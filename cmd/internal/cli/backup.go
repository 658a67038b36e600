package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"docket/cmd/internal/workbench"
	"docket/domain/visible"
	"docket/store"
)

// backupStages are the labels of the bar for the stages.
var backupStages = map[store.BackupStage]string{store.Copying: "copying", store.Verifying: "verifying the copy"}

func newBackup(p *program) *cobra.Command {
	keep := 0
	cmd := command("backup", 1, 1, func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("keep") && (keep < 1 || args[0] == "") {
			return wrongUsage("--keep takes how many backups stay, 1 or more, and the folder that holds them")
		}
		if info, err := os.Stat(args[0]); keep > 0 && err == nil && !info.IsDir() {
			return refused("%s is not a folder; --keep takes the folder that holds the backups", args[0])
		}
		return p.backup(cmd.Context(), args[0], keep)
	})
	cmd.Flags().IntVar(&keep, "keep", 0, "make a backup in a folder, and keep the newest `N` there")
	return cmd
}

// backup copies the store to a file, or into a folder if some are to be kept there.
func (p *program) backup(ctx context.Context, target string, keep int) error {
	return p.withStoreAs(ctx, store.Options{ReadOnly: true}, func(s *store.Store) error {
		bar := p.newBar()
		defer bar.Clear()
		progress := func(stage store.BackupStage, done, total int64) { bar.Stage(backupStages[stage], done, total) }
		rotation := store.Rotation{Path: target}
		var err error
		if keep > 0 {
			rotation, err = s.BackupInto(ctx, target, keep, progress)
		} else {
			err = s.Backup(ctx, target, progress)
		}
		bar.Clear()
		if err != nil && (keep == 0 || rotation.Path == "") {
			return workbench.Unwritten(fmt.Sprintf("nothing was copied to %s", target), err)
		}
		_, printed := fmt.Fprintf(p.Err, "%s holds a verified copy of %s\nit holds no key: copy %s once to a place other than that of the backups, readable by you only;\n"+
			"`docket restore` signs with it that the restored log goes on from this one\n",
			visible.String(rotation.Path), visible.String(s.Path()), visible.String(s.KeyFile()))
		for _, path := range rotation.Removed {
			fmt.Fprintf(p.Err, "removed the older backup %s\n", visible.String(path))
		}
		for _, file := range rotation.Left {
			fmt.Fprintf(p.Err, "left %s alone: %s\n", visible.String(file.Path), file.Reason)
		}
		return errors.Join(err, printed)
	})
}
