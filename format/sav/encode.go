package sav

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/dither-data/dither/format/codebook"
)

// le is the order of bytes of files that are written.
var le interface {
	binary.ByteOrder
	binary.AppendByteOrder
} = binary.LittleEndian

// records builds the dictionary.
type records struct{ b []byte }

func (r *records) ints(list ...int32) {
	for _, v := range list {
		r.b = le.AppendUint32(r.b, uint32(v))
	}
}

func (r *records) floats(list ...float64) {
	for _, v := range list {
		r.b = le.AppendUint64(r.b, math.Float64bits(v))
	}
}

// text appends a text of so many bytes, with blanks behind.
func (r *records) text(s string, n int) {
	r.b = append(append(r.b, s...), strings.Repeat(" ", n-len(s))...)
}

// extension appends one of bytes.
func (r *records) extension(subtype int32, data []byte) {
	if len(data) > 0 {
		r.ints(7, subtype, 1, int32(len(data)))
		r.b = append(r.b, data...)
	}
}

// bias is taken from small whole numbers that are written in one byte.
const bias = 100

// dictionary returns all that comes before the data.
func dictionary(vars []output, sets []codebook.Responses, rows int, z bool) []byte {
	r, packing, magic := &records{}, int32(1), "$FL2"
	if z {
		packing, magic = 2, "$FL3"
	}
	elements, weight := 0, int32(0)
	first := make([]int32, len(vars)) // element of each variable, from 1
	for k := range vars {
		first[k] = int32(elements + 1)
		elements += vars[k].elements()
		if vars[k].Var.Weight && vars[k].width == 0 {
			weight = first[k]
		}
	}
	r.text(magic, 4)
	r.text("@(#) SPSS DATA FILE written by dither", 60)
	r.ints(2, int32(elements), packing, weight, int32(rows))
	r.floats(bias)
	r.text("01 Jan 7000:00:00", 17)
	r.text("", 64)
	r.b = append(r.b, 0, 0, 0)
	for k := range vars {
		r.variable(&vars[k])
	}
	for k := range vars {
		r.labels(&vars[k], first[k])
	}
	r.ints(7, 3, 4, 8, 1, 0, 0, -1, 1, 1, 2, 65001)
	r.ints(7, 4, 8, 3)
	r.floats(sysmis, highest, lowest)
	r.responses(sets, vars)
	r.extensions(vars)
	r.ints(999, 0)
	return r.b
}

// elements is of how many times eight bytes a value is.
func (v *output) elements() int {
	if v.width == 0 {
		return 1
	}
	n := len(v.more)
	return 32*n + (v.width-n*effective+7)/8
}

// variable appends the records of a variable.
func (r *records) variable(v *output) {
	spans, singles := missing(v.Var.Missing)
	label := clip(v.Var.Label, bytesHeld)
	for k := range 1 + len(v.more) {
		width, print := v.width, v.print
		if len(v.more) > 0 {
			if width = segment; k == len(v.more) {
				width = v.width - k*effective
			}
			print = 1<<16 | int32(width)<<8
		}
		short := v.short
		if k > 0 {
			short, label = v.more[k-1], ""
		}
		words := v.Var.Words
		if k > 0 || v.width == 0 || v.width > 8 || len(words) > 3 {
			words = nil
		}
		n := int32(len(singles) + len(words))
		if len(spans) > 0 {
			n = -2 - n
		}
		r.ints(2, int32(width), int32(btoi(label != "")), n, print, print)
		r.text(short, 8)
		if label != "" {
			r.ints(int32(len(label)))
			r.text(label, (len(label)+3)/4*4)
		}
		r.floats(spans...)
		r.floats(singles...)
		for _, w := range words {
			r.text(clip(w, 8), 8)
		}
		for w := 8; w < width; w += 8 {
			r.ints(2, -1, 0, 0, print, print)
			r.text("", 8)
		}
	}
}

// missing returns declared missing values as a file holds them: one range, and single numbers; none where they are more
// than that.
func missing(declared []codebook.Span) (spans, singles []float64) {
	for _, s := range declared {
		if s.Lo == s.Hi {
			singles = append(singles, s.Lo)
		} else {
			spans = append(spans, s.Lo, s.Hi)
		}
	}
	if len(spans) > 2 || len(spans)+len(singles) > 3 {
		return nil, nil
	}
	return spans, singles
}

// labels appends the labels of a variable's values, but for those of strings of more than eight bytes.
func (r *records) labels(v *output, first int32) {
	if len(v.Labels) == 0 || v.width > 8 {
		return
	}
	r.ints(3, int32(len(v.Labels)))
	for _, l := range v.Labels {
		if v.width > 0 {
			r.text(l.Word, 8)
		} else {
			r.floats(l.Number)
		}
		r.b = append(r.b, byte(len(l.Label)))
		r.text(l.Label, (len(l.Label)+8)/8*8-1)
	}
	r.ints(4, 1, first)
}

// extensions appends how variables are shown, long names, very long strings, attributes, the encoding and the labels of
// strings.
func (r *records) extensions(vars []output) {
	var shown []int32
	var names, long, attrs []string
	var labels records
	for k := range vars {
		v := &vars[k]
		measure, align := int32(3), int32(1)
		if v.Coded != nil || v.width > 0 {
			measure = 1
		}
		if v.width > 0 {
			align = 0
		}
		for range 1 + len(v.more) {
			shown = append(shown, measure, int32(max(8, min(v.width, 40))), align)
		}
		names = append(names, v.short+"="+v.name)
		if v.width > longest {
			long = append(long, fmt.Sprintf("%s=%05d\x00\t", v.short, v.width))
		}
		if len(v.attrs) > 0 {
			text := v.name + ":"
			for _, a := range v.attrs {
				text += a[0] + "('" + a[1] + "'\n)"
			}
			attrs = append(attrs, text)
		}
		if v.width > 8 && len(v.Labels) > 0 {
			labels.ints(int32(len(v.name)))
			labels.text(v.name, len(v.name))
			labels.ints(int32(v.width), int32(len(v.Labels)))
			for _, l := range v.Labels {
				labels.ints(int32(v.width))
				labels.text(l.Word, v.width)
				labels.ints(int32(len(l.Label)))
				labels.text(l.Label, len(l.Label))
			}
		}
	}
	r.ints(7, 11, 4, int32(len(shown)))
	r.ints(shown...)
	r.extension(13, []byte(strings.Join(names, "\t")))
	r.extension(14, []byte(strings.Join(long, "")))
	r.extension(18, []byte(strings.Join(attrs, "/")))
	r.extension(20, []byte("UTF-8"))
	r.extension(21, labels.b)
}

// encoder compresses values by bytes: a group is eight codes and then what they do not say themselves.
type encoder struct {
	out   io.Writer
	codes []byte
	rest  []byte
	err   error
	buf   []byte
	z     *deflater // nil for plain .sav
}

func newEncoder(out io.Writer) *encoder { return &encoder{out: out} }

func (e *encoder) code(c byte) {
	e.codes = append(e.codes, c)
	if len(e.codes) == 8 {
		e.flush()
	}
}

// raw is an element that has no code. A group that is full is written with it.
func (e *encoder) raw(b []byte) {
	e.rest = append(e.rest, b...)
	e.code(codeRaw)
}

func (e *encoder) flush() {
	if len(e.codes) == 0 || e.err != nil {
		return
	}
	for len(e.codes) < 8 {
		e.codes = append(e.codes, codeNothing)
	}
	if _, e.err = e.out.Write(e.codes); e.err == nil {
		_, e.err = e.out.Write(e.rest)
	}
	e.codes, e.rest = e.codes[:0], e.rest[:0]
}

func (e *encoder) number(x float64) {
	switch {
	case x == sysmis:
		e.code(codeMissing)
	case x == math.Trunc(x) && x > -bias && x < codeEnd-bias:
		e.code(byte(x + bias))
	default:
		var b [8]byte
		le.PutUint64(b[:], math.Float64bits(x))
		e.raw(b[:])
	}
}

// text writes a string in the elements that its width takes; a very long one in segments.
func (e *encoder) text(s string, width int) {
	if width <= longest {
		e.pad(s, (width+7)/8*8)
		return
	}
	n := (width + effective - 1) / effective
	for k := range n {
		size := 256
		if k == n-1 {
			size = (width - k*effective + 7) / 8 * 8
		}
		part := s[min(len(s), k*segment):min(len(s), (k+1)*segment)]
		e.pad(part, size)
	}
}

func (e *encoder) pad(s string, size int) {
	e.buf = append(e.buf[:0], s...)
	for len(e.buf) < size {
		e.buf = append(e.buf, ' ')
	}
	for k := 0; k < size; k += 8 {
		if part := e.buf[k : k+8]; string(part) == "        " {
			e.code(codeBlanks)
		} else {
			e.raw(part)
		}
	}
}

func (e *encoder) close() error {
	e.flush()
	if e.z != nil && e.err == nil {
		e.err = e.z.close()
	}
	return e.err
}

// deflater compresses what is compressed by bytes once more, in blocks. The place of its end stands before them, so
// they are held until they are complete.
type deflater struct {
	out    io.Writer
	start  int // in the file
	block  []byte
	packed bytes.Buffer
	ends   records // what the trailer says of the blocks
	count  int32
	full   int64
}

const blockBytes = 0x3ff000

func newDeflater(out io.Writer, start int) *encoder {
	z := &deflater{out: out, start: start}
	return &encoder{out: z, z: z}
}

// Write takes bytes into blocks.
func (z *deflater) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		take := min(len(p), blockBytes-len(z.block))
		z.block, p = append(z.block, p[:take]...), p[take:]
		if len(z.block) == blockBytes {
			if err := z.flush(); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

func (z *deflater) flush() error {
	if len(z.block) == 0 {
		return nil
	}
	at := z.packed.Len()
	w := zlib.NewWriter(&z.packed)
	if _, err := w.Write(z.block); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	z.ends.longs(int64(z.start)+z.full, int64(z.start+24+at))
	z.ends.ints(int32(len(z.block)), int32(z.packed.Len()-at))
	z.full += int64(len(z.block))
	z.count++
	z.block = z.block[:0]
	return nil
}

func (r *records) longs(list ...int64) {
	for _, v := range list {
		r.b = le.AppendUint64(r.b, uint64(v))
	}
}

func (z *deflater) close() error {
	if err := z.flush(); err != nil {
		return err
	}
	var head, tail records
	head.longs(int64(z.start), int64(z.start+24+z.packed.Len()), int64(24+len(z.ends.b)))
	tail.longs(-bias, 0)
	tail.ints(blockBytes, z.count)
	tail.b = append(tail.b, z.ends.b...)
	for _, part := range [][]byte{head.b, z.packed.Bytes(), tail.b} {
		if _, err := z.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}
