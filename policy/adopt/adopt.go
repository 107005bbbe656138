// Package adopt reads what files of other programs say of a table, for a policy: the metadata of SDV (JSON), CSV on the
// Web (JSON), mu-Argus (.rda, with its lists of codes) and the projects of ARX (.deid). Nothing is executed, and of a
// project neither the data nor what Java stored are looked at.
//
// What means the same is taken over: roles, kinds, grids, notations of dates, domains, codes of missing values,
// categories, hierarchies, and of ARX's models k-anonymity, distinct l-diversity and t-closeness by the distance that
// dither takes too. The type String says nothing of a column in ARX, which gives it to all. The rest is listed in
// words.
//
// Cost: O(bytes). What is unpacked of a project is at most 64 MiB for each of its parts.
package adopt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/policy"
)

// Column is what a file says of a column.
type Column struct {
	Name string
	policy.Column
	// Tree is a hierarchy of the column as ARX writes it, nil for none. It lists values of the table.
	Tree []byte
}

// Found is what a file says of a table.
type Found struct {
	From       string // the program, as people call it
	File       policy.File
	Columns    []*Column
	Thresholds []policy.Threshold
	Left       []string // what is not taken over, in words
}

// Options says what a file alone does not.
type Options struct {
	// Table is which table is meant, in a file that describes several.
	Table string
	// Open returns a file that another one names, such as a list of codes.
	Open func(name string) ([]byte, error)
}

// Read finds out what kind of file it is, and reads it. Errors are of one line; there is one where nothing is said of a
// column, too.
func Read(name string, data []byte, opt Options) (*Found, error) {
	f, err := read(name, data, opt)
	if err == nil && len(f.Columns) == 0 {
		return nil, errors.New("it describes columns, but none with a name that a table can have")
	}
	return f, err
}

func read(name string, data []byte, opt Options) (*Found, error) {
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return readARX(data)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if strings.HasSuffix(strings.ToLower(name), ".rda") {
		return readArgus(string(data), opt)
	}
	var top map[string]json.RawMessage
	if err := json.Unmarshal(data, &top); err != nil {
		return nil, errors.New("no metadata of SDV (JSON), CSV on the Web (JSON), mu-Argus (.rda) or ARX (.deid), and a " +
			"hierarchy needs its column: column=file")
	}
	_, context := top["@context"]
	_, schema := top["tableSchema"]
	if context || schema {
		return readCSVW(data, opt)
	}
	return readSDV(data, opt)
}

// column returns the column of a name, a new one where there is none yet.
func (f *Found) column(name string) *Column {
	if k := slices.IndexFunc(f.Columns, func(c *Column) bool { return c.Name == name }); k >= 0 {
		return f.Columns[k]
	}
	c := &Column{Name: name}
	f.Columns = append(f.Columns, c)
	return c
}

func (f *Found) left(format string, args ...any) {
	f.Left = append(f.Left, fmt.Sprintf(format, args...))
}

// dates gives a column the notation of its dates, where there is such.
func (f *Found) dates(c *Column, notation, written string) {
	n, err := calendar.Parse(notation)
	if err != nil {
		f.left("column %q: the date format %q, which has no equivalent notation", c.Name, written)
		return
	}
	c.Dates = string(n)
}

// tree gives a column a hierarchy, where it is a sound one.
func (f *Found) tree(c *Column, data []byte) {
	if _, err := hierarchy.Parse(c.Name, bytes.NewReader(data)); err != nil {
		f.left("column %q: its hierarchy, for %v", c.Name, err)
		return
	}
	c.Tree = data
}

// role adds a role.
func (c *Column) role(word string) {
	if !slices.Contains(c.Role, word) {
		c.Role = append(c.Role, word)
	}
}

// texts are values as a policy has them, without the empty one, which is missing anyway, and each once.
func texts(list ...string) (out []policy.Text) {
	for _, s := range list {
		if s != "" && !slices.Contains(out, policy.Text(s)) {
			out = append(out, policy.Text(s))
		}
	}
	return out
}

// one chooses the table that is meant among those of a file.
func one(names []string, want string) (int, error) {
	k := slices.Index(names, want)
	switch {
	case len(names) == 0:
		return 0, errors.New("it describes no table")
	case want == "" && len(names) == 1:
		return 0, nil
	case want == "":
		return 0, fmt.Errorf("it describes several tables, %s: say which is meant", strings.Join(names, ", "))
	case k < 0:
		return 0, fmt.Errorf("it describes no table %q, but %s", want, strings.Join(names, ", "))
	}
	return k, nil
}
