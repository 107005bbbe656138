package formattest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/dither-data/dither/format/arff"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/table"
)

var files = Files{
	Dates:    []byte("@relation r\n@attribute day date \"yyyy-MM-dd\"\n@data\n\"2026-01-02\"\n?\n1969-12-31\n"),
	Nameless: []byte("@relation r\n@attribute '' real\n@data\n1\n"),
	Items:    []string{"b", "a", "10", "9", "x y"},
	NoItems:  []string{"?x"},
}

// whole is ARFF, which loses least, read in pieces too.
func whole() dialect.Format {
	f := arff.Format
	f.Pieces = cutBy(f, func(t *table.Table, lo, hi int) *table.Table { return t.Slice(lo, hi) }, true)
	return f
}

// cutBy reads a file whole and hands out its pieces as cut makes them.
func cutBy(
	f dialect.Format,
	cut func(t *table.Table, lo, hi int) *table.Table,
	stops bool,
) func(context.Context, io.ReaderAt, int64, int, dialect.Options) iter.Seq2[*table.Table, error] {
	return func(ctx context.Context, r io.ReaderAt, size int64, rows int, opt dialect.Options) iter.Seq2[*table.Table,
		error] {
		return func(yield func(*table.Table, error) bool) {
			if !stops {
				ctx = context.WithoutCancel(ctx)
			}
			data, err := io.ReadAll(io.NewSectionReader(r, 0, size))
			if err != nil {
				yield(nil, err)
				return
			}
			t, _, err := f.Read(ctx, data, opt)
			if err != nil {
				yield(nil, err)
				return
			}
			for lo := 0; lo < t.Rows(); lo += rows {
				if !yield(cut(t, lo, min(t.Rows(), lo+rows)), nil) {
					return
				}
			}
		}
	}
}

func TestSoundFormat(t *testing.T) { Run(t, whole(), files) }

type writer = func(context.Context, io.Writer, *table.Table, dialect.Options) error

// onRead changes what the sound reader returns.
func onRead(
	change func(data []byte, t *table.Table, info *dialect.Info, err error) (*table.Table, *dialect.Info, error),
) func(*dialect.Format) {
	return func(f *dialect.Format) {
		sound := f.Read
		f.Read = func(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
			t, info, err := sound(ctx, data, opt)
			return change(data, t, info, err)
		}
	}
}

// onTable changes the table that the sound reader returns.
func onTable(change func(t *table.Table) *table.Table) func(*dialect.Format) {
	return onRead(func(_ []byte, t *table.Table, info *dialect.Info, err error) (*table.Table, *dialect.Info, error) {
		if err == nil {
			t = change(t)
		}
		return t, info, err
	})
}

// onColumn changes the columns of a kind in the tables with records that the sound reader returns.
func onColumn(kind table.Kind, change func(c *table.Column)) func(*dialect.Format) {
	return onTable(func(t *table.Table) *table.Table {
		cols := t.Columns()
		for j := range cols {
			if c := &cols[j]; c.Kind == kind && t.Rows() > 0 {
				c.Num, c.Cat, c.Labels = slices.Clone(c.Num), slices.Clone(c.Cat), slices.Clone(c.Labels)
				change(c)
			}
		}
		return must(cols...)
	})
}

// onWrite puts a writer in front of the sound one.
func onWrite(write func(sound writer) writer) func(*dialect.Format) {
	return func(f *dialect.Format) { f.Write = write(f.Write) }
}

// onBytes changes the bytes that the sound writer makes.
func onBytes(change func(data []byte) []byte) func(*dialect.Format) {
	return onWrite(func(sound writer) writer {
		return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
			var out bytes.Buffer
			err := sound(ctx, &out, t, opt)
			if err == nil {
				_, err = w.Write(change(out.Bytes()))
			}
			return err
		}
	})
}

// inPieces cuts the pieces in another way.
func inPieces(cut func(t *table.Table, lo, hi int) *table.Table, stops bool) func(*dialect.Format) {
	return func(f *dialect.Format) { f.Pieces = cutBy(*f, cut, stops) }
}

var sink []byte

// Every fault is seen by the check that is there for it.
func TestFaultsAreSeen(t *testing.T) {
	for _, c := range []struct {
		fault, check string
		plant        func(*dialect.Format)
	}{
		{"no title", "declaration", func(f *dialect.Format) { f.Title = "" }},
		{"no writer", "declaration", func(f *dialect.Format) { f.Write = nil }},
		{"no extension", "declaration", func(f *dialect.Format) { f.Extensions = nil }},
		{"an extension in capitals", "declaration", func(f *dialect.Format) { f.Extensions = []string{".ARFF"} }},
		{"an extension without its point", "declaration", func(f *dialect.Format) { f.Extensions = []string{"arff"} }},
		{"one extension twice", "declaration", func(f *dialect.Format) { f.Extensions = []string{".arff", ".arff"} }},
		{"everything looks right", "declaration", func(f *dialect.Format) { f.Looks = func([]byte) bool { return true } }},
		{"nothing looks right", "tables", func(f *dialect.Format) { f.Looks = func([]byte) bool { return false } }},
		{"another name in Info", "tables", onRead(func(_ []byte, t *table.Table, _ *dialect.Info, err error) (*table.Table,
			*dialect.Info, error) {
			return t, &dialect.Info{Format: "weka"}, err
		})},
		{"the last row is lost", "tables", onTable(func(t *table.Table) *table.Table {
			return t.Slice(0, max(0, t.Rows()-1))
		})},
		{"the last column is lost", "tables", onTable(func(t *table.Table) *table.Table {
			return must(t.Columns()[:max(1, t.Width()-1)]...)
		})},
		{"columns change places", "tables", onTable(func(t *table.Table) *table.Table {
			cols := t.Columns()
			slices.Reverse(cols)
			return must(cols...)
		})},
		{"grids are lost", "tables", onColumn(table.Numeric, func(c *table.Column) { c.Step = 0 })},
		{"domains are lost", "tables", onColumn(table.Numeric, func(c *table.Column) { c.Domain = table.Everything() })},
		{"missing numbers are zero", "tables", onColumn(table.Numeric, func(c *table.Column) {
			for i, v := range c.Num {
				if v != v {
					c.Num[i] = 0
				}
			}
		})},
		{"numbers are rounded", "tables", onColumn(table.Numeric, func(c *table.Column) {
			for i, v := range c.Num {
				c.Num[i] = float64(float32(v))
			}
		})},
		{"labels are trimmed", "tables", onColumn(table.Categorical, func(c *table.Column) {
			for k, l := range c.Labels {
				c.Labels[k] = strings.TrimSpace(l)
			}
		})},
		{"a question mark is missing", "tables", onColumn(table.Categorical, func(c *table.Column) {
			for i, k := range c.Cat {
				if k >= 0 && c.Labels[k] == "?" {
					c.Cat[i] = -1
				}
			}
		})},
		{"every second file has a remark", "tables", func() func(*dialect.Format) {
			n := 0
			return onBytes(func(data []byte) []byte {
				if n++; n%2 == 0 {
					data = append(data, "% done\n"...)
				}
				return data
			})
		}()},
		{"the first label is lost", "random tables", onColumn(table.Categorical, func(c *table.Column) { c.Cat[0] = -1 })},
		{"keeps what it declares lost", "losses", func(f *dialect.Format) { f.Loses |= dialect.LosesLabels }},
		{"keeps the kinds it declares lost", "losses", func(f *dialect.Format) { f.Loses |= dialect.LosesKinds }},
		{"loses more than it declares", "losses", func(f *dialect.Format) { f.Loses = 0 }},
		{"a day is lost", "dates", onColumn(table.Numeric, func(c *table.Column) { c.Num[0] = math.NaN() })},
		{"a day is moved", "dates", onColumn(table.Numeric, func(c *table.Column) { c.Num[0]++ })},
		{"another notation is said", "dates", onColumn(table.Numeric, func(c *table.Column) { c.Dates = "dd.mm.yyyy" })},
		{"days are renamed", "dates", onColumn(table.Numeric, func(c *table.Column) { c.Name = "date" })},
		{"twins are accepted", "names", func(f *dialect.Format) {
			sound := f.Read
			f.Read = func(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
				return sound(ctx, bytes.Replace(data, []byte("twin1"), []byte("twin0"), 1), opt)
			}
		}},
		{"the nameless get a name", "names", func(f *dialect.Format) {
			sound := f.Read
			f.Read = func(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
				return sound(ctx, bytes.Replace(data, []byte("''"), []byte("'nobody'"), 1), opt)
			}
		}},
		{"writes before it refuses", "refusals", onWrite(func(sound writer) writer {
			return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
				io.WriteString(w, "% dither\n")
				return sound(ctx, w, t, opt)
			}
		})},
		{"takes what is infinite", "refusals", onWrite(func(sound writer) writer {
			return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
				for j, c := range t.Columns() {
					if c.Kind == table.Numeric && slices.ContainsFunc(c.Num, func(v float64) bool { return math.IsInf(v, 0) }) {
						t = t.WithNum(j, make([]float64, t.Rows()))
					}
				}
				return sound(ctx, w, t, opt)
			}
		})},
		{"refuses without the column", "refusals", onWrite(func(sound writer) writer {
			return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
				if sound(ctx, w, t, opt) != nil {
					return errors.New("it cannot be written")
				}
				return nil
			}
		})},
		{"writes to its data", "data stay the caller's",
			onRead(func(data []byte, t *table.Table, info *dialect.Info, err error) (*table.Table, *dialect.Info, error) {
				data[0] = '#'
				return t, info, err
			})},
		{"holds its data", "data stay the caller's", func(f *dialect.Format) {
			onRead(func(data []byte, t *table.Table, info *dialect.Info, err error) (*table.Table, *dialect.Info, error) {
				at, j := bytes.Index(data, []byte(secret)), t.Find("town")
				a := *t.Attr(j)
				a.Labels = slices.Clone(a.Labels)
				a.Labels[0] = unsafe.String(&data[at], len(secret))
				return t.WithAttr(j, a), info, err
			})(f)
		}},
		{"counts the cores", "cores", onBytes(func(data []byte) []byte {
			return fmt.Appendf(data, "%% %d cores\n",
				runtime.GOMAXPROCS(0))
		})},
		{"progress falls", "progress", func(f *dialect.Format) {
			sound := f.Read
			f.Read = func(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
				opt.Progress(2, 3)
				opt.Progress(1, 3)
				return sound(ctx, data, opt)
			}
		}},
		{"progress passes its end", "progress", onWrite(func(sound writer) writer {
			return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
				opt.Progress(4, 3)
				return sound(ctx, w, t, opt)
			}
		})},
		{"no progress", "progress", onWrite(func(sound writer) writer {
			return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
				opt.Progress = nil
				return sound(ctx, w, t, opt)
			}
		})},
		{"a reader that goes on", "cancelled", func(f *dialect.Format) {
			sound := f.Read
			f.Read = func(ctx context.Context, data []byte, opt dialect.Options) (*table.Table, *dialect.Info, error) {
				return sound(context.WithoutCancel(ctx), data, opt)
			}
		}},
		{"a writer that goes on", "cancelled", onWrite(func(sound writer) writer {
			return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
				return sound(context.WithoutCancel(ctx), w, t, opt)
			}
		})},
		{"a writer that stops too late", "cancelled", onWrite(func(sound writer) writer {
			return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
				return errors.Join(sound(context.WithoutCancel(ctx), w, t, opt), ctx.Err())
			}
		})},
		{"the end of the file is not flushed", "full disk", onWrite(func(sound writer) writer {
			return func(ctx context.Context, w io.Writer, t *table.Table, opt dialect.Options) error {
				var out bytes.Buffer
				if err := sound(ctx, &out, t, opt); err != nil {
					return err
				}
				_, err := w.Write(out.Bytes()[:1])
				w.Write(out.Bytes()[1:])
				return err
			}
		})},
		{"a piece lacks a row", "pieces", inPieces(func(t *table.Table, lo, hi int) *table.Table {
			return t.Slice(lo, max(lo, hi-1))
		}, true)},
		{"a piece is too large", "pieces", inPieces(func(t *table.Table, lo, hi int) *table.Table {
			return t.Slice(lo, min(t.Rows(), hi+1))
		}, true)},
		{"pieces change places", "pieces", inPieces(func(t *table.Table, lo, hi int) *table.Table {
			return t.Slice(t.Rows()-hi, t.Rows()-lo)
		}, true)},
		{"labels begin anew", "pieces", inPieces(func(t *table.Table, lo, hi int) *table.Table {
			cols := t.Slice(lo, hi).Columns()
			for j := range cols {
				cols[j].Declared = false
				cols[j] = cols[j].Compact()
			}
			return must(cols...)
		}, true)},
		{"pieces go on", "pieces", inPieces(func(t *table.Table, lo, hi int) *table.Table { return t.Slice(lo, hi) }, false)},
		{"pieces end without a word", "cut short", func(f *dialect.Format) {
			sound := f.Pieces
			f.Pieces = func(ctx context.Context, r io.ReaderAt, size int64, rows int,
				opt dialect.Options) iter.Seq2[*table.Table, error] {
				return func(yield func(*table.Table, error) bool) {
					for t, err := range sound(ctx, r, size, rows, opt) {
						if err != nil || !yield(t, nil) {
							return
						}
					}
				}
			}
		}},
		{"panics on a short file", "cut short",
			onRead(func(data []byte, t *table.Table, info *dialect.Info, err error) (*table.Table, *dialect.Info, error) {
				return t, info, errors.Join(err, errors.New("byte "+string(data[7])))
			})},
		{"tells a value", "cut short", onRead(func(data []byte, t *table.Table, info *dialect.Info, err error) (*table.Table,
			*dialect.Info, error) {
			if err != nil {
				err = fmt.Errorf("cannot read %q", data)
			}
			return t, info, err
		})},
		{"believes a size", "damaged", onRead(func(data []byte, t *table.Table, info *dialect.Info, err error) (*table.Table,
			*dialect.Info, error) {
			if bytes.Contains(data, []byte("\xff\xff\xff\x7f")) {
				sink = make([]byte, allowance+1)
				sink = nil
			}
			return t, info, err
		})},
		{"gives nothing", "nonsense", onRead(func(_ []byte, t *table.Table, info *dialect.Info, _ error) (*table.Table,
			*dialect.Info, error) {
			return t, info, nil
		})},
		{"says it in two lines", "nonsense", onRead(func(_ []byte, t *table.Table, info *dialect.Info,
			err error) (*table.Table, *dialect.Info, error) {
			if err != nil {
				err = fmt.Errorf("cannot read:\n%w", err)
			}
			return t, info, err
		})},
	} {
		f := whole()
		c.plant(&f)
		k := slices.IndexFunc(checks, func(k struct {
			name  string
			run   func(*suite) error
			reads bool
			cores bool
		}) bool {
			return k.name == c.check
		})
		if err := checks[k].run(&suite{f, files}); err == nil {
			t.Errorf("%s: the check of %s sees nothing", c.fault, c.check)
		}
	}
}

// The suite asks for the files that only the format's own test has.
func TestFilesAreAskedFor(t *testing.T) {
	for _, given := range []Files{{Dates: files.Dates}, {Nameless: files.Nameless}} {
		if (&suite{whole(), given}).declaration() == nil {
			t.Errorf("files are lacking, and nothing is said")
		}
	}
}

func FuzzSound(f *testing.F) {
	Fuzz(f, whole(), files.Dates, []byte("@relation r\n@attribute a real\n@data\n1.50\n"))
}
