package transactions

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// FormatBasket is a line of names for every transaction.
var FormatBasket = dialect.Format{
	Card: card.Card{
		Name: "basket", Title: "Basket",
		Summary: "has one transaction per line, with items as names separated by commas, semicolons, tabs, pipes " +
			"or, without any of these, spaces",
		Paper:   "Hahsler, Grün & Hornik 2005, arules",
		Missing: "a line with a single ?; ?jam is an item that may or may not be in the transaction",
		Cost:    cost,
	},
	Paged:      true,
	Extensions: []string{".basket", ".baskets"},
	Holds:      dialect.SetsOnly,
	Read:       readNames,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		between := opt.Delimiter
		if between == 0 {
			between = ','
		}
		if lonely(t) {
			return write(ctx, w, t, opt, style{between: between, name: quotedBlanks})
		}
		return write(ctx, w, t, opt, style{between: between, name: quoted})
	},
	Loses: dialect.LosesLabels | dialect.LosesZeros,
}

func readNames(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	content, as, err := open(data, opt)
	if err != nil {
		return nil, nil, err
	}
	between := opt.Delimiter
	if between == 0 {
		between = separator(content)
	}
	all, err := scan(ctx, content, between,
		func(p *part, data []byte, from, to int) error { return scanNames(p, data, from, to, between) }, opt)
	if err != nil {
		return nil, nil, err
	}
	c, err := column(ctx, all, nil)
	if err != nil {
		return nil, nil, err
	}
	t, info, err := finish(ctx, content, as, opt, "basket", c)
	if err == nil {
		info.Delimiter = between
	}
	return t, info, err
}

// mark is the byte order mark, which a file may begin with.
const mark = "\ufeff"

// separators are those that are detected, the likelier first.
const separators = ",;\t|"

// separator returns the most frequent of them outside quotes in the first lines; where the file has none, the blank
// that it has, or else a comma.
func separator(content []byte) byte {
	const first = 1 << 16
	count := outside(content[:min(len(content), first)])
	if mostOf(count) == ' ' && len(content) > first {
		count = outside(content)
	}
	if best := mostOf(count); best != ' ' || count[' '] > 0 {
		return best
	}
	return ','
}

// mostOf returns the most frequent separator; a blank where there is none.
func mostOf(count *[256]int) byte {
	best, most := byte(' '), 0
	for _, b := range []byte(separators) {
		if count[b] > most {
			best, most = b, count[b]
		}
	}
	return best
}

// outside counts the bytes outside quotes.
func outside(content []byte) *[256]int {
	count := new([256]int)
	within := false
	for _, b := range content {
		switch {
		case b == '"':
			within = !within
		case b == '\n':
			within = false
		case !within:
			count[b]++
		}
	}
	return count
}

// scanNames reads lines of names.
func scanNames(p *part, data []byte, from, to int, between byte) error {
	number, broken := map[string]uint32{}, false
	id := func(name []byte) uint32 {
		k, ok := number[string(name)]
		if !ok {
			k = uint32(len(p.names))
			p.names = append(p.names, string(name))
			number[p.names[k]] = k
			broken = broken || bytes.ContainsAny(name, "\r\x00")
		}
		return k
	}
	for at := from; at < to; {
		begun := at
		for {
			for data[at] != between && blank(data[at]) {
				at++
			}
			asked := data[at] == '?'
			if asked {
				at++
			}
			name, isQuoted, end, err := word(data, at, between)
			switch none := len(name) == 0 && !isQuoted; {
			case err != nil:
				return err
			case asked && none:
				if !aloneBetween(data, begun, at-1, end) {
					return text.At(data, at-1, "a single ? stands for an unknown transaction, in a line of its own")
				}
				p.missing = append(p.missing, len(p.ends))
			case asked:
				p.maybe = append(p.maybe, maybe{len(p.ends), id(name)})
			case !none:
				p.items = append(p.items, int32(id(name)))
			}
			if broken {
				return text.At(data, at, "a carriage return or a zero byte within a name")
			}
			at = end + 1
			if data[end] == '\n' {
				break
			}
		}
		p.ends = append(p.ends, len(p.items))
	}
	return nil
}

// aloneBetween reports whether a word from at to end is the only one of its line.
func aloneBetween(data []byte, begun, at, end int) bool {
	return data[end] == '\n' && len(bytes.TrimSpace(data[begun:at])) == 0
}

// word reads the name that begins at data[at] and ends before data[end], a separator or a line feed. Blanks around it
// do not belong to it; those within quotes do.
func word(data []byte, at int, between byte) (name []byte, isQuoted bool, end int, err error) {
	if data[at] == '"' {
		return quotedWord(data, at, between)
	}
	end = at
	for data[end] != between && data[end] != '\n' {
		end++
	}
	return bytes.Trim(data[at:end], " \t\r"), false, end, nil
}

// quotedWord reads a name in quotes, within which a quote stands twice.
func quotedWord(data []byte, at int, between byte) (name []byte, isQuoted bool, end int, err error) {
	for k := at + 1; data[k] != '\n'; k++ {
		if data[k] != '"' {
			name = append(name, data[k])
			continue
		}
		if data[k+1] == '"' {
			name, k = append(name, '"'), k+1
			continue
		}
		for end = k + 1; data[end] != between && blank(data[end]); end++ {
		}
		if data[end] != between && data[end] != '\n' {
			return nil, true, 0, text.At(data, end, "text follows a name in quotes")
		}
		return name, true, end, nil
	}
	return nil, true, 0, text.At(data, at, "the quote is not closed in its line")
}

// lonely reports whether no transaction has two items, so that a file of names shows no separator.
func lonely(t *table.Table) bool {
	if t.Width() != 1 || t.Attr(0).Kind != table.SetValued {
		return false
	}
	s := t.Column(0).Sets
	for i := range s.Rows() {
		if len(s.Present.Row(i))+len(s.Unknown.Row(i)) > 1 {
			return false
		}
	}
	return true
}

// quotedBlanks writes a name, in quotes where a blank in it would be taken for the separator.
func quotedBlanks(label string, between byte) (string, error) {
	name, err := quoted(label, between)
	if err == nil && name == label && strings.Contains(label, " ") {
		name = inQuotes(label)
	}
	return name, err
}

// quoted writes a name, in quotes where it needs them.
func quoted(label string, between byte) (string, error) {
	if strings.ContainsAny(label, "\r\n") {
		return "", errors.New("has a line end, which a file of names cannot hold")
	}
	plain := label != "" && strings.TrimSpace(label) == label && label[0] != '"' && label[0] != '?' &&
		!strings.HasPrefix(label, mark) &&
		strings.IndexByte(label, between) < 0 &&
		!strings.ContainsAny(label, separators)
	if plain {
		return label, nil
	}
	return inQuotes(label), nil
}

func inQuotes(label string) string { return `"` + strings.ReplaceAll(label, `"`, `""`) + `"` }
