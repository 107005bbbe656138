package transactions

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// style is how transactions are written.
type style struct {
	between byte
	name    func(label string, between byte) (string, error) // how an item is written
	head    func(out *bufio.Writer, labels []string, end string) error
}

// rowsPerLook is how many rows are written between two looks at the context.
const rowsPerLook = 1 << 12

// write writes the one column of a table.
func write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options, l style) error {
	if t.Width() != 1 || t.Attr(0).Kind != table.SetValued {
		for j := range t.Width() {
			if a := t.Attr(j); a.Kind != table.SetValued || j > 0 {
				return fmt.Errorf("column %q has no place in a file of transactions, which holds one column of sets and nothing "+
					"else", a.Name)
			}
		}
	}
	c := t.Column(0)
	c = c.Compact() // an item that no transaction has must not be told
	names, rank := layout.Ordered(&c)
	for k, label := range names {
		name, err := l.name(label, l.between)
		if err == nil && !text.OK([]byte(label)) {
			err = errors.New("is not UTF-8 text")
		}
		if err != nil {
			return fmt.Errorf("column %q has an item with a name that %w", c.Name, err)
		}
		names[k] = name
	}
	return text.Encoded(w, opt.Encoding, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		end := "\n"
		if opt.CRLF {
			end = "\r\n"
		}
		if l.head != nil {
			if err := l.head(out, names, end); err != nil {
				return err
			}
		}
		if err := l.rows(ctx, out, c.Sets, rank, names, end, opt.Progress); err != nil {
			return err
		}
		return out.Flush()
	})
}

// rows writes a line for every transaction.
func (l *style) rows(
	ctx context.Context,
	out *bufio.Writer,
	s *table.Sets,
	rank []int32,
	names []string,
	end string,
	progress func(done, total int64),
) error {
	var line []byte
	var places []int32
	n := s.Rows()
	for i := range n {
		if i%rowsPerLook == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(int64(i), int64(n))
			}
		}
		line, places = line[:0], layout.Places(places, s, i, rank)
		if s.MissingAt(i) {
			line = append(line, '?')
		}
		for k, p := range places {
			if k > 0 {
				line = append(line, l.between)
			}
			if p&1 != 0 {
				line = append(line, '?')
			}
			line = append(line, l.item(names, p/2)...)
		}
		line = append(line, end...)
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	if progress != nil {
		progress(int64(n), int64(n))
	}
	return ctx.Err()
}

// item returns what stands for an item in a line.
func (l *style) item(names []string, rank int32) string {
	if l.head != nil { // which has given it a number
		return strconv.Itoa(int(rank) + 1)
	}
	return names[rank]
}

// number is the name of an item that must be a number.
func number(label string, _ byte) (string, error) {
	n, err := strconv.ParseUint(label, 10, 31)
	if err != nil || strconv.FormatUint(n, 10) != label {
		return "", fmt.Errorf("is not a whole number from 0 to %d; .basket and .spmf files can hold names", Most)
	}
	return label, nil
}
