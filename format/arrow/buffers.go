package arrow

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/dither-data/dither/internal/system/mmap"
)

// errDamaged is the error for whatever a sound file does not say.
var errDamaged = errors.New("not a sound Arrow file: it was damaged or cut short")

// codec is how the buffers of a batch are packed.
type codec int8

const (
	unpacked codec = iota - 1
	lz4Frame
	zstdFrame
)

// All packed buffers of a file may become so many bytes, and so many for each of the file, besides those that its cells
// need: texts, which a file that is made to fill the memory or to take for ever could state without end.
const (
	someBytes    = 1 << 27
	bytesPerByte = 1000
)

// spend takes bytes of those that the file may become, and reports whether there are as many.
func (f *file) spend(n int) bool { return f.spare.Add(-int64(n)) >= 0 }

// overspent reports whether more was asked for.
func (f *file) overspent() bool { return f.spare.Load() < 0 }

// unpacker unpacks buffers of a file, one at a time; it uses its memory again.
type unpacker struct {
	*file
	space *mmap.Space
	room  [][]byte // by buffer of a part
	lz4   *lz4.Reader
}

// free gives its memory back.
func (u *unpacker) free() {
	for _, r := range u.room {
		mmap.Free(u.space, r)
	}
}

var unzstd = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderLowmem(true))
})

// buffer returns a buffer of a part, of at least so many bytes. It is good until the same buffer of another part is
// asked for.
func (u *unpacker) buffer(p *part, k, need int) ([]byte, error) {
	raw := p.bufs[k]
	if p.codec != unpacked && len(raw) > 0 {
		if len(raw) < 8 {
			return nil, errDamaged
		}
		size := int64(binary.LittleEndian.Uint64(raw))
		if raw = raw[8:]; size != -1 { // one that would not get shorter
			if size < int64(need) || size > math.MaxInt64/2 {
				return nil, errDamaged
			}
			if !u.spend(int(size) - need) {
				return nil, errImplausible
			}
			var err error
			if raw, err = u.frame(p.codec, raw, k, int(size)); err != nil {
				return nil, err
			}
		}
	}
	if len(raw) < need {
		return nil, errDamaged
	}
	return raw, nil
}

func (u *unpacker) frame(c codec, raw []byte, k, size int) ([]byte, error) {
	for len(u.room) <= k {
		u.room = append(u.room, nil)
	}
	if cap(u.room[k]) < size {
		mmap.Free(u.space, u.room[k])
		u.room[k] = mmap.Make[byte](u.space, size)
	}
	if c == zstdFrame {
		d, err := unzstd()
		if err != nil {
			return nil, err
		}
		out, err := d.DecodeAll(raw, u.room[k][:0:size])
		if err != nil || len(out) != size {
			return nil, errDamaged
		}
		return out, nil
	}
	if u.lz4 == nil {
		u.lz4 = lz4.NewReader(nil)
	}
	u.lz4.Reset(bytes.NewReader(raw))
	out := u.room[k][:size]
	if _, err := io.ReadFull(u.lz4, out); err != nil {
		return nil, errDamaged
	}
	if n, err := u.lz4.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return nil, errDamaged
	}
	return out, nil
}

// present returns the bits that say which values of a part are there, nil where all are.
func (u *unpacker) present(p *part) (bits, error) {
	if p.nulls == 0 {
		return nil, nil
	}
	return u.buffer(p, 0, (p.rows+7)/8)
}

// bits are truth values, of which the first is the lowest bit of the first byte.
type bits []byte

func (b bits) at(i int) bool { return b[i>>3]>>(i&7)&1 != 0 }

// unsigned returns the whole numbers of so many bytes in a buffer.
func unsigned(data []byte, size int) func(i int) uint64 {
	switch size {
	case 1:
		return func(i int) uint64 { return uint64(data[i]) }
	case 2:
		return func(i int) uint64 { return uint64(binary.LittleEndian.Uint16(data[2*i:])) }
	case 4:
		return func(i int) uint64 { return uint64(binary.LittleEndian.Uint32(data[4*i:])) }
	}
	return func(i int) uint64 { return binary.LittleEndian.Uint64(data[size*i:]) }
}

// signed returns the whole numbers of so many bytes, in two's complement.
func signed(data []byte, size int) func(i int) int64 {
	get, shift := unsigned(data, size), 64-8*min(size, 8)
	return func(i int) int64 { return int64(get(i)<<shift) >> shift }
}

// pack packs a buffer: its length and behind it the frame, or the buffer itself where a frame is no shorter. An empty
// buffer stays empty.
func pack(e *zstd.Encoder, raw []byte) []byte {
	if len(raw) == 0 {
		return nil
	}
	out := binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(raw)/2), uint64(len(raw)))
	if out = e.EncodeAll(raw, out); len(out)-8 < len(raw) {
		return out
	}
	return append(binary.LittleEndian.AppendUint64(out[:0], ^uint64(0)), raw...)
}
