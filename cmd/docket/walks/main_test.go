// Package walks_test goes through the console as a person does, in a terminal of tmux, and line by line.
package walks_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"docket/cmd/internal/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

// through takes steps at a terminal, one after the other. A step is a key by its name for tmux, or one of
//
//	type TEXT, line TEXT    at once, the second with Enter
//	open ID                 goes to a case, through the filter of the queue
//	sees TEXT, and TEXT     waits for a screen with this, and with what follows
//	quiet                   waits for a second without a change
//	read, record            reads the last page; and types the word
func through(term *programtest.Terminal, steps ...string) {
	term.T.Helper()
	for i, step := range steps {
		verb, what, _ := strings.Cut(step, " ")
		switch verb {
		case "type":
			term.Press("-l", what)
		case "line":
			through(term, "type "+what, "Enter")
		case "open":
			through(term, "/", "type "+what, "sees 1 of ", "Enter", "Enter")
		case "sees":
			texts := []string{what}
			for _, next := range steps[i+1:] {
				text, is := strings.CutPrefix(next, "and ")
				if !is {
					break
				}
				texts = append(texts, text)
			}
			term.WaitFor(texts...)
		case "and":
		case "quiet":
			term.WaitQuiet(time.Second)
		case "read":
			term.ReadReview()
		case "record":
			term.Record()
		default:
			term.Press(step)
		}
	}
}

// reviewing are the commands that set a reviewer up and import the sample appeals into a store in the folder.
func reviewing(t *testing.T, docket, folder string) string {
	t.Helper()
	return fmt.Sprintf("%[1]s identity init --id rev-0417 --role neutral_reviewer --no-passphrase >%[2]s/log; "+
		"%[1]s seal %[3]s/appeals.json | %[1]s --db %[2]s/docket.db import - 2>>%[2]s/log; ",
		docket, folder, programtest.Testdata(t, "packets"))
}

// processOf finds the process whose id is in a file.
func processOf(t *testing.T, file string) *os.Process {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	number, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	process, err := os.FindProcess(number)
	must(t, err)
	return process
}

var must = programtest.Must
