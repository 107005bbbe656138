package format

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/internal/system/mmap"
)

// packing is a way to compress a file of any format.
type packing = dialect.Packing

// packings are gzip, at the usual level, and the compressions whose packages are imported.
func packings() []packing {
	return append([]packing{{Ext: ".gz", Title: "gzip", Magic: "\x1f\x8b",
		Unpack: func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
		Pack:   func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }}}, dialect.Packings()...)
}

// Unpacked is the name of a file without the extension of a compression: patients.csv for patients.csv.gz. Every other
// name it returns as it is.
func Unpacked(name string) string {
	if p := packingOf(name); p != nil {
		return name[:len(name)-len(p.Ext)]
	}
	return name
}

// packingOf returns the compression that a name asks for; nil for none.
func packingOf(name string) *packing {
	for _, p := range packings() {
		if strings.EqualFold(filepath.Ext(name), p.Ext) {
			return &p
		}
	}
	return nil
}

// isPacked reports whether data are compressed, by their first bytes.
func isPacked(data []byte) bool {
	return slices.ContainsFunc(packings(), func(p packing) bool { return bytes.HasPrefix(data, []byte(p.Magic)) })
}

// Text seldom shrinks to a hundredth. What grows by more than unlikely, and beyond plenty, is a file made to fill the
// memory.
const (
	unlikely = 2000
	plenty   = 256 << 20 // bytes
)

// unpack returns what a file holds that is compressed, by its first bytes, and its name without that extension. Data
// that are not compressed it returns as they are; it fails where the name says that they are. What is unpacked is in a
// space, nil for the heap.
func unpack(ctx context.Context, name string, data []byte, in *mmap.Space) (string, []byte, error) {
	for _, p := range packings() {
		if !bytes.HasPrefix(data, []byte(p.Magic)) {
			continue
		}
		r, err := p.Unpack(bytes.NewReader(data))
		var out []byte
		var unfit dialect.Unfit
		if err == nil {
			all := &bounded{r, int64(max(plenty, unlikely*len(data)))}
			if in == nil {
				out, err = slurp(ctx, all)
			} else {
				out, err = in.Fill(&ending{ctx, all})
			}
			err = errors.Join(err, r.Close())
		}
		switch {
		case ctx.Err() != nil:
			return name, nil, ctx.Err()
		case errors.As(err, &unfit):
			return name, nil, unfit
		case errors.Is(err, errGrows), errors.Is(err, mmap.ErrFull):
			return name, nil, err
		case err != nil:
			return name, nil, fmt.Errorf("compressed with %s, but damaged or cut short", p.Title)
		}
		return Unpacked(name), out, nil
	}
	if p := packingOf(name); p != nil {
		return name, nil, fmt.Errorf("not compressed with %s, as its name says", p.Title)
	}
	return name, data, nil
}

var errGrows = fmt.Errorf("unpacks to more than %d times its size, which no table does", unlikely)

// bounded reads so many bytes and fails on more.
type bounded struct {
	io.Reader
	left int64
}

// Read reads, and counts.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n, errGrows
	}
	return n, err
}

// ending reads until a context ends.
type ending struct {
	ctx context.Context
	io.Reader
}

// Read reads unless the context has ended.
func (e *ending) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.Reader.Read(p)
}

// packed calls write with a writer whose bytes reach w compressed as the name says.
func packed(w io.Writer, name string, write func(w io.Writer) error) error {
	p := packingOf(name)
	if p == nil {
		return write(w)
	}
	out, err := p.Pack(w)
	if err != nil {
		return err
	}
	if err := write(out); err != nil {
		return err
	}
	return out.Close()
}
