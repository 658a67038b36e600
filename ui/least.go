package ui

// LeastSize is the smallest window, in columns and rows, in which the console draws its screens.
func LeastSize() (width, height int) { return leastWidth, leastHeight }
