package schemagen

import (
	"fmt"
	"strings"

	"docket/domain/canonical"
)

// Texts describe the members of objects. A key is a member's name or, where one name has several meanings, the name of its
// object, a dot and its name. "*" stands for any name, which is appended to the text.
type Texts map[string]string

// ReadTexts reads texts from a file of the program: {"key": "text", …}, or such objects within objects, which stand for groups.
// It panics if the file is not so, which is a mistake of the program.
func ReadTexts(file []byte) Texts {
	var doc canonical.Document
	if fault := doc.Parse(file, canonical.Limits{}); fault != nil {
		panic(fmt.Sprintf("schemagen: line %d: %s", canonical.Line(file, fault.Offset), fault.Reason))
	}
	texts := Texts{}
	texts.add(doc.Root())
	return texts
}

func (t Texts) add(v canonical.Value) {
	for member := v.First(); member.Exists(); member = member.Next() {
		if member.Kind() == canonical.Object {
			t.add(member)
			continue
		}
		if _, twice := t[member.Name()]; twice || member.Kind() != canonical.String {
			panic("schemagen: there is no one text of " + member.Name())
		}
		t[member.Name()] = member.Text()
	}
}

// Key is the key of the text of a member within an object; "" if there is none.
func (t Texts) Key(within, name string) string {
	for _, key := range []string{within + "." + name, within + ".*", name} {
		if _, there := t[key]; there {
			return key
		}
	}
	return ""
}

// Of is the text of a member within an object.
func (t Texts) Of(within, name string) string {
	key := t.Key(within, name)
	if strings.HasSuffix(key, ".*") {
		return t[key] + strings.ReplaceAll(name, "_", " ") + "."
	}
	return t[key]
}
