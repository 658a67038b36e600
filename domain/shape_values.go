package domain

import (
	"unicode/utf8"

	"docket/domain/canonical"
	"docket/domain/private"
	"docket/domain/shape"
)

func readID(v canonical.Value) (ID, *Fault) {
	if v.Kind() != canonical.String || !isID(v.Bytes()) {
		return "", shape.FaultAt(v, shape.WantID)
	}
	return ID(v.Text()), nil
}

func readIDs(v canonical.Value) ([]ID, *Fault) {
	if v.Kind() != canonical.Array {
		return nil, shape.FaultAt(v, shape.WantList)
	}
	ids := make([]ID, 0, v.Len())
	for element := v.First(); element.Exists(); element = element.Next() {
		id, fault := readID(element)
		if fault != nil {
			return nil, fault.UnderIndex(len(ids))
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func readWord[K Kind](v canonical.Value) (Word[K], *Fault) {
	if v.Kind() != canonical.String {
		return 0, shape.FaultAt(v, shape.WantString)
	}
	word := Vocabulary[K]{}.ParseBytes(v.Bytes())
	if !word.Present() {
		return 0, shape.FaultAt(v, shape.WantWord+Vocabulary[K]{}.Name())
	}
	return word, nil
}

func readWords[K Kind](v canonical.Value) (Set[K], *Fault) {
	if v.Kind() != canonical.Array {
		return 0, shape.FaultAt(v, shape.WantList)
	}
	var set Set[K]
	index := 0
	for element := v.First(); element.Exists(); element = element.Next() {
		word, fault := readWord[K](element)
		if fault != nil {
			return 0, fault.UnderIndex(index)
		}
		set = set.With(word)
		index++
	}
	return set, nil
}

// readText scans the text before anything else can see it. A text with private details leaves only their kinds.
func readText(v canonical.Value, in *reading) (Text, *Fault) {
	if in.stored && v.Kind() == canonical.Object {
		in.masked = true
		return readMask(v)
	}
	if v.Kind() != canonical.String {
		return Text{}, shape.FaultAt(v, shape.WantString)
	}
	text := v.Bytes()
	if length := utf8.RuneCount(text); length < 1 || length > MaxTextLength {
		return Text{}, shape.FaultAt(v, shape.TextLength)
	}
	value := v.Text()
	if kinds := private.ScanString(value); !kinds.Empty() {
		in.masked = true
		return Text{kinds: kinds, present: true}, nil
	}
	return Text{value: value, present: Legible(value)}, nil
}

// readString reads a string that is no text. It is masked like one if it holds private details, which no good value does.
func readString(v canonical.Value, in *reading) (string, *Fault) {
	loose, fault := readLoose(v, in)
	return loose.String(), fault
}

func readLoose(v canonical.Value, in *reading) (Text, *Fault) {
	if in.stored && v.Kind() == canonical.Object {
		in.masked = true
		return readMask(v)
	}
	if v.Kind() != canonical.String {
		return Text{}, shape.FaultAt(v, shape.WantString)
	}
	value := v.Text()
	if value == AppealContract.Version || value == AmendmentContract.Version {
		return Text{value: value, present: true}, nil
	}
	if kinds := private.ScanString(value); !kinds.Empty() {
		in.masked = true
		return Text{kinds: kinds, present: true}, nil
	}
	return Text{value: value, present: true}, nil
}

// maskMember is the only member of the object that stands in a stored record where a text was masked.
const maskMember = "masked"

// readMask reads {"masked": ["e-mail address", …]}.
func readMask(v canonical.Value) (Text, *Fault) {
	list := v.Member(maskMember)
	if v.Len() != 1 || list.Kind() != canonical.Array || list.Len() == 0 {
		return Text{}, shape.FaultAt(v, reasonWantMask)
	}
	text := Text{present: true}
	for element := list.First(); element.Exists(); element = element.Next() {
		kind, ok := private.ParseKind(element.Text())
		if !ok {
			return Text{}, shape.FaultAt(v, reasonWantMask)
		}
		text.kinds = text.kinds.With(kind)
	}
	return text, nil
}
