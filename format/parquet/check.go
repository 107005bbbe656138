package parquet

import (
	"errors"

	"github.com/parquet-go/parquet-go/format"
)

// A damaged byte of a file can ask for gigabytes. The checks of this file compare what is stated with what is there,
// before anything is made room for.

var errDamaged = errors.New("not a sound Parquet file: a size in it cannot be true")

// A file may state so many cells: some, and some per byte. Runs of one value are packed in a few bytes however long
// they are, so a page alone cannot be told from one that lies; but no table worth the name holds as little as this.
// That of a million people with 100 flags, of which one in a thousand is set, takes a byte per 100 cells or so.
const (
	someCells    = 1 << 24
	cellsPerByte = 500
	// Pages may unpack to so many bytes, and labels may take so many of memory.
	someBytes    = 1 << 27
	bytesPerByte = 1000
)

// errImplausible is the error for a file whose table would be out of proportion to it.
var errImplausible = errors.New("not a sound Parquet file: it states more cells than a file of its size holds")

// checkSize compares the rows, the cells and the packed bytes that a file states with its size. Chunks that lie over
// each other would be unpacked again and again.
func (f *source) checkSize() error {
	size := int64(len(f.data))
	cells, packed, rows := int64(0), int64(0), int64(0)
	for _, group := range f.meta.RowGroups {
		if group.NumRows < 0 || len(group.Columns) != f.leaves {
			return errDamaged
		}
		if group.NumRows > someCells+cellsPerByte*size {
			return errImplausible
		}
		rows += group.NumRows
		for j := range group.Columns {
			n := group.Columns[j].MetaData.TotalCompressedSize
			if n < 0 || n > size-packed {
				return errDamaged
			}
			packed += n
			// which are more than the rows in lists, and take four times the memory there
			n = group.Columns[j].MetaData.NumValues
			if n < 0 || n > someCells+cellsPerByte*size {
				return errImplausible
			}
			if cells += max(group.NumRows, 4*(n-group.NumRows)); cells > someCells+cellsPerByte*size {
				return errImplausible
			}
		}
	}
	if rows != f.meta.NumRows {
		return errDamaged
	}
	return nil
}

// chunkOf returns the bytes of a chunk; an error where they do not lie in the file.
func chunkOf(c *format.ColumnMetaData, data []byte) ([]byte, error) {
	start, size := c.DataPageOffset, c.TotalCompressedSize
	if c.DictionaryPageOffset > 0 {
		start = min(start, c.DictionaryPageOffset)
	}
	if start < 0 || size < 0 || start > int64(len(data)) || size > int64(len(data))-start {
		return nil, errDamaged
	}
	return data[start : start+size], nil
}
