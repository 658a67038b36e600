package contracts

import "testing"

func TestValuesAreCountedToTheLast(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		many  bool
	}{
		{`[1,2,3]`, 4, false}, {`[1,2,3]`, 3, true}, {`["a,b,c,d,e",2]`, 3, false}, {`{"a":[1],"b":2}`, 4, false}, {`{"a":[1],"b":2}`, 3, true},
	} {
		if many := manyValues([]byte(c.text), c.limit); many != c.many {
			t.Errorf("%s, at most %d: %t", c.text, c.limit, many)
		}
	}
}
