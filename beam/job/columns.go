package job

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// Values of records lie in files of the working folder as they are hashed (table.Column.Hash): 8 bytes a number, 4 a
// category. Files are read from their beginning to their end, as a store gives them, so what is read without the rest
// has a file of its own: a column of a shard, or the records of a shard that are of one part.

// piece is the name of a file that holds a part of what has a name: a column, say.
func piece(name string, k int) string { return fmt.Sprintf("%s-%05d", name, k) }

// keep writes columns of the same records into files of their own.
func keep(folder, name string, cols []table.Column) error {
	for k := range cols {
		if err := bundle(folder, piece(name, k), cols[k:k+1]); err != nil {
			return err
		}
	}
	return nil
}

// most is how many bytes are read or written at a time.
const most = 1 << 16

// bundle writes columns into one file, one after the other.
func bundle(folder, name string, cols []table.Column) error {
	size := 0
	for k := range cols {
		size += cols[k].Len() * int(width(&cols[k].Attribute))
	}
	return put(store.Join(folder, name), func(w io.Writer) error {
		buf := bufio.NewWriterSize(w, min(size, most))
		for k := range cols {
			cols[k].Hash(buf)
		}
		return buf.Flush()
	})
}

// damaged is the error for a file that holds other bytes than were written.
func damaged(name string) error {
	return fmt.Errorf("%s of the working folder was changed or damaged: start again", name)
}

// unbundle reads a file of columns, and nothing else, into columns that have room for as many records.
func unbundle(folder, name string, into []table.Column) error {
	r, err := store.Open(context.Background(), store.Join(folder, name))
	if err != nil {
		return err
	}
	defer r.Close()
	for k := range into {
		if into[k].Kind == table.Numeric {
			err = fill(r, into[k].Num)
		} else {
			err = fill(r, into[k].Cat)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = damaged(name)
		}
		if err != nil {
			return err
		}
	}
	if n, err := io.ReadFull(r, make([]byte, 1)); n > 0 || err != io.EOF {
		return errors.Join(damaged(name), err)
	}
	return nil
}

func width(a *table.Attribute) int64 {
	if a.Kind == table.Numeric {
		return 8
	}
	return 4
}

// fill reads values.
func fill[T float64 | int32](r io.Reader, into []T) error {
	size := binary.Size(T(0))
	buf := make([]byte, min(size*len(into), most))
	for len(into) > 0 {
		n := min(len(into), len(buf)/size)
		if _, err := io.ReadFull(r, buf[:n*size]); err != nil {
			return err
		}
		if _, err := binary.Decode(buf[:n*size], binary.LittleEndian, into[:n]); err != nil {
			return err
		}
		into = into[n:]
	}
	return nil
}

// room returns a column to be filled.
func room(a table.Attribute, rows int, s *mmap.Space) table.Column {
	c := table.Column{Attribute: a}
	if a.Kind == table.Numeric {
		c.Num = mmap.Make[float64](s, rows)
	} else {
		c.Cat = mmap.Make[int32](s, rows)
	}
	return c
}

// shard returns what is kept of a shard's records under a name, with the attributes of a schema and the positions of
// the records in the whole table.
func (m *merged) shard(folder, name string, schema []table.Attribute, shard int) (*table.Table, error) {
	cols := make([]table.Column, len(schema))
	for j, a := range schema {
		cols[j] = room(a, m.Rows[shard], nil)
		if err := unbundle(folder, piece(name, j), cols[j:j+1]); err != nil {
			return nil, err
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	return t.From(table.RecordID(m.First[shard])), nil
}

// whole returns what is kept of all shards, in a space.
func (m *merged) whole(
	folder string,
	name func(shard int) string,
	schema []table.Attribute,
	s *mmap.Space,
) (*table.Table, error) {
	rows := 0
	for _, n := range m.Rows {
		rows += n
	}
	cols := make([]table.Column, len(schema))
	for j, a := range schema {
		cols[j] = room(a, rows, s)
	}
	for k, n := range m.Rows {
		for j := range cols {
			part := cols[j].Slice(int(m.First[k]), int(m.First[k])+n)
			if err := unbundle(folder, piece(name(k), j), []table.Column{part}); err != nil {
				return nil, err
			}
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	return t.In(s), nil
}
