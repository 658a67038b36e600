package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"docket/cmd/internal/output"
	"docket/cmd/internal/settings"
	"docket/cmd/internal/workbench"
)

func newConfig(p *program) *cobra.Command {
	var path bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the settings in effect and where each comes from",
		Long: "Prints each setting with its value and its source: default, config file, environment or flag. A flag takes precedence\n" +
			"over the environment, and the environment over the file.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path {
				_, err := fmt.Fprintln(p.Out, configPath())
				return err
			}
			if err := p.choose(cmd); err != nil {
				return err
			}
			return p.printSettings(p.chosen.Rows())
		},
	}
	cmd.Flags().BoolVar(&path, "path", false, "print the path of the config file and nothing else")
	p.jsonFlag(cmd)
	settingFlags(cmd)
	cmd.AddCommand(&cobra.Command{
		Use:   "example",
		Short: "Print a config file with every setting, its values and its meaning",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(p.Out, settings.Example())
			return err
		},
	})
	return cmd
}

// configPath returns the path of the config file, which may not exist.
func configPath() string { return filepath.Join(xdg.ConfigHome, "docket", "config.toml") }

// filterFile returns the file of the filters saved in the console.
func filterFile() settings.FilterFile {
	return settings.FilterFile{Path: filepath.Join(filepath.Dir(configPath()), "filters.toml")}
}

// settingFlags adds the flags of the named settings, or of all, to a command that uses them.
func settingFlags(cmd *cobra.Command, names ...string) {
	for _, s := range settings.Table() {
		if s.Flag() == "" || len(names) > 0 && !slices.Contains(names, s.Name) {
			continue
		}
		meaning := strings.ReplaceAll(s.Meaning, "`", "") // the first word in back quotes is the value of the flag
		switch {
		case s.Kind == settings.Choice:
			meaning += fmt.Sprintf(", a `WORD`: %s", strings.Join(s.Words, ", "))
		case s.Kind == settings.Path:
			meaning += ", in this `FILE`"
		case s.Kind == settings.Age:
			meaning += ", an `AGE` such as 90d or 12h"
		}
		if s.Default != "" && s.Kind != settings.Switch {
			meaning += fmt.Sprintf(" (default %s, or what the config file says)", s.Default)
		}
		if s.Kind == settings.Switch {
			cmd.Flags().Bool(s.Flag(), false, meaning)
			continue
		}
		cmd.Flags().String(s.Flag(), "", meaning)
		if s.Kind == settings.Path {
			continue // the shell completes the names of files
		}
		words := s.Words
		// An error would mean that there is no such flag.
		_ = cmd.RegisterFlagCompletionFunc(s.Flag(), func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return words, cobra.ShellCompDirectiveNoFileComp
		})
	}
}

// choose loads the settings for a command with their flags.
func (p *program) choose(cmd *cobra.Command) (err error) {
	p.chosen, err = p.loadSettings(func(name string) (string, bool) {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || !flag.Changed {
			return "", false
		}
		return flag.Value.String(), true
	})
	return err
}

// settings returns the settings for a command without flags for them.
func (p *program) settings() (settings.Effective, error) {
	return p.loadSettings(func(string) (string, bool) { return "", false })
}

// loadSettings loads the settings. A setting that cannot be used is wrong usage; a file that cannot be read is not.
func (p *program) loadSettings(flag func(name string) (string, bool)) (settings.Effective, error) {
	chosen, err := settings.Load(settings.Source{Path: configPath(), Saved: filterFile(), Getenv: p.Getenv, Flag: flag})
	var problem *settings.Problem
	if errors.As(err, &problem) {
		return settings.Effective{}, wrongUsage("%w", problem)
	}
	return chosen, err
}

// printSettings prints the settings in effect.
func (p *program) printSettings(rows []settings.Row) error {
	if p.json {
		for _, row := range rows {
			if err := output.JSON(p.Out, row); err != nil {
				return err
			}
		}
		return nil
	}
	list := &output.Table{Heads: []string{"SETTING", "VALUE", "FROM", "WHERE"}}
	for _, row := range rows {
		list.Add(row.Name, row.Value, row.From, row.Where)
	}
	return list.Print(p.Out)
}

// checkConfig is the doctor's check of the config file.
func checkConfig(s *patient) symptom {
	chosen, err := s.p.settings()
	var profile error
	if err == nil && chosen.Profile != "" {
		profile = workbench.CheckProfile(chosen.Profile)
	}
	switch {
	case err != nil:
		return wrong(err.Error(), "correct that line; `docket config example` prints a valid file")
	case profile != nil:
		return wrong(fmt.Sprintf("its incident profile is refused: %s", profile.Error()),
			"correct it; `docket profile check FILE` lists every problem")
	case !chosen.Exists:
		return ok("there is none, and none is needed; `docket config --path` prints its path")
	}
	return ok("%s can be read", chosen.Path)
}
