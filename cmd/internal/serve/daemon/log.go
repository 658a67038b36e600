package daemon

import (
	"io"
	"log/slog"
)

// The words of log_format and log_level.
var (
	logFormats = []string{"text", "json"}
	logLevels  = []string{"debug", "info", "warn", "error"}
)

// newLog returns the log of the service, which follows level.
func newLog(to io.Writer, format string, level *slog.LevelVar) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(to, options))
	}
	return slog.New(slog.NewTextHandler(to, options))
}

// levelOf returns the level of a word of logLevels.
func levelOf(word string) (level slog.Level) {
	_ = level.UnmarshalText([]byte(word)) // the words are those of slog
	return level
}
