package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/noise/noisycounts"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// CountsRequest asks for noisy counts of the records of a table, by columns.
type CountsRequest struct {
	Source
	Spending
	By        []string // columns; none counts all records
	Domains   []string // column=a|b|c or column=lo..hi/width
	Epsilon   string   // a decimal or a fraction
	Delta     string   // likewise; empty is 0
	Person    string   // column that says whose a record is; empty protects records
	Household string   // in place of Person: column that says of which household a record is
	Records   int      // that a person or household has at most; 0 is 1
	Distinct  bool     // one counts once in a cell, and in Records cells at most
	SeedFile  string   // path of the seed, as in ProtectRequest
	Output    string   // path of the document; empty for none
	JSON      bool     // the output is the document, not the text
	Overwrite bool     // replace outputs that exist
}

// CountsDocument is noisy counts. It may be published: what it tells of a person is bounded by epsilon.
type CountsDocument struct {
	Schema     string      `json:"schema"`
	By         []string    `json:"by"`
	Epsilon    float64     `json:"epsilon"`
	Delta      float64     `json:"delta"`
	Unit       budget.Unit `json:"unit"`       // whom the promise protects
	Neighbours string      `json:"neighbours"` // tables that the promise makes alike
	Noise      string      `json:"noise"`      // law of the noise
	Error      float64     `json:"error"`      // standard deviation of the noise of a count
	Within     int64       `json:"within"`     // the noise of a count is this much or less with probability 0.95
	// from which noisy count on a combination is named; 0 where all are
	Threshold int64       `json:"threshold"`
	Cells     []CountCell `json:"cells"`
	Charged   *Charged    `json:"charged"` // null where no ledger was named
}

// CountCell is the noisy count of one combination of values.
type CountCell struct {
	Values []string `json:"values"` // by column
	Count  int64    `json:"count"`  // may be negative
}

// counting is a request that was understood.
type counting struct {
	*CountsRequest
	domains []noisycounts.Domain
	promise noisycounts.Promise
	noise   *noisycounts.Noise
	unit    budget.Unit
	cells   int
}

// understood reads what is asked for, before any table is.
func (q *CountsRequest) understood() (*counting, error) {
	c := &counting{CountsRequest: q}
	known := map[string]noisycounts.Domain{}
	for _, text := range q.Domains {
		d, err := noisycounts.ParseDomain(text)
		if err != nil {
			return nil, &Usage{Field: "domain", Value: text, Err: err}
		}
		known[d.Column] = d
	}
	c.promise = noisycounts.Promise{Records: max(q.Records, 1), Known: true}
	for _, name := range q.By {
		d, ok := known[name]
		d.Column = name
		c.domains, c.promise.Known = append(c.domains, d), c.promise.Known && ok
		delete(known, name)
	}
	for name := range known {
		return nil, &Usage{Field: "domain", Value: name, Err: errors.New("the column is not counted by")}
	}
	var err error
	if c.unit, err = unitOf(q.Person, q.Household, q.Records); err != nil {
		return nil, err
	}
	if c.promise.Distinct = q.Distinct; q.Distinct && q.whose() == "" {
		return nil, usage(errors.New("whose the records are is not said: name the column of persons, or count records"))
	}
	if c.promise.Epsilon, err = mechanism.ParseRatio(q.Epsilon); err != nil {
		return nil, &Usage{Field: "epsilon", Value: q.Epsilon, Err: err}
	}
	if q.Delta != "" {
		if c.promise.Delta, err = budget.Parse(q.Delta); err != nil || c.promise.Delta.Float() >= 1 {
			return nil, &Usage{Field: "delta", Value: q.Delta, Err: errors.New("expected a number from 0 to below 1")}
		}
	}
	if c.noise, err = c.promise.Noise(); err != nil {
		return nil, usage(err)
	}
	if c.promise.Known {
		if c.cells, err = noisycounts.Cells(c.domains); err != nil {
			return nil, usage(err)
		}
	}
	return c, nil
}

// whose is the column that says whose a record is.
func (q *CountsRequest) whose() string { return q.Person + q.Household }

// Counts counts the records of a table with the noise of differential privacy. The columns are read as texts, value by
// value, so that what a record counts for follows from it alone; how the file is written (its encoding, what is between
// values, its columns) is taken to be public. The charge is spent before the noise is drawn. Cost: that of reading.
func (d *Desk) Counts(ctx context.Context, q CountsRequest) (out *CountsDocument, err error) {
	c, err := q.understood()
	if err != nil {
		return nil, err
	}
	f := &files{reads: q.inputs(), ledger: q.Ledger, seed: q.SeedFile, shown: []string{q.Output}, main: q.Output,
		replace: q.Overwrite}
	defer f.discard()
	named := []word{{"person", q.Person}, {"household", q.Household}}
	for _, name := range q.By {
		named = append(named, word{"by", name})
	}
	l, seed, err := d.asked(ctx, &q.Source, f, named)
	if err != nil {
		return nil, err
	}
	src := drawn(seed, "counts", l, q.Epsilon, q.Delta, q.Person, q.Household, fmt.Sprint(q.Records, q.Distinct),
		strings.Join(q.Domains, "\x00"), strings.Join(q.By, "\x00"))
	cells, labels, err := c.placed(l)
	if err == nil {
		err = c.bounded(l, cells, src.Fork("people"))
	}
	if err != nil {
		return nil, err
	}
	out = c.document()
	out.Charged, err = q.charge([]budget.Entry{c.noise.Charge(c.cells, c.unit)}, seed, l.File.SHA256)
	if err != nil {
		return nil, err
	}
	out.Cells = c.counted(cells, labels, src.Fork("noise").Stream().Words())
	if out.Charged == nil {
		d.note(message.Say("told.uncharged"))
	}
	if err := f.add(q.Output, func(w io.Writer) error { return out.Print(w, q.JSON) }); err != nil {
		return nil, err
	}
	return out, f.place()
}

func (c *counting) document() *CountsDocument {
	return &CountsDocument{Schema: schemaOf("counts"), By: c.By, Epsilon: c.promise.Epsilon.Float(),
		Delta: c.promise.Delta.Float(), Unit: c.unit, Neighbours: budget.AddOrRemove, Noise: c.noise.Name,
		Error: c.noise.StandardError(), Within: c.noise.Within(0.95), Threshold: c.noise.Threshold}
}

// find returns a column by its name, which must hold texts.
func find(l *Loaded, name string) (*table.Column, error) {
	j := l.Table.Find(name)
	if j < 0 {
		return nil, usage(fmt.Errorf("%s has no column %q%s", l.File.Name, name, spelling.Hint(name, names(l.Table))))
	}
	col := l.Table.Column(j)
	if col.Kind != table.Categorical {
		return nil, usage(fmt.Errorf("column %q is %s: it cannot be counted by", name, col.Kind))
	}
	return &col, nil
}

// bounded leaves out what is too much of a person: records, or cells, beyond so many, chosen at random. It sets their
// cells to -1.
func (c *counting) bounded(l *Loaded, cells []int32, src rng.Source) error {
	if c.whose() == "" {
		return nil
	}
	whose, err := find(l, c.whose())
	if err != nil {
		return err
	}
	keepFew(l.Table, whose, cells, c.promise.Records, c.Distinct, src)
	return nil
}

// keepFew leaves out what is too much of a person: it sets cells to -1. Distinct counts the cells of a person, else the
// records.
func keepFew(t *table.Table, whose *table.Column, cells []int32, records int, distinct bool, src rng.Source) {
	type place struct{ person, cell int32 }
	seen, had := make([]int, len(whose.Labels)), map[place]bool{}
	ids, first := t.IDs()
	for _, i := range rng.Order(src.Stream(), len(cells), len(cells), ids, first) {
		p := whose.Cat[i]
		if p < 0 {
			continue // a record of nobody is a person's of its own
		}
		if at := (place{p, cells[i]}); seen[p] == records || distinct && had[at] {
			cells[i] = -1
		} else {
			had[at] = true
			seen[p]++
		}
	}
}

// placed returns the cell of every record, and the values of the cells that occur where a domain is not declared.
func (c *counting) placed(l *Loaded) (cells []int32, labels [][]string, err error) {
	cols := make([]*table.Column, len(c.domains))
	for k := range cols {
		if cols[k], err = find(l, c.domains[k].Column); err != nil {
			return nil, nil, err
		}
	}
	cells = make([]int32, l.Table.Rows())
	if !c.promise.Known {
		number := map[string]int32{}
		for i := range cells {
			values := valuesAt(cols, i)
			key := strings.Join(values, "\x00")
			k, ok := number[key]
			if !ok {
				k = int32(len(labels))
				number[key], labels = k, append(labels, values)
			}
			cells[i] = k
		}
		return cells, labels, nil
	}
	for k, col := range cols {
		d := &c.domains[k]
		at := make([]int32, len(col.Labels)+1) // the last one for missing values
		for code, label := range col.Labels {
			at[code] = int32(d.Cell(label, false))
		}
		at[len(col.Labels)] = int32(d.Cell("", true))
		for i, code := range col.Cat {
			if code < 0 {
				code = int32(len(col.Labels))
			}
			cells[i] = cells[i]*int32(d.Cells()) + at[code]
		}
	}
	return cells, nil, nil
}

// valuesAt returns the values of columns in a row.
func valuesAt(cols []*table.Column, row int) (out []string) {
	for _, col := range cols {
		text := "(missing)"
		if code := col.Cat[row]; code >= 0 {
			text = col.Labels[code]
		}
		out = append(out, text)
	}
	return out
}

// counted draws the noise.
func (c *counting) counted(cells []int32, labels [][]string, w mechanism.Words) (out []CountCell) {
	if !c.promise.Known {
		var of [][]string
		for _, cell := range cells {
			if cell >= 0 {
				of = append(of, labels[cell])
			}
		}
		for _, n := range c.noise.Frequent(w, of) {
			out = append(out, CountCell{n.Labels, n.Count})
		}
		return out
	}
	for cell, n := range c.noise.Count(w, cells, c.cells) {
		values := make([]string, len(c.domains))
		for k, rest := len(values)-1, cell; k >= 0; k-- {
			values[k] = c.domains[k].Label(rest % c.domains[k].Cells())
			rest /= c.domains[k].Cells()
		}
		out = append(out, CountCell{values, n})
	}
	return out
}
