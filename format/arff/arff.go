// Package arff reads and writes the attribute-relation files of Weka (Witten, Frank, Hall and Pal 2016, Data Mining,
// appendix B).
//
// Attributes are numeric (numeric, real, integer), nominal, string or date. Dates become numbers (see package calendar)
// in the notation that their attribute declares, and categories where it declares another; strings become categories,
// or dates where all of them are. Nominal labels keep the order of their declaration, also those that never occur. Rows
// are dense or sparse ("{1 x, 4 y}": an attribute left out is 0 or its first label); their indexes ascend. Attributes
// of 0 and 1 are one column of sets where a wide layout asks for it, read without a table of them in between. A "?"
// without quotes is missing. Relational attributes and instance weights are refused. The text must be UTF-8. Errors
// name the line and the byte in it, and hold no value of a row.
//
// Cost: one pass, O(bytes).
package arff

import (
	"bytes"
	"context"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("arff", Format) }

// Format is ARFF.
var Format = dialect.Format{
	Card: card.Card{
		Name: "arff", Title: "ARFF", Aliases: []string{"attribute-relation file format"},
		Summary: "declares each column, with all labels in order, and has one record per line",
		Paper:   "Witten, Frank, Hall and Pal 2016, appendix B",
		Missing: "a question mark without quotes",
		Cost:    "O(bytes) in time",
	},
	Extensions: []string{".arff"},
	Holds:      dialect.SetsToo,
	Looks:      Looks,
	Read:       Read,
	Write:      Write,
	Loses:      dialect.LosesZeros,
}

// Looks reports whether data begin like an ARFF file: with comments, empty lines and then "@relation".
func Looks(data []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '%' {
			continue
		}
		return len(line) > len("@relation") && strings.EqualFold(string(line[:len("@relation")]), "@relation")
	}
	return false
}

// Read returns the table in an ARFF file. It keeps no reference to data, and may write behind its end up to its
// capacity. Marks in opt.Missing count as missing besides "?".
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	content, as, err := text.Open(data, opt.Encoding)
	if err != nil {
		return nil, nil, err
	}
	if err := text.Check(content); err != nil {
		return nil, nil, err
	}
	r := &reader{lexer: lexer{data: content}, names: make(map[string]int), missing: []string{"?"}}
	r.missing = append(r.missing, opt.Missing...)
	if err := r.header(); err != nil {
		return nil, nil, err
	}
	if err := r.join(&opt); err != nil {
		return nil, nil, err
	}
	r.need()
	if err := r.rows(ctx, opt.Progress); err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "arff"}
	info.Found(as, opt.Encoding == "")
	if r.comments {
		info.Note(message.Say("read.comments"))
	}
	if r.anyMissing {
		info.Missing = "?"
	}
	cols, of, err := r.columns(ctx, info)
	if err != nil {
		return nil, nil, err
	}
	if len(opt.Items) == 0 && r.basket() {
		info.Note(message.Say("read.sparse"))
	}
	info.Dated = dated(of)
	t, err := table.New(cols...)
	if err == nil {
		t, err = opt.Force(t, info)
	}
	if err == nil {
		t, err = opt.ReadDates(t, info, func(j int) bool { return of[j].typ == "nominal" })
	}
	if err != nil {
		return nil, nil, err
	}
	for j, a := range of {
		if a == nil {
			continue
		}
		if _, forced := opt.Kinds[a.name]; a.typ == "date" && t.Attr(j).Dates == "" && !forced {
			info.Note(message.Say("read.datesAsText").Name("column", a.name))
		}
	}
	return t, info, nil
}
