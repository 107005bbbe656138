package parquet

import (
	"encoding/binary"
	"math/bits"
)

// width is how many bits levels up to the largest take.
func width(largest byte) uint { return uint(bits.Len8(largest)) }

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

// spare is how many values runs may hold beyond those that are needed: packed ones are made whole by some that count
// for nothing.
const spare = 1 << 12

// hybrid fills out with values of so many bits, 32 at most, that stand in runs of one value or of packed ones (Parquet
// format specification, Encodings.md: RLE/bit-packing hybrid). Fewer than are needed are an error, and so are many
// more.
func hybrid[T byte | uint32](data []byte, width uint, out []T) error {
	for len(out) > 0 {
		u, n := binary.Uvarint(data)
		if n <= 0 {
			return errDamaged
		}
		data = data[n:]
		values := u >> 1
		if values > uint64(len(out))+spare {
			return errImplausible
		}
		if u&1 == 0 {
			size := int(width+7) / 8
			if size > len(data) {
				return errDamaged
			}
			var word [8]byte
			copy(word[:], data[:size])
			v := T(binary.LittleEndian.Uint64(word[:]))
			data = data[size:]
			n = min(int(values), len(out))
			for i := range out[:n] {
				out[i] = v
			}
		} else {
			size := int(values) * int(width) // eight values a time
			n = min(8*int(values), len(out))
			if size > len(data) {
				// some writers cut the last packed values short where the rest counts for nothing
				if size = len(data); (n*int(width)+7)/8 > size {
					return errDamaged
				}
			}
			unpackLowest(data[:size], int(width), out[:n])
			data = data[size:]
		}
		out = out[n:]
	}
	return nil
}

// unpackLowest reads values of so many bits, 56 at most, of which the first is the lowest of the first byte.
func unpackLowest[T byte | uint32](data []byte, width int, out []T) {
	mask, at := uint64(1)<<width-1, 0
	for i := range out {
		out[i] = T(window(data, at>>3) >> (at & 7) & mask)
		at += width
	}
}

// window is eight bytes from a place on, with zeros behind the end.
func window(data []byte, at int) uint64 {
	if at+8 <= len(data) {
		return binary.LittleEndian.Uint64(data[at:])
	}
	var word [8]byte
	if at < len(data) {
		copy(word[:], data[at:])
	}
	return binary.LittleEndian.Uint64(word[:])
}

// unpackHighest reads values of so many bits, of which the first is the highest of the first byte.
func unpackHighest(data []byte, width int, out []byte) {
	for i := range out {
		v := byte(0)
		for at := i * width; at < (i+1)*width; at++ {
			v = v<<1 | data[at>>3]>>(7-at&7)&1
		}
		out[i] = v
	}
}

// deltas reads whole numbers that are held as differences (Encodings.md: DELTA_BINARY_PACKED), at least need of them
// and at most stated, and returns what follows them. Sums wrap around as those of 64 bits do.
func deltas(data []byte, out []int64, need, stated int) (_ []int64, rest []byte, err error) {
	var header [4]uint64 // values in a block, parts of a block, values, the first one
	for k := range header {
		n := 0
		if header[k], n = binary.Uvarint(data); n <= 0 {
			return nil, nil, errDamaged
		}
		data = data[n:]
	}
	block, parts, total := header[0], header[1], header[2]
	if total > uint64(stated) {
		return nil, nil, errImplausible
	}
	if total < uint64(need) || parts == 0 || block > 1<<16 || parts > block || block%parts != 0 {
		return nil, nil, errDamaged
	}
	if out = sized(out, int(total))[:0]; total == 0 {
		return out, data, nil
	}
	last, size := unzigzag(header[3]), int(block/parts)
	out = append(out, last)
	for left := int(total) - 1; left > 0; {
		least, n := binary.Uvarint(data)
		if n <= 0 || uint64(len(data)-n) < parts {
			return nil, nil, errDamaged
		}
		widths := data[n : n+int(parts)]
		data = data[n+int(parts):]
		by := unzigzag(least)
		for _, w := range widths {
			if left == 0 { // nothing follows for the parts that have no value
				break
			}
			bytes := size * int(w) / 8
			if w > 64 || bytes > len(data) && (min(left, size)*int(w)+7)/8 > len(data) {
				return nil, nil, errDamaged
			}
			bytes = min(bytes, len(data))
			for i := range min(left, size) {
				last += by + int64(bitsAt(data[:bytes], i*int(w), uint(w)))
				out = append(out, last)
			}
			left -= min(left, size)
			data = data[bytes:]
		}
	}
	return out, data, nil
}

func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// bitsAt returns a value of so many bits, 64 at most, that begins at a bit.
func bitsAt(data []byte, at int, width uint) uint64 {
	shift := uint(at & 7)
	v := window(data, at>>3) >> shift
	if shift+width > 64 {
		v |= window(data, at>>3+8) << (64 - shift)
	}
	if width == 64 {
		return v
	}
	return v & (1<<width - 1)
}
