package bundle

import (
	"fmt"
	"io/fs"
	"path"

	"docket/domain/records"
	"docket/domain/signed"
	"docket/store/verify"
)

// maxStatement is the largest size of a statement about a log, in bytes; a real one is far smaller.
const maxStatement = 16 << 10

// The files of a statement: its text, and the signature of the person, the signature of the log's key, or both.
const (
	statementSuffix          = ".txt"
	statementSignatureSuffix = ".txt.sig"
	statementLogSuffix       = ".txt.log"
)

// mostStatements is the largest number of statements in a bundle.
const mostStatements = 1 << 20

// statementFolders lists the folders of statements: those about keys and about erasures have separate ones. They are
// numbered together, in their order.
var statementFolders = [...]string{logStatementsFolder, keysFolder, erasuresFolder}

func statementFolder(s signed.Statement) string {
	statement, err := records.ReadLogStatement(s.Text)
	switch {
	case err == nil && statement.AboutKey():
		return keysFolder
	case err == nil && statement.Kind == records.Erased:
		return erasuresFolder
	}
	return logStatementsFolder
}

func statementName(folder string, position int64, suffix string) string {
	return path.Join(folder, fmt.Sprint(position)+suffix)
}

// numberedStatements holds the number of statements according to their file names, from 0, and the number of these
// files.
type numberedStatements struct{ numbers, files int64 }

// believed returns up to which number statements are read. A number far beyond the count of files is ignored.
func (n numberedStatements) believed() int64 { return min(n.numbers, n.files+gapLimit) }

// ofLog and ofService select the numbers of the statements about the log, and of those of its service, in a layout.
func ofLog(l *layout) *numberedStatements     { return &l.statements }
func ofService(l *layout) *numberedStatements { return &l.service }

// surveyStatements finds the number of statements, and the strays in their folder.
func surveyStatements(name string, of func(*layout) *numberedStatements) func(f *folder, l *layout) error {
	return func(f *folder, l *layout) error {
		counted := of(l)
		texts := map[int64]bool{}
		var signatures []string
		err := f.each(name, func(entry fs.DirEntry) error {
			position, isText := numbered(entry.Name(), statementSuffix)
			isText = isText && position < mostStatements
			if isText {
				texts[position] = true
				counted.numbers = max(counted.numbers, position+1)
			}
			_, isSignature := signatureOf(entry.Name())
			if isSignature {
				signatures = append(signatures, entry.Name())
			}
			l.file(path.Join(name, entry.Name()), entry, isText || isSignature)
			return nil
		})
		for _, signature := range signatures {
			if position, _ := signatureOf(signature); !texts[position] {
				l.add(path.Join(name, signature))
			}
		}
		counted.files += int64(len(texts))
		return err
	}
}

// signatureOf returns the number of the statement whose signature has the name; false if the name is not one of a
// signature.
func signatureOf(name string) (position int64, ok bool) {
	for _, suffix := range [...]string{statementSignatureSuffix, statementLogSuffix} {
		if position, ok = numbered(name, suffix); ok {
			return position, true
		}
	}
	return 0, false
}

// readStatements reads the statements about the log; one that is missing in between, or is in the wrong folder, is
// empty, so that it is found.
func (f *folder) readStatements(l *layout) (list []signed.Statement, err error) {
	for position := range l.statements.believed() {
		var found signed.Statement
		for _, in := range statementFolders {
			s, err := f.readStatement(in, position)
			if err != nil {
				return nil, err
			}
			switch {
			case s.Text == "":
			case found.Text != "" || statementFolder(s) != in:
				found = signed.Statement{Text: "misplaced"}
			default:
				found = s
			}
		}
		list = append(list, found)
	}
	return list, nil
}

// readServiceStatements reads those of the service.
func (f *folder) readServiceStatements(l *layout) (list []signed.Statement, err error) {
	for position := range l.service.believed() {
		s, err := f.readStatement(serviceStatementsFolder, position)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func (f *folder) readStatement(in string, position int64) (s signed.Statement, err error) {
	text, err := f.read(statementName(in, position, statementSuffix), maxStatement)
	if err != nil || text == nil {
		return s, err
	}
	s.Text = string(text)
	if s.Signature, err = f.read(statementName(in, position, statementSignatureSuffix), maxStatement); err == nil {
		s.LogSignature, err = f.read(statementName(in, position, statementLogSuffix), maxStatement)
	}
	if s.LogSignature != nil && len(s.LogSignature) == 0 || s.Signature != nil && len(s.Signature) == 0 {
		s.Text = "empty" // a file without a signature is none
	}
	return s, err
}

// writeStatements writes the statements of a folder.
func writeStatements(folder string) func(w *writer, head *verify.Head) error {
	return func(w *writer, head *verify.Head) error {
		for position, s := range head.Statements {
			if statementFolder(s) != folder {
				continue
			}
			if err := w.writeStatement(folder, int64(position), s); err != nil {
				return err
			}
		}
		return nil
	}
}

// writeServiceStatements writes those of the service.
func (w *writer) writeServiceStatements(head *verify.Head) error {
	for position, s := range head.ServiceStatements {
		if err := w.writeStatement(serviceStatementsFolder, int64(position), s); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) writeStatement(folder string, position int64, s signed.Statement) error {
	if err := w.put(statementName(folder, position, statementSuffix), []byte(s.Text)); err != nil {
		return err
	}
	for suffix, signature := range map[string][]byte{statementSignatureSuffix: s.Signature, statementLogSuffix: s.LogSignature} {
		if len(signature) == 0 {
			continue
		}
		if err := w.put(statementName(folder, position, suffix), signature); err != nil {
			return err
		}
	}
	return nil
}
