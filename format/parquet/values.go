package parquet

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go/format"

	"github.com/dither-data/dither/format/dialect"
)

// values are those of a page or a dictionary, each as the bytes that it is plainly written with; a truth value is one
// byte.
type values struct {
	n     int
	width int      // bytes of each; 0 where places say
	data  []byte   // of the file, or buf
	place [][2]int // where each begins and ends, where they are of any length

	buf    []byte // room that is used again, and so are these:
	ints   []int64
	before []int64
}

func (v *values) len() int { return v.n }

// at returns the bytes of a value.
func (v *values) at(i int) []byte {
	if v.width > 0 {
		return v.data[i*v.width : (i+1)*v.width : (i+1)*v.width]
	}
	p := v.place[i]
	return v.data[p[0]:p[1]:p[1]]
}

// decode reads n values of a page of so many packed bytes. The error for an encoding that is none of the type is that
// the column cannot be held.
func (v *values) decode(data []byte, encoding format.Encoding, typ format.Type, width, n, packed int) error {
	text := typ == format.ByteArray
	switch {
	case encoding == format.Plain:
		return v.plain(data, typ, width, n)
	case encoding == format.RLE && typ == format.Boolean:
		return v.runs(data, n)
	case encoding == format.DeltaBinaryPacked && (typ == format.Int32 || typ == format.Int64):
		return v.differences(data, width, n)
	case encoding == format.DeltaLengthByteArray && text:
		return v.lengths(data, n)
	case encoding == format.DeltaByteArray && (text || typ == format.FixedLenByteArray):
		return v.prefixes(data, width, n, unpacksTo(packed))
	case encoding == format.ByteStreamSplit && width > 0 && typ != format.Boolean && typ != format.Int96:
		return v.split(data, width, n)
	}
	return dialect.Unheld(fmt.Sprintf("it is encoded as %v, which is not supported for %v", encoding, typ))
}

// plain reads values one behind the other. Truth values take a bit each, and those of any length follow it.
func (v *values) plain(data []byte, typ format.Type, width, n int) error {
	v.n, v.width, v.data = n, width, data
	switch {
	case typ == format.Boolean:
		if (n+7)/8 > len(data) {
			return errDamaged
		}
		v.buf = sized(v.buf, n)
		unpackLowest(data, 1, v.buf)
		v.data = v.buf
	case width > 0:
		if int64(n)*int64(width) > int64(len(data)) {
			return errDamaged
		}
	default:
		if int64(n)*4 > int64(len(data)) {
			return errDamaged
		}
		v.place = sized(v.place, n)
		at := 0
		for i := range v.place {
			if at+4 > len(data) {
				return errDamaged
			}
			size := int64(binary.LittleEndian.Uint32(data[at:]))
			if at += 4; size > int64(len(data)-at) {
				return errDamaged
			}
			v.place[i] = [2]int{at, at + int(size)}
			at += int(size)
		}
	}
	return nil
}

// runs reads truth values in runs, behind their length.
func (v *values) runs(data []byte, n int) error {
	runs, _, err := counted(data)
	if err != nil {
		return err
	}
	v.buf = sized(v.buf, n)
	v.n, v.width, v.data = n, 1, v.buf
	return hybrid(runs, 1, v.buf)
}

// differences reads whole numbers of 32 or 64 bits; those of 32 wrap around as such.
func (v *values) differences(data []byte, width, n int) (err error) {
	if v.ints, _, err = deltas(data, v.ints, n, n); err != nil {
		return err
	}
	v.buf = sized(v.buf, n*width)
	v.n, v.width, v.data = n, width, v.buf
	for i, k := range v.ints[:n] {
		if width == 4 {
			binary.LittleEndian.PutUint32(v.buf[4*i:], uint32(k))
		} else {
			binary.LittleEndian.PutUint64(v.buf[8*i:], uint64(k))
		}
	}
	return nil
}

// lengths reads values that stand behind the lengths of all.
func (v *values) lengths(data []byte, n int) (err error) {
	if v.ints, data, err = deltas(data, v.ints, n, n); err != nil {
		return err
	}
	v.place = sized(v.place, n)
	v.n, v.width, v.data = n, 0, data
	at := 0
	for i, size := range v.ints[:n] {
		if size < 0 || size > int64(len(data)-at) {
			return errDamaged
		}
		v.place[i] = [2]int{at, at + int(size)}
		at += int(size)
	}
	return nil
}

// prefixes reads values of which each begins with some bytes of the one before; they come to so many bytes at most.
func (v *values) prefixes(data []byte, width, n int, most int64) (err error) {
	if v.before, data, err = deltas(data, v.before, n, n); err != nil {
		return err
	}
	if v.ints, data, err = deltas(data, v.ints, n, n); err != nil {
		return err
	}
	v.place, v.buf = sized(v.place, n), v.buf[:0]
	last := [2]int{}
	for i, more := range v.ints[:n] {
		same := v.before[i]
		if same < 0 || more < 0 || same > int64(last[1]-last[0]) || more > int64(len(data)) ||
			width > 0 && same+more != int64(width) {
			return errDamaged
		}
		if int64(len(v.buf))+same+more > most {
			return errImplausible
		}
		at := len(v.buf)
		v.buf = append(append(v.buf, v.buf[last[0]:last[0]+int(same)]...), data[:more]...)
		data = data[more:]
		last = [2]int{at, len(v.buf)}
		v.place[i] = last
	}
	v.n, v.width, v.data = n, width, v.buf
	return nil
}

// split reads values whose first bytes stand before all second bytes, and so on.
func (v *values) split(data []byte, width, n int) error {
	if int64(n)*int64(width) > int64(len(data)) {
		return errDamaged
	}
	v.buf = sized(v.buf, n*width)
	v.n, v.width, v.data = n, width, v.buf
	for i := range n {
		for k := range width {
			v.buf[i*width+k] = data[k*n+i]
		}
	}
	return nil
}
