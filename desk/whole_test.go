package desk

import (
	"bytes"
	"encoding/json"
	"testing"
)

type inner struct {
	List []int `json:"list"`
}

type shelf struct {
	inner
	Held     []string          `json:"held,omitzero"`
	Map      map[string][]int  `json:"map"`
	Deep     []inner           `json:"deep"`
	Pointer  *inner            `json:"pointer"`
	Any      any               `json:"any"`
	Raw      json.RawMessage   `json:"raw"`
	Kept     Kept[*inner]      `json:"kept,omitzero"`
	Pair     [1]inner          `json:"pair"`
	Absent   *inner            `json:"absent"`
	Mark     Kept[string]      `json:"mark,omitzero"`
	Withheld Kept[string]      `json:"withheld,omitzero"`
	private  map[string]string // is not written
}

// TestEncodedIsWhole: lists and maps that are nil are empty wherever they stand, what is absent is null, what
// is withheld has no key, and the document itself is left as it was.
func TestEncodedIsWhole(t *testing.T) {
	s := shelf{
		Map:      map[string][]int{"a": nil},
		Deep:     []inner{{}},
		Pointer:  &inner{},
		Any:      inner{},
		Kept:     Kept[*inner]{Value: &inner{}},
		Mark:     Kept[string]{Value: "a>b"},
		Withheld: Kept[string]{"secret", true},
	}
	const rest = `"map":{"a":[]},"deep":[{"list":[]}],"pointer":{"list":[]},"any":{"list":[]},"raw":null,"kept":{"list":[]},"pair":[{"list":[]}],"absent":null,"mark":"a>b"}`
	for _, c := range []struct {
		of   shelf
		want string
	}{{s, `{"list":[],` + rest}, {whole(s), `{"list":[],"held":[],` + rest}} {
		got, err := encoded(c.of, "")
		if err != nil || string(bytes.TrimSpace(got)) != c.want {
			t.Errorf("%s, %v\nwant %s", got, err, c.want)
		}
	}
	if s.List != nil || s.Map["a"] != nil || s.Deep[0].List != nil || s.Pointer.List != nil || s.private != nil {
		t.Errorf("the document has changed: %+v", s)
	}
	if got, err := encoded(shelf{}, ""); err != nil || !bytes.Contains(got, []byte(`"kept":null`)) ||
		!bytes.Contains(got, []byte(`"map":{}`)) {
		t.Errorf("%s, %v", got, err)
	}
}
