package overlap

import (
	"slices"
	"strconv"

	"docket/domain"
	"docket/domain/canonical"
)

// The limits of a request; the source shows none.
const (
	MaxRequestSize  = 1 << 20 // bytes
	MaxTokens       = 1000
	MaxTokenVersion = 1<<16 - 1
	blindedTagSize  = 64 // hex digits of 32 bytes: no word and no phrase fits
)

// The member names of a request. Those of a token are the stored fields but for the audit reason, which nobody sends.
const tokensMember = "tokens"

// tokenMembers are a token's members with what each must be. All of them must be there.
var tokenMembers = [...]struct {
	field StoredField
	check func(canonical.Value) RefusalCode // 0 if the value is good
}{
	{FieldBlindedTag, checkBlindedTag},
	{FieldTokenVersion, checkTokenVersion},
	{FieldTagNamespace, checkNamespace},
	{FieldExpiresAt, checkExpiry},
}

// A Request is proof that a text was read as a request: blinded tokens with namespace, version and expiry, nothing
// else. It holds nothing of them, so that nothing of them can reach an answer, a receipt or a log. The zero Request
// was never read; no receipt is written for it.
type Request struct{ read bool }

// ReadRequest reads {"tokens": [{"blinded_tag", "tag_namespace", "token_version", "expires_at"}, …]}. The *Refusal is
// nil if the text is one; otherwise it tells the place and the first reason.
func ReadRequest(text []byte) (Request, *Refusal) {
	if len(text) > MaxRequestSize {
		return Request{}, &Refusal{Code: TooLarge}
	}
	var document canonical.Document
	if fault := document.Parse(text, canonical.Limits{}); fault != nil {
		return Request{}, malformed(fault)
	}
	root := document.Root()
	if refusal := checkMembers(root, "", tokensMember); refusal != nil {
		return Request{}, refusal
	}
	tokens, at := root.Member(tokensMember), "/"+tokensMember
	switch {
	case tokens.Kind() != canonical.Array:
		return Request{}, &Refusal{Pointer: at, Code: WrongType}
	case tokens.Len() < 1 || tokens.Len() > MaxTokens:
		return Request{}, &Refusal{Pointer: at, Code: TokenCount}
	}
	index := 0
	for token := tokens.First(); token.Exists(); token = token.Next() {
		if refusal := checkToken(token, at+"/"+strconv.Itoa(index)); refusal != nil {
			return Request{}, refusal
		}
		index++
	}
	return Request{read: true}, nil
}

func checkToken(token canonical.Value, at string) *Refusal {
	names := make([]string, len(tokenMembers))
	for i := range tokenMembers {
		names[i] = tokenMembers[i].field.String()
	}
	if refusal := checkMembers(token, at, names...); refusal != nil {
		return refusal
	}
	for i := range tokenMembers {
		if code := tokenMembers[i].check(token.Member(names[i])); code.Present() {
			return &Refusal{Pointer: at + "/" + names[i], Code: code}
		}
	}
	return nil
}

// checkMembers holds an object to have exactly the members of these names. That a member is unknown is said before
// that one is missing, and nothing of the unknown one is.
func checkMembers(object canonical.Value, at string, names ...string) *Refusal {
	if object.Kind() != canonical.Object {
		return &Refusal{Pointer: at, Code: WrongType}
	}
	unknown := RefusalCode(0)
	for m := object.First(); m.Exists(); m = m.Next() {
		if slices.Contains(names, m.Name()) {
			continue
		}
		if _, err := ForbiddenInputs.Parse(m.Name()); err == nil {
			return &Refusal{Pointer: at, Code: ForbiddenMember}
		}
		unknown = UnknownMember
	}
	if unknown.Present() {
		return &Refusal{Pointer: at, Code: unknown}
	}
	for _, name := range names {
		if !object.Member(name).Exists() {
			return &Refusal{Pointer: at, Code: MemberMissing, Detail: name}
		}
	}
	return nil
}

func checkBlindedTag(v canonical.Value) RefusalCode {
	text := v.Bytes()
	if v.Kind() != canonical.String || len(text) != blindedTagSize {
		return NotABlindedTag
	}
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return NotABlindedTag
		}
	}
	return 0
}

func checkTokenVersion(v canonical.Value) RefusalCode {
	if number, ok := v.Integer(); !ok || number < 1 || number > MaxTokenVersion {
		return NotATokenVersion
	}
	return 0
}

func checkNamespace(v canonical.Value) RefusalCode {
	if _, err := Namespaces.Parse(v.Text()); err != nil {
		return NotANamespace
	}
	return 0
}

func checkExpiry(v canonical.Value) RefusalCode {
	if _, ok := domain.ParseInstant(v.Text()); !ok {
		return NotATime
	}
	return 0
}

// malformed takes over a fault of the JSON. Of its path only the known names are kept, from the top down.
func malformed(fault *canonical.Fault) *Refusal {
	pointer := canonical.Pointer(fault.Path, func(depth int, step canonical.Step) bool {
		return depth == 0 && step.Name == tokensMember || depth == 1 && step.IsIndex || depth == 2 && isTokenMember(step.Name)
	})
	return &Refusal{Pointer: pointer, Code: MalformedJSON, Detail: fault.Error()}
}

func isTokenMember(name string) bool {
	for i := range tokenMembers {
		if tokenMembers[i].field.String() == name {
			return true
		}
	}
	return false
}
