package transactions

import (
	"context"
	"io"
	"math"
	"strconv"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

func init() { dialect.Register("transactions", Format, FormatBasket, FormatSPMF) }

// Format is the format of the workshops on frequent itemset mining implementations: items are numbers.
var Format = dialect.Format{
	Card: card.Card{
		Name: "fimi", Title: "FIMI", Aliases: []string{"transactions", "dat"},
		Summary: "has one transaction per line, with items as numbers separated by spaces",
		Paper:   "Goethals & Zaki 2003, FIMI workshop",
		Missing: "a line with a single ?; ?5 is an item that may or may not be in the transaction",
		Cost:    cost,
	},
	Paged:      true,
	Extensions: []string{".dat", ".fimi"},
	Holds:      dialect.SetsOnly,
	Read:       readNumbers,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return write(ctx, w, t, opt, style{between: ' ', name: number})
	},
	Loses: dialect.LosesLabels,
}

const cost = "O(bytes) in time, on all cores; a few bytes per item in memory"

// Most is the largest number of an item.
const Most = math.MaxInt32

func readNumbers(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	content, as, err := open(data, opt)
	if err != nil {
		return nil, nil, err
	}
	all, err := scan(ctx, content, ' ', scanNumbers, opt)
	if err != nil {
		return nil, nil, err
	}
	c, err := column(ctx, all, func(id uint32) string { return strconv.FormatUint(uint64(id), 10) })
	if err != nil {
		return nil, nil, err
	}
	return finish(ctx, content, as, opt, "fimi", c)
}

// scanNumbers reads lines of numbers.
func scanNumbers(p *part, data []byte, from, to int) error {
	for at, begun := from, from; at < to; at++ {
		b := data[at]
		switch {
		case b-'0' < 10:
			id, end, ok := digits(data, at)
			if !ok {
				return text.At(data, at, "an item is a whole number from 0 to %d", Most)
			}
			p.items, at, p.most = append(p.items, int32(id)), end-1, max(p.most, id)
		case b == '\n':
			p.ends, begun = append(p.ends, len(p.items)), at+1
		case blank(b):
		case b == '?' && data[at+1]-'0' < 10:
			id, end, ok := digits(data, at+1)
			if !ok {
				return text.At(data, at+1, "an item is a whole number from 0 to %d", Most)
			}
			p.maybe, at, p.most = append(p.maybe, maybe{len(p.ends), id}), end-1, max(p.most, id)
		case b == '?' && alone(data, begun, at):
			p.missing = append(p.missing, len(p.ends))
		default:
			return text.At(data, at, "an item is a whole number from 0 to %d, with blanks between them", Most)
		}
	}
	return nil
}

// digits reads the number at data[at], which ends at a blank or a line feed. It is false for other text and numbers too
// large.
func digits(data []byte, at int) (id uint32, end int, ok bool) {
	v := uint64(0)
	for end = at; data[end]-'0' < 10; end++ {
		v = 10*v + uint64(data[end]-'0')
		if v > Most {
			return 0, end, false
		}
	}
	return uint32(v), end, data[end] == '\n' || blank(data[end])
}

func blank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' }

// alone reports whether data[at] is the only text of the line that begins at begun.
func alone(data []byte, begun, at int) bool {
	for k := begun; data[k] != '\n'; k++ {
		if k != at && !blank(data[k]) {
			return false
		}
	}
	return true
}
