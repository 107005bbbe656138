package desk

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// ClassifyRequest asks for the classes of a table's records by a tree that was saved.
type ClassifyRequest struct {
	Source
	Saved     string // path of a tree saved as JSON or PMML, of any program
	Labels    string // path for row and class of every record, as CSV; empty for none
	Output    string // path for what came of it; empty for none
	JSON      bool   // the output is the document, not the text
	Overwrite bool   // replace outputs that exist
}

// Classified is what came of classifying the records of a table.
type Classified struct {
	Schema   string `json:"schema"`
	Class    string `json:"class"` // the column that the tree predicts
	Records  int    `json:"records"`
	Known    int    `json:"known"`    // records whose class the table tells
	Right    int    `json:"right"`    // of these, those that the tree puts there
	Accuracy Number `json:"accuracy"` // right of known; null where no class is known
}

// Print writes the document or the text.
func (c *Classified) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return WriteJSON(w, c)
	}
	text := message.Say("classified.by").Count("n", c.Records).Name("class", c.Class).String() + "\n"
	if c.Known > 0 {
		text += message.Say("classified.accuracy").Fixed("accuracy", float64(c.Accuracy), 4).Count("right", c.Right).
			Count("known", c.Known).String() + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// Classify classifies the records of a table by a saved tree. The table needs the columns that the tree tests; where it
// has the class, too, its records tell how accurate the tree is. A record whose tested value is missing, or is a
// category that the tree does not know, follows all branches. Cost: O(records x depth).
func (d *Desk) Classify(ctx context.Context, q ClassifyRequest) (*Classified, error) {
	if q.Path == "" || q.Saved == "" {
		return nil, usage(errors.New("a table is classified by a tree that was saved: name both"))
	}
	if err := q.misspelt(); err != nil {
		return nil, err
	}
	f := &files{
		reads:   append(q.inputs(), q.Saved),
		secret:  []string{q.Output, q.Labels},
		main:    q.Output,
		replace: q.Overwrite,
	}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	t, err := readTree(q.Saved)
	if err != nil {
		return nil, err
	}
	class := t.Attrs[t.Class].Name
	if named := new(policy.Policy).With(&q.Said).Class; named != "" && named != class {
		return nil, &Usage{Field: "class", Value: named, Err: fmt.Errorf("%s predicts %q", q.Saved, class)}
	}
	l, err := d.Load(ctx, q.Source)
	if err != nil {
		return nil, err
	}
	for _, n := range l.Notes() {
		d.note(n)
	}
	tab, err := tested(l.Table, t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; %s tests it", l.File.Name, err, q.Saved)
	}
	codes := make([]int32, tab.Rows())
	t.Predict(tab, codes)
	out := &Classified{Schema: schemaOf("classified"), Class: class, Records: tab.Rows()}
	for i, k := range tab.Cat(t.Class) {
		if k >= 0 {
			out.Known++
			if k == codes[i] {
				out.Right++
			}
		}
	}
	out.Accuracy = Number(float64(out.Right) / float64(out.Known)) // NaN of none
	if err := f.add(q.Labels, func(w io.Writer) error { return writeClasses(w, codes, t.ClassLabels()) }); err != nil {
		return nil, err
	}
	if err := f.add(q.Output, func(w io.Writer) error { return out.Print(w, q.JSON) }); err != nil {
		return nil, err
	}
	return out, f.place()
}

// tested returns a table with the columns of a tree. Those that it does not test, and its class, need not be there:
// they are missing then.
func tested(t *table.Table, by *tree.Tree) (*table.Table, error) {
	cols := t.Columns()
	for j, a := range by.Attrs {
		if t.Find(a.Name) >= 0 || slices.ContainsFunc(by.Nodes, func(n tree.Node) bool { return !n.Leaf() && n.Attr == j }) {
			continue
		}
		nothing := t.Room(a)
		for i := range nothing.Num {
			nothing.Num[i] = math.NaN()
		}
		for i := range nothing.Cat {
			nothing.Cat[i] = -1
		}
		cols = append(cols, nothing)
	}
	t, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	return t.Conform(by.Attrs, true)
}

// writeClasses writes row, counted from 1, and class, as CSV.
func writeClasses(w io.Writer, codes []int32, labels []string) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"row", "class"}); err != nil {
		return err
	}
	for i, k := range codes {
		if err := c.Write([]string{strconv.Itoa(i + 1), labels[k]}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
