package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/dither-data/dither/format/dialect"
)

// pages reads the pages of a column, chunk after chunk. What a page holds is decoded as far as its header says and no
// further: five bytes may state a run of eight gigabytes.
type pages struct {
	file                   *source
	repetition, definition byte // the largest levels; 0 where there are none
	typ                    format.Type
	length                 int // of a value in bytes; 0 where they are of any length

	codec format.CompressionCodec
	chunk []byte  // what is left of it
	left  int64   // values and nulls that it still has
	dict  *values // of the chunk; else nil

	zstd     *zstd.Decoder
	buf      []byte // for a page that is unpacked
	rep, def []byte
	codes    []uint32
	plain    values
}

// page is some values of a column. It is good until the next one is read.
type page struct {
	rows     int    // values and nulls
	rep, def []byte // levels; nil where the column has none
	coded    bool
	codes    []uint32 // entries of the dictionary, where it is coded
	values   *values  // else
}

// sizes are how many bytes values of the types take that have a fixed length.
var sizes = map[format.Type]int{format.Boolean: 1, format.Int32: 4, format.Int64: 8, format.Int96: 12, format.Float: 4,
	format.Double: 8}

// pagesOf returns what reads the pages of a leaf.
func pagesOf(f *source, leaf *element, optional bool, l *list) (*pages, error) {
	p := &pages{file: f, typ: leaf.Type.V, length: sizes[leaf.Type.V]}
	switch {
	case l != nil:
		p.repetition, p.definition = 1, l.full
	case optional:
		p.definition = 1
	}
	if p.typ == format.FixedLenByteArray {
		if p.length = int(leaf.TypeLength.V); p.length <= 0 {
			return nil, errDamaged
		}
	}
	return p, nil
}

// close ends the workers of the decoder.
func (p *pages) close() {
	if p.zstd != nil {
		p.zstd.Close()
	}
}

// begin turns to a chunk of so many values and nulls.
func (p *pages) begin(c *format.ColumnMetaData, rows int64) (err error) {
	if p.chunk, err = chunkOf(c, p.file.data); err != nil {
		return err
	}
	if c.Type != p.typ {
		return errDamaged
	}
	p.codec, p.left, p.dict = c.Codec, rows, nil
	return nil
}

// next returns the next page of values; false at the end of the chunk.
func (p *pages) next() (pg page, more bool, err error) {
	for p.left > 0 {
		h, body, err := p.header()
		if err != nil {
			return pg, false, err
		}
		switch h.Type {
		case format.DictionaryPage:
			err = p.dictionary(h, body)
		case format.DataPage, format.DataPageV2:
			if pg, err = p.data(h, body); err == nil {
				if pg.rows == 0 {
					continue
				}
				p.left -= int64(pg.rows)
				return pg, true, nil
			}
		case format.IndexPage:
		}
		if err != nil {
			return pg, false, err
		}
	}
	return pg, false, nil
}

// header cuts the next page off the chunk.
func (p *pages) header() (*format.PageHeader, []byte, error) {
	protocol := thrift.CompactProtocol{}
	r := protocol.NewReaderFromBytes(p.chunk)
	h := new(format.PageHeader)
	if err := thrift.NewDecoder(r).Decode(h); err != nil {
		return nil, nil, errDamaged
	}
	p.chunk = p.chunk[r.BytesRead():]
	packed, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	if packed < 0 || unpacked < 0 || packed > int64(len(p.chunk)) || unpacked > unpacksTo(int(packed)) {
		return nil, nil, errDamaged
	}
	if p.file.room.Add(-unpacked) < 0 {
		return nil, nil, errImplausible
	}
	body := p.chunk[:packed]
	p.chunk = p.chunk[packed:]
	return h, body, nil
}

// dictionary reads the entries that the values of the chunk are codes of.
func (p *pages) dictionary(h *format.PageHeader, body []byte) error {
	entries := int64(h.DictionaryPageHeader.V.NumValues)
	if entries < 0 || entries > max(p.left, int64(h.UncompressedPageSize)) || p.dict != nil {
		return errDamaged
	}
	p.buf = nil // the dictionary keeps it
	data, err := p.unpack(body, int(h.UncompressedPageSize))
	if err != nil {
		return err
	}
	p.buf, p.dict = nil, new(values)
	return p.dict.plain(data, p.typ, p.length, int(entries))
}

// data reads a page of values of either version.
func (p *pages) data(h *format.PageHeader, body []byte) (pg page, err error) {
	var encoding format.Encoding
	var data []byte
	if h.Type == format.DataPage {
		v1 := &h.DataPageHeader.V
		if pg.rows, err = p.rows(v1.NumValues); err != nil {
			return pg, err
		}
		if data, err = p.unpack(body, int(h.UncompressedPageSize)); err != nil {
			return pg, err
		}
		if data, err = p.levels(&pg.rep, &p.rep, data, v1.RepetitionLevelEncoding, p.repetition, pg.rows); err != nil {
			return pg, err
		}
		if data, err = p.levels(&pg.def, &p.def, data, v1.DefinitionLevelEncoding, p.definition, pg.rows); err != nil {
			return pg, err
		}
		encoding = v1.Encoding
	} else {
		v2 := &h.DataPageHeaderV2.V
		if pg.rows, err = p.rows(v2.NumValues); err != nil {
			return pg, err
		}
		if data, err = p.second(&pg, h, body); err != nil {
			return pg, err
		}
		encoding = v2.Encoding
	}
	present := pg.rows
	if pg.def != nil {
		present = bytes.Count(pg.def, []byte{p.definition})
	}
	return pg, p.decode(&pg, data, encoding, present, len(body))
}

// rows returns how many values and nulls a page has, which are no more than are left of the chunk.
func (p *pages) rows(stated int32) (int, error) {
	if stated < 0 || int64(stated) > p.left {
		return 0, errDamaged
	}
	return int(stated), nil
}

// levels reads levels of a page of version 1, and returns what follows them.
func (p *pages) levels(
	out, room *[]byte,
	data []byte,
	encoding format.Encoding,
	largest byte,
	rows int,
) (rest []byte, err error) {
	if largest == 0 {
		return data, nil
	}
	*room = sized(*room, rows)
	*out = *room
	if encoding == format.BitPacked { // of files from before 2013; the first bit is the highest
		n := (rows*int(width(largest)) + 7) / 8
		if n > len(data) {
			return nil, errDamaged
		}
		unpackHighest(data[:n], int(width(largest)), *out)
		return data[n:], nil
	}
	var runs []byte
	if runs, rest, err = counted(data); err != nil {
		return nil, err
	}
	return rest, hybrid(runs, width(largest), *out)
}

// second reads the levels of a page of version 2, which are not compressed, and returns the values behind them.
func (p *pages) second(pg *page, h *format.PageHeader, body []byte) ([]byte, error) {
	v2 := &h.DataPageHeaderV2.V
	rep, def := int64(v2.RepetitionLevelsByteLength), int64(v2.DefinitionLevelsByteLength)
	if rep < 0 || def < 0 || rep+def > int64(len(body)) {
		return nil, errDamaged
	}
	if p.repetition > 0 {
		p.rep = sized(p.rep, pg.rows)
		pg.rep = p.rep
		if err := hybrid(body[:rep], width(p.repetition), pg.rep); err != nil {
			return nil, err
		}
	}
	if p.definition > 0 {
		p.def = sized(p.def, pg.rows)
		pg.def = p.def
		if err := hybrid(body[rep:rep+def], width(p.definition), pg.def); err != nil {
			return nil, err
		}
	}
	data := body[rep+def:]
	if v2.IsCompressed.Valid && !v2.IsCompressed.V && !p.file.alwaysPacked() {
		return data, nil
	}
	return p.unpack(data, int(h.UncompressedPageSize))
}

// alwaysPacked reports whether a file is by pyarrow before version 3 or its like, which said of pages of version 2 that
// they are not compressed, and compressed them.
func (f *source) alwaysPacked() bool {
	if strings.HasPrefix(f.meta.CreatedBy, "parquet-cpp version ") { // as it was called first
		return true
	}
	version, is := strings.CutPrefix(f.meta.CreatedBy, "parquet-cpp-arrow version ")
	return is && len(version) > 1 && '0' <= version[0] && version[0] <= '2' && version[1] == '.'
}

// decode reads the values of a page, of which so many are no nulls.
func (p *pages) decode(pg *page, data []byte, encoding format.Encoding, present, packed int) error {
	if int64(p.length)*int64(present) > unpacksTo(packed) {
		return errImplausible
	}
	switch encoding {
	case format.RLEDictionary, plainDictionary:
		pg.coded = true
		p.codes = sized(p.codes, present)
		if pg.codes = p.codes; present == 0 {
			return nil
		}
		if p.dict == nil || len(data) == 0 || data[0] > 32 {
			return errDamaged
		}
		if err := hybrid(data[1:], uint(data[0]), pg.codes); err != nil {
			return err
		}
		for _, k := range pg.codes {
			if int64(k) >= int64(p.dict.len()) {
				return errDamaged
			}
		}
		return nil
	}
	pg.values = &p.plain
	if present == 0 {
		return p.plain.plain(nil, p.typ, p.length, 0)
	}
	return p.plain.decode(data, encoding, p.typ, p.length, present, packed)
}

// sized returns a slice of so many elements, the given one if it has the room.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// unpack returns a page as it was before it was packed, which is no larger than stated. It is valid until the next
// call.
func (p *pages) unpack(packed []byte, size int) (data []byte, err error) {
	if p.codec == format.Uncompressed || len(packed) == 0 {
		return packed, nil
	}
	p.buf = sized(p.buf, size)
	switch p.codec {
	case format.Snappy:
		n, err := snappy.DecodedLen(packed)
		if err != nil || n > size {
			return nil, errDamaged
		}
		data, err = snappy.Decode(p.buf[:cap(p.buf)], packed)
		return data, damaged(err)
	case format.Zstd:
		if p.zstd == nil {
			if p.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true)); err != nil {
				return nil, err
			}
		}
		data, err = p.zstd.DecodeAll(packed, p.buf[:0:size])
		return data, damaged(err)
	case format.Gzip:
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, errDamaged
		}
		return p.fill(z, size)
	case format.Brotli:
		return p.fill(brotli.NewReader(bytes.NewReader(packed)), size)
	case format.Lz4Raw:
		n, err := lz4.UncompressBlock(packed, p.buf)
		return p.buf[:max(n, 0)], damaged(err)
	case format.Lz4:
		return p.blocks(packed)
	}
	return nil, dialect.Unheld(fmt.Sprintf("it is packed with %v, which is not supported", p.codec))
}

// blocks unpacks blocks of LZ4, each behind its size and its packed size, as Hadoop writes them; other writers have a
// single block without either.
func (p *pages) blocks(packed []byte) ([]byte, error) {
	at, rest := 0, packed
	for len(rest) >= 8 {
		size, n := int64(binary.BigEndian.Uint32(rest)), int64(binary.BigEndian.Uint32(rest[4:]))
		if rest = rest[8:]; n > int64(len(rest)) || size > int64(len(p.buf)-at) {
			break
		}
		got, err := lz4.UncompressBlock(rest[:n], p.buf[at:at+int(size)])
		if err != nil || int64(got) != size {
			break
		}
		if at, rest = at+got, rest[n:]; len(rest) == 0 {
			return p.buf[:at], nil
		}
	}
	n, err := lz4.UncompressBlock(packed, p.buf)
	return p.buf[:max(n, 0)], damaged(err)
}

// fill reads all there is, which is no more than stated.
func (p *pages) fill(r io.Reader, size int) ([]byte, error) {
	n, err := io.ReadFull(r, p.buf[:size])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return p.buf[:n], nil
	}
	if more, _ := r.Read(make([]byte, 1)); err != nil || more > 0 {
		return nil, errDamaged
	}
	return p.buf[:n], nil
}

// damaged is what an error of the decoder means.
func damaged(err error) error {
	if err != nil {
		return errDamaged
	}
	return nil
}

// unpacksTo is how many bytes packed ones may stand for.
func unpacksTo(packed int) int64 { return 1<<24 + 1000*int64(packed) }

// plainDictionary is how files of old call codes of a dictionary.
const plainDictionary format.Encoding = 2
