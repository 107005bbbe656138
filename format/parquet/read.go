package parquet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/format"

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
	name    string
	typ     typ
	left    string // why the column is left out; else ""
	file    *source
	leaf    int
	pages   *pages
	missing []string // labels that count as missing
	list    *list    // of a column of lists; else nil
	room    *mmap.Space
	asText  bool // numbers that no float64 tells from others, read as labels

	num    []float64
	cat    []int32
	labels []string
	codes  map[string]int32
	buf    []byte // for the text of a value
	note   message.Sentence

	dictNum   []float64
	dictCodes []int32 // notYet where the entry has not occurred
}

const notYet = -2

var errLarge = errors.New("a number has more digits than a float64")

func (c *column) numbers() bool { return (c.typ.numeric() || c.typ.isDate()) && !c.asText }

// read reads the column's chunks of all row groups. A column that cannot be held says why in left.
func (c *column) read(ctx context.Context) (err error) {
	if c.left != "" {
		return nil
	}
	defer mend(&err)
	defer c.pages.close()
	err = c.readChunks(ctx)
	if left, is := errors.AsType[dialect.Unheld](err); is {
		c.left = string(left)
		mmap.Free(c.room, c.num)
		mmap.Free(c.room, c.cat)
		c.num, c.cat = nil, nil
		return nil
	}
	rows := len(c.num) + len(c.cat)
	if c.list != nil {
		rows = len(c.list.start)
	}
	if n := int64(rows); err == nil && n != c.file.meta.NumRows {
		err = fmt.Errorf("%d values, expected %d", n, c.file.meta.NumRows)
	}
	return err
}

// become makes labels of the numbers so far, where the next value is none; for why no column of the type becomes
// labels, why is the error. All of them are exact, so no page is decoded twice: one of a few bytes may take a hundred
// megabytes each time.
func (c *column) become(why error) error {
	switch {
	case errors.Is(why, instant.ErrOutside):
		c.note = message.Say("read.outside").Name("column", c.name).Text("why", why.Error())
	case errors.Is(why, errLarge) && c.typ.kind == "decimal":
		c.note = message.Say("read.large.decimals").Name("column", c.name)
	case errors.Is(why, errLarge):
		c.note = message.Say("read.large.integers").Name("column", c.name)
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

// text is the label of a value that was read as a number.
func (c *column) text(x float64) []byte {
	switch {
	case c.typ.kind == "decimal":
		k, _ := decimal.Scaled(strconv.FormatFloat(x, 'f', -1, 64), c.typ.scale, math.MaxInt)
		return decimal.AppendScaled(c.buf[:0], k, c.typ.scale)
	case !c.typ.isDate():
		return strconv.AppendInt(c.buf[:0], int64(x), 10)
	}
	k := int64(x)
	if c.typ.unit == string(instant.Nano) { // counted in thousands of them
		k *= 1000
	}
	return c.typ.moments().Append(c.buf[:0], k, c.typ.utc)
}

func (c *column) readChunks(ctx context.Context) error {
	switch rows := int(c.file.meta.NumRows); {
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
	for g := range c.file.meta.RowGroups {
		if err := ctx.Err(); err != nil {
			return err
		}
		if group := &c.file.meta.RowGroups[g]; group.NumRows > 0 {
			if err := c.readChunk(&group.Columns[c.leaf], group.NumRows); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *column) readChunk(chunk *format.ColumnChunk, rows int64) error {
	switch {
	case chunk.CryptoMetadata.Value != nil || len(chunk.EncryptedColumnMetadata) > 0:
		return dialect.Unheld("it is encrypted")
	case chunk.FilePath != "":
		return errors.New("its values are in another file: give that one")
	}
	if c.list != nil {
		rows, c.list.dict = chunk.MetaData.NumValues, nil
	}
	if err := c.pages.begin(&chunk.MetaData, rows); err != nil {
		return err
	}
	c.dictNum, c.dictCodes = c.dictNum[:0], c.dictCodes[:0]
	for {
		p, more, err := c.pages.next()
		if err != nil || !more {
			return err
		}
		switch {
		case c.list != nil:
			err = c.listPage(&p)
		case p.coded:
			err = c.codedPage(&p)
		default:
			err = c.plainPage(&p)
		}
		if err != nil {
			return err
		}
	}
}

// codedPage reads a page of codes of a dictionary; every entry is decoded once.
func (c *column) codedPage(p *page) error {
	dict := c.pages.dict
	if dict != nil && len(c.dictCodes) == 0 {
		for k := range dict.len() {
			c.dictCodes = append(c.dictCodes, notYet)
			if !c.numbers() {
				continue
			}
			if x, err := c.number(dict.at(k)); err == nil {
				c.dictNum = append(c.dictNum, x)
			} else if err = c.become(err); err != nil {
				return err
			}
		}
	}
	if p.def == nil {
		for _, k := range p.codes {
			if err := c.entry(dict, k); err != nil {
				return err
			}
		}
		return nil
	}
	next := 0
	for _, level := range p.def {
		if level == 0 {
			c.null()
			continue
		}
		if err := c.entry(dict, p.codes[next]); err != nil {
			return err
		}
		next++
	}
	return nil
}

// entry appends the value of a dictionary's entry.
func (c *column) entry(dict *values, k uint32) error {
	if c.numbers() {
		c.num = append(c.num, c.dictNum[k])
		return nil
	}
	if c.dictCodes[k] == notYet {
		code, err := c.code(dict.at(int(k)))
		if err != nil {
			return err
		}
		c.dictCodes[k] = code
	}
	c.cat = append(c.cat, c.dictCodes[k])
	return nil
}

func (c *column) plainPage(p *page) error {
	next := 0
	for i := range p.rows {
		if p.def != nil && p.def[i] == 0 {
			c.null()
			continue
		}
		if err := c.value(p.values.at(next)); err != nil {
			return err
		}
		next++
	}
	return nil
}

// value appends a value that is not null.
func (c *column) value(v []byte) error {
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
func (c *column) number(v []byte) (x float64, err error) {
	switch c.typ.kind {
	case "date", "timestamp":
		k, unit, ok := c.typ.moment(v)
		if !ok || unit != c.typ.moments() {
			return 0, instant.ErrOutside
		}
		return unit.Number(k)
	case "float16":
		x = decimal.Half(binary.LittleEndian.Uint16(v))
	case "float":
		x = float64(math.Float32frombits(binary.LittleEndian.Uint32(v)))
		if x != math.Trunc(x) || math.Abs(x) >= 1<<24 {
			x, _ = strconv.ParseFloat(string(strconv.AppendFloat(c.buf[:0], x, 'g', -1, 32)), 64)
		}
	case "double":
		x = math.Float64frombits(binary.LittleEndian.Uint64(v))
	case "decimal":
		x, ok := c.exact(v)
		if !ok {
			return 0, errLarge
		}
		return x, nil
	default:
		k, ok := c.integer(v)
		if !ok || k > 1<<53 || k < -1<<53 {
			return 0, errLarge
		}
		return float64(k), nil
	}
	if math.IsInf(x, 0) {
		return 0, dialect.UnheldInfinite
	}
	return x + 0, nil
}

// exact returns a decimal as a number; ok is false where no float64 tells it from others.
func (c *column) exact(v []byte) (x float64, ok bool) {
	if c.pages.typ == format.Int32 || c.pages.typ == format.Int64 {
		k, _ := c.integer(v)
		return decimal.Exact(k, c.typ.scale)
	}
	if len(v) <= 8 {
		k := int64(0)
		for i, b := range v {
			if k = k<<8 | int64(b); i == 0 {
				k = int64(int8(b))
			}
		}
		return decimal.Exact(k, c.typ.scale)
	}
	return decimal.ExactBig(c.unscaled(v), c.typ.scale)
}

// integer returns the integer of a value; ok is false when it does not fit.
func (c *column) integer(v []byte) (k int64, ok bool) {
	switch {
	case len(v) == 4 && c.typ.kind == "uint":
		return int64(binary.LittleEndian.Uint32(v)), true
	case len(v) == 4:
		return int64(int32(binary.LittleEndian.Uint32(v))), true
	}
	k = int64(binary.LittleEndian.Uint64(v))
	return k, c.typ.kind != "uint" || k >= 0
}

// appendInteger appends an integer of any size as text.
func (c *column) appendInteger(dst, v []byte) []byte {
	k, ok := c.integer(v)
	if !ok {
		return strconv.AppendUint(dst, uint64(k), 10)
	}
	return strconv.AppendInt(dst, k, 10)
}

// unscaled returns a decimal before scaling.
func (c *column) unscaled(v []byte) *big.Int {
	if c.pages.typ == format.Int32 || c.pages.typ == format.Int64 {
		k, _ := c.integer(v)
		return big.NewInt(k)
	}
	n := new(big.Int).SetBytes(v) // two's complement, most significant byte first
	if len(v) > 0 && v[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
	}
	return n
}

// code returns the code of a value's label.
func (c *column) code(v []byte) (int32, error) {
	b := c.buf[:0]
	switch c.typ.kind {
	case "null":
		return -1, nil
	case "boolean":
		b = strconv.AppendBool(b, v[0] != 0)
	case "date", "timestamp":
		k, unit, ok := c.typ.moment(v)
		if !ok {
			return 0, dialect.Unheld("it holds an instant of 96 bits that is too far off for its fraction of a second")
		}
		b = unit.Append(b, k, c.typ.utc)
	case "time":
		k, _ := c.integer(v)
		var ok bool
		if b, ok = instant.Unit(c.typ.unit).AppendTime(b, k); !ok {
			return 0, dialect.UnheldTime
		}
	case "int", "uint":
		b = c.appendInteger(b, v)
	case "decimal":
		b = decimal.AppendScaled(b, c.unscaled(v), c.typ.scale)
	case "uuid":
		b = text.AppendUUID(b, v)
	default:
		if b = v; !utf8.Valid(b) {
			return 0, dialect.UnheldBytes
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
		if c.file.memory.Add(-int64(perLabel+len(b))) < 0 {
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
	case c.typ.kind == "float16" || c.typ.kind == "float" || c.typ.kind == "double" || c.typ.kind == "decimal":
		step = decimal.Grid(c.num)
	}
	return table.NumColumn(c.name, step, c.num)
}
