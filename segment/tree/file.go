package tree

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/dither-data/dither/table"
)

// FileSchema names the form of a tree that is a file of its own.
const FileSchema = "dither/tree/1"

// File is a tree as a file of its own: what MarshalJSON writes, but for the key schema, which names the form as in all
// documents. A tree inside another document has no such name.
type File struct {
	Schema  string            `json:"schema"`
	Columns []table.Attribute `json:"columns"` // of the table that the tree was grown of, the class among them
	Class   string            `json:"class"`
	Tree    *DocumentNode     `json:"tree"`
}

// File returns the file of a tree that has nodes.
func (t *Tree) File() File { return File{FileSchema, t.Attrs, t.Attrs[t.Class].Name, t.doc(0)} }

// Read reads a File, or a tree as MarshalJSON writes it, which is how trees were saved before files had a name. It
// refuses what UnmarshalJSON refuses, and a file of another schema. Cost: O(bytes).
func Read(data []byte) (*Tree, error) {
	t, f := &Tree{}, File{}
	var named struct {
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(data, &named) != nil || !bytes.HasPrefix(named.Schema, []byte(`"`)) {
		return t, json.Unmarshal(data, t)
	}
	if err := strict(data, &f); err != nil {
		return nil, err
	}
	if f.Schema != FileSchema {
		return nil, fmt.Errorf("tree: the schema is another one; expected %s", FileSchema)
	}
	return t, t.parse(&Document{f.Columns, f.Class, f.Tree}, "columns")
}
