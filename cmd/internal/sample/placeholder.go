package sample

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"docket/domain"
)

// placeholders stand for what a template cannot know: times, and hashes of terms that nobody sees.
type placeholders struct {
	start time.Time // to the second
	id    string    // of the record that is written
}

// fill returns the value with every placeholder in it replaced, however deep.
func (p placeholders) fill(value any) (any, error) {
	switch value := value.(type) {
	case string:
		return p.text(value)
	case object:
		return p.object(value)
	case []any:
		filled := make([]any, len(value))
		for i := range value {
			var err error
			if filled[i], err = p.fill(value[i]); err != nil {
				return nil, err
			}
		}
		return filled, nil
	}
	return value, nil
}

func (p placeholders) object(members object) (object, error) {
	filled := make(object, len(members))
	for name, value := range members {
		replaced, err := p.fill(value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		filled[name] = replaced
	}
	return filled, nil
}

func (p placeholders) text(text string) (string, error) {
	switch {
	case text == "":
		return "", nil
	case text[0] == '@':
		offset, err := parseOffset(text[1:])
		if err != nil {
			return "", err
		}
		return domain.InstantOf(p.start.Add(offset)).String(), nil
	case text == "#":
		return "", fmt.Errorf("%q: a hash needs words behind the number sign", text)
	case text[0] == '#':
		return domain.HashOf([]byte(p.id + ": " + text[1:])).String(), nil
	}
	return text, nil
}

var (
	offsetForm = regexp.MustCompile(`^[+-](\d{1,4}[wdhm])+$`)
	offsetPart = regexp.MustCompile(`\d+[wdhm]`)
	offsetUnit = map[byte]time.Duration{'w': 7 * 24 * time.Hour, 'd': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute}
)

// parseOffset reads a signed sum such as -3d4h.
func parseOffset(text string) (time.Duration, error) {
	if !offsetForm.MatchString(text) {
		return 0, fmt.Errorf("%q: a time is written @-3d4h or @+2w", "@"+text)
	}
	var sum time.Duration
	for _, part := range offsetPart.FindAllString(text, -1) {
		unit := len(part) - 1
		count, err := strconv.Atoi(part[:unit])
		if err != nil {
			return 0, fmt.Errorf("%q: %w", "@"+text, err)
		}
		sum += time.Duration(count) * offsetUnit[part[unit]]
	}
	if text[0] == '-' {
		return -sum, nil
	}
	return sum, nil
}
