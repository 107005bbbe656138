package job

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// Columns of records lie in a file of the working folder one after the other, as they are hashed (table.Column.Hash): 8
// bytes a number, 4 a category. So a column is read without the others, and some of its records without the rest.

// keep writes columns of the same records into a file.
func keep(folder, name string, cols []table.Column) error {
	return put(filepath.Join(folder, name), func(w io.Writer) error {
		buf := bufio.NewWriterSize(w, 1<<16)
		for k := range cols {
			cols[k].Hash(buf)
		}
		return buf.Flush()
	})
}

// kept is an open file of columns.
type kept struct {
	file *os.File
	at   []int64 // of every column, and the size of the file
}

// open opens a file of columns of so many records. It must be closed.
func open(folder, name string, attrs []table.Attribute, rows int) (*kept, error) {
	f, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	k := &kept{file: f, at: []int64{0}}
	for j := range attrs {
		k.at = append(k.at, k.at[j]+int64(rows)*width(&attrs[j]))
	}
	st, err := f.Stat()
	if err == nil && st.Size() != k.at[len(attrs)] {
		err = fmt.Errorf("%s of the working folder was changed or damaged: start again", name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return k, nil
}

func width(a *table.Attribute) int64 {
	if a.Kind == table.Numeric {
		return 8
	}
	return 4
}

// Close closes the file.
func (k *kept) Close() error { return k.file.Close() }

// bytes are those of column j.
func (k *kept) bytes(j int) io.Reader { return io.NewSectionReader(k.file, k.at[j], k.at[j+1]-k.at[j]) }

// read reads column j, from record lo on, into a column that has room for as many records as are wanted.
func (k *kept) read(j, lo int, into *table.Column) error {
	if into.Kind == table.Numeric {
		return fill(k.file, k.at[j]+8*int64(lo), into.Num)
	}
	return fill(k.file, k.at[j]+4*int64(lo), into.Cat)
}

// fill reads values from a place of a file on.
func fill[T float64 | int32](f *os.File, at int64, into []T) error {
	size := binary.Size(T(0))
	buf := make([]byte, min(size*len(into), 1<<16))
	for len(into) > 0 {
		n := min(len(into), len(buf)/size)
		if _, err := f.ReadAt(buf[:n*size], at); err != nil {
			return err
		}
		if _, err := binary.Decode(buf[:n*size], binary.LittleEndian, into[:n]); err != nil {
			return err
		}
		into, at = into[n:], at+int64(n*size)
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
	f, err := open(folder, name, schema, m.Rows[shard])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cols := make([]table.Column, len(schema))
	for j, a := range schema {
		cols[j] = room(a, m.Rows[shard], nil)
		if err := f.read(j, 0, &cols[j]); err != nil {
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
		f, err := open(folder, name(k), schema, n)
		if err != nil {
			return nil, err
		}
		for j := range cols {
			part := cols[j].Slice(int(m.First[k]), int(m.First[k])+n)
			if err := f.read(j, 0, &part); err != nil {
				f.Close()
				return nil, err
			}
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	t, err := table.New(cols...)
	if err != nil {
		return nil, err
	}
	return t.In(s), nil
}
