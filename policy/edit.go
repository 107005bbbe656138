package policy

import "github.com/dither-data/dither/internal/text/yamlfile"

// Set returns the text of a policy in which the value at a path, such as columns, age, role, is another one. All else
// stays as it was written, with its comments, blank lines and order. The value is anything that Flow writes; nil
// removes the key where it is there. What comes of it has been read as a policy: the error is that of Parse where it is
// none, and ErrByHand where the key is written in a way that only a person can edit.
func Set(name string, data []byte, path []string, value any) ([]byte, error) {
	text := ""
	if value != nil {
		text = yamlfile.Flow(value)
	}
	out, err := yamlfile.Set(name, kind, data, path, text)
	if err != nil {
		return nil, err
	}
	if _, err := Parse(name, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Pair is a key of a map that Set writes, with its value; a list of them is the map.
type Pair = yamlfile.Pair

// Last is the step of a path that stands for a new item at the end of a list.
const Last = yamlfile.Last

// ErrByHand is the error for a key that only a person can edit.
var ErrByHand = yamlfile.ErrByHand
