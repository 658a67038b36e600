package private

const (
	// maxGroups covers a card number of 19 single digits that starts at any of
	// the first stride groups.
	maxGroups = 32
	stride    = 12
	// maxGap is the longest gap in one number: space, bracket, space, bracket.
	maxGap = 4
)

// groups are runs of digits with gaps as they occur within numbers.
type groups struct {
	text       string
	n          int
	start, end [maxGroups]int
}

// read fills g with the digits of its text from i on, a digit, and returns how
// many there are. It does not set the text: stored through a pointer, the text
// would count as escaping, and folding could not work on the stack.
func (g *groups) read(i int) (digits int) {
	text := g.text
	g.n = 0
	for g.n < maxGroups {
		end := i + 1
		for end < len(text) && is(text[end], isDigit) {
			end++
		}
		g.start[g.n], g.end[g.n] = i, end
		g.n++
		digits += end - i
		i = skip(text, end, maxGap, isJoint)
		if i == end || !isAtIndex(text, i, isDigit) {
			break
		}
	}
	return digits
}

// size returns the number of digits in group k, 0 past the last.
func (g *groups) size(k int) int {
	if k >= g.n {
		return 0
	}
	return g.end[k] - g.start[k]
}

// at returns the digits of group k.
func (g *groups) at(k int) string { return g.text[g.start[k]:g.end[k]] }

// gap returns what is between group k and the next.
func (g *groups) gap(k int) string { return g.text[g.end[k]:g.start[k+1]] }

// sizes reports whether the groups from k on have these sizes.
func (g *groups) sizes(k int, want ...int) bool {
	for i, n := range want {
		if g.size(k+i) != n {
			return false
		}
	}
	return true
}

// reaches reports whether the groups from k on, the last one complete, add up to
// a number of digits from low to high.
func (g *groups) reaches(k, low, high int) bool {
	total := 0
	for ; total < low; k++ {
		if k == g.n {
			return false
		}
		total += g.size(k)
	}
	return total <= high
}
