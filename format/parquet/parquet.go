// Package parquet reads and writes Apache Parquet files (Apache Parquet format specification 2.10), with the names, the
// order and the types of their columns.
//
// Integers, floating-point numbers and decimals become numbers, dates and timestamps too, in the notation of ISO 8601
// (see package calendar); strings, enumerations and booleans become categories, but strings that are all dates of one
// notation become dates. The grid of integers is 1, that of decimals their scale, that of floating-point numbers the
// power of ten of their most precise value, or none. A number of 16 or 32 bits is taken for the shortest decimal number
// that it stands for, so 0.1 is 0.1. Integers beyond 2^53 and decimals of more than 15 digits, which a float64 cannot
// tell from others, are read as categories. Nulls and NaN are missing. Times of day and UUIDs become categories, and
// bytes, too, where all of them are UTF-8. Timestamps of 96 bits are ones in microseconds. Lists of strings or integers
// become sets of items: a null list is missing, an empty one a set without items, ?x an item that is unknown, and
// elements that are null are left out, which a note says.
//
// What a table cannot hold is left out by name, which a note says, and the rest is read: other nested columns, bytes
// that are not UTF-8, infinite numbers, intervals, and what is packed, encoded or encrypted in a way that is not known.
//
// A column is written back with the type it had while its values fit: a date that is no day, or a number that is no
// integer, makes it a string or a double.
//
// The pages are decoded here (Apache Parquet format specification, Encodings.md and Compression.md), as far as their
// headers say; a library writes the files, and decodes the structures of Thrift.
//
// Cost: O(cells), columns in parallel when reading.
package parquet

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("parquet", Format) }

// Format is Parquet.
var Format = dialect.Format{
	Card: card.Card{
		Name: "parquet", Title: "Parquet", Aliases: []string{"Apache Parquet"},
		Summary: "has typed, compressed columns; lists of texts or whole numbers are sets of items",
		Paper:   "Apache Parquet format specification 2.10",
		Missing: "nulls, and NaN in numeric columns; ?jam in a list is an item that may or may not be in the set",
		Cost:    "O(cells) in time, columns in parallel when reading",
	},
	Extensions: []string{".parquet"},
	Holds:      dialect.SetsToo,
	Looks:      Looks,
	Paged:      true,
	Packs:      true,
	Read:       Read,
	Write:      Write,
	Loses:      dialect.LosesLabels | dialect.LosesDates | dialect.LosesNotations,
}

// Looks reports whether data begin like a Parquet file.
func Looks(data []byte) bool { return bytes.HasPrefix(data, []byte("PAR1")) }

// Read returns the table in a Parquet file. It keeps no reference to data. Marks in opt.Missing, when given, count as
// missing in columns of strings.
func Read(ctx context.Context, data []byte, opt dialect.Options) (_ *table.Table, _ *dialect.Info, err error) {
	defer mend(&err)
	f, err := open(data)
	if err != nil {
		return nil, nil, err
	}
	cols, err := f.columns(&opt)
	if err != nil {
		return nil, nil, err
	}
	err = readAll(ctx, f, cols, opt.Progress)
	if f.overspent() && len(cols) > 1 {
		err = complain(ctx, data, &opt)
	}
	if err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "parquet", Types: make(map[string]string)}
	f.origin(info)
	for _, c := range cols {
		if c.left != "" {
			info.LeaveOut(c.name, c.left)
		}
	}
	if cols = slices.DeleteFunc(cols, func(c column) bool { return c.left != "" }); len(cols) == 0 {
		return nil, nil, info.NoColumn()
	}
	out := make([]table.Column, len(cols))
	for j := range cols {
		if out[j], err = cols[j].finish(ctx, info); err != nil {
			return nil, nil, err
		}
	}
	t, err := table.New(out...)
	if err == nil {
		t, err = opt.Force(t.In(opt.Space), info)
	}
	if err == nil {
		t, err = opt.ReadDates(t, info, func(j int) bool { return cols[j].typ.kind != "string" })
	}
	if err != nil {
		return nil, nil, err
	}
	return t, info, nil
}

// finish returns what was read of a column, and notes what there is to know about it.
func (c *column) finish(ctx context.Context, info *dialect.Info) (out table.Column, err error) {
	info.Types[c.name] = c.typ.String()
	if c.list == nil {
		if !c.note.Empty() {
			info.NoteText(c.name, c.note)
		}
		if c.typ.isDate() {
			info.Dated = append(info.Dated, c.name)
		}
		return c.column(), nil
	}
	info.Types[c.name] = "list<" + c.typ.String() + ">"
	if out, err = c.sets(ctx); !c.note.Empty() {
		info.Note(c.note)
	}
	return out, err
}

// mend turns a panic of the decoder into an error.
func mend(err *error) {
	if p := recover(); p != nil {
		*err = errors.New("not a sound Parquet file: the decoder stopped")
	}
}

// readAll reads the columns, as many at a time as there are cores.
func readAll(ctx context.Context, f *source, cols []column, progress func(done, total int64)) error {
	var wg sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, int64(0)
	errs := make([]error, len(cols))
	for range min(runtime.GOMAXPROCS(0), len(cols)) {
		wg.Go(func() {
			for {
				mu.Lock()
				j := next
				next++
				mu.Unlock()
				if j >= len(cols) {
					return
				}
				errs[j] = cols[j].read(ctx)
				if progress != nil {
					mu.Lock()
					done++
					progress(int64(len(f.data))*done/int64(len(cols)), int64(len(f.data)))
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for j, err := range errs {
		if err != nil {
			return dialect.Unread(cols[j].name, err)
		}
	}
	return nil
}

// complain returns what is wrong with a file of which more was asked for than it may become. All columns ask for parts
// of that, so which of them fails depends on the order: this reads them one after the other.
func complain(ctx context.Context, data []byte, opt *dialect.Options) error {
	f, err := open(data)
	if err != nil {
		return err
	}
	cols, err := f.columns(opt)
	if err != nil {
		return err
	}
	for j := range cols {
		if err := cols[j].read(ctx); err != nil {
			return dialect.Unread(cols[j].name, err)
		}
	}
	return errImplausible
}
