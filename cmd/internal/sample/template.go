package sample

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

	"docket/domain"
	"docket/domain/canonical"
)

// object is a JSON object as encoding/json reads it.
type object = map[string]any

// templateFile is one file of templates; the package's documentation describes it.
type templateFile struct {
	Table   string     `json:"table"`
	Like    object     `json:"like"`
	Packets []template `json:"packets"`
}

// template is what one packet states.
type template struct {
	Record   object `json:"record"`
	Slipped  object `json:"slipped"`
	Tampered object `json:"tampered"`
	Private  object `json:"private"`
}

// readTemplates reads a file, strictly: encoding/json alone would let a member that stands twice go by.
func readTemplates(text []byte) (templateFile, domain.Table, error) {
	var doc canonical.Document
	if fault := doc.Parse(text, canonical.Limits{}); fault != nil {
		return templateFile{}, 0, fmt.Errorf("line %d: %s", canonical.Line(text, fault.Offset), fault.Reason)
	}
	var file templateFile
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&file); err != nil {
		return templateFile{}, 0, err
	}
	table, err := domain.Tables.Parse(file.Table)
	if err != nil {
		return templateFile{}, 0, err
	}
	if _, ok := domain.Info(table); !ok {
		return templateFile{}, 0, fmt.Errorf("%s is not a packet table", table)
	}
	return file, table, nil
}

// merged applies a JSON merge patch (RFC 7396) and leaves its arguments as they are.
func merged(target, patch object) object {
	result := maps.Clone(target)
	if result == nil {
		result = object{}
	}
	for name, value := range patch {
		switch value := value.(type) {
		case nil:
			delete(result, name)
		case object:
			inner, _ := result[name].(object)
			result[name] = merged(inner, value)
		default:
			result[name] = value
		}
	}
	return result
}
