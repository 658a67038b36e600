package bundle

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"docket/domain/records"
	"docket/store/verify"
)

// A part is a file at the top of a bundle, or one kind of files in a folder at its top.
type part struct {
	name    string // of the file or the folder
	files   string // of a folder: how its files are named; "" of a file at the top
	content string // what it holds, a clause
	origin  origin
	checked string // what `docket verify` holds it to, a clause
	// only reports whether a bundle with this report has the part; nil: every bundle has it.
	only func(*verify.Report) bool
	// survey finds the strays in the folder. It may use the results of earlier parts. Of several parts of one folder
	// the first one surveys it; nil for the others, and for a file.
	survey func(*folder, *layout) error
	// write writes the part once all records are written; nil if it is written with each record, or derived.
	write func(*writer, *verify.Head) error
}

// An origin says where a part comes from, and so who writes it and who checks it.
type origin uint8

const (
	// logged parts are the log itself: a writer copies them, and a Bundle yields them to the verifier as the store
	// yields its rows.
	logged origin = iota + 1
	// following parts follow from the logged ones: derived makes them, to be written or to be compared with what is there.
	following
)

// String returns the text for the documentation.
func (o origin) String() string {
	if o == following {
		return "follows from the log"
	}
	return "copied from the log"
}

// parts is the one table of the contents of a bundle, for writing, surveying, SUMMARY.md and the documentation.
var parts = [...]part{
	{name: checkpointFile, content: "origin, size and root of the log, signed with the log's key (C2SP tlog-checkpoint)", origin: logged,
		checked: "its signature, and the root of the records",
		write:   func(w *writer, head *verify.Head) error { return w.put(checkpointFile, head.Checkpoint) }},
	{name: recordsFolder, files: "N" + recordSuffix, content: "record N, from 0: the bytes that are hashed and signed", origin: logged,
		checked: "its form, its place in the tree, the chain of its revision, and its packets judged again", survey: (*folder).surveyRecords},
	{name: recordsFolder, files: "N" + signatureSuffix, content: fmt.Sprintf("its signature, in the namespace `%s`", records.SignatureNamespace), origin: logged,
		checked: "that a key of the reviewer made it"},
	{name: packetsFolder, files: "TABLE/ID/NUMBER.json", content: "the policies, cases and amendments judged, redacted", origin: logged,
		checked: "the digests that the records state, and a scan for private details; that it belongs to a record"},
	{name: saltsFolder, files: "N.json", content: "the salt of the packet digest of record N", origin: logged,
		checked: "the digest of the packet that the record states", survey: surveyBeside(saltsFolder)},
	{name: reasonsFolder, files: "N.json", content: "the reviewer's statement of reasons, with its salt, of a record that has one", origin: logged,
		checked: "the digest that the record states", survey: surveyBeside(reasonsFolder)},
	{name: logStatementsFolder, files: "N.txt", content: "what a person stated about the log: an accepted anchor or clock, the operator of a service, a restore", origin: logged, only: hasAccepted,
		checked: "its signature, and the root that it names", survey: surveyStatements(logStatementsFolder, ofLog), write: writeStatements(logStatementsFolder)},
	{name: logStatementsFolder, files: "N.txt.sig", content: fmt.Sprintf("its signature, in the namespace `%s`", records.LogStatementNamespace), origin: logged,
		only: hasAccepted, checked: "that the key that it names made it"},
	{name: logStatementsFolder, files: "N.txt.log", content: "its signature by the key of the log that it names, as a note has it; of a restore where that key was left",
		origin: logged, only: hasAccepted, checked: "that the key of the log made it"},
	{name: keysFolder, files: "N.txt", content: "a statement about a reviewer's key: endorsed, replaced, revoked or registered", origin: logged, only: hasKeys,
		checked: "its signatures, the root and the statement before that it names, and that the key that signs it counts",
		survey:  surveyStatements(keysFolder, ofLog), write: writeStatements(keysFolder)},
	{name: keysFolder, files: "N.txt.sig", content: fmt.Sprintf("its signature by the key that it names, in the namespace `%s`", records.LogStatementNamespace),
		origin: logged, only: hasKeys, checked: "that the key that it names made it"},
	{name: keysFolder, files: "N.txt.log", content: "its signature by the key of the log that it names, as a note has it", origin: logged, only: hasKeys,
		checked: "that the key of the log made it"},
	{name: erasuresFolder, files: "N.txt", content: "what was erased, when, by whom and why", origin: logged, only: hasErasures,
		checked: "its signatures, and the root that it names; what is missing in the bundle has to be erased by one", survey: surveyStatements(erasuresFolder, ofLog),
		write: writeStatements(erasuresFolder)},
	{name: erasuresFolder, files: "N.txt.sig", content: fmt.Sprintf("its signature by the key that it names, in the namespace `%s`", records.LogStatementNamespace),
		origin: logged, only: hasErasures, checked: "that the key that it names made it"},
	{name: erasuresFolder, files: "N.txt.log", content: "its signature by the key of the log that it names, as a note has it", origin: logged,
		only: hasErasures, checked: "that the key of the log made it"},
	{name: cosignaturesFolder, files: "SIZE", content: "a checkpoint of the log with the signature lines of the witnesses that cosigned it (C2SP tlog-cosignature)",
		origin: logged, only: hasCosignatures, checked: "its signatures, and the root of the records", survey: (*folder).surveyCosignatures,
		write: (*writer).writeCosignatures},
	{name: cosignaturesFolder, files: witnessesFile, content: "the verifier keys of the witnesses", origin: logged, only: hasCosignatures,
		checked: "that it lists those who cosigned; `--policy` says whom to trust"},
	{name: serviceFile, content: "the verifier key of the service's log, after those that it had before restores", origin: logged, only: hasService,
		checked: "its form, that the statements of the service lead to it, and `--service`", write: (*writer).writeServiceKey},
	{name: serviceStatementsFolder, files: "N.txt", content: "what the service stated about its own log: its operator, and its restores", origin: logged,
		only: hasServiceStatements, checked: "its signatures, and that the restores lead from the first key of the service to its newest",
		survey: surveyStatements(serviceStatementsFolder, ofService), write: (*writer).writeServiceStatements},
	{name: serviceStatementsFolder, files: "N.txt.sig", content: fmt.Sprintf("its signature by the operator's key, in the namespace `%s`", records.LogStatementNamespace),
		origin: logged, only: hasServiceStatements, checked: "that the key that it names made it"},
	{name: serviceStatementsFolder, files: "N.txt.log", content: "its signature by the key of the log that it names, as a note has it; of a restore where that key was left",
		origin: logged, only: hasServiceStatements, checked: "that the key of the log made it"},
	{name: receiptsFolder, files: "N.json", content: "the service's receipt of record N, with the checkpoint of its log that covers it and the proof that the record is in it",
		origin: logged, only: hasService, checked: "the record that it names, the proof, and the service's signature under the checkpoint", survey: surveyBeside(receiptsFolder)},
	{name: lostFolder, files: "N.json", content: "receipts of record N from logs of the service that a restore ended with fewer records: what it had acknowledged, and lost",
		origin: logged, only: hasLost, checked: "the same, and that a statement in `service-statements/` ended that log before the record", survey: (*folder).surveyLost},
	{name: rejectionsFolder, files: "RECORD", content: "why the service turned that record away and what is in force in its place, signed with the service's key",
		origin: logged, only: hasService, checked: "its signature, and the record that it names", survey: (*folder).surveyRejections,
		write: (*writer).writeRejections},
	{name: atServiceFolder, files: "N.json", content: "a record of the service's log that another console handed in, with its signature and the proof that the log has it",
		origin: logged, only: hasServiceRecords, checked: "its signature, the service's signature under the checkpoint, and the proof", survey: (*folder).surveyServiceRecords,
		write: (*writer).writeServiceRecords},
	{name: setbacksFolder, files: "N.json", content: "a log that the service showed and that does not extend the one that was known: both of its checkpoints, the later one that settled it, and of a fork the proof",
		origin: logged, only: hasSetbacks, checked: "the signatures of the checkpoints, and that they show it", survey: (*folder).surveySetbacks, write: (*writer).writeSetbacks},

	{name: tilesFolder, files: "…", content: "the tree and, in `tile/entries/`, its leaves (C2SP tlog-tiles)", origin: following,
		checked: "made again and compared", survey: (*folder).surveyTiles},
	{name: signersFile, content: "the reviewers' keys in OpenSSH's format", origin: following, checked: "made again and compared"},
	{name: appealsFile, content: "the records on appeals for a spreadsheet", origin: following, checked: "made again and compared"},
	{name: amendmentsFile, content: "the records on amendments for a spreadsheet", origin: following, checked: "made again and compared"},
	{name: indexFile, content: "each decision as its parties get it, to read and to print: one page that needs nothing from elsewhere", origin: following,
		checked: "made again and compared"},
	{name: provenanceFile, content: "the records, what they were made from and by whom, as W3C PROV-JSON", origin: following,
		checked: "made again and compared"},
	{name: summaryFile, content: "what is in here, and the commands that check it with stock tools", origin: following,
		checked: "made again and compared"},
	{name: manifestFile, content: "the SHA-256 digest of each file that follows from the log, signed with the log's key", origin: following,
		checked: "made again and compared, and its signature"},
}

// Path returns the name of the part's files in the documentation.
func (p *part) Path() string { return path.Join(p.name, p.files) }

// Content returns the content of the part, a clause.
func (p *part) Content() string { return p.content }

// Origin returns where the part comes from.
func (p *part) Origin() string { return p.origin.String() }

// Checked returns the checks of the part by `docket verify`, a clause.
func (p *part) Checked() string { return p.checked }

func hasService(r *verify.Report) bool           { return r.ServiceKey != "" }
func hasLost(r *verify.Report) bool              { return r.Lost > 0 }
func hasServiceStatements(r *verify.Report) bool { return r.ServiceStated > 0 }
func hasServiceRecords(r *verify.Report) bool {
	return r.AtService > 0 || r.Count(verify.ServiceRecordAltered) > 0
}
func hasSetbacks(r *verify.Report) bool     { return len(r.Setbacks) > 0 }
func hasCosignatures(r *verify.Report) bool { return len(r.Cosigners) > 0 }
func hasAccepted(r *verify.Report) bool     { return slices.ContainsFunc(r.Accepted, isAboutLog) }
func hasErasures(r *verify.Report) bool     { return slices.ContainsFunc(r.Accepted, isErasure) }
func hasKeys(r *verify.Report) bool         { return slices.ContainsFunc(r.Accepted, isAboutKey) }

func isAboutKey(s records.LogStatement) bool { return s.AboutKey() }
func isErasure(s records.LogStatement) bool  { return s.Kind == records.Erased }
func isAboutLog(s records.LogStatement) bool { return !s.AboutKey() && !isErasure(s) }

// partsIn returns the parts of a bundle with this report.
func partsIn(report *verify.Report) (list []*part) {
	for i := range parts {
		if p := &parts[i]; p.only == nil || p.only(report) {
			list = append(list, p)
		}
	}
	return list
}

// writeParts writes the parts that are not written with each record.
func (w *writer) writeParts(head *verify.Head) error {
	for i := range parts {
		if write := parts[i].write; write != nil {
			if err := write(w, head); err != nil {
				return err
			}
		}
	}
	return nil
}

// survey walks the top, and the folders of the parts in their order.
func (f *folder) survey() (*layout, error) {
	l := &layout{}
	err := f.each(".", func(entry fs.DirEntry) error {
		name := entry.Name()
		switch p := partNamed(name); {
		case p != nil && p.files != "" && entry.IsDir():
		case p != nil && p.files != "":
			l.irregular = true
			l.add(name)
		default:
			l.file(name, entry, p != nil)
		}
		return nil
	})
	if err != nil || l.irregular {
		return l, err
	}
	for i := range parts {
		if survey := parts[i].survey; survey != nil {
			if err := survey(f, l); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// partNamed returns the first part of a name at the top; nil if there is none.
func partNamed(name string) *part {
	for i := range parts {
		if parts[i].name == name {
			return &parts[i]
		}
	}
	return nil
}

// Parts returns all parts of bundles, for the documentation.
func Parts() (list []*part) {
	for i := range parts {
		list = append(list, &parts[i])
	}
	return list
}
