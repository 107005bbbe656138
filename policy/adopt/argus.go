package adopt

import (
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dither-data/dither/policy"
)

// readArgus reads the metadata of mu-Argus: a line for each variable, with its name, its place where fields have fixed
// widths, its length and up to two missing values, and lines in angle brackets behind it.
func readArgus(text string, opt Options) (*Found, error) {
	f := &Found{From: "metadata of mu-Argus"}
	var c *Column
	form := argusForm{fixed: true}
	for _, line := range strings.Split(text, "\n") {
		words := fields(line)
		switch {
		case len(words) == 0:
		case words[0][0] != '<':
			c = f.column(words[0])
			skip := 2 // the name and the length
			if form.fixed {
				skip = 3
			}
			if len(words) > skip {
				c.Missing = texts(words[skip:min(len(words), skip+2)]...)
			}
		case c == nil:
			f.argusFile(words, &form)
		default:
			if err := f.argus(c, strings.ToUpper(words[0]), words[1:], opt); err != nil {
				return nil, err
			}
		}
	}
	if len(f.Columns) == 0 {
		return nil, errors.New("it describes no variable, as metadata of mu-Argus do")
	}
	if form.fixed {
		f.left("the places of the fields: dither reads no fields of fixed width, so write the table as CSV with these " +
			"names in its first line")
	} else if !form.named {
		f.left("that the file may have no names of columns: put them into its first line")
	}
	for _, c := range f.Columns {
		counts := slices.Contains(c.Role, "weight") || slices.Contains(c.Role, "household")
		if c.Kind == "" && len(c.Role) > 0 && !counts {
			c.Kind = "categorical"
		}
	}
	return f, nil
}

// argusForm is how the table is written.
type argusForm struct {
	fixed bool // its fields have fixed widths
	named bool // the first line holds the names
}

// argusFile takes what a line in brackets before the first variable says of the table.
func (f *Found) argusFile(words []string, form *argusForm) {
	switch strings.ToUpper(words[0]) {
	case "<SEPARATOR>":
		if form.fixed = false; len(words) > 1 && len([]rune(words[1])) == 1 {
			f.File.Delimiter = words[1]
		}
	case "<NAMESINFRONT>", "<SPSS>":
		form.fixed, form.named = false, true
	}
}

// argus takes what a line in brackets says of a variable.
func (f *Found) argus(c *Column, what string, words []string, opt Options) error {
	value := ""
	if len(words) > 0 {
		value = words[0]
	}
	switch what {
	case "<NUMERIC>":
		c.Kind = "numeric"
	case "<DECIMALS>":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && n <= 15 {
			c.Step = math.Pow10(-n)
		}
	case "<WEIGHT>":
		c.Role = []string{"weight"}
	case "<HOUSE_ID>":
		c.Role = []string{"household"}
	case "<IDLEVEL>":
		if value != "" && value != "0" {
			c.role("quasi-identifier")
		}
	case "<RECODABLE>", "<RECODEABLE>", "<SUPPRESSWEIGHT>":
		if what == "<SUPPRESSWEIGHT>" && value != "" && value != "0" {
			f.left("column %q: how gladly it is suppressed", c.Name)
		}
	case "<CODELIST>":
		return f.codes(c, value, opt)
	case "<HOUSEHOLD>":
		f.left("column %q: that it is the same for all of a household", c.Name)
	case "<TRUNCABLE>":
		f.left("column %q: that its codes may be cut short; dither hierarchy IN COLUMN --prefix writes such a hierarchy",
			c.Name)
	case "<RELATED>":
		f.left("column %q: which one it is related to", c.Name)
	default:
		f.left("column %q: %s", c.Name, what)
	}
	return nil
}

// codes reads the list of a variable's codes: a line for each, with its label.
func (f *Found) codes(c *Column, name string, opt Options) error {
	if opt.Open == nil {
		f.left("column %q: its list of codes", c.Name)
		return nil
	}
	data, err := opt.Open(name)
	if err != nil {
		f.left("column %q: its list of codes, which cannot be read", c.Name)
		return nil
	}
	list, err := Codes(data)
	if err != nil {
		f.left("column %q: its list of codes, for %v", c.Name, err)
		return nil
	}
	for _, code := range list {
		if !slices.Contains(c.Missing, code) {
			c.Values = append(c.Values, code)
		}
	}
	c.Kind = "categorical"
	f.left("column %q: the labels of its codes", c.Name)
	return nil
}

// Codes reads a list of codes (.cdl).
func Codes(data []byte) (out []policy.Text, err error) {
	in := csv.NewReader(strings.NewReader(string(data)))
	in.FieldsPerRecord, in.LazyQuotes, in.TrimLeadingSpace = -1, true, true
	rows, err := in.ReadAll()
	if err != nil {
		return nil, errors.New("it is not a list of codes and labels")
	}
	var list []string
	for _, r := range rows {
		list = append(list, strings.TrimSpace(r[0]))
	}
	if out = texts(list...); len(out) == 0 {
		return nil, errors.New("it lists no code")
	}
	return out, nil
}

// fields are the words of a line, of which some stand in quotes.
func fields(line string) (out []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t\r") {
		if line[0] == '"' {
			word, rest, _ := strings.Cut(line[1:], `"`)
			out, line = append(out, word), rest
			continue
		}
		n := strings.IndexAny(line, " \t\r")
		if n < 0 {
			n = len(line)
		}
		out, line = append(out, line[:n]), line[n:]
	}
	if len(out) > 0 && out[0] == "" {
		return nil
	}
	return out
}
