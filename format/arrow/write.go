package arrow

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/instant"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/table"
)

// batchRows is how many records a batch has.
const batchRows = 1 << 16

// output is a column to be written.
type output struct {
	name    string
	typ     typ
	index   typ    // of the codes of a dictionary
	entries *array // of the dictionary
	values  *array // or codes
}

// array is values of a type; which of the functions there is depends on that.
type array struct {
	typ     typ
	rows    int
	missing func(i int) bool
	whole   func(i int) int64 // of numbers but floating-point ones, dates and booleans
	real    func(i int) float64
	exact   func(i int) *big.Int // of decimals, before scaling
	text    func(i int) string
}

// write writes the table as a file, or as a stream, whose buffers are not packed: it goes from program to program, and
// not all of them can unpack. It fails on names and labels that are not UTF-8, on infinite
// numbers and on sets. Cost: O(cells).
func write(ctx context.Context, w io.Writer, t *table.Table, opt *dialect.Options, stream bool) error {
	outs := make([]output, t.Width())
	for j := range outs {
		c := t.Column(j)
		if err := outs[j].settle(&c, opt.Types[c.Name]); err != nil {
			return fmt.Errorf("column %q %w", c.Name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	m := newMessenger(w)
	if !stream {
		m.write([]byte(magic + "\x00\x00"))
	}
	columns := make(list, len(outs))
	for j := range outs {
		columns[j] = outs[j].typ.field(outs[j].name, j, outs[j].index)
	}
	kept := func(name string) bool { return opt.Types[name] == outs[t.Find(name)].typ.String() }
	schema := schemaWith(columns, dialect.PandasOf(opt.Pandas, t, kept))
	m.message(headSchema, schema, nil)
	for j := range outs {
		if d := outs[j].entries; d != nil {
			head, body := batch([]packed{d.pack(0, d.rows, !stream)}, d.rows, !stream)
			m.message(headDictionary, fields{int64(j), head}, body)
		}
	}
	for lo := 0; lo < t.Rows(); lo += batchRows {
		hi := min(lo+batchRows, t.Rows())
		parts := make([]packed, len(outs))
		if err := parallel.Each(ctx, len(outs),
			func(j int) error { parts[j] = outs[j].values.pack(lo, hi, !stream); return nil }); err != nil {
			return err
		}
		head, body := batch(parts, hi-lo, !stream)
		if m.message(headBatch, head, body); m.err != nil {
			return m.err
		}
		if opt.Progress != nil {
			opt.Progress(int64(hi), int64(t.Rows()))
		}
	}
	m.write(binary.LittleEndian.AppendUint64(nil, marker)) // and a message without bytes
	if !stream {
		foot := flatten(fields{int16(versionV5), schema, longs{3, m.dicts}, longs{3, m.batches}})
		m.write(binary.LittleEndian.AppendUint32(foot, uint32(len(foot))))
		m.write([]byte(magic))
	}
	if m.err != nil {
		return m.err
	}
	return m.w.Flush()
}

// versionV5 is the version of the metadata that is written.
const versionV5 = 4

// messenger writes messages, and notes where they are.
type messenger struct {
	w              *bufio.Writer
	at             int64
	dicts, batches []int64 // place, length of the metadata and of the body
	err            error
}

func newMessenger(w io.Writer) *messenger { return &messenger{w: bufio.NewWriterSize(w, 1<<16)} }

func (m *messenger) write(b []byte) {
	if m.err == nil {
		_, m.err = m.w.Write(b)
		m.at += int64(len(b))
	}
}

// message writes a message: its metadata, and its body in pieces, which are filled up to multiples of eight bytes.
func (m *messenger) message(kind byte, head fields, body [][]byte) {
	size, start := int64(0), m.at
	for _, b := range body {
		size += padded(len(b))
	}
	meta := flatten(fields{int16(versionV5), kind, head, size})
	lead := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, marker), uint32(len(meta)))
	m.write(append(lead, meta...))
	block := []int64{start, m.at - start, size}
	for _, b := range body {
		m.write(b)
		m.write(make([]byte, padded(len(b))-int64(len(b))))
	}
	switch kind {
	case headDictionary:
		m.dicts = append(m.dicts, block...)
	case headBatch:
		m.batches = append(m.batches, block...)
	}
}

func padded(n int) int64 { return int64(n+7) &^ 7 }

// packed is the values of an array in some rows, as they stand in a batch.
type packed struct {
	rows, nulls int
	bufs        [][]byte
}

// batch returns the metadata and the body of a batch, whose buffers are packed with Zstandard or not.
func batch(parts []packed, rows int, zstd bool) (head fields, body [][]byte) {
	lengths, places := longs{of: 2}, longs{of: 2}
	at := int64(0)
	for _, p := range parts {
		lengths.values = append(lengths.values, int64(p.rows), int64(p.nulls))
		for _, b := range p.bufs {
			places.values = append(places.values, at, int64(len(b)))
			at += padded(len(b))
			body = append(body, b)
		}
	}
	head = fields{int64(rows), lengths, places}
	if zstd {
		head = append(head, fields{byte(zstdFrame), byte(0)})
	}
	return head, body
}

var zstdEncoder = sync.OnceValues(func() (*zstd.Encoder, error) { return zstd.NewWriter(nil) })

// pack returns the values of rows lo to hi-1, whose buffers are packed with Zstandard or not.
func (a *array) pack(lo, hi int, zstd bool) packed {
	p := packed{rows: hi - lo}
	there := make([]byte, (hi-lo+7)/8)
	for i := lo; i < hi; i++ {
		if a.missing(i) {
			p.nulls++
		} else {
			there[(i-lo)/8] |= 1 << ((i - lo) % 8)
		}
	}
	if a.typ.kind == "null" {
		return p
	}
	if p.nulls == 0 {
		there = nil
	}
	p.bufs = append(p.bufs, there)
	switch {
	case a.typ.kind == "bool":
		p.bufs = append(p.bufs, a.bits(lo, hi))
	case a.typ.isText():
		p.bufs = append(p.bufs, a.texts(lo, hi)...)
	default:
		p.bufs = append(p.bufs, a.numbers(lo, hi))
	}
	if zstd {
		e, err := zstdEncoder()
		if err != nil {
			panic("arrow: " + err.Error()) // it has no options that could be wrong
		}
		for k, b := range p.bufs {
			p.bufs[k] = pack(e, b)
		}
	}
	return p
}

func (a *array) bits(lo, hi int) []byte {
	out := make([]byte, (hi-lo+7)/8)
	for i := lo; i < hi; i++ {
		if !a.missing(i) && a.whole(i) != 0 {
			out[(i-lo)/8] |= 1 << ((i - lo) % 8)
		}
	}
	return out
}

// texts returns where the texts begin and end, and the texts.
func (a *array) texts(lo, hi int) [][]byte {
	var data []byte
	size := a.typ.bytes()
	places := make([]byte, size, size*(hi-lo+1))
	for i := lo; i < hi; i++ {
		if !a.missing(i) {
			data = append(data, a.text(i)...)
		}
		if size == 4 {
			places = binary.LittleEndian.AppendUint32(places, uint32(len(data)))
		} else {
			places = binary.LittleEndian.AppendUint64(places, uint64(len(data)))
		}
	}
	return [][]byte{places, data}
}

// numbers returns values of as many bytes each; missing ones are zeros.
func (a *array) numbers(lo, hi int) []byte {
	size := a.typ.bytes()
	out := make([]byte, size*(hi-lo))
	for i := lo; i < hi; i++ {
		if a.missing(i) {
			continue
		}
		b := out[size*(i-lo) : size*(i-lo+1)]
		var k int64
		switch {
		case a.typ.kind == "decimal":
			putBig(b, a.exact(i))
			continue
		case a.typ.kind != "float":
			k = a.whole(i)
		case size == 8:
			k = int64(math.Float64bits(a.real(i)))
		case size == 4:
			k = int64(math.Float32bits(float32(a.real(i))))
		default:
			k = int64(decimal.ToHalf(a.real(i)))
		}
		switch size {
		case 1:
			b[0] = byte(k)
		case 2:
			binary.LittleEndian.PutUint16(b, uint16(k))
		case 4:
			binary.LittleEndian.PutUint32(b, uint32(k))
		default:
			binary.LittleEndian.PutUint64(b, uint64(k))
		}
	}
	return out
}

// putBig puts a whole number into bytes that have room for it, in two's complement, the least significant one first.
func putBig(b []byte, k *big.Int) {
	if k.Sign() < 0 {
		k = new(big.Int).Add(k, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	k.FillBytes(b)
	slices.Reverse(b)
}

// settle settles how a column is written: as the wished type if it holds all values so that they come back the same.
func (o *output) settle(c *table.Column, wish string) error {
	o.name = c.Name
	if !utf8.ValidString(c.Name) {
		return errors.New("has a name that is not UTF-8 text")
	}
	t, ok := parseType(wish)
	if t.isView() {
		t.kind = strings.TrimSuffix(t.kind, "_view")
	}
	if t.zone == "utc" { // of a Parquet file
		t.zone = "UTC"
	}
	a := &array{rows: c.Len(), missing: c.MissingAt}
	o.values = a
	switch c.Kind {
	case table.SetValued:
		return fmt.Errorf("is %s, which Arrow files are not written with", c.Kind)
	case table.Categorical:
		return o.categories(c, t, ok)
	case table.Numeric:
	}
	for i, v := range c.Num {
		if math.IsInf(v, 0) {
			return fmt.Errorf("is infinite in row %d", i+1)
		}
	}
	if c.Dates != "" {
		l, err := dialect.Writable(*c)
		if err != nil {
			return err
		}
		a.dates(c, l, t)
	} else {
		a.ofNumbers(c, t)
	}
	o.typ = a.typ
	return nil
}

// ofNumbers makes an array of a column of numbers.
func (a *array) ofNumbers(c *table.Column, wish typ) {
	if a.typ = wish; !wish.holdsNumbers(c.Num) {
		a.typ = typ{kind: "float", bits: 64}
		if long := (typ{kind: "int", bits: 64}); c.Step == 1 && long.holdsNumbers(c.Num) {
			a.typ = long
		}
	}
	t := a.typ
	a.real = func(i int) float64 { return c.Num[i] }
	a.whole = func(i int) int64 { return int64(c.Num[i]) }
	a.exact = func(i int) *big.Int {
		k, _ := decimal.Unscaled(c.Num[i], t.scale, t.precision)
		return k
	}
}

// holdsNumbers reports whether every number comes back the same from a column of the type.
func (t typ) holdsNumbers(num []float64) bool {
	lo, hi := -portable.Exp2(float64(t.bits-1)), portable.Exp2(float64(t.bits-1))-1
	switch {
	case t.coded || !t.numeric():
		return false
	case t.kind == "uint":
		lo, hi = 0, portable.Exp2(float64(t.bits))-1
	case t.kind == "decimal":
		return !slices.ContainsFunc(num, func(v float64) bool {
			_, ok := decimal.Unscaled(v, t.scale, t.precision)
			return v == v && !ok
		})
	case t.kind == "float" && t.bits == 64:
		return true
	case t.kind == "float":
		for _, v := range num {
			if v == v && !t.holdsReal(v) {
				return false
			}
		}
		return true
	}
	lo, hi = max(lo, -1<<53), min(hi, 1<<53)
	for _, v := range num {
		if v == v && (v < lo || v > hi || v != math.Trunc(v)) {
			return false
		}
	}
	return true
}

// holdsReal reports whether a number comes back the same from 16 or 32 bits.
func (t typ) holdsReal(v float64) bool {
	if t.bits == 16 {
		h := decimal.ToHalf(v)
		return decimal.Half(h) == v
	}
	back, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
	return err == nil && back == v && math.Abs(v) <= math.MaxFloat32
}

// dates makes an array of a column of dates.
func (a *array) dates(c *table.Column, l *calendar.Layout, wish typ) {
	zone := ""
	if instant.UTC(c.Dates) {
		zone = "UTC"
	}
	stamp := func(u instant.Unit) typ { return typ{kind: "timestamp", unit: u, zone: zone} }
	for _, t := range []typ{wish, {kind: "date", bits: 32, unit: instant.Day}, stamp(instant.Sec), stamp(instant.Milli),
		stamp(instant.Micro)} {
		asked := t == wish && !t.coded
		switch {
		case asked && t.isText():
			a.typ, a.text = t, func(i int) string { return string(l.Append(nil, c.Num[i])) }
			return
		case asked && t.kind == "int" && c.Dates == "yyyymmdd" && t.bits >= 32:
			a.typ, a.whole = t, func(i int) int64 {
				k, _ := strconv.ParseInt(string(l.Append(nil, c.Num[i])), 10, 64) // eight digits
				return k
			}
			return
		case t.isDate() && (asked || t.kind == "timestamp" || c.Dates.PerDay() == 1):
			_, days := instant.Day.Of(c)
			if value, ok := t.unit.Of(c); ok && (days || t.kind != "date") {
				a.typ, a.whole = t, value
				return
			}
		}
	}
	a.typ, a.text = typ{kind: "utf8"}, func(i int) string { return string(l.Append(nil, c.Num[i])) }
}
