// Package jsonl reads and writes JSON Lines (also called NDJSON): an object per line, whose names are the columns and
// whose values are those of a record (RFC 8259 for each line); and JSON files of one array of such objects.
//
// A column of numbers is numeric, with the grid that its digits show, under the rules of package csv; texts, and truth
// values as true and false, are categories, and texts that are all dates of one notation are dates. A column of both
// numbers and texts is one of texts, as is one with integers of more than 15 digits, which are written as numbers
// again. Null, NaN as Python writes it, and a name that an object lacks, are missing. Lists of texts or numbers are
// sets of items: null is a missing one, ["?x"] holds an item that is unknown. A column of what is nested otherwise, of
// both lists and single values, or of a number beyond those that a computer holds, is left out by name, which a note
// says.
// Columns are in the order in which their names first stand in the file, and so are labels.
//
// Cost: two passes over the text, O(bytes), in chunks of fixed size on all cores: one finds out columns and kinds, the
// other reads values.
package jsonl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("jsonl", Format, FormatArray) }

// Format is JSON Lines.
var Format = dialect.Format{
	Card: card.Card{
		Name: "jsonl", Title: "JSON Lines", Aliases: []string{"NDJSON", "newline-delimited JSON"},
		Summary: "has one object per line, with the column names as keys; lists of texts or numbers are sets of items",
		Paper:   "Bray 2017, RFC 8259; Ward, jsonlines.org",
		Missing: "null, NaN, or an absent name; ?jam in a list is an item that may or may not be in the set",
		Cost:    "O(bytes) in time, on all cores",
	},
	Extensions: []string{".jsonl", ".ndjson"},
	Holds:      dialect.SetsToo,
	Looks:      Looks,
	Read:       Read,
	Write:      Write,
	Loses:      dialect.LosesLabels | dialect.LosesDates | dialect.LosesEmpty,
}

// FormatArray is JSON files of one array of records.
var FormatArray = dialect.Format{
	Card: card.Card{
		Name: "json", Title: "JSON, an array of records",
		Summary: "is one JSON array of objects, as web services and notebooks save records",
		Paper:   "Bray 2017, RFC 8259",
		Missing: "as in .jsonl",
		Cost:    "O(bytes) in time, on all cores",
	},
	Extensions: []string{".json"},
	Variant:    "jsonl",
	Holds:      dialect.SetsToo,
	Looks:      looksArray,
	Read:       Read,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return text.Encoded(w, opt.Encoding, func(w io.Writer) error { return write(ctx, w, t, &opt, arrayMarks) })
	},
	Loses: dialect.LosesLabels | dialect.LosesDates | dialect.LosesEmpty,
}

// Looks reports whether data begin with an object that has a name.
func Looks(data []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n"), []byte("{"))
	return ok && bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte{'"'})
}

// looksArray reports whether data begin with an array of such objects.
func looksArray(data []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n"), []byte("["))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return ok && len(rest) > 0 && rest[0] == '{' && Looks(append([]byte{'{'}, bytes.TrimLeft(rest[1:], " \t\r\n")...))
}

// chunkBytes is about how much of a file is read at a time.
const chunkBytes = 1 << 20

// Cells that no text stands for cost memory, too: a file may name a thousand columns in one line and none in the
// others. So many are allowed, or so many for each byte.
const (
	freeCells    = 1 << 24
	cellsPerByte = 64
)

// Read returns the table in a file. Errors name the line, and the column or the byte; they hold no value. Marks in
// opt.Missing, when given, count as missing where a column holds texts.
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	content, as, err := text.Open(data, opt.Encoding)
	if err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "jsonl"}
	info.Found(as, opt.Encoding == "")
	f := &file{data: content, opt: &opt}
	if f.chunks, err = f.cut(); err != nil {
		return nil, nil, err
	}
	cols, err := f.columns(ctx)
	if err != nil {
		return nil, nil, err
	}
	held := func(j int) bool { return cols[j].left == "" }
	if n := len(kept(cols, held)); f.rows*n > max(freeCells, cellsPerByte*len(content)) {
		return nil, nil, fmt.Errorf("%d records of %d columns, of which hardly any value is in the file: leave columns out "+
			"(--leave-out)", f.rows, n)
	}
	if err := f.fill(ctx, cols); err != nil {
		return nil, nil, err
	}
	out := make([]table.Column, len(cols))
	err = parallel.Each(ctx, len(cols), func(j int) (err error) {
		if cols[j].left == "" {
			out[j], err = f.join(ctx, cols[j], j)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for _, c := range cols {
		c.tell(info)
	}
	if out = kept(out, held); len(out) == 0 {
		return nil, nil, info.NoColumn()
	}
	cols = kept(cols, held)
	t, err := table.New(out...)
	if err == nil {
		t, err = opt.Force(t, info)
	}
	if err == nil {
		t, err = opt.ReadDates(t, info, func(j int) bool { return cols[j].kind() == boolean })
	}
	if err != nil {
		return nil, nil, err
	}
	return t, info, nil
}

// kept returns the elements of which a function of their number says so.
func kept[T any](all []T, keep func(j int) bool) (out []T) {
	for j, e := range all {
		if keep(j) {
			out = append(out, e)
		}
	}
	return out
}

// file is a text being read.
type file struct {
	data   []byte // ends in a line feed
	array  bool   // of records, rather than lines of them
	opt    *dialect.Options
	chunks []chunk
	rows   int

	mu   sync.Mutex
	done int64 // bytes, of both passes
}

// chunk is some lines of the file.
type chunk struct {
	lo, hi    int // bytes
	row, rows int
	found     *survey
	parts     []part // by column of the file
}

// cut divides a text at line ends, by its size alone, or an array at its records.
func (f *file) cut() (chunks []chunk, err error) {
	if at := len(f.data) - len(bytes.TrimLeft(f.data, " \t\r\n")); at < len(f.data) && f.data[at] == '[' {
		f.array = true
		return cutArray(f.data, at)
	}
	for lo := 0; lo < len(f.data); {
		hi := min(len(f.data), lo+chunkBytes)
		hi += bytes.IndexByte(f.data[hi-1:], '\n')
		chunks = append(chunks, chunk{lo: lo, hi: hi})
		lo = hi
	}
	return chunks, nil
}

// each scans all chunks into what sink makes for them.
func (f *file) each(ctx context.Context, sink func(c *chunk) sink) error {
	return parallel.Each(ctx, len(f.chunks), func(k int) error {
		c := &f.chunks[k]
		s := scanner{data: f.data, pos: c.lo, end: c.hi, array: f.array}
		read := s.records
		if f.array {
			read = s.elements
		}
		if err := read(sink(c)); err != nil {
			return err
		}
		if f.opt.Progress != nil {
			f.mu.Lock()
			f.done += int64(c.hi - c.lo)
			f.opt.Progress(f.done/2, int64(len(f.data)))
			f.mu.Unlock()
		}
		return nil
	})
}

// columns finds out which columns there are and of which kinds.
func (f *file) columns(ctx context.Context) ([]*column, error) {
	err := f.each(ctx, func(c *chunk) sink {
		c.found = &survey{data: f.data, codes: map[string]int{}}
		return c.found
	})
	if err != nil {
		return nil, err
	}
	var cols []*column
	codes := map[string]int{}
	for k := range f.chunks {
		c := &f.chunks[k]
		c.row, c.rows = f.rows, c.found.rows
		f.rows += c.rows
		for _, part := range c.found.cols {
			j, ok := codes[part.name]
			if !ok {
				j = len(cols)
				codes[part.name] = j
				cols = append(cols, &column{name: part.name, firstList: -1, firstOther: -1, integers: true})
			}
			cols[j].add(part)
		}
	}
	if f.rows == 0 && f.array {
		return nil, errors.New("the array has no elements, expected records, which name the columns")
	}
	if f.rows == 0 {
		return nil, errors.New("no line holds an object, expected a record in each")
	}
	if len(cols) == 0 {
		return nil, errors.New("no object has a name, expected those of the columns")
	}
	for _, c := range cols {
		if f.opt.Leaves(c.name) != nil {
			c.left = string(dialect.Asked)
		}
		if at := max(c.firstList, c.firstOther); c.left == "" && c.firstList >= 0 && c.firstOther >= 0 {
			c.left = fmt.Sprintf("it holds lists and single values (line %d), expected one of them", text.LineOf(f.data, at))
		}
		c.forced, c.told = f.opt.Kinds[c.name]
		if _, dates := f.opt.Dates[c.name]; dates {
			c.forced, c.told = table.Categorical, true
		}
	}
	return cols, nil
}

// column is what was detected about a column.
type column struct {
	name                  string
	left                  string           // why the column is left out; else ""
	seen                  [nested + 1]bool // kinds of values
	firstList, firstOther int              // where one stands, -1 for nowhere
	integers              bool             // all items of lists are whole numbers
	codes                 bool             // a number is none for the rules of decimal
	nulls                 int              // items of lists that are null
	shape                 shape
	last                  int // row of the chunk that has a value, from 1

	forced table.Kind
	told   bool

	num []float64
	cat []int32
}

// add joins what two chunks detected.
func (c *column) add(o *column) {
	for k, seen := range o.seen {
		c.seen[k] = c.seen[k] || seen
	}
	if c.left == "" {
		c.left = o.left
	}
	if c.firstList < 0 {
		c.firstList = o.firstList
	}
	if c.firstOther < 0 {
		c.firstOther = o.firstOther
	}
	c.integers, c.codes, c.nulls = c.integers && o.integers, c.codes || o.codes, c.nulls+o.nulls
	c.shape.Add(o.shape)
}

// kind is that of the column's values; null where there is none.
func (c *column) kind() kind {
	switch {
	case c.left != "":
		return nested
	case c.seen[list], c.told && c.forced == table.SetValued && !c.seen[number] && !c.seen[words] && !c.seen[boolean]:
		return list
	case c.seen[words] || c.seen[number] && (c.seen[boolean] || c.codes || c.told && c.forced == table.Categorical):
		return words
	case c.seen[number]:
		return number
	case c.seen[boolean]:
		return boolean
	}
	return null
}

// numberType is the type of a column whose numbers are read as categories, which are written as numbers again.
const numberType = "number"

// numbers reports whether all values of the column are numbers.
func (c *column) numbers() bool { return c.seen[number] && !c.seen[words] && !c.seen[boolean] }

// tell notes what people, and a writer of the release, should know.
func (c *column) tell(info *dialect.Info) {
	typ := ""
	switch k := c.kind(); {
	case k == nested:
		info.LeaveOut(c.name, c.left)
		return
	case k == number:
		info.SetDecimals(c.name, c.shape.Padded())
	case k == boolean:
		typ = "boolean"
	case k == list && c.integers && c.seen[list]:
		typ = "list<int64>"
	case k == null:
		info.Note(message.Say("read.empty").Name("column", c.name))
	case k == words && c.numbers():
		if typ = numberType; !c.told {
			info.NoteText(c.name, message.Say("read.large.digits").Name("column", c.name))
		}
	case k == words && c.seen[number] && !c.told:
		info.NoteText(c.name, message.Say("read.mixed").Name("column", c.name))
	}
	if typ != "" {
		if info.Types == nil {
			info.Types = map[string]string{}
		}
		info.Types[c.name] = typ
	}
	if c.nulls > 0 {
		info.Note(message.Say("read.nulls").Name("column", c.name).Count("n", c.nulls))
	}
}

// missing reports whether a text is one of the marks that were given.
func (f *file) missing(word []byte) bool {
	return len(f.opt.Missing) > 0 && slices.Contains(f.opt.Missing, string(word))
}
