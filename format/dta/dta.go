// Package dta reads the datasets of Stata in releases 113 to 115 and 117 to 119, and writes release 118 (Stata 14;
// StataCorp, "dta", the file formats .dta).
//
// Numbers whose values all have labels, and strings, become categories; other numbers stay numbers, and those in the
// formats %td, %tc and %tC become dates (%tC without its leap seconds). An empty string and the missing value . are
// missing. The missing values .a to .z are categories of a labelled variable, and beside numbers a reason in a column
// of its own; see package codebook, which also keeps labels and codes for a release in the same format. A float is
// taken for the shortest decimal number that it stands for. Periods such as %tm stay numbers. Texts before release 118
// have no encoding that the file tells: they are read as Windows-1252, or as Options say. Characteristics and notes are
// left out.
//
// Written are the smallest types that hold a column, and its own where it had one. A column of categories is one of
// numbers with value labels, or of strings where the labels are many or long. Names that Stata does not take, the
// notation of dates, and columns that no type of Stata holds are kept by characteristics of the variable, which Stata
// keeps and other programs ignore.
//
// Cost: O(cells), on one core.
package dta

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("dta", Format) }

// Format is Stata's datasets.
var Format = dialect.Format{
	Card: card.Card{
		Name: "dta", Title: "Stata", Aliases: []string{"Stata dataset"},
		Summary: "is a Stata dataset (reads releases 113 to 119, writes 118), with labels, dates and reasons for " +
			"missing values; more than 1000 categories, or long ones, are strings",
		Paper:   "StataCorp, dta file formats",
		Missing: "the missing value ., or an empty string; .a to .z are categories, or a column of reasons next to numbers",
		Cost:    "O(cells) in time",
	},
	Extensions: []string{".dta"},
	Looks:      looks,
	Read:       Read,
	Write:      Write,
	Loses:      dialect.LosesZeros,
}

func looks(data []byte) bool {
	if bytes.HasPrefix(data, []byte("<stata_dta>")) {
		return true
	}
	return len(data) > 3 && data[0] >= 113 && data[0] <= 115 && (data[1] == 1 || data[1] == 2) && data[2] == 1 &&
		data[3] == 0
}

// The characteristics of variables that keep what Stata has no place for.
const (
	nameChar     = "dither_name"
	notationChar = "dither_dates"
	numbersChar  = "dither_numbers"
)

// Read returns the table in a dataset. It keeps no reference to data. Marks in opt.Missing, when given, count as
// missing in strings.
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	f, err := readHead(data, opt.Encoding)
	if err != nil {
		return nil, nil, err
	}
	if err := f.readRows(ctx, opt.Progress); err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "dta", Types: map[string]string{}, Codebook: map[string]codebook.Variable{}}
	if opt.Dates = maps.Clone(opt.Dates); opt.Dates == nil {
		opt.Dates = map[string]calendar.Notation{}
	}
	names := map[string]int{}
	for j, v := range f.vars {
		if v.name == "" {
			return nil, nil, fmt.Errorf("variable %d has no name", j+1)
		}
		if k, twice := names[v.name]; twice {
			return nil, nil, fmt.Errorf("variables %d and %d are both named %q", k, j+1, v.name)
		}
		names[v.name] = j + 1
	}
	var cols []table.Column
	declared := map[string]bool{}
	for _, v := range f.vars {
		made, about := f.columns(v, &opt, info)
		if len(made) > 1 {
			if names[made[1].Name] > 0 {
				info.Note(message.Say("read.why").Name("column", v.name).Name("other", made[1].Name))
				made, about.Why, about.Reasons = made[:1], "", nil
			} else {
				declared[made[1].Name] = true
			}
		}
		cols = append(cols, made...)
		info.Codebook[v.name] = about
		info.Types[v.name] = v.typ.String() + " " + v.format
		declared[v.name] = !v.text()
	}
	f.notes(info, opt.Encoding)
	t, err := table.New(cols...)
	if err == nil {
		t, err = opt.Force(t, info)
	}
	if err == nil {
		t, err = opt.ReadDates(t, info, func(j int) bool { return declared[cols[j].Name] })
	}
	if err != nil {
		return nil, nil, err
	}
	return t, info, nil
}

// columns makes the column of a variable, and of the reasons why its values are missing.
func (f *file) columns(v *variable, opt *dialect.Options, info *dialect.Info) ([]table.Column, codebook.Variable) {
	if v.text() {
		c, about := codebook.Words(v.name, v.label, v.dict.Labels(), v.cat, nil)
		c = opt.Unmarked(c)
		if n := v.notation(); n != "" && opt.Dates[v.name] == "" {
			if _, told := opt.Kinds[v.name]; !told {
				opt.Dates[v.name] = n
			}
		}
		if v.chars[numbersChar] != "" {
			if numbers, ok := dialect.Numbers(c, '.', info); ok {
				c = numbers
			}
		}
		return []table.Column{c}, about
	}
	s := codebook.Source{Name: v.name, Label: v.label, Num: v.num}
	at := map[byte]int32{}
	for _, l := range f.labels[v.labelled] {
		if l.Letter != 0 {
			at[l.Letter] = -1
			s.Reasons = append(s.Reasons, l)
		} else {
			s.Labels = append(s.Labels, l)
		}
	}
	for _, l := range v.letters {
		if _, ok := at[l]; l != 0 && !ok {
			at[l] = -1
			r := codebook.Value{Letter: l, Bare: true}
			r.Label = r.Code()
			s.Reasons = append(s.Reasons, r)
		}
	}
	slices.SortFunc(s.Reasons, codebook.ByNumber)
	for k, r := range s.Reasons {
		at[r.Letter] = int32(k)
	}
	for i, l := range v.letters {
		if l != 0 {
			if s.Why == nil {
				s.Why = slices.Repeat([]int32{-1}, len(s.Num))
			}
			s.Why[i] = at[l]
		}
	}
	kind, told := opt.Kinds[v.name]
	_, asked := opt.Kinds[v.name+"_missing"]
	plain := codebook.Numbers(v.name)
	if dates := v.dates(s.Num, info); dates != nil {
		plain = dates
		told = told && kind == table.Categorical
	}
	return s.Columns(kind, told, asked, plain)
}

// typ is the storage type of a variable, with the number that release 117 gave it: up to longest a string of so many
// bytes.
type typ uint16

const longest = 2045

const (
	strL    typ = 32768
	double  typ = 65526
	float   typ = 65527
	long    typ = 65528
	integer typ = 65529
	byter   typ = 65530
)

var typeNames = map[typ]string{
	strL:    "strL",
	double:  "double",
	float:   "float",
	long:    "long",
	integer: "int",
	byter:   "byte",
}

// String is the type as Stata writes it.
func (t typ) String() string {
	if n, ok := typeNames[t]; ok {
		return n
	}
	return "str" + strconv.Itoa(int(t))
}

// parseType reads what String writes; 0 for anything else.
func parseType(text string) typ {
	for t, n := range typeNames {
		if n == text {
			return t
		}
	}
	if len(text) > 3 && text[:3] == "str" {
		if n, err := strconv.Atoi(text[3:]); err == nil && n > 0 && n <= int(longest) {
			return typ(n)
		}
	}
	return 0
}

// bytes is how many bytes a value has.
func (t typ) bytes() int {
	switch t {
	case double, strL:
		return 8
	case float, long:
		return 4
	case integer:
		return 2
	case byter:
		return 1
	}
	return int(t)
}

// sound reports whether there is such a type.
func (t typ) sound() bool { return t >= 1 && t <= longest || t == strL || t >= double && t <= byter }

// notes tells what a reader should know of the file besides its values.
func (f *file) notes(info *dialect.Info, encoding string) {
	if f.release < 118 && f.beyondASCII && encoding == "" {
		info.Note(message.Say("read.assumed").Name("encoding", "windows-1252"))
	}
	if f.noted {
		info.Note(message.Say("read.notes"))
	}
}
