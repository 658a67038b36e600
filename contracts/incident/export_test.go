package incident

// What the tests of the page and of the examples hold to the tables.
var (
	SampleText = sampleText
	RuleInfos  = rules[:]
)
