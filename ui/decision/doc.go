// Package decision is how a reviewer decides, in the full console and in the plain one alike: the steps, what each of them
// needs before it is left, what is taken over of a draft, and what the review restates. It draws nothing, asks nobody
// and does no IO.
package decision
