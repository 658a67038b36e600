package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"docket/cmd/internal/desk"
	"docket/cmd/internal/settings"
)

func newConfig(p *program) *cobra.Command {
	var path bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the settings that count and where each comes from",
		Long: "Prints each setting with its value and whether that is the default or comes from the config file, the environment\n" +
			"or a flag. A flag goes before the environment, that before the file.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path {
				_, err := fmt.Fprintln(p.Out, configPath())
				return err
			}
			if err := p.choose(cmd); err != nil {
				return err
			}
			return p.listSettings()
		},
	}
	cmd.Flags().BoolVar(&path, "path", false, "print where the config file belongs and nothing else")
	p.jsonFlag(cmd)
	settingFlags(cmd)
	cmd.AddCommand(&cobra.Command{
		Use:   "example",
		Short: "Print a config file with every setting, its words and what it means",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(p.Out, settings.Example())
			return err
		},
	})
	return cmd
}

// configPath is where the config file lies, if there is one.
func configPath() string { return filepath.Join(xdg.ConfigHome, "docket", "config.toml") }

// filterFile is where the filters lie that were saved in the console.
func filterFile() settings.FilterFile {
	return settings.FilterFile{Path: filepath.Join(filepath.Dir(configPath()), "filters.toml")}
}

// settingFlags adds the flags of the settings to a command that goes by them.
func settingFlags(cmd *cobra.Command) {
	for _, s := range settings.Table() {
		if s.Flag() == "" {
			continue
		}
		meaning := s.Meaning + " (default: what docket config says)"
		if s.Kind == settings.Switch {
			cmd.Flags().Bool(s.Flag(), false, meaning)
			continue
		}
		cmd.Flags().String(s.Flag(), "", meaning)
		if s.Kind == settings.Path {
			continue // the shell completes the names of files
		}
		words := s.Words
		// The error would say that there is no such flag.
		_ = cmd.RegisterFlagCompletionFunc(s.Flag(), func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return words, cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// choose finds out the settings for a command with their flags.
func (p *program) choose(cmd *cobra.Command) (err error) {
	p.chosen, err = settings.Load(settings.Source{
		Path: configPath(), Saved: filterFile(), Getenv: p.Getenv,
		Flag: func(name string) (string, bool) {
			flag := cmd.Flags().Lookup(name)
			if flag == nil || !flag.Changed {
				return "", false
			}
			return flag.Value.String(), true
		},
	})
	var problem *settings.Problem
	if errors.As(err, &problem) {
		return wrongUsage("%w", problem)
	}
	return err
}

func (p *program) listSettings() error {
	if p.json {
		for _, row := range p.chosen.Rows() {
			if err := printJSON(p.Out, row); err != nil {
				return err
			}
		}
		return nil
	}
	list := &columns{heads: []string{"SETTING", "VALUE", "FROM", "WHERE"}}
	for _, row := range p.chosen.Rows() {
		list.add(row.Name, row.Value, row.From, row.Where)
	}
	return list.print(p.Out)
}

// checkConfig is the doctor's look at the config file.
func checkConfig(s *patient) symptom {
	chosen, err := settings.Load(settings.Source{
		Path: configPath(), Saved: filterFile(), Getenv: s.p.Getenv, Flag: func(string) (string, bool) { return "", false },
	})
	var profile error
	if err == nil && chosen.Profile != "" {
		profile = desk.CheckProfile(chosen.Profile)
	}
	switch {
	case err != nil:
		return wrong(err.Error(), "mend that line; `docket config example` prints a file that is right")
	case profile != nil:
		return wrong("the incident profile that it names is refused: "+profile.Error(),
			"mend it; `docket profile check FILE` lists everything that is wrong")
	case !chosen.Exists:
		return ok("there is none, and none is needed; `docket config --path` says where one belongs")
	}
	return ok("%s can be read", chosen.Path)
}
