package dta

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// Categories are written as numbers with labels while there are so many at most, and their labels have so many bytes.
const (
	labelsShown = 1000
	bytesHeld   = 32000
	mostColumns = 32767
)

// output is a variable to be written.
type output struct {
	codebook.Target
	name, format string
	typ          typ
	chars        [][2]string
	num          []float64            // of numbers
	letter       func(i int) byte     // of a missing number; 0 for .
	word         func(i int) string   // of strings
	once         map[string]longPlace // of long strings
}

// longPlace is where a long string stands: the record that has it first, from 1.
type longPlace struct{ row int }

// Write writes a dataset of release 118. It fails, naming the column, on what a file cannot hold: infinite numbers,
// texts that are not UTF-8 or have zero bytes, sets. Cost: O(cells); long strings are held in memory once more.
func Write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
	vars, err := outputs(t, &opt)
	if err != nil {
		return err
	}
	if len(vars) > mostColumns {
		return fmt.Errorf("%d columns, of which a Stata file of release 118 holds no more than %d", len(vars), mostColumns)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	head, tail := frame(vars, t.Rows())
	if _, err := out.Write(head); err != nil {
		return err
	}
	var row []byte
	for i := range t.Rows() {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if opt.Progress != nil {
				opt.Progress(int64(i), int64(t.Rows()))
			}
		}
		row = row[:0]
		for k := range vars {
			row = vars[k].value(row, i, k)
		}
		if _, err := out.Write(row); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := out.Write(tail); err != nil {
		return err
	}
	return out.Flush()
}

// outputs works out how the columns are written.
func outputs(t *table.Table, opt *dialect.Options) ([]output, error) {
	targets := codebook.Targets(t, opt.Codebook, true)
	vars := make([]output, len(targets))
	columns := make([]string, len(vars))
	for k, g := range targets {
		v := &vars[k]
		v.Target = g
		c := &v.Column
		name, format, _ := strings.Cut(opt.Types[c.Name], " ")
		wish := parseType(name)
		if wish == 0 {
			format = ""
		}
		err := errors.New("has a name that is not UTF-8 text without zero bytes")
		switch {
		case !text.OK([]byte(c.Name)):
		case c.Kind == table.SetValued:
			err = fmt.Errorf("is %s, which Stata files are not written with", c.Kind)
		case c.Kind == table.Categorical:
			err = v.categories(wish, format)
		case c.Dates != "":
			err = v.dates(format)
		default:
			err = v.numbers(wish, format)
		}
		if err != nil {
			return nil, fmt.Errorf("column %q %w", c.Name, err)
		}
		columns[k] = c.Name
	}
	for k, name := range soundNames(columns) {
		v := &vars[k]
		if v.name = name; name != columns[k] {
			v.chars = append(v.chars, [2]string{nameChar, strconv.Quote(columns[k])})
		}
		if v.typ == strL {
			v.once = map[string]longPlace{}
			for i := range t.Rows() {
				if w := v.word(i); w != "" {
					if _, ok := v.once[w]; !ok {
						v.once[w] = longPlace{i + 1}
					}
				}
			}
		}
	}
	return vars, nil
}

// reasons settles with which letters missing numbers are written.
func (v *output) reasons() {
	v.letter = func(i int) byte {
		if v.Why == nil || v.Why[i] < 0 {
			return 0
		}
		return v.Reasons[v.Why[i]].Letter
	}
}

// fits reports whether a type holds numbers, and gives them back as they are.
func (t typ) fits(num []float64) bool {
	lo, hi := 0.0, 0.0
	switch t {
	case byter:
		lo, hi = -127, missingByte-1
	case integer:
		lo, hi = -32767, missingInt-1
	case long:
		lo, hi = -math.MaxInt32, missingLong-1
	case float:
		for _, x := range num {
			if x == x && !isFloat(x) {
				return false
			}
		}
		return true
	case double:
		limit := math.Float64frombits(missingDouble)
		for _, x := range num {
			if math.Abs(x) >= limit {
				return false
			}
		}
		return true
	case strL:
		fallthrough
	default:
		return false
	}
	for _, x := range num {
		if x == x && (x < lo || x > hi || x != math.Trunc(x)) {
			return false
		}
	}
	return true
}

// isFloat reports whether a number is the shortest decimal number that stands for a float.
func isFloat(x float64) bool {
	if math.Abs(x) >= float64(math.Float32frombits(missingFloat)) {
		return false
	}
	back, err := strconv.ParseFloat(strconv.FormatFloat(float64(float32(x)), 'g', -1, 32), 64)
	return err == nil && back == x
}

// numbers settles how numbers are written: in the type that is wished, or the smallest that holds them. Some are beyond
// every type of Stata: they are texts then.
func (v *output) numbers(wish typ, format string) error {
	c := &v.Column
	for i, x := range c.Num {
		if math.IsInf(x, 0) {
			return fmt.Errorf("is infinite in row %d", i+1)
		}
	}
	v.num = c.Num
	v.reasons()
	for _, t := range []typ{wish, byter, integer, long, double} {
		if t.fits(c.Num) && (t == wish || t == double || c.Step == 1) {
			v.typ = t
			if v.format = format; format == "" || dateUnit(format) != 0 || t != wish {
				v.format = map[typ]string{double: "%10.0g", float: "%9.0g", long: "%12.0g"}[t]
				v.format = cmp.Or(v.format, "%8.0g")
			}
			return nil
		}
	}
	v.chars = append(v.chars, [2]string{numbersChar, "1"})
	return v.texts(func(i int) string { return string(decimal.Append(nil, c.Num[i], 0, -1)) })
}

// dates settles how dates are written: as numbers where these are exact, else as strings.
func (v *output) dates(wish string) error {
	c := &v.Column
	l, err := dialect.Writable(*c)
	if err != nil {
		return err
	}
	format, num, plain, ok := dateFormat(c, wish)
	if !plain || !ok {
		v.chars = append(v.chars, [2]string{notationChar, string(c.Dates)})
	}
	if !ok {
		return v.texts(func(i int) string { return string(l.Append(nil, c.Num[i])) })
	}
	v.num, v.format, v.typ = num, format, double
	v.reasons()
	if dateUnit(format) == 'd' && long.fits(num) {
		v.typ = long
	}
	return nil
}

// texts writes numbers as texts.
func (v *output) texts(word func(i int) string) error {
	v.Labels, v.Why = nil, nil
	width := 1
	v.word = func(i int) string {
		if v.Column.MissingAt(i) {
			return ""
		}
		return word(i)
	}
	for i := range v.Column.Num {
		width = max(width, len(v.word(i)))
	}
	v.strings(width, "")
	return nil
}

// strings makes the variable one of strings.
func (v *output) strings(width int, format string) {
	if v.typ = typ(width); width > int(longest) {
		v.typ = strL
	}
	if v.format = format; format == "" {
		v.format = "%-" + strconv.Itoa(min(width, 40)) + "s"
	}
}

// categories settles how categories are written: as numbers with labels, or as strings.
func (v *output) categories(wish typ, format string) error {
	c := &v.Column
	short, held, plain, width := len(c.Labels) <= labelsShown, true, true, 1
	for k, l := range c.Labels {
		if !text.OK([]byte(l)) {
			return errors.New("has a label that is not UTF-8 text without zero bytes")
		}
		short, held = short && len(l) <= 120, held && len(v.Coded[k].Label) <= bytesHeld
		plain = plain && l != ""
		width = max(width, len(l))
	}
	texts := wish > 0 && wish <= strL
	if plain && (texts || !short || len(c.Labels) == 0) {
		if wish <= longest && texts {
			width = max(width, int(wish))
		}
		if v.strings(width, ""); texts && v.typ <= wish {
			v.typ, v.format = wish, format
		}
		v.Labels = nil
		v.word = func(i int) string {
			if k := c.Cat[i]; k >= 0 {
				return c.Labels[k]
			}
			return ""
		}
		return nil
	}
	if !held {
		return errors.New("has an empty label beside one of more than 32,000 bytes, which Stata files do not hold")
	}
	v.code(wish, format)
	return nil
}

// code writes categories as numbers with labels.
func (v *output) code(wish typ, format string) {
	c := &v.Column
	codes := make([]float64, len(v.Coded))
	for k, l := range v.Coded {
		if codes[k] = l.Number; l.Letter != 0 {
			codes[k] = nan
		}
	}
	if !long.fits(codes) {
		v.Labels = nil
		for k, l := range c.Labels {
			codes[k] = float64(k + 1)
			v.Coded[k] = codebook.Value{Number: codes[k], Label: l}
			v.Labels = append(v.Labels, v.Coded[k])
		}
	}
	v.num = make([]float64, len(c.Cat))
	for i, k := range c.Cat {
		if v.num[i] = nan; k >= 0 {
			v.num[i] = codes[k]
		}
	}
	v.letter = func(i int) byte {
		if k := c.Cat[i]; k >= 0 {
			return v.Coded[k].Letter
		}
		return 0
	}
	for _, t := range []typ{wish, byter, integer, long} {
		if t.fits(codes) {
			if v.typ, v.format = t, format; format == "" || t != wish || dateUnit(format) != 0 {
				v.format = "%12.0g"
			}
			return
		}
	}
}
