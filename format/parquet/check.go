package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The Parquet library believes the sizes that a file states and allocates them before it reads, so a damaged byte can
// ask for gigabytes. The checks of this file compare what is stated with what is there.

var errDamaged = errors.New("not a sound Parquet file: a size in it cannot be true")

// footerFits reports whether data end in a footer that lies inside them, and whose lists lie inside it, and no group of
// columns deep in others.
func footerFits(data []byte) bool {
	if !footerLies(data) {
		return false
	}
	n := len(data) - 8
	footer := data[n-int(binary.LittleEndian.Uint32(data[n:])) : n]
	return listsFit(footer) && flat(footer)
}

// footerLies reports whether data end in a footer that lies inside them.
func footerLies(data []byte) bool {
	n := len(data)
	return n >= 12 && string(data[:4]) == "PAR1" && string(data[n-4:]) == "PAR1" &&
		int64(binary.LittleEndian.Uint32(data[n-8:])) <= int64(n-12)
}

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

// checkSize compares the cells and the packed bytes that a file states with its size. Chunks that lie over each other
// would be unpacked again and again.
func checkSize(meta *format.FileMetaData, size int64) error {
	cells, packed := int64(0), int64(0)
	for _, group := range meta.RowGroups {
		if group.NumRows < 0 {
			return errDamaged
		}
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
			if cells += max(group.NumRows, 4*(n-group.NumRows)); group.NumRows > someCells+cellsPerByte*size ||
				cells > someCells+cellsPerByte*size {
				return errImplausible
			}
		}
	}
	return nil
}

// codecs are how pages may be packed.
var codecs = []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Zstd, format.Gzip, format.Brotli}

// checkPages walks over the headers of all pages. It refuses a file whose pages do not lie inside their chunks, do not
// add up to the rows of their group, or unpack to more than they say or to implausibly much; and LZ4, for whose damaged
// blocks the library allocates without end.
func checkPages(f *parquet.File, data []byte, cols []column) error {
	meta, rows, unpacked := f.Metadata(), int64(0), int64(0)
	if err := checkSize(meta, int64(len(data))); err != nil {
		return err
	}
	for _, group := range meta.RowGroups {
		if len(group.Columns) != len(f.Schema().Columns()) {
			return errDamaged
		}
		for j := range group.Columns {
			c := &group.Columns[j].MetaData
			if !slices.Contains(codecs, c.Codec) {
				return fmt.Errorf("column %q is packed with %v, which is not supported; expected Zstandard, Snappy, Gzip, Brotli "+
					"or none", f.Schema().Columns()[j][0], c.Codec)
			}
			values := group.NumRows
			if cols[j].list != nil {
				values = c.NumValues
			}
			p := cols[j].pages(c.Codec)
			total, err := checkChunk(c, values, data, p)
			p.close()
			if err != nil {
				return err
			}
			if unpacked += total; unpacked > someBytes+bytesPerByte*int64(len(data)) {
				return errImplausible
			}
		}
		rows += group.NumRows
	}
	if rows != f.NumRows() {
		return errDamaged
	}
	return nil
}

// checkChunk returns to how many bytes the pages of a chunk unpack.
func checkChunk(c *format.ColumnMetaData, rows int64, data []byte, p *pages) (total int64, err error) {
	chunk, ok := chunkOf(c, data)
	if !ok {
		return 0, errDamaged
	}
	for len(chunk) > 0 {
		protocol := thrift.CompactProtocol{}
		r := protocol.NewReaderFromBytes(chunk)
		var h format.PageHeader
		if err := thrift.NewDecoder(r).Decode(&h); err != nil {
			return 0, errDamaged
		}
		chunk = chunk[r.BytesRead():]
		packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
		if packed < 0 || unpacked < 0 || packed > int64(len(chunk)) || unpacked > unpacksTo(int(packed)) {
			return 0, errDamaged
		}
		total += unpacked
		page := chunk[:packed]
		chunk = chunk[packed:]
		values, ok := valuesOf(&h, rows)
		if !ok || values < 0 || values > rows {
			return 0, errDamaged
		}
		rows -= values
		if err := p.check(&h, page); err != nil {
			return 0, err
		}
	}
	if rows != 0 {
		return 0, errDamaged
	}
	return total, nil
}

// chunkOf returns the bytes of a chunk; false where they do not lie in the file.
func chunkOf(c *format.ColumnMetaData, data []byte) ([]byte, bool) {
	start, size := c.DataPageOffset, c.TotalCompressedSize
	if c.DictionaryPageOffset > 0 {
		start = min(start, c.DictionaryPageOffset)
	}
	if start < 0 || size < 0 || start > int64(len(data)) || size > int64(len(data))-start {
		return nil, false
	}
	return data[start : start+size], true
}

// valuesOf returns how many values a page has of the rows that are left; false where its header contradicts itself.
func valuesOf(h *format.PageHeader, rows int64) (n int64, ok bool) {
	switch h.Type {
	case format.DataPage:
		return int64(h.DataPageHeader.V.NumValues), true
	case format.DataPageV2:
		v2 := &h.DataPageHeaderV2.V
		defined, repeated := int64(v2.DefinitionLevelsByteLength), int64(v2.RepetitionLevelsByteLength)
		return int64(v2.NumValues), v2.NumNulls >= 0 && v2.NumRows >= 0 && defined >= 0 && repeated >= 0 &&
			defined+repeated <= int64(h.CompressedPageSize)
	case format.DictionaryPage:
		entries := int64(h.DictionaryPageHeader.V.NumValues)
		return 0, entries >= 0 && entries <= max(rows, int64(h.UncompressedPageSize))
	}
	return 0, true
}
