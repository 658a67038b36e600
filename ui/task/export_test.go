package task

import "testing"

func TestTheNewestStepOfAnExportIsShown(t *testing.T) {
	e := &exportRun{news: make(chan exportStep, 1)}
	tell := e.tell()
	tell("writing records", 1, 10)
	tell("writing records", 2, 10) // too soon to be seen
	tell("reading it back", 3, 10)
	if step := <-e.news; step != (exportStep{"reading it back", 3, 10}) {
		t.Errorf("shown: %+v", step)
	}
}
