package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docket/cmd/internal/contractview"
	"docket/cmd/internal/settings"
	"docket/domain/visible"
	"docket/store/disk"
	"docket/ui/decision"
)

func newConfig(p *program) *cobra.Command {
	var path bool
	cmd := command("config", 0, 0, func(cmd *cobra.Command, _ []string) error {
		if path {
			return p.write(configPath() + "\n")
		}
		if err := p.choose(cmd); err != nil {
			return err
		}
		return p.printSettings(p.chosen.Rows())
	})
	cmd.Flags().BoolVar(&path, "path", false, "print the path of the config file and nothing else")
	settingFlags(cmd, settings.Console)
	cmd.AddCommand(command("config example", 0, 0,
		func(*cobra.Command, []string) error { return p.write(settings.Example) }))
	return p.jsonFlag(cmd)
}

func configPath() string { return filepath.Join(xdg.ConfigHome, "docket", "config.toml") }

// settingFlags adds the flags of a reader's settings, or of the named ones, to a command; the first
// word of a meaning in backquotes is the value of the flag.
func settingFlags(cmd *cobra.Command, of settings.Reader, names ...string) {
	for _, s := range settings.Table(of) {
		if s.Flag() == "" || s.Kind == settings.Database || len(names) > 0 && !slices.Contains(names, s.Name) {
			continue
		}
		meaning := s.Meaning
		if value := flagValues[s.Kind]; !strings.Contains(meaning, "`") {
			meaning += value
		}
		if len(s.Words) > 0 {
			meaning += ": " + strings.Join(s.Words, ", ")
		}
		switch s.Kind {
		case settings.Switch:
			cmd.Flags().Bool(s.Flag(), false, meaning)
			continue
		case settings.Networks:
			cmd.Flags().StringArray(s.Flag(), nil, meaning)
			continue
		}
		if standard := s.Value(); standard != "" {
			meaning += fmt.Sprintf(" (default %s, or what the config file says)", standard)
		}
		cmd.Flags().String(s.Flag(), "", meaning)
		if s.Kind == settings.Word || s.Kind == settings.Age {
			// An error would mean that there is no such flag.
			_ = cmd.RegisterFlagCompletionFunc(s.Flag(),
				cobra.FixedCompletions(s.Words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
}

// flagValues describes the value of a flag whose meaning does not.
var flagValues = map[settings.Kind]string{settings.Word: ", a `WORD`", settings.Path: ", in this `FILE`",
	settings.Age: ", an `AGE` such as 90d or 12h"}

func flagOf(cmd *cobra.Command) func(name string) (text string, list []string, given bool) {
	return func(name string) (text string, list []string, given bool) {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || !flag.Changed {
			return "", nil, false
		}
		if values, is := flag.Value.(pflag.SliceValue); is {
			list = values.GetSlice()
		}
		return flag.Value.String(), list, true
	}
}

// preparedTexts reads the reviewer's own texts for statements of reasons, by name.
func preparedTexts() (list []decision.Prepared, err error) {
	names, err := filepath.Glob(filepath.Join(filepath.Dir(configPath()), "reasons", "*.md"))
	for _, name := range names {
		text, err := disk.ReadRegular(name, maxPrepared)
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", visible.String(name), disk.Reason(err))
		}
		one, err := decision.ReadPrepared(string(text))
		if err != nil {
			return nil, refused("%s: %w; correct it, or move it elsewhere", visible.String(name), err)
		}
		list = append(list, one)
	}
	return list, err
}

func (p *program) choose(cmd *cobra.Command) (err error) {
	p.chosen, err = p.loadSettings(settings.Source{Flag: flagOf(cmd)})
	return err
}

func (p *program) settings() (settings.Effective, error) { return p.loadSettings(settings.Source{}) }

func (p *program) loadSettings(from settings.Source) (settings.Effective, error) {
	from.For, from.Path, from.Getenv = settings.Console, configPath(), p.Getenv
	chosen, err := settings.Load(from)
	return chosen, settingError(err)
}

func settingError(err error) error {
	var problem *settings.Problem
	if errors.As(err, &problem) {
		return wrongUsage("%w", problem)
	}
	return err
}

func (p *program) printSettings(rows []settings.Row) error {
	return printRows(p, []string{"SETTING", "VALUE", "FROM", "WHERE"}, rows, "", func(row *settings.Row) []string {
		return []string{row.Name, row.Value, row.From, row.Where}
	})
}

func checkConfig(s *env) result {
	chosen, err := s.p.settings()
	var profile error
	if err == nil && chosen.Profile != "" {
		profile = contractview.CheckProfile(chosen.Profile)
	}
	switch {
	case err != nil:
		return wrong("%v", err).Do("correct that line; `docket config example` prints a valid file")
	case profile != nil:
		return wrong("its incident profile is refused: %v", profile).
			Do("correct it; `docket profile check FILE` lists every problem")
	case !chosen.Exists:
		return ok("there is none, and none is needed; `docket config --path` prints its path")
	}
	return ok("%s can be read", chosen.Path)
}
