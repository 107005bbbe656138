// Package formattest is the conformance suite of the formats: what each of them promises by being a dialect.Format.
//
// Run takes the format through tables that are odd in every way that tables are, through files that are damaged in
// every way that files are, and through disks and contexts that fail. What a format declares that it loses must be
// lost, and nothing else may be.
package formattest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/table"
)

// Files are files of the format that Write does not make, and how to write those that it does.
type Files struct {
	// Dates holds a column "day" of the format's own dates, or of text where it has none: 2026-01-02, a missing one and
	// 1969-12-31.
	Dates []byte
	// Nameless is a file that is sound but for a column without a name.
	Nameless []byte
	// Twins is a file with two columns of the name twin1, for a format whose files are compressed: in the others it is
	// made of a file that Write made.
	Twins []byte
	// Options are those that tables are written and read with, such as a delimiter, which a reader guesses where none is
	// given.
	Options dialect.Options
	// Items are names of items that the format holds, and NoItems some that it refuses; for a format that holds sets.
	Items, NoItems []string
	// More are sound files with what the others lack. They are damaged too.
	More [][]byte
}

// Run checks the format. Cost: a few seconds, most of them for damaged files.
func Run(t *testing.T, f dialect.Format, files Files) {
	t.Helper()
	if !slices.ContainsFunc(dialect.Registered(), func(r dialect.Format) bool { return r.Name == f.Name }) {
		t.Errorf("%s does not register itself (dialect.Register), so nothing reads or writes it", f.Name)
	}
	for _, c := range checks {
		if testing.Short() && !c.cores || f.Write == nil && !c.reads {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(&suite{f, files}); err != nil {
				t.Error(err)
			}
		})
	}
}

// suite is the format under test.
type suite struct {
	f     dialect.Format
	files Files
}

var checks = []struct {
	name  string
	run   func(*suite) error
	reads bool // it needs no writer
	// cores meet in it in a way that they do in no other: with -short, as the race detector runs, nothing else is checked
	cores bool
}{
	{"declaration", (*suite).declaration, true, false},
	{"tables", (*suite).tables, false, true},
	{"random tables", (*suite).randomTables, false, false},
	{"losses", (*suite).losses, false, false},
	{"dates", (*suite).dates, true, false},
	{"names", (*suite).names, true, false},
	{"refusals", (*suite).refusals, false, false},
	{"sets beside others", (*suite).besideOthers, false, true},
	{"data stay the caller's", (*suite).ownership, true, false},
	{"cores", (*suite).cores, false, true},
	{"progress", (*suite).progress, true, true},
	{"cancelled", (*suite).cancelled, true, true},
	{"full disk", (*suite).fullDisk, false, false},
	{"pieces", (*suite).pieces, false, true},
	{"cut short", (*suite).cutShort, true, false},
	{"damaged", (*suite).damaged, true, true},
	{"nonsense", (*suite).nonsense, true, false},
}

// ask returns the options with which the table is written and read, with the kinds of its columns, and how its dates
// are written, where the format loses them, and with a layout of its sets.
func (s *suite) ask(t *table.Table) dialect.Options {
	opt := s.files.Options
	opt.Header = dialect.HasHeader // names are drawn, and some are numbers
	if s.f.Loses&(dialect.LosesKinds|dialect.LosesDates|dialect.LosesNotations) != 0 {
		opt.Kinds, opt.Dates = make(map[string]table.Kind), make(map[string]calendar.Notation)
		for _, a := range t.Attrs() {
			if opt.Kinds[a.Name] = a.Kind; a.Dates != "" {
				opt.Dates[a.Name] = a.Dates
			}
		}
	}
	for _, a := range t.Attrs() {
		if a.Kind == table.SetValued && s.f.Holds == dialect.SetsToo { // one that holds them as such asks for no layout
			opt.Items = append(slices.Clip(opt.Items), layout.Spec{Kind: layout.Wide, Prefix: a.Name + "_"})
		}
	}
	return opt
}

func (s *suite) write(t *table.Table, opt dialect.Options) ([]byte, error) {
	var out bytes.Buffer
	if err := s.f.Write(context.Background(), &out, t, opt); err != nil {
		return nil, fmt.Errorf("write: %w", err)
	}
	return out.Bytes(), nil
}

func (s *suite) read(data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	t, info, err := s.f.Read(context.Background(), data, opt)
	if err != nil {
		return nil, nil, fmt.Errorf("read: %w", err)
	}
	return t, info, nil
}

// trip writes the table, reads it, and writes it again in the ways that the reader found: the table and the bytes must
// be the same.
func (s *suite) trip(want *table.Table) error {
	if want.Rows() == 0 && s.f.Loses&dialect.LosesEmpty != 0 {
		return nil // which is refused, as another check sees
	}
	want = s.fit(want)
	opt := s.ask(want)
	data, err := s.write(want, opt)
	if err != nil {
		return err
	}
	if s.f.Looks != nil && !s.f.Looks(data) {
		return errors.New("a file that Write made does not look like one")
	}
	got, info, err := s.read(bytes.Clone(data), opt)
	if err != nil {
		return err
	}
	if err := s.same(want, got); err != nil {
		return err
	}
	if info.Format != s.f.Called() {
		return fmt.Errorf("Info.Format is %q, expected %q", info.Format, s.f.Called())
	}
	again, err := s.write(got, info.Like(opt))
	if err != nil {
		return fmt.Errorf("again: %w", err)
	}
	if !bytes.Equal(data, again) {
		return errors.New("what was read and written again, in the ways of the file, is another file")
	}
	return nil
}

// same compares what was written with what was read, but for what the format loses.
func (s *suite) same(want, got *table.Table) error {
	if got.Width() != want.Width() || got.Rows() != want.Rows() {
		return fmt.Errorf("%d columns of %d records were written, %d of %d read", want.Width(), want.Rows(), got.Width(),
			got.Rows())
	}
	for j := range want.Width() {
		w, g := want.Column(j), got.Column(j)
		if g.Name != w.Name || g.Kind != w.Kind {
			return fmt.Errorf("column %d, %q of kind %v, was read as %q of kind %v", j+1, clip(w.Name), w.Kind, clip(g.Name),
				g.Kind)
		}
		if g.Dates != w.Dates {
			return fmt.Errorf("column %q: dates written %q were read as %q", clip(w.Name), w.Dates, g.Dates)
		}
		if w.Kind == table.Numeric && (g.Step != w.Step || g.Domain != w.Domain) {
			return fmt.Errorf("column %q: grid %v and domain %v were read as %v and %v", clip(w.Name), w.Step, w.Domain, g.Step,
				g.Domain)
		}
		if s.f.Loses&dialect.LosesLabels == 0 && w.Kind != table.SetValued && !slices.Equal(g.Labels, w.Labels) {
			return fmt.Errorf("column %q: other labels, or in another order", clip(w.Name))
		}
		alike := alike(&w, &g)
		for i := range want.Rows() {
			if alike(i) {
				continue
			}
			if a, b := cell(&w, i), cell(&g, i); a != b {
				return fmt.Errorf("column %q, row %d: %s was read as %s", clip(w.Name), i+1, clip(a), clip(b))
			}
		}
	}
	return nil
}

// alike tells quickly of most rows with equal values in two columns that they have them; cell tells of all.
func alike(w, g *table.Column) func(i int) bool {
	switch w.Kind {
	case table.Numeric:
		return func(i int) bool { return w.Num[i] == g.Num[i] }
	case table.Categorical:
		return func(i int) bool {
			a, b := w.Cat[i], g.Cat[i]
			return a >= 0 && b >= 0 && w.Labels[a] == g.Labels[b]
		}
	case table.SetValued:
	}
	code, of := map[string]int32{}, make([]int32, len(g.Labels))
	for c, name := range w.Labels {
		code[name] = int32(c)
	}
	for c, name := range g.Labels {
		of[c] = -1
		if c2, ok := code[name]; ok {
			of[c] = c2
		}
	}
	var there []int32
	same := func(a, b []int32) bool {
		there = there[:0]
		for _, c := range b {
			there = append(there, of[c])
		}
		slices.Sort(there)
		return slices.Equal(a, there)
	}
	return func(i int) bool {
		return !w.MissingAt(i) && !g.MissingAt(i) && same(w.Sets.Present.Row(i), g.Sets.Present.Row(i)) &&
			same(w.Sets.Unknown.Row(i), g.Sets.Unknown.Row(i))
	}
}

// cell says what is in row i of a column, so that equal values say the same.
func cell(c *table.Column, i int) string {
	if c.MissingAt(i) {
		return "nothing"
	}
	switch c.Kind {
	case table.Numeric:
		return fmt.Sprint(c.Num[i] + 0)
	case table.Categorical:
		return fmt.Sprintf("%q", c.Labels[c.Cat[i]])
	case table.SetValued:
	}
	return fmt.Sprintf("%q and perhaps %q", named(c, c.Sets.Present.Row(i)), named(c, c.Sets.Unknown.Row(i)))
}

// named returns the names of items in an order that is theirs alone.
func named(c *table.Column, codes []int32) (out []string) {
	for _, v := range codes {
		out = append(out, c.Labels[v])
	}
	slices.Sort(out)
	return out
}

// clip shortens a text for a message.
func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "..."
	}
	return text
}

// Written returns the file of a table of columns.
func Written(t testing.TB, f dialect.Format, opt dialect.Options, cols ...table.Column) []byte {
	t.Helper()
	tab, err := table.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.Write(context.Background(), &out, tab, opt); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
