package parquet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"sync/atomic"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/instant"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// column is a column being read.
type column struct {
	name    string
	typ     typ
	index   int
	present byte     // the definition level of a value that is not null
	missing []string // labels that count as missing
	list    *list    // of a column of lists; else nil
	room    *mmap.Space
	asText  bool // integers too large for a float64, read as labels

	length int           // of values of a fixed length in bytes; else 0
	memory *atomic.Int64 // bytes that labels may yet take, of all columns

	num    []float64
	cat    []int32
	labels []string
	codes  map[string]int32
	buf    []byte // for the text of a value
	note   string

	dict      parquet.Dictionary
	dictNum   []float64
	dictCodes []int32 // notYet where the entry has not occurred
}

const notYet = -2

// errLarge says that an integer is beyond 2^53.
var errLarge = errors.New("an integer is beyond 2^53")

func (c *column) numbers() bool { return (c.typ.numeric() || c.typ.isDate()) && !c.asText }

// read reads the column's chunks of all row groups.
func (c *column) read(ctx context.Context, f *parquet.File) (err error) {
	defer mend(&err)
	err = c.readChunks(ctx, f)
	rows := len(c.num) + len(c.cat)
	if c.list != nil {
		rows = len(c.list.start)
	}
	if n := int64(rows); err == nil && n != f.NumRows() {
		err = fmt.Errorf("%d values, expected %d", n, f.NumRows())
	}
	return err
}

// become makes labels of the numbers so far, where the next value is none; for why no column of the type becomes
// labels, why is the error. All of them are exact, so no page is decoded twice: one of a few bytes may take a hundred
// megabytes each time.
func (c *column) become(why error) error {
	switch {
	case errors.Is(why, instant.ErrOutside):
		c.note = fmt.Sprintf("column %q: %v; it is read as categories", c.name, why)
	case errors.Is(why, errLarge) && c.typ.kind != "decimal":
		c.note = fmt.Sprintf("column %q: integers beyond 2^53; it is read as categories", c.name)
	default:
		return why
	}
	num := c.num
	c.num, c.asText = nil, true
	c.cat = mmap.Make[int32](c.room, cap(num))[:0]
	for _, x := range num {
		if math.IsNaN(x) {
			c.null()
			continue
		}
		code, err := c.label(c.text(x))
		if err != nil {
			return err
		}
		c.cat = append(c.cat, code)
	}
	mmap.Free(c.room, num)
	return nil
}

// text is the label of a value that was read as a number: of a whole number or a date.
func (c *column) text(x float64) []byte {
	k := int64(x)
	switch {
	case !c.typ.isDate():
		return strconv.AppendInt(c.buf[:0], k, 10)
	case c.typ.unit == string(instant.Nano): // counted in thousands of them
		k *= 1000
	}
	return c.typ.moments().Append(c.buf[:0], k, c.typ.utc)
}

func (c *column) readChunks(ctx context.Context, f *parquet.File) error {
	switch rows := int(f.NumRows()); {
	case c.room == nil:
	case c.numbers():
		c.num = mmap.Make[float64](c.room, rows)[:0]
	default:
		c.cat = mmap.Make[int32](c.room, rows)[:0]
	}
	c.codes = make(map[string]int32)
	if c.typ.kind == "boolean" { // an order that does not hang on the records
		for _, name := range []string{"false", "true"} {
			if _, err := c.label([]byte(name)); err != nil {
				return err
			}
		}
	}
	for _, g := range f.RowGroups() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.readChunk(g.ColumnChunks()[c.index]); err != nil {
			return err
		}
	}
	return nil
}

func (c *column) readChunk(chunk parquet.ColumnChunk) error {
	pages := chunk.Pages()
	defer pages.Close()
	c.dict = nil
	for {
		p, err := pages.ReadPage()
		if err != nil {
			return eof(err)
		}
		switch {
		case c.list != nil:
			err = c.listPage(p)
		case p.Dictionary() != nil:
			err = c.dictPage(p)
		default:
			err = c.plainPage(p)
		}
		parquet.Release(p)
		if err != nil {
			return err
		}
	}
}

// dictPage reads a page of indexes into a dictionary; every entry is decoded once.
func (c *column) dictPage(p parquet.Page) error {
	if d := p.Dictionary(); d != c.dict {
		c.dict, c.dictNum, c.dictCodes = d, c.dictNum[:0], c.dictCodes[:0]
		for k := range d.Len() {
			c.dictCodes = append(c.dictCodes, notYet)
			if !c.numbers() {
				continue
			}
			x, err := c.number(d.Index(int32(k)))
			if err == nil {
				c.dictNum = append(c.dictNum, x)
			} else if err = c.become(err); err != nil {
				return err
			}
		}
	}
	data := p.Data()
	indexes := data.Int32()
	if c.present == 0 {
		for _, k := range indexes {
			if err := c.entry(k); err != nil {
				return err
			}
		}
		return nil
	}
	next := 0
	for _, level := range p.DefinitionLevels() {
		if level != c.present {
			c.null()
			continue
		}
		if err := c.entry(indexes[next]); err != nil {
			return err
		}
		next++
	}
	return nil
}

// entry appends the value of a dictionary's entry.
func (c *column) entry(k int32) error {
	if c.numbers() {
		c.num = append(c.num, c.dictNum[k])
		return nil
	}
	if c.dictCodes[k] == notYet {
		code, err := c.code(c.dict.Index(k))
		if err != nil {
			return err
		}
		c.dictCodes[k] = code
	}
	c.cat = append(c.cat, c.dictCodes[k])
	return nil
}

func (c *column) plainPage(p parquet.Page) error {
	values := p.Values()
	var buf [256]parquet.Value
	for {
		n, err := values.ReadValues(buf[:])
		for _, v := range buf[:n] {
			if v.IsNull() {
				c.null()
			} else if err := c.value(v); err != nil {
				return err
			}
		}
		if err != nil {
			return eof(err)
		}
		if n == 0 {
			return errors.New("a page ends early")
		}
	}
}

// value appends a value that is not null.
func (c *column) value(v parquet.Value) error {
	if c.numbers() {
		x, err := c.number(v)
		if err == nil {
			c.num = append(c.num, x)
			return nil
		}
		if err = c.become(err); err != nil {
			return err
		}
	}
	code, err := c.code(v)
	if err != nil {
		return err
	}
	c.cat = append(c.cat, code)
	return nil
}

func (c *column) null() {
	if c.numbers() {
		c.num = append(c.num, math.NaN())
	} else {
		c.cat = append(c.cat, -1)
	}
}

// number returns a value as a float64; NaN stays missing.
func (c *column) number(v parquet.Value) (x float64, err error) {
	switch c.typ.kind {
	case "date", "timestamp":
		return c.typ.moments().Number(c.typ.moment(v))
	case "float":
		text := strconv.AppendFloat(c.buf[:0], float64(v.Float()), 'g', -1, 32)
		x, _ = strconv.ParseFloat(string(text), 64)
	case "double":
		x = v.Double()
	default:
		k, ok := c.integer(v)
		if !ok || k > 1<<53 || k < -1<<53 {
			return 0, errLarge
		}
		return float64(k) / math.Pow10(c.typ.scale), nil
	}
	if math.IsInf(x, 0) {
		return 0, errors.New("found an infinite number, expected finite ones")
	}
	return x + 0, nil
}

// integer returns the integer of a value, for a decimal the one before scaling; ok is false when it does not fit.
func (c *column) integer(v parquet.Value) (k int64, ok bool) {
	switch v.Kind() {
	case parquet.Int32:
		if c.typ.kind == "uint" {
			return int64(v.Uint32()), true
		}
		return int64(v.Int32()), true
	case parquet.Int64:
		k = v.Int64()
		return k, c.typ.kind != "uint" || k >= 0
	}
	b := v.ByteArray() // two's complement, most significant byte first
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n.Int64(), n.IsInt64()
}

// code returns the code of a value's label.
func (c *column) code(v parquet.Value) (int32, error) {
	b := c.buf[:0]
	switch c.typ.kind {
	case "boolean":
		b = strconv.AppendBool(b, v.Boolean())
	case "date", "timestamp":
		b = c.typ.moments().Append(b, c.typ.moment(v), c.typ.utc)
	case "int":
		b = strconv.AppendInt(b, v.Int64(), 10)
	case "uint":
		b = strconv.AppendUint(b, v.Uint64(), 10)
	default:
		if b = v.ByteArray(); !utf8.Valid(b) {
			return 0, errors.New("found bytes that are not UTF-8, expected text")
		}
		if slices.Contains(c.missing, string(b)) {
			return -1, nil
		}
	}
	return c.label(b)
}

// perLabel is how many bytes of memory a label takes beside its own.
const perLabel = 64

// label returns the code of a label. Differences make millions of labels of a few bytes, so these are bounded by the
// size of the file.
func (c *column) label(b []byte) (int32, error) {
	code, ok := c.codes[string(b)]
	if !ok {
		if c.memory.Add(-int64(perLabel+len(b))) < 0 {
			return 0, errImplausible
		}
		code = int32(len(c.labels))
		c.labels = append(c.labels, string(b))
		c.codes[c.labels[code]] = code
	}
	return code, nil
}

// column returns what was read.
func (c *column) column() table.Column {
	if !c.numbers() {
		if c.cat == nil {
			c.cat = []int32{}
		}
		return table.CatColumn(c.name, c.labels, c.cat)
	}
	if c.num == nil {
		c.num = []float64{}
	}
	if c.typ.isDate() {
		return c.typ.moments().Column(c.name, c.typ.utc, c.num)
	}
	step := 1.0
	switch {
	case c.typ.kind == "decimal" && c.typ.scale <= decimal.MaxDigits:
		step = 1 / math.Pow10(c.typ.scale)
	case c.typ.kind == "float" || c.typ.kind == "double" || c.typ.kind == "decimal":
		step = decimal.Grid(c.num)
	}
	return table.NumColumn(c.name, step, c.num)
}
