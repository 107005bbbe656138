// Package format reads and writes tables in files, in the format that the file's name says, or else its first bytes.
// Any of them may be compressed with gzip or zstd.
//
// A format is a value, dialect.Format, declared in a folder below this one; lists.go, which go generate writes, lists
// them. So the contract is below the formats and this package above them: what people call stands in one place, and a
// new format is its folder and a line of the list. Everything that names formats, such as the messages and the help,
// takes them from Formats.
package format

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/layout"
	"github.com/dither-data/dither/format/text"
	"github.com/dither-data/dither/internal/system/mmap"
	"github.com/dither-data/dither/table"
)

// Format, Options and Info are those of package dialect.
type (
	Format  = dialect.Format
	Options = dialect.Options
	Info    = dialect.Info
	Note    = dialect.Note
)

// DefaultMissing are the texts that stand for a missing value when nothing else is asked.
var DefaultMissing = dialect.DefaultMissing

// Read returns the table in a file, and what there is to know about the file. Errors begin with the path. Cost:
// O(bytes), in memory at most about three times the file.
func Read(ctx context.Context, path string, opt Options) (*table.Table, *Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.Mode()&os.ModeDevice != 0 && path != os.DevNull {
		return nil, nil, fmt.Errorf("%s is a device, which may have no end; name a file", path)
	}
	return ReadFrom(ctx, path, f, opt)
}

// ReadFrom is Read for data that come from elsewhere; the name chooses the format and leads the errors.
func ReadFrom(ctx context.Context, name string, r io.Reader, opt Options) (*table.Table, *Info, error) {
	whole := sizeOf(r)
	data, err := load(ctx, r, &opt)
	if err == nil && whole >= 0 && int64(len(data)) > whole {
		mmap.Free(opt.Space, data)
		err = errLonger
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	sum := make(chan string, 1)
	if opt.Unhashed {
		sum <- ""
	} else {
		go func() {
			h := sha256.New()
			text.Pieces(data, func(p []byte) bool { h.Write(p); return true })
			sum <- hex.EncodeToString(h.Sum(nil))
		}()
	}
	size := len(data)
	t, info, err := readPacked(ctx, name, data, opt)
	hash := <-sum
	mmap.Free(opt.Space, data)
	if sizeOf(r) < whole {
		err = errShorter
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	info.Bytes, info.SHA256 = int64(size), hash
	if info.Bytes > large {
		runtime.GC() // the text is garbage from here on, and would stand beside whatever is done with the table
	}
	return t, info, nil
}

// errShorter is the error for a file of which a part may have been read, and would make a table.
var errShorter = errors.New("the file became shorter while it was read; read it when nothing writes to it")

// errLonger is the error for a file whose last record may be half of one.
var errLonger = errors.New("the file grew while it was read; read it when nothing writes to it")

// sizeOf is the size of a file on a disk in bytes; -1 for what is none.
func sizeOf(r io.Reader) int64 {
	f, ok := r.(*os.File)
	if !ok {
		return -1
	}
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return -1
	}
	return st.Size()
}

// large is the size of a file that is worth a collection of garbage after it, in bytes.
const large = 64 << 20

// readPacked reads data that may be compressed, in the format that the name or their first bytes say.
func readPacked(ctx context.Context, name string, data []byte, opt Options) (*table.Table, *Info, error) {
	name, content, err := unpack(ctx, name, data, opt.Space)
	if err != nil {
		return nil, nil, err
	}
	if isPacked(data) {
		defer func() { mmap.Free(opt.Space, content) }()
	}
	data = content
	f := choose(name, data)
	if opt.Fixed != nil {
		f = Format{Card: csv.Format.Card, Read: opt.Fixed}
	}
	if opt.Space != nil && !f.Paged {
		return nil, nil, fmt.Errorf("%s files are read in memory: write the table as %s, or give dither the memory for it",
			f.Title, paged())
	}
	if what := foreign(name, data, &f); what != "" {
		return nil, nil, errors.New(what)
	}
	return readAs(ctx, &f, data, opt)
}

// readAs reads data of a format, and makes sets of the cells that hold items.
func readAs(ctx context.Context, f *Format, data []byte, opt Options) (*table.Table, *Info, error) {
	if len(opt.Items) == 0 {
		return readOf(ctx, f, data, opt)
	}
	if f.Holds == dialect.SetsOnly &&
		slices.ContainsFunc(opt.Items, func(s layout.Spec) bool { return s.Kind != layout.Wide }) {
		return nil, nil, fmt.Errorf("a %s file holds transactions directly, so it has no item layout to specify", f.Title)
	}
	opt.Kinds, opt.Dates, opt.Numbers = maps.Clone(opt.Kinds), maps.Clone(opt.Dates), maps.Clone(opt.Numbers)
	if opt.Kinds == nil {
		opt.Kinds = map[string]table.Kind{}
	}
	for _, s := range opt.Items {
		for _, name := range s.Texts() {
			opt.Kinds[name] = table.Categorical
			delete(opt.Dates, name)
			delete(opt.Numbers, name)
		}
	}
	t, info, err := readOf(ctx, f, data, opt)
	if err != nil {
		return nil, nil, err
	}
	left := slices.DeleteFunc(slices.Clone(opt.Items), func(s layout.Spec) bool { // what the format itself holds as sets
		j := t.Find(s.Name())
		return j >= 0 && t.Attr(j).Kind == table.SetValued
	})
	t, notes, err := layout.Fold(ctx, t, left)
	if err != nil {
		return nil, nil, err
	}
	info.Items = opt.Items
	for _, n := range notes {
		info.Note(n)
	}
	return t, info, nil
}

// readOf reads data of a format, without the columns that are to be left out.
func readOf(ctx context.Context, f *Format, data []byte, opt Options) (*table.Table, *Info, error) {
	t, info, err := f.Read(ctx, data, opt)
	if err == nil {
		t, err = opt.Without(t, info)
	}
	if err != nil {
		return nil, nil, err
	}
	return t, info, nil
}

// paged names the formats of tables that are read without the memory for the table.
func paged() string {
	var titles []string
	for _, f := range registered() {
		if f.Paged && f.Variant == "" && f.Holds != dialect.SetsOnly {
			titles = append(titles, f.Title)
		}
	}
	return strings.Join(titles, " or ")
}

// load returns everything that is read, in the space that the table is to have.
func load(ctx context.Context, r io.Reader, opt *Options) ([]byte, error) {
	switch {
	case opt.Space == nil:
		return slurp(ctx, r)
	case sizeOf(r) < 0:
		return nil, errors.New("only files on disk can be read piece by piece: write it to a file first")
	}
	return opt.Space.Fill(&ending{ctx, r})
}

// slurp reads everything into one buffer, of just the right size when r is a file.
func slurp(ctx context.Context, r io.Reader) ([]byte, error) {
	size := 1 << 16
	if n := sizeOf(r); n >= 0 {
		size = int(n) + 2 // a line feed may be added, and the end has to be met
	}
	buf := make([]byte, 0, size)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):min(cap(buf), len(buf)+1<<24)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// choose returns the format of data: that of the name, or one that they look like. Other data are taken for delimited
// text.
func choose(name string, data []byte) Format {
	if f, ok := byName(name); ok {
		return f
	}
	for _, f := range registered() {
		if f.Looks != nil && f.Looks(data) {
			return f
		}
	}
	return csv.Format
}

// WriteTo writes the table in the format that the name's extension stands for; the name may be just an extension
// without its point, such as "csv"; a further extension compresses: release.csv.gz. The name also settles the delimiter
// where readers expect one of it: .tsv is always written with tabs, .csv never.
func WriteTo(ctx context.Context, w io.Writer, name string, t *table.Table, opt Options) error {
	f, err := writable(name)
	if err != nil {
		return err
	}
	if f.Holds == dialect.NoSets {
		if t, err = layout.Unfold(t, opt.Items); err != nil {
			return err
		}
	}
	if f.Name != csv.Format.Name { // which writes what it reads
		if t, err = t.WithoutParts(); err != nil {
			return err
		}
	}
	return packed(w, name, func(w io.Writer) error { return f.Write(ctx, w, t, opt) })
}
