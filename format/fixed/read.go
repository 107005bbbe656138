package fixed

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/dither-data/dither/format/codebook"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() {
	dialect.RegisterPlaces(func(description []byte) (dialect.Reader, error) {
		l, err := Parse(description)
		if err != nil {
			return nil, err
		}
		return l.Read, nil
	})
}

// Read reads a text of fixed width as a delimited one, in which a line is still the same line, and puts labels to
// codes.
func (l *Layout) Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	if e := text.Found(data, opt.Encoding); len(e) > 5 && e[:5] == "utf-1" {
		return nil, nil, errors.New("a text of fixed width in UTF-16, whose places nobody counts: turn it into UTF-8 or " +
			"another encoding with one byte for most letters")
	}
	out, short, err := l.Delimited(make([]byte, 0, len(data)+len(data)/4), data)
	if err != nil {
		return nil, nil, err
	}
	opt.Delimiter, opt.DecimalComma, opt.Header, opt.Names = ',', false, dialect.NoHeader, nil
	opt.Missing = append([]string{""}, opt.Missing...) // no other text, unless it is told
	opt.Kinds = maps.Clone(opt.Kinds)
	if opt.Kinds == nil {
		opt.Kinds = map[string]table.Kind{}
	}
	for _, c := range l.Columns {
		opt.Names = append(opt.Names, c.Name)
		_, kind := opt.Kinds[c.Name]
		_, dated := opt.Dates[c.Name]
		if _, number := opt.Numbers[c.Name]; c.Type == Text && !kind && !dated && !number {
			opt.Kinds[c.Name] = table.Categorical
		}
	}
	t, info, err := csv.Read(ctx, out, opt)
	if err != nil {
		return nil, nil, err
	}
	if short > 0 {
		info.Note(message.Say("read.short").Count("n", short))
	}
	if l.Lines > 1 {
		info.FirstLine = 0
	}
	t, err = labelled(t, l, &opt, info)
	return t, info, err
}

// labelled makes categories of columns whose values all have labels, and puts the codes of missing values apart, as a
// file of a statistics package is read.
func labelled(t *table.Table, l *Layout, opt *dialect.Options, info *dialect.Info) (*table.Table, error) {
	info.Codebook = map[string]codebook.Variable{}
	var cols []table.Column
	for _, is := range l.Columns {
		c := t.Column(t.Find(is.Name))
		made, about := []table.Column{c}, codebook.Variable{Label: is.Label}
		switch _, asked := opt.Kinds[is.Name+"_missing"]; {
		case len(is.Labels)+len(is.Missing)+len(is.MissWords) == 0:
		case c.Kind == table.Categorical && is.Type == Text:
			made[0], about = codebook.Words(c.Name, is.Label, c.Labels, c.Cat, is.Labels)
			about.Words = is.MissWords
		case c.Kind == table.Numeric && c.Dates == "":
			s := codebook.Source{Name: c.Name, Label: is.Label, Num: slices.Clone(c.Num), Missing: is.Missing}
			declared := codebook.Variable{Missing: is.Missing}
			for _, v := range is.Labels {
				if declared.IsMissing(v.Number) {
					s.Reasons = append(s.Reasons, v)
				} else {
					s.Labels = append(s.Labels, v)
				}
			}
			s.FindReasons()
			kind, told := opt.Kinds[is.Name]
			if made, about = s.Columns(kind, told, asked, codebook.Numbers(c.Name)); len(made) > 1 && t.Find(made[1].Name) >= 0 {
				made, about.Why, about.Reasons = made[:1], "", nil
			}
		}
		cols, info.Codebook[is.Name] = append(cols, made...), about
	}
	return table.New(cols...)
}
