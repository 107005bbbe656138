package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/text/spelling"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/tabulate"
	"github.com/dither-data/dither/tabulate/cellkey"
	"github.com/dither-data/dither/tabulate/suppress"
)

// Ways to protect tables.
const (
	Suppression = "suppression"
	CellKey     = "cellkey"
)

// ownColumns are those of the output that are no column of the table.
var ownColumns = []string{"table", "count", "status"}

// TabulateRequest asks for tables of counts and totals that go out together.
type TabulateRequest struct {
	Source
	Tables   [][]string     // the columns that each table is divided by
	Sums     []string       // columns of numbers that are summed
	Person   string         // column that says whose a record is; empty takes the column with this role, else records
	Method   string         // Suppression or CellKey; empty is Suppression
	Rules    tabulate.Rules // which cells are unsafe
	Alone    bool           // intervals stay open to units alone in an inner cell, too (suppress.Options)
	Keys     cellkey.Params // of CellKey
	SeedFile string         // path of the seed of the keys
	Output   string         // path of the cells in the long form, as CSV
	Page     string         // path of a printable page; empty for none
	Record   string         // path of the record of the run; empty for none
	SignKey  string         // path of the key that signs it; empty for none
	Replace  bool           // outputs that exist
}

// Tabulated is what tables came to. It is confidential: what is published is in the files.
type Tabulated struct {
	Schema   string             `json:"schema"`
	Records  int                `json:"records"`
	Unit     string             `json:"unit"`   // the column that says whose a record is; empty counts records
	Tables   [][]string         `json:"tables"` // the columns of each
	Sums     []string           `json:"sums"`
	Method   string             `json:"method"`
	Rules    tabulate.Rules     `json:"rules"`
	Keys     cellkey.Params     `json:"keys"`     // of method cellkey
	Cells    int                `json:"cells"`    // of all tables, without empty ones
	Unsafe   int                `json:"unsafe"`   // by the rules
	Left     int                `json:"left"`     // others that are left out
	Proofs   int                `json:"proofs"`   // intervals that a table like the true one was found for
	Open     int                `json:"open"`     // intervals without one
	State    study.State        `json:"state"`    // the verdict
	Document *document.Document `json:"document"` // what text and page say
}

// tabulating is a request on its way.
type tabulating struct {
	*TabulateRequest
	l    *Loaded
	set  *tabulate.Set
	unit string
	out  *Tabulated
	// shown counts, by cell; -1 is left out
	shown []int
}

func (q *TabulateRequest) understood() error {
	q.Method = strings.ToLower(q.Method)
	switch {
	case len(q.Tables) == 0 || slices.ContainsFunc(q.Tables, func(t []string) bool { return len(t) == 0 }):
		return usage(errors.New("no column is named that tables are divided by"))
	case q.Output == "":
		return usage(errors.New("no file is named for the tables"))
	case q.Method != "" && q.Method != Suppression && q.Method != CellKey:
		return &Usage{Field: "method", Value: q.Method, Err: fmt.Errorf("expected %s or %s", Suppression, CellKey)}
	case q.Method == CellKey && len(q.Sums) > 0:
		return usage(errors.New("cell keys move counts; totals need suppression"))
	}
	for _, t := range q.Tables {
		for k, name := range t {
			if slices.Contains(t[:k], name) {
				return &Usage{Field: "by", Value: name, Err: errors.New("the column is named twice in one table")}
			}
			if slices.Contains(q.Sums, name) || slices.Contains(ownColumns, name) {
				return &Usage{Field: "by", Value: name, Err: errors.New("the output has another column of this name")}
			}
		}
	}
	for k, name := range q.Sums {
		if slices.Contains(q.Sums[:k], name) || slices.Contains(ownColumns, name) {
			return &Usage{Field: "sum", Value: name, Err: errors.New("the output has another column of this name")}
		}
	}
	if l := q.Said.Limits; l != "" && l != limit.None {
		return &Usage{Field: "limits", Value: l, Err: errors.New("tables are judged by the rules of their cells; none lets " +
			"tables out that nothing judges")}
	}
	if err := q.Rules.Check(); err != nil {
		return usage(err)
	}
	return nil
}

// Tabulate counts and sums records into tables, protects them as a whole, and writes what may be published. Tables of
// which some unsafe cell is open to an intruder are not written, nor are those that nothing judges, as of cell keys,
// unless limits none were asked for by name; both come with a *Broken. Cost: that of reading, and of the protection
// (tabulate/suppress, tabulate/cellkey).
func (d *Desk) Tabulate(ctx context.Context, q TabulateRequest) (*Tabulated, error) {
	if err := q.understood(); err != nil {
		return nil, err
	}
	named := []word{{"person", q.Person}}
	for _, name := range slices.Concat(append(q.Tables, q.Sums)...) {
		named = append(named, word{"by", name})
	}
	if err := q.misspelt(named...); err != nil {
		return nil, err
	}
	f := &files{reads: q.inputs(), seed: q.SeedFile, shown: []string{q.Output, q.Page, q.Record}, replace: q.Replace}
	defer f.discard()
	if err := d.check(f); err != nil {
		return nil, err
	}
	seed, err := d.seed(q.SeedFile)
	if err != nil {
		return nil, err
	}
	rec, err := d.newRecorder(q.Record, q.SignKey, "tabulate", recordKey(seed), rng.Commitment(seed))
	if err != nil {
		return nil, err
	}
	t := &tabulating{TabulateRequest: &q}
	if t.l, err = d.Load(ctx, q.asTexts()); err != nil {
		return nil, err
	}
	if rec != nil {
		f.sums = map[string]string{}
	}
	if err := t.count(); err != nil {
		return nil, err
	}
	if err := t.guard(d); err != nil {
		return nil, err
	}
	p := d.begin(message.Say("work.tabulating").Count("n", len(t.set.Cells)).String())
	defer p.End()
	if err := t.protect(ctx, rng.New(seed)); err != nil {
		return nil, err
	}
	d.note(message.Say("told.tables.beside"))
	return t.out, t.write(f, rec)
}

// asTexts is the source with the columns that tables are divided by, and that of persons, as texts.
func (q *TabulateRequest) asTexts() Source {
	said := policy.Policy{Columns: map[string]policy.Column{}}
	for _, name := range append(slices.Concat(q.Tables...), q.Person) {
		if name != "" {
			said.Columns[name] = policy.Column{Kind: "categorical"}
		}
	}
	for _, name := range q.Sums {
		said.Columns[name] = policy.Column{Kind: "numeric"}
	}
	return q.Saying(said)
}

// count makes the set of tables.
func (t *tabulating) count() error {
	var dims []tabulate.Dimension
	at := map[string]int{}
	of := make([][]int, len(t.Tables))
	for k, names := range t.Tables {
		for _, name := range names {
			j, known := at[name]
			if !known {
				d, err := t.dimension(name)
				if err != nil {
					return err
				}
				j = len(dims)
				at[name], dims = j, append(dims, d)
			}
			of[k] = append(of[k], j)
		}
	}
	var sums []tabulate.Variable
	for _, name := range t.Sums {
		j := t.l.Table.Find(name)
		if j < 0 {
			return t.unknown(name)
		}
		if t.l.Table.Attr(j).Kind != table.Numeric {
			return usage(fmt.Errorf("column %q is %s: it cannot be summed", name, t.l.Table.Attr(j).Kind))
		}
		sums = append(sums, tabulate.Variable{Name: name, Values: t.l.Table.Num(j)})
	}
	whose, err := t.whose()
	if err != nil {
		return err
	}
	t.set, err = tabulate.New(t.l.Table.Rows(), dims, of, sums, whose, t.Rules.Kept())
	if err != nil {
		return usage(err)
	}
	return nil
}

func (t *tabulating) unknown(name string) error {
	return usage(fmt.Errorf("%s has no column %q%s", t.l.File.Name, name, spelling.Hint(name, names(t.l.Table))))
}

// dimension is a column as a tree: by its hierarchy where it has one, else its values below the total.
func (t *tabulating) dimension(name string) (tabulate.Dimension, error) {
	col, err := find(t.l, name)
	if err != nil {
		return tabulate.Dimension{}, err
	}
	missing := message.Say("tables.missing").String()
	d, err := tabulate.Tree(col, t.l.Hierarchies[name], missing)
	if err != nil {
		return d, usage(fmt.Errorf("column %q: %w", name, err))
	}
	return d, nil
}

// whose is the unit of every record; nil where every record is one. A record of nobody is a unit of its own.
func (t *tabulating) whose() ([]int32, error) {
	if t.unit = t.Person; t.unit == "" {
		if j := t.l.Table.WithRole(table.Person); j >= 0 {
			t.unit = t.l.Table.Attr(j).Name
		}
	}
	if t.unit == "" {
		return nil, nil
	}
	col := t.l.Table.Column(max(t.l.Table.Find(t.unit), 0))
	if col.Kind == table.Numeric {
		return tabulate.Numbered(col.Num), nil
	}
	c, err := find(t.l, t.unit)
	if err != nil {
		return nil, err
	}
	next, out := int32(len(c.Labels)), slices.Clone(c.Cat)
	for i, u := range out {
		if u < 0 {
			out[i] = next
			next++
		}
	}
	return out, nil
}

// protect decides what is shown.
func (t *tabulating) protect(ctx context.Context, src rng.Source) error {
	s := t.set
	unsafe, _ := s.Primary(t.Rules)
	t.out = &Tabulated{Schema: schemaOf("tabulate"), Records: t.l.Table.Rows(), Unit: t.unit, Tables: t.Tables,
		Sums: t.Sums, Method: Suppression, Rules: t.Rules, Cells: len(s.Cells), State: study.Unjudged}
	t.shown = make([]int, len(s.Cells))
	for c := range s.Cells {
		t.shown[c] = s.Cells[c].Records
		if unsafe[c] {
			t.out.Unsafe++
		}
	}
	if t.Method == CellKey {
		return t.move(src)
	}
	by, err := suppress.Solve(ctx, suppress.Of(s, t.Rules), suppress.Options{Alone: t.Alone})
	if err != nil {
		return err
	}
	for c, hidden := range by.Suppressed {
		if hidden {
			t.shown[c] = -1
		}
	}
	t.out.Left, t.out.Proofs, t.out.Open, t.out.State = by.Secondary, by.Proofs, len(by.Open), study.Meets
	if len(by.Open) > 0 {
		t.out.State = study.Withheld
	}
	return nil
}

// move moves counts by the keys of their records.
func (t *tabulating) move(src rng.Source) error {
	law, err := cellkey.New(t.Keys)
	if err != nil {
		return usage(err)
	}
	t.out.Method, t.out.Keys = CellKey, t.Keys
	ids, first := t.l.Table.IDs()
	keys := make([]uint64, t.l.Table.Rows())
	rng.FirstWords(src.Fork("tabulate").Fork("cell keys").Stream(), len(keys), ids, first,
		func(i int, w uint64) { keys[i] = w })
	for c, key := range t.set.Keys(keys) {
		t.shown[c] = law.Moved(t.shown[c], key)
	}
	return nil
}

// broken is why the tables may not go out; nil where they may.
func (t *tabulating) broken() *Broken {
	switch {
	case t.out.State == study.Withheld:
		return &Broken{Verdict: "the tables are withheld", Breaches: []string{
			message.Say("tables.open").Count("n", t.out.Open).String()}}
	case t.out.State == study.Unjudged && t.l.Policy.Limits != limit.None:
		return &Broken{Verdict: "the tables are not judged, so they may not go out", Unproven: true,
			Breaches: []string{message.Say("tables.unlimited").String()}}
	}
	return nil
}

// write writes what may be published.
func (t *tabulating) write(f *files, rec *recorder) error {
	t.out.Document = report.TablesDocument(t.summary())
	if b := t.broken(); b != nil {
		if err := t.record(f, rec); err != nil {
			return err
		}
		return errors.Join(f.place(), b)
	}
	if err := f.add(t.Output, func(w io.Writer) error { return t.csv(w) }); err != nil {
		return err
	}
	if t.Page != "" {
		page := report.TablesPage(t.summary(), t.grids())
		if err := f.add(t.Page, func(w io.Writer) error { return report.TablesHTML(w, page) }); err != nil {
			return err
		}
	}
	if err := t.record(f, rec); err != nil {
		return err
	}
	return f.place()
}
