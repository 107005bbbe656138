// Package parquet reads and writes Apache Parquet files (Apache Parquet format specification 2.10), with the names, the
// order and the types of their columns.
//
// Integers, floating-point numbers and decimals become numbers, dates and timestamps too, in the notation of ISO 8601
// (see package calendar); strings, enumerations and booleans become categories, but strings that are all dates of one
// notation become dates. The grid of integers is 1, that of decimals their scale, that of floating-point numbers the
// power of ten of their most precise value, or none. A 32-bit number is taken for the shortest decimal number that it
// stands for, so 0.1 is 0.1. Integers beyond 2^53, which a float64 cannot hold, are read as categories. Nulls and NaN
// are missing. Lists of strings or integers become sets of items: a null list is missing, an empty one a set without
// items, ?x an item that is unknown, and elements that are null are left out, which a note says. Other nested columns,
// times of day and 96-bit timestamps are refused by name.
//
// A column is written back with the type it had while its values fit: a date that is no day, or a number that is no
// integer, makes it a string or a double.
//
// Cost: O(cells), columns in parallel when reading. The decoder of a damaged file may panic deep inside the Parquet
// library, at places no check beforehand can foresee; Read recovers and reports the file as damaged.
package parquet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/parquet-go/parquet-go"

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
	if !footerFits(data) {
		return nil, nil, errors.New("not a Parquet file, or one that was cut short")
	}
	f, err := parquet.OpenFile(
		bytes.NewReader(data),
		int64(len(data)),
		parquet.SkipBloomFilters(true),
		parquet.SkipPageIndex(true),
	)
	if err != nil {
		return nil, nil, fmt.Errorf("not a sound Parquet file: %w", err)
	}
	cols, err := columnsOf(f, opt)
	if err != nil {
		return nil, nil, err
	}
	if err := checkPages(f, data, cols); err != nil {
		return nil, nil, err
	}
	if err := readAll(ctx, f, cols, opt.Progress); err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "parquet", Types: make(map[string]string)}
	out := make([]table.Column, len(cols))
	for j := range cols {
		c := &cols[j]
		info.Types[c.name] = c.typ.String()
		if c.list == nil {
			out[j] = c.column()
		} else if out[j], err = c.sets(ctx); err != nil {
			return nil, nil, err
		} else {
			info.Types[c.name] = "list<" + c.typ.String() + ">"
		}
		switch {
		case c.note == "":
		case c.list == nil:
			info.NoteText(c.name, "%s", c.note)
		default:
			info.Note("%s", c.note)
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

// columnsOf returns the columns of a file, of which nothing is read yet.
func columnsOf(f *parquet.File, opt dialect.Options) ([]column, error) {
	fields := f.Schema().Fields()
	cols := make([]column, len(fields))
	memory := new(atomic.Int64)
	memory.Store(someBytes + bytesPerByte*f.Size())
	for j, field := range fields {
		leaf, list, err := listOf(field)
		var typ typ
		if err == nil {
			typ, err = typeOf(leaf.Type())
		}
		switch {
		case err == nil && list != nil && !typ.holdsItems():
			err = fmt.Errorf("holds lists of %s, expected texts or whole numbers", typ)
		case err == nil && list != nil && opt.Space != nil:
			err = errors.New("holds lists, which are read in memory: give dither the memory for it, or leave the column out " +
				"of the file")
		}
		if err != nil {
			return nil, fmt.Errorf("column %q %w", field.Name(), err)
		}
		cols[j] = column{
			name:    field.Name(),
			typ:     typ,
			index:   j,
			missing: opt.Missing,
			list:    list,
			memory:  memory,
			room:    opt.Space,
			buf:     make([]byte, 64),
		}
		if field.Optional() {
			cols[j].present = 1
		}
		if leaf.Type().Kind() == parquet.FixedLenByteArray {
			cols[j].length = leaf.Type().Length()
		}
	}
	return cols, nil
}

// mend turns a panic of the decoder into an error.
func mend(err *error) {
	if p := recover(); p != nil {
		*err = errors.New("not a sound Parquet file: the decoder stopped")
	}
}

// readAll reads the columns, as many at a time as there are cores.
func readAll(ctx context.Context, f *parquet.File, cols []column, progress func(done, total int64)) error {
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
				errs[j] = cols[j].read(ctx, f)
				if progress != nil {
					mu.Lock()
					done++
					progress(f.Size()*done/int64(len(cols)), f.Size())
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for j, err := range errs {
		if err != nil {
			return fmt.Errorf("column %q: %w", cols[j].name, err)
		}
	}
	return nil
}

// eof drops the end of the data from an error.
func eof(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
