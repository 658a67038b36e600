package domain_test

import "docket/domain"

// edited is the record's document with some members changed, in canonical form again.
func edited(record domain.Enforcement, edits ...edit) []byte {
	document := scene(parsed(string(record.Document())))
	for _, e := range edits {
		document.make(panicking{}, e)
	}
	return canonicalForm(panicking{}, document)
}

func reread(area domain.Area, document []byte) (domain.Enforcement, error) {
	var reader domain.Reader
	return domain.ReadEnforcement(&reader, area, document)
}

// lookAgain looks at the packet of a scene at another time.
func lookAgain(t tb, s scene, at string, edits ...edit) domain.View {
	t.Helper()
	return view(t, s, append([]edit{set("/at", at)}, edits...)...)
}
