package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/dither-data/dither/hierarchy"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/policy/adopt"
)

// AdoptRequest asks for a policy of what files of other programs say of a table.
type AdoptRequest struct {
	// Files are their paths; column=path is a hierarchy of a column as ARX writes it, or a list of its codes as mu-Argus
	// does (.cdl).
	Files     []string
	Table     string // which one is meant, in a file that describes several
	Output    string // path of the policy; empty leaves its text to the caller
	Overwrite bool   // replace outputs that exist
}

// Adopted is a policy that was made of files of other programs.
type Adopted struct {
	Text        string // of the policy
	Columns     int
	Thresholds  int
	Hierarchies []string           // paths that were written
	Left        []message.Sentence // what was not taken over
}

// adopter makes a policy.
type adopter struct {
	*Adopted
	q       AdoptRequest
	file    policy.File
	columns []*adopt.Column
	bounds  []policy.Threshold
}

// Adopt reads what files of other programs say of a table, and writes it as a policy, hierarchies beside it. Where
// files contradict each other, the first holds, and what the others say is among what is left. Cost: O(bytes).
func (d *Desk) Adopt(_ context.Context, q AdoptRequest) (*Adopted, error) {
	a := &adopter{Adopted: &Adopted{}, q: q}
	f := &files{main: q.Output, replace: q.Overwrite}
	defer f.discard()
	type named struct{ column, path string }
	var list []named
	for _, arg := range q.Files {
		n := named{path: arg}
		if column, path, ok := strings.Cut(arg, "="); ok && column != "" && path != "" {
			if _, err := os.Stat(arg); err != nil {
				n = named{column, path}
			}
		}
		list, f.reads = append(list, n), append(f.reads, n.path)
	}
	for _, n := range list {
		if err := a.read(n.column, n.path); err != nil {
			return nil, fmt.Errorf("%s: %w", n.path, err)
		}
	}
	trees := a.trees()
	if len(trees) > 0 && (q.Output == "" || q.Output == standardOutput) {
		return nil, usage(fmt.Errorf("give the policy a name: %d hierarchies are written beside it", len(trees)))
	}
	f.secret = append(f.secret, q.Output)
	for _, c := range trees {
		path := filepath.Join(filepath.Dir(q.Output), c.Hierarchy)
		f.secret, a.Hierarchies = append(f.secret, path), append(a.Hierarchies, path)
	}
	if err := d.check(f); err != nil {
		return nil, err
	}
	name := "policy"
	if q.Output != "" {
		name = nameOf(q.Output)
	}
	if err := a.write(name); err != nil {
		return nil, err
	}
	for k, c := range trees {
		if err := f.add(a.Hierarchies[k], func(w io.Writer) error { _, err := w.Write(c.Tree); return err }); err != nil {
			return nil, err
		}
	}
	if err := f.add(q.Output, func(w io.Writer) error { _, err := io.WriteString(w, a.Text); return err }); err != nil {
		return nil, err
	}
	for _, l := range a.Left {
		d.note(message.Say("told.left.over").Part("what", l))
	}
	return a.Adopted, f.place()
}

// read takes what a file says.
func (a *adopter) read(column, path string) error {
	data, err := wholefile.Read(path)
	if err != nil {
		return err
	}
	if column != "" {
		return a.ofColumn(column, path, data)
	}
	found, err := adopt.Read(path, data, adopt.Options{Table: a.q.Table, Open: func(name string) ([]byte, error) {
		if !filepath.IsLocal(name) {
			return nil, errors.New("it lies elsewhere")
		}
		return wholefile.Read(filepath.Join(filepath.Dir(path), name))
	}})
	if err != nil {
		return err
	}
	name := nameOf(path)
	for _, l := range found.Left {
		a.left(name, message.Text(strings.Join(strings.Fields(l), " ")))
	}
	a.take(name, message.Say("told.left.reading"), reflect.ValueOf(&a.file).Elem(), reflect.ValueOf(found.File))
	for _, c := range found.Columns {
		a.column(name, c)
	}
	for _, t := range found.Thresholds {
		if slices.ContainsFunc(a.bounds, func(o policy.Threshold) bool { return o.Measure == t.Measure }) {
			a.left(name, message.Say("told.left.bound").Text("measure", t.Measure))
			continue
		}
		a.bounds = append(a.bounds, t)
	}
	return nil
}

// ofColumn takes a file of one column: a list of codes, or a hierarchy, which stays where it is.
func (a *adopter) ofColumn(column, path string, data []byte) error {
	c := &adopt.Column{Name: column}
	if strings.EqualFold(filepath.Ext(path), ".cdl") {
		codes, err := adopt.Codes(data)
		if err != nil {
			return err
		}
		c.Kind, c.Values = "categorical", codes
		a.left(nameOf(path), message.Say("told.left.labels").Name("column", column))
	} else {
		if _, err := hierarchy.Parse(column, strings.NewReader(string(data))); err != nil {
			return err
		}
		c.Hierarchy = path
		if dir, err := filepath.Abs(filepath.Dir(a.q.Output)); err == nil {
			if full, err := filepath.Abs(path); err == nil {
				if c.Hierarchy, err = filepath.Rel(dir, full); err != nil {
					c.Hierarchy = full
				}
			}
		}
		c.Hierarchy = filepath.ToSlash(c.Hierarchy)
	}
	a.column(nameOf(path), c)
	return nil
}

func (a *adopter) left(file string, what message.Sentence) {
	a.Left = append(a.Left, message.Say("told.left.in").Name("file", file).Part("what", what))
}

// column takes what a file says of a column.
func (a *adopter) column(file string, c *adopt.Column) {
	k := slices.IndexFunc(a.columns, func(o *adopt.Column) bool { return o.Name == c.Name })
	if k < 0 {
		a.columns = append(a.columns, c)
		return
	}
	have := a.columns[k]
	if have.Hierarchy != "" && c.Tree != nil || have.Tree != nil && (c.Tree != nil || c.Hierarchy != "") {
		a.left(file, message.Say("told.left.hierarchy").Name("column", c.Name))
		c.Tree, c.Hierarchy = nil, ""
	}
	if c.Tree != nil {
		have.Tree = c.Tree
	}
	if c.Kind != "" && have.Kind != "" && c.Kind != have.Kind { // what is of numbers fits no categories
		c.Step, c.Domain, c.Values, c.Dates = 0, nil, nil, ""
	}
	a.take(file, message.Say("told.left.column").Name("column", c.Name), reflect.ValueOf(&have.Column).Elem(),
		reflect.ValueOf(c.Column))
}

// take fills the fields that are not set yet, and notes those in which the two differ.
func (a *adopter) take(file string, of message.Sentence, have, more reflect.Value) {
	for k := range have.NumField() {
		h, m := have.Field(k), more.Field(k)
		switch {
		case m.IsZero() || reflect.DeepEqual(h.Interface(), m.Interface()):
		case h.IsZero():
			h.Set(m)
		default:
			key, _, _ := strings.Cut(have.Type().Field(k).Tag.Get("json"), ",")
			a.left(file, message.Say("told.left.otherwise").Part("of", of).Name("key", key))
		}
	}
}

// trees gives every hierarchy that a file brought along a name beside the policy, and returns their columns.
func (a *adopter) trees() (out []*adopt.Column) {
	stem := strings.TrimSuffix(filepath.Base(a.q.Output), filepath.Ext(a.q.Output))
	taken := map[string]bool{}
	for _, c := range a.columns {
		if c.Tree == nil {
			continue
		}
		plain := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
				return r
			}
			return '_'
		}, c.Name)
		name := stem + "-" + plain + ".csv"
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%s-%d.csv", stem, plain, n)
		}
		taken[strings.ToLower(name)] = true
		c.Hierarchy = name
		out = append(out, c)
	}
	return out
}

// head is a policy that says nothing.
const head = "version: 1\n"

// write makes the text of the policy, whose parts are each checked as a policy is.
func (a *adopter) write(name string) error {
	text := []byte(head)
	set := func(value any, path ...string) error {
		out, err := policy.Set(name, text, path, value)
		if err == nil {
			text = out
		}
		return err
	}
	for _, s := range []struct{ key, value string }{{"delimiter", a.file.Delimiter}, {"encoding", a.file.Encoding}} {
		if s.value == "" {
			continue
		}
		if err := set(s.value, "file", s.key); err != nil {
			a.left(a.from(), message.Say("told.left.unsaid").Name("key", s.key))
		}
	}
	for _, c := range a.columns {
		line := a.line(name, c)
		if line == "" {
			continue
		}
		if a.Columns++; a.Columns == 1 {
			text = append(text, "columns:\n"...)
		}
		text = append(text, line...)
	}
	if _, err := policy.Parse(name, text); err != nil {
		return err
	}
	for _, t := range a.bounds {
		bound := policy.Pair{Key: "min", Value: t.Min}
		if t.Min == nil {
			bound = policy.Pair{Key: "max", Value: t.Max}
		}
		if err := set([]policy.Pair{{Key: "measure", Value: t.Measure}, bound}, "thresholds", policy.Last); err != nil {
			return err
		}
		a.Thresholds++
	}
	a.Text = string(text)
	return nil
}

// line is what a policy says of a column, checked in a policy of its own, as one column is right or wrong whatever the
// others are. What a policy cannot say takes nothing else of the column with it: a domain that ends before it starts
// must not cost a column its role.
func (a *adopter) line(name string, c *adopt.Column) string {
	write := func(pairs []policy.Pair) (string, bool) {
		out, err := policy.Set(name, []byte(head), []string{"columns", c.Name}, pairs)
		if err != nil {
			return "", false
		}
		return strings.CutPrefix(string(out), head+"columns:\n")
	}
	pairs := pairsOf(&c.Column)
	if len(pairs) == 0 {
		return ""
	}
	line, ok := write(pairs)
	if ok {
		return line
	}
	var kept []policy.Pair
	for _, p := range pairs {
		more, ok := write(append(kept, p))
		if !ok {
			a.left(a.from(), message.Say("told.left.ofColumn").Name("column", c.Name).Name("key", p.Key))
			continue
		}
		kept, line = append(kept, p), more
	}
	return line
}

// from names the files that were read, for what is known of them all.
func (a *adopter) from() string {
	var names []string
	for _, arg := range a.q.Files {
		names = append(names, nameOf(arg))
	}
	return strings.Join(names, ", ")
}

// pairsOf is what files say of a column, as a policy writes it.
func pairsOf(c *policy.Column) (out []policy.Pair) {
	add := func(key string, value any, is bool) {
		if is {
			out = append(out, policy.Pair{Key: key, Value: value})
		}
	}
	if len(c.Role) == 1 {
		add("role", c.Role[0], true)
	} else {
		add("role", []string(c.Role), len(c.Role) > 1)
	}
	add("kind", c.Kind, c.Kind != "")
	add("dates", c.Dates, c.Dates != "")
	add("numbers", c.Numbers, c.Numbers != "")
	add("domain", words(c.Domain), len(c.Domain) > 0)
	add("step", c.Step, c.Step > 0)
	add("values", words(c.Values), len(c.Values) > 0)
	add("missing", words(c.Missing), len(c.Missing) > 0)
	add("hierarchy", c.Hierarchy, c.Hierarchy != "")
	return out
}

func words(list []policy.Text) (out []string) {
	for _, t := range list {
		out = append(out, string(t))
	}
	return out
}
