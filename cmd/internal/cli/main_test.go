package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"docket/domain/visible"
)

func TestErrorsThatWereJoinedAreToldOnLinesOfTheirOwn(t *testing.T) {
	hostile := errors.New("open a\nb")
	for _, of := range []struct {
		what string
		err  error
		want []string
	}{
		{"nothing", nil, nil},
		{"one", fs.ErrClosed, []string{"file already closed"}},
		{"two", errors.Join(fs.ErrClosed, refused("nothing was erased")), []string{"file already closed", "nothing was erased"}},
		{"two in two, with a status", &failure{Refused, errors.Join(errors.Join(fs.ErrClosed, fs.ErrExist), fs.ErrInvalid)},
			[]string{"file already closed", "file already exists", "invalid argument"}},
		{"two in a sentence", fmt.Errorf("%w: %w", fs.ErrClosed, fs.ErrExist), []string{"file already closed: file already exists"}},
		{"two behind the name of a thing", fmt.Errorf("a/b: %w", errors.Join(fs.ErrClosed, fs.ErrExist)), []string{"a/b: file already closed", "a/b: file already exists"}},
		{"two at the end of a sentence", fmt.Errorf("%w: %w", fs.ErrInvalid, errors.Join(hostile, fs.ErrExist)),
			[]string{`invalid argument: open a\nb`, "invalid argument: file already exists"}},
		{"one that was joined behind the name of a thing", fmt.Errorf("a/b: %w", errors.Join(fs.ErrClosed)), []string{"a/b: file already closed"}},
		{"a name that would make a line behind another", fmt.Errorf("a\nb: %w", hostile), []string{`a\nb: open a\nb`}},
		{"a name that would make a line", errors.Join(hostile, fs.ErrExist), []string{`open a\nb`, "file already exists"}},
		{"a name that would make a line, alone", hostile, []string{`open a\nb`}},
	} {
		var got []string
		for _, one := range unjoined(of.err) {
			got = append(got, visible.String(one.Error()))
		}
		if !slices.Equal(got, of.want) {
			t.Errorf("%s: %q, want %q", of.what, got, of.want)
		}
	}
}
