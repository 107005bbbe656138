package sav

import (
	"bytes"
	"compress/zlib"
	"context"
	"io"
	"math"
)

// casesPerLook is how many cases are read or written between two looks at the context.
const casesPerLook = 4096

// readCases reads the data.
func (f *file) readCases(ctx context.Context, progress func(done, total int64)) error {
	if len(f.vars) == 0 {
		return f.fault("there is no variable")
	}
	d := &elements{data: f.data[f.pos:], packed: f.packing > 0, file: f}
	if f.packing == 2 {
		var err error
		if d.data, err = f.inflate(); err != nil {
			return err
		}
	}
	row := make([]byte, 8*len(f.elements))
	var word []byte
	n := 0
	for ; f.cases < 0 || n < f.cases; n++ {
		if n%casesPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(int64(len(f.data))*int64(d.pos)/int64(max(1, len(d.data))), int64(len(f.data)))
			}
		}
		whole := true
		for k := range f.elements {
			ok := d.next(row[8*k : 8*k+8])
			if !ok && k > 0 {
				f.short = true
				return f.fault("")
			}
			if whole = ok; !ok {
				break
			}
		}
		if !whole {
			if f.cases >= 0 {
				f.short = true
				return f.fault("")
			}
			break
		}
		for _, v := range f.vars {
			word = f.value(v, row, word[:0])
		}
	}
	for _, v := range f.vars {
		if v.num == nil {
			v.num = []float64{}
		}
		if v.cat == nil {
			v.cat = []int32{}
		}
	}
	return nil
}

// value takes the value of a variable out of a case.
func (f *file) value(v *variable, row, word []byte) []byte {
	at := row[8*v.first:]
	if v.width == 0 {
		x := math.Float64frombits(f.order.Uint64(at))
		if x == sysmis || math.IsInf(x, 0) {
			x = nan
		}
		v.num = append(v.num, x+0)
		return word
	}
	if v.segments == 1 {
		word = append(word, at[:v.width]...)
	} else {
		for k := range v.segments {
			left := v.width - len(word)
			word = append(word, at[256*k:][:max(0, min(segment, left, len(at)-256*k))]...)
		}
	}
	code := int32(-1)
	if w := filledUp(word); len(w) > 0 {
		code = v.dict.Code(w)
	}
	v.cat = append(v.cat, code)
	return word
}

// inflate returns the data that zlib has compressed.
func (f *file) inflate() ([]byte, error) {
	f.long()
	trailer, size := f.long(), f.long()
	if f.short || trailer < int64(f.pos) || trailer > int64(len(f.data)) || size < 24 ||
		size > int64(len(f.data))-trailer {
		return nil, f.fault("the compressed data have no end")
	}
	t := bytesReader{data: f.data[trailer : trailer+size], pos: 20, order: f.order}
	var out bytes.Buffer
	for range t.int() {
		t.long()
		at, full, packed := t.long(), int64(t.int()), int64(t.int())
		if t.short || at < 0 || packed < 0 || at > trailer || packed > trailer-at || full < 0 || full > 1100*packed+1100 {
			return nil, f.fault("a compressed block is not where it should be")
		}
		r, err := zlib.NewReader(bytes.NewReader(f.data[at : at+packed]))
		if err == nil {
			_, err = io.CopyN(&out, r, full)
		}
		if err != nil {
			return nil, f.fault("a compressed block is damaged")
		}
	}
	return out.Bytes(), nil
}

// elements reads the eight bytes of one value, or of part of a string, after the other.
type elements struct {
	data   []byte
	pos    int
	packed bool
	codes  []byte // that are left of a group of eight
	file   *file
}

// The codes of compressed data; from 1 to 251 they are numbers less the bias.
const (
	codeNothing = 0
	codeEnd     = 252
	codeRaw     = 253
	codeBlanks  = 254
	codeMissing = 255
)

// next puts the next element into dst, and reports whether there is one.
func (e *elements) next(dst []byte) bool {
	for {
		if !e.packed {
			return e.raw(dst)
		}
		if len(e.codes) == 0 {
			if len(e.data)-e.pos < 8 {
				return false
			}
			e.codes = e.data[e.pos : e.pos+8]
			e.pos += 8
		}
		c := e.codes[0]
		e.codes = e.codes[1:]
		switch c {
		case codeNothing:
			continue
		case codeEnd:
			return false
		case codeRaw:
			return e.raw(dst)
		case codeBlanks:
			copy(dst, "        ")
		case codeMissing:
			e.file.order.PutUint64(dst, math.Float64bits(sysmis))
		default:
			e.file.order.PutUint64(dst, math.Float64bits(float64(c)-e.file.bias))
		}
		return true
	}
}

func (e *elements) raw(dst []byte) bool {
	if len(e.data)-e.pos < 8 {
		return false
	}
	copy(dst, e.data[e.pos:e.pos+8])
	e.pos += 8
	return true
}
