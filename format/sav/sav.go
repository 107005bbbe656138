// Package sav reads and writes the system files of SPSS: .sav, plain or compressed by bytes, and .zsav (PSPP
// developers' guide, "System File Format").
//
// Variables of numbers whose values all have labels, and strings, become categories; other numbers stay numbers, and
// those that a date format displays become dates. A blank string and the system-missing value are missing. A
// user-missing value is a category of a labelled variable, and beside numbers a reason in a column of its own; see
// package codebook, which also keeps labels, codes and declared missing values for a release in the same format. A
// string that is user-missing is a category. Read are all encodings, both orders of bytes, long names, very long
// strings and their labels, sets of multiple responses. Left out are documents (a note says so) and custom attributes;
// which variable weighs the cases is told in a note, for its role is the policy's.
//
// Written are UTF-8 files. A column of categories is one of numbers with value labels, or of strings where the labels
// are many or long. The name of a column that is no name in SPSS, and the notation of dates, are kept in attributes of
// the variable, which SPSS shows and other programs ignore. The date of creation that a file has is the same in all of
// them.
//
// Cost: O(cells), on one core.
package sav

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"

	"github.com/dither-data/dither/calendar"
	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("sav", Format, FormatZ) }

// Format is SPSS system files, compressed by bytes.
var Format = dialect.Format{
	Card: card.Card{
		Name: "sav", Title: "SPSS", Aliases: []string{"SPSS system file"},
		Summary: "is an SPSS system file, with labels, dates and reasons for missing values; more than 1000 " +
			"categories, or long ones, are strings",
		Paper: "PSPP developers' guide, System File Format",
		Missing: "the system-missing value, or a blank string; user-missing values are categories, or a column of " +
			"reasons next to numbers",
		Cost: "O(cells) in time",
	},
	Extensions: []string{".sav"},
	Looks:      func(data []byte) bool { return bytes.HasPrefix(data, []byte("$FL2@(#)")) },
	Read:       Read,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return write(ctx, w, t, &opt, false)
	},
	Loses: loses,
}

// FormatZ is SPSS system files, compressed with zlib.
var FormatZ = dialect.Format{
	Card: card.Card{
		Name: "zsav", Title: "SPSS, compressed", Aliases: []string{"compressed SPSS system file"},
		Summary: "is an SPSS system file, version 21 or later, compressed with zlib",
		Paper:   "PSPP developers' guide, System File Format",
		Missing: "as in .sav",
		Cost:    "O(cells) in time",
	},
	Extensions: []string{".zsav"},
	Variant:    "sav",
	Looks:      func(data []byte) bool { return bytes.HasPrefix(data, []byte("$FL3@(#)")) },
	Read:       Read,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return write(ctx, w, t, &opt, true)
	},
	Loses: loses,
}

const loses = dialect.LosesZeros | dialect.LosesLong

// Read returns the table in a system file. It keeps no reference to data. Marks in opt.Missing, when given, count as
// missing in strings.
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	f, err := readDictionary(data, opt.Encoding)
	if err != nil {
		return nil, nil, err
	}
	if err := f.readCases(ctx, opt.Progress); err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "sav", Types: map[string]string{}, Codebook: map[string]codebook.Variable{}}
	if f.weight != "" {
		info.Note(message.Say("read.weight").Name("column", f.weight))
	}
	if f.documented {
		info.Note(message.Say("read.documents"))
	}
	sets, understood := f.responses()
	if info.Responses = sets; len(sets) > 0 {
		info.Note(message.Say("read.responses.kept"))
	}
	if !understood {
		info.Note(message.Say("read.responses.damaged"))
	}
	var cols []table.Column
	declared := map[string]bool{}
	if opt.Dates = maps.Clone(opt.Dates); opt.Dates == nil {
		opt.Dates = map[string]calendar.Notation{}
	}
	for _, v := range f.vars {
		made, about := f.columns(v, &opt, info)
		cols = append(cols, made...)
		about.Weight = v.name == f.weight
		info.Codebook[v.name] = about
		info.Types[v.name] = v.format()
		declared[v.name] = v.width == 0 || len(v.labels) > 0
	}
	declaredAt := func(j int) bool { return declared[cols[j].Name] || f.reasons[cols[j].Name] }
	t, err := table.New(cols...)
	if err == nil {
		t, err = opt.Force(t, info)
	}
	if err == nil {
		t, err = opt.ReadDates(t, info, declaredAt)
	}
	if err != nil {
		return nil, nil, err
	}
	return t, info, nil
}

// columns makes the column of a variable, and of the reasons why its values are missing.
func (f *file) columns(v *variable, opt *dialect.Options, info *dialect.Info) ([]table.Column, codebook.Variable) {
	if v.width > 0 {
		c, about := codebook.Words(v.name, v.label, f.words(v, opt), v.cat, f.wordLabels(v))
		if n := v.notation(); n != "" && opt.Dates[v.name] == "" {
			if _, told := opt.Kinds[v.name]; !told {
				opt.Dates[v.name] = n
			}
		}
		for _, w := range v.missingWords {
			about.Words = append(about.Words, f.decode([]byte(w)))
		}
		return []table.Column{c}, about
	}
	s := codebook.Source{Name: v.name, Label: v.label, Num: v.num, Missing: v.missing}
	for _, l := range v.labels {
		l.Label = f.decode([]byte(l.Label))
		if v.isMissing(l.Number) {
			s.Reasons = append(s.Reasons, l)
		} else {
			s.Labels = append(s.Labels, l)
		}
	}
	s.FindReasons()
	kind, told := opt.Kinds[v.name]
	_, asked := opt.Kinds[v.name+"_missing"]
	plain := codebook.Numbers(v.name)
	if dates := v.dates(&s, info); dates != nil {
		plain = dates
		told = told && kind == table.Categorical
	}
	cols, about := s.Columns(kind, told, asked, plain)
	if len(cols) > 1 {
		f.reasons[cols[1].Name] = true
		if slices.ContainsFunc(f.vars, func(o *variable) bool { return o.name == cols[1].Name }) {
			info.Note(message.Say("read.why").Name("column", v.name).Name("other", cols[1].Name))
			cols, about.Why, about.Reasons = cols[:1], "", nil
		}
	}
	return cols, about
}

// words are the labels of a string, by code, in UTF-8.
func (f *file) words(v *variable, opt *dialect.Options) []string {
	raw := v.dict.Labels()
	out := make([]string, 0, len(raw))
	at, to := map[string]int32{}, make([]int32, len(raw))
	for k, w := range raw {
		w = f.decode([]byte(w))
		if len(opt.Missing) > 0 && slices.Contains(opt.Missing, w) {
			to[k] = -1
			continue
		}
		code, ok := at[w]
		if !ok { // two may become one where bytes are no characters
			code = int32(len(out))
			at[w], out = code, append(out, w)
		}
		to[k] = code
	}
	for i, c := range v.cat {
		if c >= 0 {
			v.cat[i] = to[c]
		}
	}
	return out
}

func (f *file) wordLabels(v *variable) (out []codebook.Value) {
	for _, l := range v.labels {
		l.Word, l.Label = f.decode([]byte(l.Word)), f.decode([]byte(l.Label))
		out = append(out, l)
	}
	return out
}
