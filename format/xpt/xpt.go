// Package xpt reads and writes the transport files of SAS, which regulators of medicines ask for: .xpt of version 5
// (SAS Institute, TS-140, "The Record Layout of a Data Set in SAS Transport (XPORT) Format") and of version 8, which
// has
// longer names, labels and texts ("Record Layout of a SAS Version 8 or 9 Data Set in SAS Transport Format").
//
// Numbers stay numbers, and those that SAS shows as dates, or as dates with a time, become such; texts become
// categories, without the blanks behind them, or dates, where all are. The missing value . and a blank text are
// missing; ._ and .A to .Z are reasons in a column beside the numbers; see package codebook. Labels of variables are
// kept. A file says nothing of its encoding: texts are read as UTF-8 where they can be, or else as Windows-1252 with a
// note, or as Options say. Of a file with several data sets the first is read, or the one that Options.Sheet names.
//
// Written is version 5 where it holds the table, and version 8 where a name has more than 8 bytes, a label more than 40
// or a text more than 200, or where blanks would be taken for the end of the file. Names have letters, digits and _, at
// most 32: others are changed, and stand in the label where there is none. A column of categories is one of texts, for
// labels of values would stand in a catalog of SAS. Dates are numbers in the formats DATE and DATETIME. Numbers beyond
// 7.2e75, and those below 5.4e-79 with digits that would be lost, are refused, for a file has numbers as IBM's
// mainframes have them, which hold every other exactly. The dates of creation are the same in all files.
//
// Cost: O(cells), on one core.
package xpt

import (
	"bytes"
	"context"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/sas7bdat"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("xpt", Format) }

// Format is the transport files of SAS.
var Format = dialect.Format{
	Card: card.Card{
		Name: "xpt", Title: "SAS transport", Aliases: []string{"XPORT", "SAS transport file"},
		Summary: "is a SAS transport file of version 5, or of version 8 where names or texts are long, with variable " +
			"labels, dates and reasons for missing values",
		Paper:   "SAS Institute, TS-140, Record layout of a data set in SAS transport format",
		Missing: "the missing value ., or a blank text; ._ and .A to .Z are a column of reasons next to the numbers",
		Cost:    "O(cells) in time",
	},
	Extensions: []string{".xpt"},
	Looks:      looks,
	Read:       Read,
	Write:      Write,
	Loses: dialect.LosesLabels | dialect.LosesNotations | dialect.LosesDates | dialect.LosesZeros | dialect.LosesLong |
		dialect.LosesNames | dialect.LosesBlanks | dialect.LosesRange,
}

func looks(data []byte) bool {
	return bytes.HasPrefix(data, []byte(headMark+"LIBRARY "+headEnd)) || bytes.HasPrefix(data,
		[]byte(headMark+"LIBV8   "+headEnd))
}

// Read returns the table in a data set. It keeps no reference to data. Marks in opt.Missing, when given, count as
// missing in texts.
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	f, others, err := open(data, opt.Sheet)
	if err != nil {
		return nil, nil, err
	}
	if err := f.read(ctx, opt.Progress); err != nil {
		return nil, nil, err
	}
	decode, assumed, err := f.decode(opt.Encoding)
	if err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "xpt", Sheet: f.name, Types: map[string]string{}}
	vars := make([]*sas7bdat.Variable, len(f.vars))
	for j, v := range f.vars {
		v.recode(decode)
		vars[j] = &v.Variable
		info.Types[v.Name] = v.Format
	}
	if f.elsewhere {
		info.Note(message.Say("read.places"))
	}
	if assumed != "" {
		info.Note(message.Say("read.assumed").Name("encoding", assumed))
	}
	if len(others) > 0 && opt.Sheet == "" {
		info.Note(message.Say("read.dataSet").Name("name", f.name).Text("others", strings.Join(others, ", ")))
	}
	t, err := sas7bdat.Table(vars, &opt, info)
	if err != nil {
		return nil, nil, err
	}
	return t, info, nil
}
