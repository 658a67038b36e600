// Package wording holds what the full console and the plain one say and ask alike: how counts and times are written, what
// the final question takes, why something may not be recorded, what is taken over of a draft, and what blind-first mode
// holds back. Both read it here, so that they cannot drift apart.
package wording
