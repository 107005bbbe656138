package parquet

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"math/bits"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/format"
)

// The Parquet library makes room for what a run of values says of its length, and for what a packed page unpacks to,
// whatever the header of the page states: five bytes ask for eight gigabytes. So every page is unpacked here first, as
// far as its header says, and its runs are added up; it costs a tenth of reading or so.

// pages looks into the pages of a column.
type pages struct {
	repetition, definition byte // the largest levels; 0 where there are none
	length                 int  // of values of a fixed length in bytes; else 0
	codec                  format.CompressionCodec
	zstd                   *zstd.Decoder
	buf                    []byte
}

// pages returns what looks into the pages of a chunk.
func (c *column) pages(codec format.CompressionCodec) *pages {
	p := &pages{definition: c.present, length: c.length, codec: codec}
	if c.list != nil {
		p.repetition, p.definition = 1, c.list.full
	}
	return p
}

// close ends the workers of the decoder.
func (p *pages) close() {
	if p.zstd != nil {
		p.zstd.Close()
	}
}

// check refuses a page that unpacks to more than its header says, or whose runs hold more values.
func (p *pages) check(h *format.PageHeader, packed []byte) error {
	size := int(h.UncompressedPageSize)
	switch h.Type {
	case format.DataPage:
		v1 := &h.DataPageHeader.V
		data, err := p.unpack(packed, size)
		for _, l := range []struct {
			largest  byte
			encoding format.Encoding
		}{{p.repetition, v1.RepetitionLevelEncoding}, {p.definition, v1.DefinitionLevelEncoding}} {
			if err != nil || l.largest == 0 {
				continue
			}
			var levels []byte
			if levels, data, err = counted(data); err == nil && l.encoding == format.RLE {
				err = runs(levels, width(l.largest), v1.NumValues)
			}
		}
		if err != nil {
			return err
		}
		return p.values(data, v1.Encoding, v1.NumValues, len(packed))
	case format.DataPageV2:
		v2 := &h.DataPageHeaderV2.V
		repetition, definition := int(v2.RepetitionLevelsByteLength), int(v2.DefinitionLevelsByteLength)
		data := packed[repetition+definition:]
		var err error
		if p.repetition > 0 {
			err = runs(packed[:repetition], width(p.repetition), v2.NumValues)
		}
		if err == nil && p.definition > 0 {
			err = runs(packed[repetition:repetition+definition], width(p.definition), v2.NumValues)
		}
		if err == nil && (!v2.IsCompressed.Valid || v2.IsCompressed.V) {
			data, err = p.unpack(data, size)
		}
		if err != nil {
			return err
		}
		return p.values(data, v2.Encoding, v2.NumValues, len(packed))
	case format.DictionaryPage:
		_, err := p.unpack(packed, size)
		return err
	}
	return nil
}

func width(largest byte) uint { return uint(bits.Len8(largest)) }

// unpack returns a page as it was before it was packed, which is no larger than stated. It is valid until the next
// call.
func (p *pages) unpack(packed []byte, size int) (data []byte, err error) {
	if p.codec == format.Uncompressed || len(packed) == 0 {
		return packed, nil
	}
	if cap(p.buf) < size {
		p.buf = make([]byte, size)
	}
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
	}
	return nil, errDamaged // there is no other
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

// values refuses values of which the runs hold more than stated, or that come to implausibly much.
func (p *pages) values(data []byte, encoding format.Encoding, stated int32, packed int) error {
	if int64(p.length)*int64(stated) > unpacksTo(packed) {
		return errImplausible
	}
	switch encoding {
	case format.RLEDictionary, plainDictionary:
		if len(data) == 0 {
			return nil
		}
		return runs(data[1:], uint(data[0]), stated)
	case format.RLE: // of booleans
		levels, _, err := counted(data)
		if err != nil {
			return nil // nothing is made room for
		}
		return runs(levels, 1, stated)
	case format.DeltaBinaryPacked, format.DeltaLengthByteArray:
		_, err := deltas(data, stated)
		return err
	case format.DeltaByteArray:
		rest, err := deltas(data, stated)
		if err != nil {
			return err
		}
		if rest, err = deltas(rest, stated); err != nil {
			return err
		}
		prefixes, err := new(delta.BinaryPackedEncoding).DecodeInt32(nil, data)
		total := int64(len(rest))
		for _, n := range prefixes {
			total += int64(n)
		}
		if err != nil || total > unpacksTo(packed) {
			return errImplausible
		}
	}
	return nil
}

// plainDictionary is how files of old call indexes into a dictionary.
const plainDictionary format.Encoding = 2

// unpacksTo is how many bytes packed ones may stand for.
func unpacksTo(packed int) int64 { return 1<<24 + 1000*int64(packed) }

// counted cuts off what is led by its length.
func counted(data []byte) (part, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, errDamaged
	}
	n := binary.LittleEndian.Uint32(data)
	if int64(n) > int64(len(data)-4) {
		return nil, nil, errDamaged
	}
	return data[4 : 4+n], data[4+n:], nil
}

// spare is how many values runs may hold beyond those stated: packed ones are made whole by some that count for
// nothing.
const spare = 1 << 12

// runs adds runs of equal and of packed values up, and refuses more than are stated.
func runs(data []byte, width uint, stated int32) error {
	total := uint64(0)
	for len(data) > 0 {
		u, n := binary.Uvarint(data)
		if n <= 0 {
			return errDamaged
		}
		data = data[n:]
		values, taken := u>>1, uint64(width+7)/8
		if values == 0 {
			continue
		}
		if u&1 == 1 {
			if values > math.MaxInt32 {
				return errDamaged
			}
			values, taken = 8*values, values*uint64(width)
		}
		if total += values; total > uint64(stated)+spare || values > math.MaxInt32 {
			return errImplausible
		}
		if taken > uint64(len(data)) {
			return errDamaged
		}
		data = data[taken:]
	}
	return nil
}

// deltas refuses packed differences of more values than stated, and returns what follows them.
func deltas(data []byte, stated int32) (rest []byte, err error) {
	var header [4]uint64 // values in a block, parts of a block, values, the first one
	for k := range header {
		n := 0
		if header[k], n = binary.Uvarint(data); n <= 0 {
			return nil, errDamaged
		}
		data = data[n:]
	}
	block, parts, left := header[0], header[1], header[2]
	if left > uint64(stated) {
		return nil, errImplausible
	}
	if parts == 0 || block > 1<<16 || parts > block || left == 0 {
		return data, nil
	}
	for left--; left > 0; {
		_, n := binary.Uvarint(data)
		if n <= 0 || uint64(len(data)-n) < parts {
			return nil, errDamaged
		}
		widths := data[n : n+int(parts)]
		data = data[n+int(parts):]
		for _, w := range widths {
			taken := block / parts * uint64(w) / 8
			data = data[min(taken, uint64(len(data))):]
			if left -= min(left, block/parts); left == 0 {
				break
			}
		}
	}
	return data, nil
}
