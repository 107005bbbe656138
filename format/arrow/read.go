package arrow

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/instant"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// column is a column being read.
type column struct {
	name     string
	typ      typ
	left     string      // why the column is left out; else ""
	share    share       // of a batch, of one that is left out
	index    typ         // of the codes of a dictionary
	dict     *dictionary // else nil
	parts    []part
	labelled bool // the values are labels, also where they are numbers

	num  []float64
	cat  []int32
	at   int // the row that comes next
	seen text.Dict
	buf  []byte
	note message.Sentence
}

// errLarge says that a number has more digits than a float64.
var errLarge = errors.New("a number has more digits than a float64")

// numbers reports whether the column is one of numbers.
func (c *column) numbers() bool {
	return (c.typ.numeric() || c.typ.isDate()) && !c.typ.coded && !c.labelled
}

// buffers is how many buffers a part of the column has, besides those that one of views says it has more.
func (c *column) buffers() int {
	switch {
	case c.typ.kind == "null" && c.dict == nil:
		return 0
	case c.typ.isText() && !c.typ.isView() && c.typ.kind != "fixed" && c.dict == nil:
		return 3
	}
	return 2
}

// read reads all parts of the column into so many rows.
func (c *column) read(ctx context.Context, rows int, u *unpacker) error {
	err := c.readParts(ctx, rows, u)
	large, outside := errors.Is(err, errLarge), errors.Is(err, instant.ErrOutside)
	if large || outside {
		switch {
		case outside:
			c.note = message.Say("read.outside").Name("column", c.name).Text("why", err.Error())
		case c.typ.kind == "decimal":
			c.note = message.Say("read.large.decimals").Name("column", c.name)
		default:
			c.note = message.Say("read.large.integers").Name("column", c.name)
		}
		mmap.Free(u.space, c.num)
		c.num, c.labelled = nil, true
		err = c.readParts(ctx, rows, u)
	}
	if left, is := errors.AsType[dialect.Unheld](err); is {
		c.left = string(left)
		mmap.Free(u.space, c.num)
		mmap.Free(u.space, c.cat)
		c.num, c.cat = nil, nil
		return nil
	}
	return err
}

func (c *column) readParts(ctx context.Context, rows int, u *unpacker) error {
	c.at = 0
	if c.numbers() {
		c.num = mmap.Make[float64](u.space, rows)
	} else {
		c.cat = mmap.Make[int32](u.space, rows)
	}
	if c.typ.kind == "bool" && c.dict == nil { // an order that does not hang on the records
		c.seen.Code([]byte("false"))
		c.seen.Code([]byte("true"))
	}
	for k := range c.parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := &c.parts[k]
		var err error
		switch {
		case c.dict != nil:
			err = c.codes(p, u)
		case c.numbers():
			err = c.values(p, u)
		default:
			err = c.fill(c.cat[c.at:c.at+p.rows], p, u)
		}
		if err != nil {
			return err
		}
		c.at += p.rows
	}
	return nil
}

// codes reads codes of a dictionary.
func (c *column) codes(p *part, u *unpacker) error {
	there, err := u.present(p)
	if err != nil {
		return err
	}
	data, err := u.buffer(p, 1, p.rows*c.index.bytes())
	if err != nil {
		return err
	}
	get, out := unsigned(data, c.index.bytes()), c.cat[c.at:c.at+p.rows]
	for i := range out {
		if there != nil && !there.at(i) {
			out[i] = -1
			continue
		}
		k := get(i) // a negative one is too large, whatever its size
		if k >= uint64(len(p.entries)) {
			return errors.New("a code stands for no entry of its dictionary")
		}
		out[i] = p.entries[k]
	}
	return nil
}

// values reads numbers.
func (c *column) values(p *part, u *unpacker) error {
	there, err := u.present(p)
	if err != nil {
		return err
	}
	data, err := u.buffer(p, 1, p.rows*c.typ.bytes())
	if err != nil {
		return err
	}
	get, out := c.number(data), c.num[c.at:c.at+p.rows]
	for i := range out {
		if there != nil && !there.at(i) {
			out[i] = math.NaN()
			continue
		}
		if out[i], err = get(i); err != nil {
			return err
		}
	}
	return nil
}

// number returns the numbers in a buffer; NaN stays missing.
func (c *column) number(data []byte) func(i int) (float64, error) {
	switch c.typ.kind {
	case "float":
		return c.real(data)
	case "date", "timestamp":
		get, unit := signed(data, c.typ.bytes()), c.typ.unit
		return func(i int) (float64, error) { return unit.Number(get(i)) }
	}
	get, scale := c.integer(data), c.typ.scale
	return func(i int) (x float64, err error) {
		k, ok := get(i)
		if ok {
			x, ok = decimal.Exact(k, scale)
		} else if c.typ.kind == "decimal" {
			x, ok = decimal.ExactBig(c.unscaled(data, i), scale)
		}
		if !ok {
			return 0, errLarge
		}
		return x, nil
	}
}

// unscaled returns a decimal in a buffer before scaling.
func (c *column) unscaled(data []byte, i int) *big.Int {
	size := c.typ.bytes()
	b := slices.Clone(data[size*i : size*(i+1)]) // two's complement, least significant byte first
	slices.Reverse(b)
	n := new(big.Int).SetBytes(b)
	if b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
	}
	return n
}

// real returns the floating-point numbers in a buffer. One of 16 or 32 bits is taken for the shortest decimal number
// that it stands for.
func (c *column) real(data []byte) func(i int) (float64, error) {
	get := unsigned(data, c.typ.bytes())
	var value func(i int) float64
	switch c.typ.bits {
	case 16:
		value = func(i int) float64 { return decimal.Half(uint16(get(i))) }
	case 32:
		value = func(i int) float64 {
			x := float64(math.Float32frombits(uint32(get(i))))
			if x == math.Trunc(x) && math.Abs(x) < 1<<24 {
				return x
			}
			c.buf = strconv.AppendFloat(c.buf[:0], x, 'g', -1, 32)
			x, _ = strconv.ParseFloat(string(c.buf), 64)
			return x
		}
	default:
		value = func(i int) float64 { return math.Float64frombits(get(i)) }
	}
	return func(i int) (float64, error) {
		x := value(i)
		if math.IsInf(x, 0) {
			return 0, dialect.UnheldInfinite
		}
		return x + 0, nil
	}
}

// integer returns the whole numbers in a buffer, of decimals those before scaling; ok is false for one beyond 64 bits.
func (c *column) integer(data []byte) func(i int) (k int64, ok bool) {
	size := c.typ.bytes()
	get := signed(data, size)
	switch {
	case c.typ.kind == "uint" && size == 8:
		return func(i int) (int64, bool) { k := get(i); return k, k >= 0 }
	case c.typ.kind == "uint":
		get := unsigned(data, size)
		return func(i int) (int64, bool) { return int64(get(i)), true }
	case size > 8:
		return func(i int) (int64, bool) {
			k := get(i)
			for at := size*i + 8; at < size*(i+1); at += 8 {
				if int64(binary.LittleEndian.Uint64(data[at:])) != k>>63 {
					return 0, false
				}
			}
			return k, true
		}
	}
	return func(i int) (int64, bool) { return get(i), true }
}

// labels reads a part of a dictionary behind what was read of it.
func (c *column) labels(p *part, u *unpacker) error {
	n := len(c.cat)
	c.cat = append(c.cat, make([]int32, p.rows)...)
	return c.fill(c.cat[n:], p, u)
}

// fill reads labels.
func (c *column) fill(out []int32, p *part, u *unpacker) error {
	if c.typ.kind == "null" {
		for i := range out {
			out[i] = -1
		}
		return nil
	}
	there, err := u.present(p)
	if err != nil {
		return err
	}
	get, err := c.label(p, u)
	if err != nil {
		return err
	}
	known := c.seen.Len()
	for i := range out {
		out[i] = -1
		if there != nil && !there.at(i) {
			continue
		}
		b, err := get(i)
		if err == errNaN {
			continue
		}
		if err != nil {
			return err
		}
		if out[i] = c.seen.Code(b); c.seen.Len() > known {
			if known++; !utf8.Valid(b) {
				return dialect.UnheldBytes
			}
		}
	}
	return nil
}

// errNaN says that there is no label, for the value is no number.
var errNaN = errors.New("no number")

// label returns the labels in a part. They are good until the next one.
func (c *column) label(p *part, u *unpacker) (func(i int) ([]byte, error), error) {
	if c.typ.isText() {
		return c.texts(p, u)
	}
	if c.buf == nil {
		c.buf = make([]byte, 0, 64)
	}
	need := p.rows * c.typ.bytes()
	if c.typ.kind == "bool" {
		need = (p.rows + 7) / 8
	}
	data, err := u.buffer(p, 1, need)
	if err != nil {
		return nil, err
	}
	switch c.typ.kind {
	case "bool":
		return func(i int) ([]byte, error) { return strconv.AppendBool(c.buf[:0], bits(data).at(i)), nil }, nil
	case "date", "timestamp":
		get, utc := signed(data, c.typ.bytes()), c.typ.zone != ""
		unit := c.typ.unit
		return func(i int) ([]byte, error) { return unit.Append(c.buf[:0], get(i), utc), nil }, nil
	case "uint":
		get := unsigned(data, c.typ.bytes())
		return func(i int) ([]byte, error) { return strconv.AppendUint(c.buf[:0], get(i), 10), nil }, nil
	case "int", "duration":
		get := signed(data, c.typ.bytes())
		return func(i int) ([]byte, error) { return strconv.AppendInt(c.buf[:0], get(i), 10), nil }, nil
	case "decimal":
		return func(i int) ([]byte, error) {
			return decimal.AppendScaled(c.buf[:0], c.unscaled(data, i), c.typ.scale), nil
		}, nil
	case "time":
		get, unit := signed(data, c.typ.bytes()), c.typ.unit
		return func(i int) ([]byte, error) {
			b, ok := unit.AppendTime(c.buf[:0], get(i))
			if !ok {
				return nil, dialect.UnheldTime
			}
			return b, nil
		}, nil
	case "uuid":
		return func(i int) ([]byte, error) { return text.AppendUUID(c.buf[:0], data[16*i:16*i+16]), nil }, nil
	}
	get := c.real(data)
	return func(i int) ([]byte, error) {
		x, err := get(i)
		if x != x {
			err = errNaN
		}
		if err != nil {
			return nil, err
		}
		return strconv.AppendFloat(c.buf[:0], x, 'g', -1, 64), nil
	}, nil
}

// texts returns the texts in a part.
func (c *column) texts(p *part, u *unpacker) (func(i int) ([]byte, error), error) {
	size := c.typ.bytes()
	switch {
	case c.typ.isView():
		return c.views(p, u)
	case c.typ.kind == "fixed":
		data, err := u.buffer(p, 1, p.rows*size)
		return func(i int) ([]byte, error) { return data[size*i : size*(i+1) : size*(i+1)], nil }, err
	}
	if p.rows == 0 {
		return nil, nil
	}
	places, err := u.buffer(p, 1, (p.rows+1)*size)
	if err != nil {
		return nil, err
	}
	data, err := u.buffer(p, 2, 0)
	if err != nil {
		return nil, err
	}
	get, last := unsigned(places, size), uint64(0)
	return func(i int) ([]byte, error) {
		lo, hi := get(i), get(i+1)
		if lo < last || hi < lo || hi > uint64(len(data)) {
			return nil, errDamaged
		}
		last = hi
		return data[lo:hi:hi], nil
	}, nil
}

// views returns the texts in a part of views: a length, and the text itself where it is short, else its beginning and
// where it lies.
func (c *column) views(p *part, u *unpacker) (func(i int) ([]byte, error), error) {
	places, err := u.buffer(p, 1, 16*p.rows)
	if err != nil {
		return nil, err
	}
	all, held := make([][]byte, len(p.bufs)-2), 0
	for k := range all {
		if all[k], err = u.buffer(p, k+2, 0); err != nil {
			return nil, err
		}
		held += len(all[k])
	}
	return func(i int) ([]byte, error) {
		v := places[16*i : 16*i+16 : 16*i+16]
		n := int(int32(binary.LittleEndian.Uint32(v)))
		if 0 <= n && n <= 12 {
			return v[4 : 4+n : 4+n], nil
		}
		k, at := int(int32(binary.LittleEndian.Uint32(v[8:]))), int(int32(binary.LittleEndian.Uint32(v[12:])))
		if n < 0 || k < 0 || k >= len(all) || at < 0 || at > len(all[k])-n {
			return nil, errDamaged
		}
		if held -= n; held < 0 && !u.spend(n) { // many views may be of one text
			return nil, errImplausible
		}
		return all[k][at : at+n : at+n], nil
	}, nil
}

// column returns what was read.
func (c *column) column() table.Column {
	if !c.numbers() {
		if c.dict == nil {
			return table.CatColumn(c.name, c.seen.Labels(), c.cat)
		}
		out := table.CatColumn(c.name, c.dict.names, c.cat)
		out.Declared = c.typ.ordered
		return out
	}
	if c.typ.isDate() {
		return c.dates()
	}
	step := 1.0
	switch {
	case c.typ.kind == "decimal" && c.typ.scale <= decimal.MaxDigits:
		step = 1 / math.Pow10(c.typ.scale)
	case c.typ.kind == "float" || c.typ.kind == "decimal":
		step = decimal.Grid(c.num)
	}
	return table.NumColumn(c.name, step, c.num)
}

// dates returns the column of dates that was read. A type of days counts thousandths of seconds.
func (c *column) dates() table.Column {
	const perDay = 86400e3
	unit := c.typ.unit
	if c.typ.kind == "date" && unit == instant.Milli {
		whole := true
		for _, v := range c.num {
			whole = whole && (v != v || math.Mod(v, perDay) == 0)
		}
		if whole {
			unit = instant.Day
			for i := range c.num {
				c.num[i] /= perDay
			}
		}
	}
	return unit.Column(c.name, c.typ.zone != "", c.num)
}
