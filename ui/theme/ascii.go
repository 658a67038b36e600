package theme

import "strings"

// ASCII replaces the glyphs of frames and marks, each by a character of the same width, for
// terminals that show nothing else.
var ASCII = strings.NewReplacer("─", "-", "│", "|", "╭", "+", "╮", "+", "╰", "+", "╯", "+", "├", "+", "┤", "+",
	"✓", "+", "✗", "x", "●", "*", "○", "o", "◇", "o", "■", "#", "□", "-", "▲", "!", "△", "!", "∅", "0", "⊘", "x",
	"✎", "*", "↷", ">", "⇡", "^", "⇢", ">", "❯", ">", "▾", "v", "▸", ">", "▌", "|", "▐", "|", "▏", "_", "█", "#",
	"←", "<", "→", ">", "↑", "^", "↓", "v", "↵", "<", "…", "~", "·", "-", "–", "-", "≠", "!", "❝", "\"", "“", "\"", "”", "\"", "↳", ">", "−", "-")
