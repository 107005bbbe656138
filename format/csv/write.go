package csv

import (
	"context"
	"io"
	"runtime"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/table"
)

// chunk is about how many cells a goroutine formats at a time.
const chunk = 1 << 16

// Write writes the table as delimited text. Read, told the same options and the columns' kinds, reads the same values
// from it. Numbers have the decimals of their column's grid; those of a continuous column are the shortest text that
// reads back the same. A cell is quoted where it must be: delimiters, quotes, line ends, blanks at its ends, and texts
// that would be taken for missing. It fails on what the format cannot hold: infinite numbers, and labels or names that
// are not UTF-8 text or that the encoding lacks. Rows are formatted in parallel and written in order. Cost: O(cells).
func Write(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
	return text.Encoded(w, opt.Encoding, func(w io.Writer) error { return write(ctx, w, t, &opt) })
}

func write(ctx context.Context, w io.Writer, t *table.Table, opt *dialect.Options) error {
	e, err := newEncoder(t, opt)
	if err != nil {
		return err
	}
	if _, err := w.Write(e.header()); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows := max(1, chunk/t.Width())
	chunks := (t.Rows() + rows - 1) / rows
	lanes := make([]lane, min(runtime.GOMAXPROCS(0), chunks))
	for k := range lanes {
		lanes[k] = newLane()
		go lanes[k].run(ctx, k, chunks, len(lanes), func(buf []byte, c int) []byte {
			return e.rows(buf, c*rows, min(t.Rows(), (c+1)*rows))
		})
	}
	for c := range chunks {
		l := &lanes[c%len(lanes)]
		select {
		case <-ctx.Done():
			return ctx.Err()
		case buf := <-l.full:
			if ctx.Err() != nil { // both cases were ready
				return ctx.Err()
			}
			if _, err := w.Write(buf); err != nil {
				return err
			}
			l.free <- buf
		}
		if opt.Progress != nil {
			opt.Progress(int64(min(t.Rows(), (c+1)*rows)), int64(t.Rows()))
		}
	}
	return ctx.Err()
}

// lane is one goroutine's way to the writer: two buffers go round between them.
type lane struct{ full, free chan []byte }

func newLane() lane {
	l := lane{make(chan []byte, 2), make(chan []byte, 2)}
	l.free <- nil
	l.free <- nil
	return l
}

// run formats the chunks k, k+lanes, k+2*lanes and so on.
func (l lane) run(ctx context.Context, k, chunks, lanes int, format func(buf []byte, c int) []byte) {
	for c := k; c < chunks; c += lanes {
		select {
		case <-ctx.Done():
			return
		case buf := <-l.free:
			l.full <- format(buf[:0], c)
		}
	}
}
