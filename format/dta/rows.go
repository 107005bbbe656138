package dta

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The missing value . of the types; those of .a to .z follow, one, or one step, apart.
const (
	missingByte   = 101
	missingInt    = 32741
	missingLong   = math.MaxInt32 - 26
	missingFloat  = 0x7f000000
	missingDouble = 0x7fe0000000000000
	stepFloat     = 0x800
	stepDouble    = 0x10000000000
)

// rowsPerLook is how many records are read or written between two looks at the context.
const rowsPerLook = 4096

// readRows reads the records.
func (f *file) readRows(ctx context.Context, progress func(done, total int64)) error {
	for _, v := range f.vars {
		if v.num, v.cat = []float64{}, []int32{}; v.text() {
			v.cat = make([]int32, f.rows)
		} else {
			v.num = make([]float64, f.rows)
		}
	}
	at := f.rowsAt
	for i := range f.rows {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(int64(at), int64(len(f.data)))
			}
		}
		for _, v := range f.vars {
			n := v.typ.bytes()
			if b := f.data[at : at+n]; v.text() {
				f.string(v, i, b)
			} else {
				v.number(i, b, f.order, f.rows)
			}
			at += n
		}
	}
	if progress != nil {
		progress(int64(at), int64(len(f.data)))
	}
	return ctx.Err()
}

// string stores a text; the empty one is missing.
func (f *file) string(v *variable, i int, b []byte) {
	if v.typ == strL {
		n := 4
		switch f.release {
		case 118:
			n = 2
		case 119:
			n = 3
		}
		b = f.strings[[2]uint64{unsigned(b[:n], f.order), unsigned(b[n:], f.order)}]
	} else if k := bytes.IndexByte(b, 0); k >= 0 {
		b = b[:k]
	}
	v.cat[i] = -1
	if len(b) == 0 {
		return
	}
	if slices.ContainsFunc(b, func(c byte) bool { return c > 0x7f }) {
		f.beyondASCII = true
		b = []byte(f.decode(b))
	}
	v.cat[i] = v.dict.Code(b)
}

// number stores a number, or the letter of a missing value.
func (v *variable) number(i int, b []byte, order binary.ByteOrder, rows int) {
	var x float64
	past := int64(-1) // how many missing values this one is behind .
	switch v.typ {
	case byter:
		k := int64(int8(b[0]))
		x, past = float64(k), k-missingByte
	case integer:
		k := int64(int16(order.Uint16(b)))
		x, past = float64(k), k-missingInt
	case long:
		k := int64(int32(order.Uint32(b)))
		x, past = float64(k), k-missingLong
	case float:
		bits := order.Uint32(b)
		x, _ = strconv.ParseFloat(strconv.FormatFloat(float64(math.Float32frombits(bits)), 'g', -1, 32), 64)
		if bits < 1<<31 {
			past = (int64(bits) - missingFloat) / stepFloat
		}
		if bits < missingFloat {
			past = -1
		}
	case strL: // no number
	case double:
		bits := order.Uint64(b)
		x = math.Float64frombits(bits)
		if bits >= missingDouble && bits < 1<<63 {
			past = int64((bits - missingDouble) / stepDouble)
		}
	}
	if past >= 0 || math.IsInf(x, 0) || x != x {
		x = nan
	}
	v.num[i] = x + 0
	if past >= 1 && past <= 26 {
		if v.letters == nil {
			v.letters = make([]byte, rows)
		}
		v.letters[i] = byte('a' + past - 1)
	}
}

// dateUnit tells how a format counts dates: in days (d), or in thousandths of a second without leap seconds (c) or with
// them (C); 0 for any other.
func dateUnit(format string) byte {
	f := strings.TrimPrefix(strings.TrimPrefix(format, "%"), "-")
	switch {
	case strings.HasPrefix(f, "td"), strings.HasPrefix(f, "d"):
		return 'd'
	case strings.HasPrefix(f, "tc"):
		return 'c'
	case strings.HasPrefix(f, "tC"):
		return 'C'
	}
	return 0
}
