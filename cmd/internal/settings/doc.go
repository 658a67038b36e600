// Package settings is what a reader can have their own way: one table of settings, each with its words, its default and
// what it means. The config file, the environment, the flags, `docket config`, its example and the table of cmd/docs/settings.md are
// all read by or held to that table.
//
// What a flag says goes before the environment, that before the file, and that before the default. What cannot be read
// is refused with its place, and nothing is guessed: a console that looks or sorts other than it was told would be
// worse than one that does not start.
package settings
