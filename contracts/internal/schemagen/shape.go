package schemagen

import (
	"slices"

	"docket/contracts/internal/dialect"
	"docket/domain/ordered"
	"docket/domain/shape"
)

// The formats of the specification. The format of a time is dialect.TimePattern.
const (
	idPattern     = `^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$`
	hashPattern   = `^sha256:[0-9a-f]{64}$`
	maxTextLength = 2000
	maxInteger    = 1<<53 - 1
)

// A Generator writes the schema of one object and collects the definitions that it refers to.
type Generator struct {
	texts  Texts
	masks  []string                // the kinds of masks that may stand in the place of texts; nil for none
	nulls  []string                // members that are null where a text is masked
	shared map[*shape.Shape]string // the shapes that several members hold, with the names of their definitions
	defs   ordered.Object
}

// Of returns a Generator for the object. The texts describe its members.
func Of(object *shape.Shape, texts Texts) *Generator {
	return &Generator{texts: texts, shared: sharedShapes(object)}
}

// Masks allows a mask of these kinds in the place of every text, or the mark of one that was erased, and null in the place of the
// hashes, and returns the Generator.
func (g *Generator) Masks(kinds []string, hashes ...string) *Generator {
	g.masks, g.nulls = kinds, hashes
	return g
}

// Defs are the definitions that the written schema refers to.
func (g *Generator) Defs() ordered.Object { return g.defs }

// Object is the schema of an object. path is the name that it has in the texts.
func (g *Generator) Object(object *shape.Shape, path string) ordered.Object {
	var properties ordered.Object
	var required []string
	for i := range object.Members {
		m := &object.Members[i]
		value := g.Value(m, path)
		if text := g.texts.Of(path, m.Name); text != "" {
			value = Described(text, value)
		}
		properties = properties.With(m.Name, value)
		if m.Required {
			required = append(required, m.Name)
		}
	}
	return Closed(properties, required)
}

// Value is the schema of the values of a member. An object whose shape is not known is any object.
func (g *Generator) Value(m *shape.MemberShape, path string) ordered.Object {
	switch form := &m.Form; form.Kind {
	case shape.FormWord:
		return Word(form.Words, m.Nullable)
	case shape.FormWords:
		return distinct(form, Word(form.Words, false))
	case shape.FormIDs:
		return distinct(form, g.Scalar(shape.FormID, false))
	case shape.FormSentences:
		return filled(form, Sentence())
	case shape.FormList:
		return filled(form, g.nested(form.Shape, m.Name, path))
	case shape.FormObject:
		if form.Shape == nil {
			return ordered.Of("type", typeName("object", m.Nullable))
		}
		return g.nested(form.Shape, m.Name, path)
	default:
		return g.Scalar(form.Kind, m.Nullable || slices.Contains(g.nulls, m.Name))
	}
}

// filled is an array of the items, with at least one if the form asks for it.
func filled(form *shape.Form, items ordered.Object) ordered.Object {
	if form.NotEmpty {
		return ordered.Of("type", "array", "minItems", 1, "items", items)
	}
	return List(items)
}

// distinct is an array of the items, with none twice if the form asks for it.
func distinct(form *shape.Form, items ordered.Object) ordered.Object {
	if form.Unique {
		return ordered.Of("type", "array", "uniqueItems", true, "items", items)
	}
	return List(items)
}

// nested is an object within an object: a reference if several members hold the same.
func (g *Generator) nested(object *shape.Shape, name, path string) ordered.Object {
	def, shared := g.shared[object]
	if !shared {
		schema := g.Object(object, name)
		if object.Name != "" {
			schema = append(ordered.Of("title", object.Name), schema...)
		}
		return schema
	}
	if def == "" {
		def = path + "Entry"
		g.shared[object] = def
		g.defs = g.defs.With(def, g.Object(object, def))
	}
	return reference(def)
}

func reference(def string) ordered.Object { return ordered.Of("$ref", "#/$defs/"+def) }

// sharedShapes finds the shapes that several members hold.
func sharedShapes(object *shape.Shape) map[*shape.Shape]string {
	seen, shared := map[*shape.Shape]bool{}, map[*shape.Shape]string{}
	var walk func(*shape.Shape)
	walk = func(object *shape.Shape) {
		for _, member := range object.Members {
			nested := member.Form.Shape
			if nested == nil {
				continue
			}
			if seen[nested] {
				shared[nested] = ""
				continue
			}
			seen[nested] = true
			walk(nested)
		}
	}
	walk(object)
	return shared
}

// Word is a word of a vocabulary, or null where that is allowed.
func Word(words []string, nullable bool) ordered.Object {
	allowed := make([]any, 0, len(words)+1)
	for _, word := range words {
		allowed = append(allowed, word)
	}
	if nullable {
		allowed = append(allowed, nil)
	}
	return ordered.Of("type", typeName("string", nullable), "enum", allowed)
}

// typeName is the value of the keyword type.
func typeName(name string, nullable bool) any {
	if nullable {
		return []string{name, "null"}
	}
	return name
}

// scalars are the kinds of values that are neither word, list nor object; those with a name are defined once in a schema.
var scalars = map[shape.FormKind]struct {
	name string
	def  ordered.Object
}{
	shape.FormID: {"id", ordered.Of(
		"description", "An opaque id: a letter or digit, then up to 127 letters, digits or . _ : -",
		"type", "string", "pattern", idPattern,
	)},
	shape.FormHash: {"hash", ordered.Of(
		"description", "A SHA-256 digest: sha256: and 64 lower-case hex digits.",
		"type", "string", "pattern", hashPattern,
	)},
	shape.FormTime: {"time", ordered.Of(
		"description", "A time in UTC by RFC 3339: upper-case T and Z, at most nine decimals, no leap second.",
		"type", "string", "pattern", dialect.TimePattern, "format", "date-time",
	)},
	shape.FormText: {"text", ordered.Of(
		"description", "Free text of 1 to 2,000 characters. It may hold no private details: they belong to the packet's "+
			"member private, of which only categories and counts are kept.",
		"type", "string", "minLength", 1, "maxLength", maxTextLength,
	)},
	shape.FormVersion: {"version", ordered.Of(
		"description", "A version or revision: an integer of 1 or more, below 2^53.",
		"type", "integer", "minimum", 1, "maximum", maxInteger,
	)},
	shape.FormCount: {"count", ordered.Of(
		"description", "An integer of 0 or more, below 2^53.",
		"type", "integer", "minimum", 0, "maximum", maxInteger,
	)},
	shape.FormString:   {"", ordered.Of("type", "string")},
	shape.FormFlag:     {"", ordered.Of("type", "boolean")},
	shape.FormSentence: {"", Sentence()},
	shape.FormPositive: {"", ordered.Of("type", "number", "exclusiveMinimum", 0)},
}

// Scalar is the schema of a value that is neither word, list nor object: a reference if it has a definition. A nullable value is
// written out, because its definition does not allow null.
func (g *Generator) Scalar(kind shape.FormKind, nullable bool) ordered.Object {
	scalar := scalars[kind]
	switch {
	case g.masks != nil && !nullable && (kind == shape.FormText || kind == shape.FormString):
		return g.maskable(scalar.def, kind == shape.FormText)
	case nullable:
		return orNull(scalar.def)
	case scalar.name == "":
		return scalar.def
	}
	g.define(scalar.name, scalar.def)
	return reference(scalar.name)
}

func orNull(def ordered.Object) ordered.Object {
	var written ordered.Object
	for _, m := range def {
		switch m.Name {
		case "description":
		case "type":
			written = written.With("type", []any{m.Value, "null"})
		default:
			written = append(written, m)
		}
	}
	return written
}

// define adds a definition once.
func (g *Generator) define(name string, def ordered.Object) {
	if !slices.ContainsFunc(g.defs, func(m ordered.Member) bool { return m.Name == name }) {
		g.defs = g.defs.With(name, def)
	}
}

// maskable is a text, or the mask of one, or the mark of one that was erased.
func (g *Generator) maskable(text ordered.Object, erasable bool) ordered.Object {
	kinds := ordered.Of("type", "array", "minItems", 1, "items", ordered.Of("type", "string", "enum", g.masks))
	g.define("mask", Described("What stands in the place of a text that held private details: which kinds of them.",
		Closed(ordered.Of("masked", kinds), []string{"masked"})))
	if !erasable {
		return ordered.Of("anyOf", []ordered.Object{text, reference("mask")})
	}
	g.define("erased", Described("What stands in the place of a text that was erased: whether it had a visible character.",
		Closed(ordered.Of("text", ordered.Of("type", "boolean")), []string{"text"})))
	return ordered.Of("anyOf", []ordered.Object{text, reference("mask"), reference("erased")})
}
