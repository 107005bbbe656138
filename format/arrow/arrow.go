// Package arrow reads and writes Arrow IPC files, which are the same as Feather files of version 2, and streams of such
// messages (Arrow columnar format 1.5, metadata V4 and V5).
//
// Integers, floating-point numbers and decimals become numbers, dates and timestamps too, in the notation of ISO 8601
// (see package calendar); texts and booleans become categories, but texts that are all dates of one notation become
// dates. A dictionary, such as a categorical of pandas, becomes categories in the order of its entries, also where
// these are numbers or dates; one whose entries are a scale is declared, and so keeps all of them in a release. The
// grid of integers is 1, that of decimals their scale, that of floating-point numbers the power of ten of their most
// precise value, or none. A number of 16 or 32 bits is taken for the shortest decimal number that it stands for.
// Integers beyond 2^53 and decimals of more than 15 digits, which a float64 cannot tell from others, are read as
// categories, and so are times of day and UUIDs. Nulls and NaN are missing. Times of a zone are those of UTC. Read are
// batches as many as there are, dictionaries that grow or, in a stream, are replaced, and buffers packed with LZ4 or
// Zstandard. What a table cannot hold is left out by name, which a note says: nested columns, bytes that are not UTF-8,
// infinite numbers and intervals. Durations are whole numbers of their unit. Feather files of version 1 are refused.
// Remarks that programs leave in the schema are neither read nor written.
//
// A column is written back with the type it had while its values fit; else integers of a column on the grid of integers
// are int64, other numbers float64, dates date32 or timestamps, and categories a dictionary of texts. Buffers of
// a file are packed with Zstandard, those of a stream are not: not every program that reads one can unpack.
//
// Cost: O(cells), columns in parallel both ways.
package arrow

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"sync"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("arrow", Format, FormatStream) }

// Format is Arrow IPC files.
var Format = dialect.Format{
	Card: card.Card{
		Name: "arrow", Title: "Arrow", Aliases: []string{"Feather", "Arrow IPC file"},
		Summary: "is an Arrow IPC file, or Feather version 2: typed, compressed columns; dictionaries are categories",
		Paper:   "Apache Arrow columnar format 1.5",
		Missing: "nulls, and NaN in numeric columns",
		Cost:    "O(cells) in time, columns in parallel",
	},
	Extensions: []string{".arrow", ".feather"},
	Looks: func(data []byte) bool {
		return bytes.HasPrefix(data, []byte(magic)) || bytes.HasPrefix(data, []byte(magicV1))
	},
	Read:  Read,
	Paged: true,
	Packs: true,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return write(ctx, w, t, &opt, false)
	},
	Loses: dialect.LosesNotations,
}

// FormatStream is Arrow IPC streams, which have neither a beginning of their own nor a footer.
var FormatStream = dialect.Format{
	Card: card.Card{
		Name: "arrows", Title: "Arrow, a stream", Aliases: []string{"Arrow IPC stream"},
		Summary: "is a stream of Arrow IPC messages, as exchanged between programs",
		Paper:   "Apache Arrow columnar format 1.5",
		Missing: "as in .arrow",
		Cost:    "O(cells) in time, columns in parallel",
	},
	Extensions: []string{".arrows"},
	Variant:    "arrow",
	Looks: func(data []byte) bool {
		return len(data) >= 8 && binary.LittleEndian.Uint32(data) == marker &&
			binary.LittleEndian.Uint32(data[4:]) <= uint32(len(data)-8)
	},
	Read:  Read,
	Paged: true,
	Packs: true,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return write(ctx, w, t, &opt, true)
	},
	Loses: dialect.LosesNotations,
}

// Read returns the table in a file or a stream. It keeps no reference to data. Marks in opt.Missing, when given, count
// as missing in columns of texts.
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	f, err := open(data)
	if err != nil {
		return nil, nil, err
	}
	err = f.readColumns(ctx, &opt)
	if f.overspent() && len(f.columns) > 1 {
		err = complain(ctx, data, &opt)
	}
	if err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "arrow", Types: make(map[string]string), Pandas: f.pandas}
	if f.endless {
		info.Note(message.Say("read.endless"))
	}
	for _, c := range f.columns {
		if c.left != "" {
			info.LeaveOut(c.name, c.left)
		}
	}
	if f.columns = f.held(); len(f.columns) == 0 {
		return nil, nil, info.NoColumn()
	}
	cols := make([]table.Column, len(f.columns))
	for j, c := range f.columns {
		if cols[j] = c.column(); c.typ.isText() {
			cols[j] = opt.Unmarked(cols[j])
		}
		info.Types[c.name] = c.typ.String()
		if c.typ.isDate() {
			info.Dated = append(info.Dated, c.name)
		}
		if !c.note.Empty() {
			info.NoteText(c.name, c.note)
		}
	}
	t, err := table.New(cols...)
	if err == nil {
		t, err = opt.Force(t.In(opt.Space), info)
	}
	if err == nil {
		t, err = opt.ReadDates(t, info, func(j int) bool { return !f.columns[j].typ.isText() || f.columns[j].typ.coded })
	}
	if err != nil {
		return nil, nil, err
	}
	return t, info, nil
}

// readColumns reads the columns, as many at a time as there are cores.
func (f *file) readColumns(ctx context.Context, opt *dialect.Options) error {
	var mu sync.Mutex
	done, all, size := int64(0), int64(len(f.columns)), int64(len(f.data))
	us, err := parallel.With(
		ctx,
		len(f.columns),
		func() *unpacker { return &unpacker{file: f, space: opt.Space} },
		func(u *unpacker, j int) error {
			if err := u.column(ctx, j, opt); err != nil || f.columns[j].left != "" {
				return err
			}
			if opt.Progress != nil {
				mu.Lock()
				defer mu.Unlock()
				done++
				opt.Progress(size*done/all, size)
			}
			return nil
		},
	)
	for _, u := range us {
		u.free()
	}
	return err
}

// column reads a column, unless it is to be left out.
func (u *unpacker) column(ctx context.Context, j int, opt *dialect.Options) error {
	c := u.columns[j]
	if opt.Leaves(c.name) != nil {
		c.left = string(dialect.Asked)
	}
	if c.left != "" {
		return nil
	}
	if err := c.read(ctx, u.rows, u); err != nil {
		return dialect.Unread(c.name, err)
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
	u := &unpacker{file: f, space: opt.Space}
	defer u.free()
	for j := range f.columns {
		if err := u.column(ctx, j, opt); err != nil {
			return err
		}
	}
	return errImplausible
}
