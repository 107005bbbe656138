package csv

import (
	"context"
	"io"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("csv", Format, FormatTSV, FormatText) }

// Format is delimited text with any delimiter but the tab, which readers of a .csv file do not expect.
var Format = dialect.Format{
	Card: card.Card{
		Name: "csv", Title: "CSV", Aliases: []string{"comma-separated values", "delimited text"},
		Summary: "has column names and then one record per line, separated by commas, semicolons or pipes",
		Paper:   "Shafranovich 2005, RFC 4180",
		Missing: missing,
		Cost:    cost,
	},
	Extensions: []string{".csv"},
	Read:       Read,
	Paged:      true,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return Write(ctx, w, t, delimited(opt, ',', opt.Delimiter == '\t'))
	},
	Loses: loses,
}

// FormatTSV is delimited text with tabs, which readers of a .tsv file rely on.
var FormatTSV = dialect.Format{
	Card: card.Card{
		Name: "tsv", Title: "TSV", Aliases: []string{"tab-separated values"},
		Summary: "is CSV separated by tabs",
		Paper:   "Lindner 1993, text/tab-separated-values (IANA)",
		Missing: missing,
		Cost:    cost,
	},
	Extensions: []string{".tsv", ".tab"},
	Variant:    "csv",
	Read: func(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
		if opt.Delimiter == 0 {
			opt.Delimiter = '\t'
		}
		return Read(ctx, data, opt)
	},
	Paged: true,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return Write(ctx, w, t, delimited(opt, '\t', opt.Delimiter != '\t'))
	},
	Loses: loses,
}

// FormatText is delimited text whose name promises no delimiter.
var FormatText = dialect.Format{
	Card: card.Card{
		Name: "txt", Title: "Text", Aliases: []string{"plain text"},
		Summary: "is CSV with the delimiter of the original",
		Paper:   "Shafranovich 2005, RFC 4180",
		Missing: missing,
		Cost:    cost,
	},
	Extensions: []string{".txt"},
	Variant:    "csv",
	Read:       Read,
	Paged:      true,
	Write:      Write,
	Loses:      loses,
}

const (
	missing = "an empty cell, ?, NA or NaN without quotes, or the given texts"
	cost    = "O(bytes) in time, on all cores"
	loses   = dialect.LosesKinds | dialect.LosesDates | dialect.LosesLabels | dialect.LosesZeros
)

// delimited returns opt with another delimiter if it is to change. Decimal commas, which belong to the ways of a file
// with its own delimiter, go with it: nobody expects them behind another.
func delimited(opt dialect.Options, delim byte, change bool) dialect.Options {
	if change {
		opt.DecimalComma = opt.DecimalComma && opt.Delimiter == 0
		opt.Delimiter = delim
	}
	return opt
}
