package transactions

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// FormatSPMF is that of the SPMF library: numbers, and before them the names that they stand for.
var FormatSPMF = dialect.Format{
	Card: card.Card{
		Name: "spmf", Title: "SPMF",
		Summary: "has the names of the items and then one transaction per line, with items as the numbers of the names",
		Paper:   "Fournier-Viger et al. 2014, SPMF",
		Missing: Format.Missing,
		Cost:    cost,
	},
	Paged:      true,
	Extensions: []string{".spmf"},
	Holds:      dialect.SetsOnly,
	Looks:      func(data []byte) bool { return bytes.HasPrefix(data, []byte(converted)) },
	Read:       readSPMF,
	Write: func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
		return write(ctx, w, t, opt, style{between: ' ', name: lineOfItem, head: declareItems})
	},
	Loses: dialect.LosesLabels | dialect.LosesZeros,
}

const converted, itemLine = "@CONVERTED_FROM_TEXT", "@ITEM="

func readSPMF(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
	content, as, err := open(data, opt)
	if err != nil {
		return nil, nil, err
	}
	names, body, err := itemNames(content)
	if err != nil {
		return nil, nil, err
	}
	all, err := scan(ctx, content, ' ', func(p *part, data []byte, from, to int) error {
		return scanNumbers(p, data, max(from, body), max(to, body))
	}, opt)
	if err != nil {
		return nil, nil, err
	}
	c, err := column(ctx, all, func(id uint32) string {
		if name, ok := names[id]; ok {
			return name
		}
		return strconv.FormatUint(uint64(id), 10)
	})
	if err != nil {
		return nil, nil, err
	}
	seen := make(map[string]bool, len(c.Labels))
	for _, l := range c.Labels {
		if seen[l] {
			return nil, nil, errors.New("two items have one name: one of its number, and another's that was declared")
		}
		seen[l] = true
	}
	return finish(ctx, content, as, opt, "spmf", c)
}

// itemNames reads the lines before the transactions: declarations, which begin with an at sign, and comments. Body is
// where the transactions begin.
func itemNames(content []byte) (names map[uint32]string, body int, err error) {
	names = map[uint32]string{}
	given := map[string]bool{}
	for body < len(content) && bytes.IndexByte([]byte("@#%"), content[body]) >= 0 {
		end := body + bytes.IndexByte(content[body:], '\n')
		if line := strings.TrimSuffix(string(content[body:end]), "\r"); strings.HasPrefix(line, itemLine) {
			number, name, ok := strings.Cut(line[len(itemLine):], "=")
			id, fault := strconv.ParseUint(number, 10, 31)
			switch _, twice := names[uint32(id)]; {
			case !ok || fault != nil || name == "" || strings.ContainsAny(name, "\r\x00"):
				return nil, 0, text.AtLine(content, body, "expected %snumber=name, with neither a carriage return nor a zero "+
					"byte in the name", itemLine)
			case twice || given[name]:
				return nil, 0, text.AtLine(content, body, "the number or the name was declared before")
			}
			names[uint32(id)], given[name] = name, true
		}
		body = end + 1
	}
	return names, body, nil
}

// lineOfItem refuses names that do not fit into a line.
func lineOfItem(label string, _ byte) (string, error) {
	if label == "" || strings.ContainsAny(label, "\r\n") {
		return "", errors.New("is empty or has a line end, which SPMF files cannot hold")
	}
	return label, nil
}

// declareItems numbers the names from 1.
func declareItems(out *bufio.Writer, names []string, end string) error {
	if _, err := out.WriteString(converted + end); err != nil {
		return err
	}
	for k, n := range names {
		if _, err := fmt.Fprintf(out, "%s%d=%s%s", itemLine, k+1, n, end); err != nil {
			return err
		}
	}
	return nil
}
