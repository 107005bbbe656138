// Package sas7bdat reads the data sets of SAS, of versions 7 to 9 on any machine, with 32 or 64 bits, compressed or
// not. Nothing that SAS says describes these files: what is known of them was found by others (Shotwell & Yu, "SAS7BDAT
// database binary format"; ReadStat), and since no writer but SAS makes files that SAS is sure to read, none are
// written: a release is written in another format. One of Stata keeps labels and reasons.
//
// Numbers stay numbers, and those that SAS shows as dates, or as dates with a time, become such; times of day and
// periods stay numbers. Texts become categories, without the blanks behind them. The missing value . and an empty text
// are missing; ._ and .A to .Z are reasons in a column beside the numbers; see package codebook. Labels of variables
// are kept. Labels of values are in other files of SAS (catalogs) and are not read. Numbers that SAS stored in fewer
// than eight bytes are those that it would read. Texts are decoded by what the file says, or as Options say.
//
// Files with records that are marked as deleted are refused: those are still in the file, and nobody who deleted them
// wants them released.
//
// Cost: O(cells), on one core.
package sas7bdat

import (
	"bytes"
	"context"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("sas7bdat", Format) }

// Format is SAS's data sets.
var Format = dialect.Format{
	Card: card.Card{
		Name: "sas7bdat", Title: "SAS", Aliases: []string{"SAS data set"},
		Summary: "is a SAS 7 to 9 data set, compressed or not, with variable labels, dates and reasons for missing values",
		Paper:   "Shotwell & Yu, SAS7BDAT database binary format",
		Missing: "the missing value ., or an empty text; ._ and .A to .Z are a column of reasons next to the numbers",
		Cost:    "O(cells) in time",
	},
	Extensions: []string{".sas7bdat"},
	Looks:      looks,
	Read:       Read,
}

var magic = []byte(
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11",
)

func looks(data []byte) bool { return bytes.HasPrefix(data, magic) }

// Read returns the table in a data set. It keeps no reference to data. Marks in opt.Missing, when given, count as
// missing in texts.
func Read(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	f, err := open(data, opt.Encoding)
	if err != nil {
		return nil, nil, err
	}
	if err := f.readPages(ctx, opt.Progress); err != nil {
		return nil, nil, err
	}
	info := &dialect.Info{Format: "sas7bdat"}
	vars := make([]*Variable, len(f.vars))
	for j := range f.vars {
		vars[j] = &f.vars[j].Variable
	}
	t, err := Table(vars, &opt, info)
	if err != nil {
		return nil, nil, err
	}
	if f.beyondASCII && f.assumed != "" {
		info.Note(message.Say("read.guessed").Name("encoding", f.assumed))
	}
	return t, info, nil
}
