package bundle

import (
	"fmt"
	"io/fs"
	"path"

	"docket/domain/signed"
	"docket/store/verify"
)

// maxStatement is in bytes: far more than a statement about a log has.
const maxStatement = 16 << 10

const statementSuffix, statementSignatureSuffix = ".txt", ".txt.sig"

func statementName(position int64, suffix string) string {
	return path.Join(logStatementsFolder, fmt.Sprint(position)+suffix)
}

// surveyStatements finds how many statements there are, and what in their folder is none.
func (f *folder) surveyStatements(l *layout) error {
	return f.each(logStatementsFolder, func(entry fs.DirEntry) error {
		position, isText := numbered(entry.Name(), statementSuffix)
		_, isSignature := numbered(entry.Name(), statementSignatureSuffix)
		if isText && position < maxStrays {
			l.statements = max(l.statements, position+1)
		}
		l.file(path.Join(logStatementsFolder, entry.Name()), entry, isText && position < maxStrays || isSignature)
		return nil
	})
}

// readStatements reads the statements; one that is missing in between is empty, to be found.
func (f *folder) readStatements(count int64) (list []signed.Statement, err error) {
	for position := range count {
		var text []byte
		var s signed.Statement
		if text, err = f.read(statementName(position, statementSuffix), maxStatement); err == nil {
			s.Text = string(text)
			s.Signature, err = f.read(statementName(position, statementSignatureSuffix), maxStatement)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// writeStatements writes the statements about the log.
func (w *writer) writeStatements(head *verify.Head) error {
	for position, s := range head.Statements {
		if err := w.put(statementName(int64(position), statementSuffix), []byte(s.Text)); err != nil {
			return err
		}
		if err := w.put(statementName(int64(position), statementSignatureSuffix), s.Signature); err != nil {
			return err
		}
	}
	return nil
}
