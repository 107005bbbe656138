package csv

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/dither-data/dither/format/decimal"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// byteOrderMark as UTF-8 has it.
const byteOrderMark = "\ufeff"

// joined refuses a text in whose middle a line begins with a byte order mark, as where files were joined, for it would
// be part of a value; and notes the header where it stands again among the records. Cost: O(labels), and O(records)
// where there is such a thing.
func (r *result) joined(cols []table.Column, info *dialect.Info) error {
	first := &cols[0]
	for code, l := range first.Labels {
		if first.Kind != table.Categorical || len(l) < len(byteOrderMark) || l[:len(byteOrderMark)] != byteOrderMark {
			continue
		}
		for row, c := range first.Cat {
			if c != int32(code) {
				continue
			}
			if pos := r.at(row); bytes.HasPrefix(r.data[pos:], []byte(byteOrderMark)) {
				return text.AtLine(r.data, pos, "found a byte order mark, as files have it that were joined: take it out, and the "+
					"header behind it where there is one")
			}
		}
	}
	if row := r.repeated(cols); row >= 0 {
		info.Note(message.Say("read.again").Name("line", strconv.Itoa(r.lineOf(row))))
	}
	return nil
}

// repeated returns the first record that holds the names of the columns, where a column would be one of numbers without
// it; -1 for none. Else the first line may be a record, of which there are several.
func (r *result) repeated(cols []table.Column) int {
	if r.heading == nil || len(cols) < 2 || !slices.ContainsFunc(cols, r.numbersBut) {
		return -1
	}
	codes := make([]int32, len(cols))
	for j := range cols {
		codes[j] = int32(slices.Index(cols[j].Labels, r.heading[j]))
		if codes[j] < 0 {
			return -1
		}
	}
	for row := range cols[0].Cat {
		same := true
		for j := range cols {
			same = same && cols[j].Cat[row] == codes[j]
		}
		if same {
			return row
		}
	}
	return -1
}

// numbersBut reports whether the labels of a column are its name and numbers.
func (r *result) numbersBut(c table.Column) bool {
	return len(c.Labels) > 1 && !slices.ContainsFunc(c.Labels, func(l string) bool {
		_, _, number := decimal.Parse([]byte(l), r.point)
		return number == (l == c.Name)
	})
}
