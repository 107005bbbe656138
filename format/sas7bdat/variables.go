package sas7bdat

import (
	"fmt"
	"slices"

	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// Variable is a variable of SAS with its values, whatever file it is read from.
type Variable struct {
	Name, Format, Label string
	Text                bool
	Num                 []float64
	Letters             []byte // of missing values by record, 0 for none; nil where there is none
	Cat                 []int32
	Dict                text.Dict
}

// Add adds a number, or the letter of a missing value, as Number returns them.
func (v *Variable) Add(x float64, letter byte) {
	v.Num = append(v.Num, x)
	if letter != 0 && v.Letters == nil {
		v.Letters = make([]byte, len(v.Num)-1, cap(v.Num))
	}
	if v.Letters != nil {
		v.Letters = append(v.Letters, letter)
	}
}

// Table makes the table of variables, in the ways that are asked for. What there is to know goes to info. It fails on
// names that are missing or stand twice.
func Table(vars []*Variable, opt *dialect.Options, info *dialect.Info) (*table.Table, error) {
	names := map[string]int{}
	for j, v := range vars {
		if v.Name == "" {
			return nil, fmt.Errorf("variable %d has no name", j+1)
		}
		if k, twice := names[v.Name]; twice {
			return nil, fmt.Errorf("variables %d and %d are both named %q", k, j+1, v.Name)
		}
		names[v.Name] = j + 1
	}
	info.Codebook = map[string]codebook.Variable{}
	var cols []table.Column
	declared := map[string]bool{}
	for _, v := range vars {
		made, about := v.columns(opt, info)
		if len(made) > 1 {
			if names[made[1].Name] > 0 {
				info.Note(message.Say("read.why").Name("column", v.Name).Name("other", made[1].Name))
				made, about.Why, about.Reasons = made[:1], "", nil
			} else {
				declared[made[1].Name] = true
			}
		}
		cols = append(cols, made...)
		info.Codebook[v.Name] = about
		declared[v.Name] = !v.Text
	}
	t, err := table.New(cols...)
	if err == nil {
		t, err = opt.Force(t, info)
	}
	if err == nil {
		t, err = opt.ReadDates(t, info, func(j int) bool { return declared[cols[j].Name] })
	}
	return t, err
}

// columns makes the column of a variable, and of the reasons why its values are missing.
func (v *Variable) columns(opt *dialect.Options, info *dialect.Info) ([]table.Column, codebook.Variable) {
	if v.Text {
		c, about := codebook.Words(v.Name, v.Label, v.Dict.Labels(), v.Cat, nil)
		return []table.Column{opt.Unmarked(c)}, about
	}
	s := codebook.Source{Name: v.Name, Label: v.Label, Num: v.Num}
	var at [256]int32
	for _, l := range slices.Sorted(slices.Values(v.Letters)) {
		if l != 0 && at[l] == 0 {
			r := codebook.Value{Letter: l, Bare: true, Label: "." + string(rune(l-'a'+'A'))}
			if l == underscore {
				r.Label = "._"
			}
			s.Reasons = append(s.Reasons, r)
			at[l] = int32(len(s.Reasons))
		}
	}
	for i, l := range v.Letters {
		if s.Why == nil {
			s.Why = make([]int32, len(s.Num))
		}
		s.Why[i] = at[l] - 1
	}
	kind, told := opt.Kinds[v.Name]
	_, asked := opt.Kinds[v.Name+"_missing"]
	plain := codebook.Numbers(v.Name)
	if dates := Dates(v.Name, v.Format, v.Num, info); dates != nil {
		plain = dates
		told = told && kind == table.Categorical
	}
	return s.Columns(kind, told, asked, plain)
}
