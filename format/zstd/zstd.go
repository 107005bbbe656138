// Package zstd lets files of any format be compressed with zstd (.zst), once it is imported. It has one worker, so that
// the bytes depend on the text and the version alone.
package zstd

import (
	"errors"
	"io"

	"github.com/dither-data/dither/format/dialect"
	"github.com/klauspost/compress/zstd"
)

func init() {
	dialect.RegisterPacking(dialect.Packing{Ext: ".zst", Title: "zstd", Magic: "\x28\xb5\x2f\xfd",
		Unpack: func(r io.Reader) (io.ReadCloser, error) {
			d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
			if err != nil {
				return nil, err
			}
			return unpacker{d.IOReadCloser()}, nil
		},
		Pack: func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) }})
}

// errWindow says that a file cannot be unpacked in reasonable memory.
const errWindow = dialect.Unfit("compressed with zstd in a window of more than 128 MiB, as --long=28 and above make " +
	"it: unpack it first (zstd -d --long=31)")

// unpacker names a window that is too large.
type unpacker struct{ io.ReadCloser }

// Read reads what is unpacked.
func (u unpacker) Read(p []byte) (int, error) {
	n, err := u.ReadCloser.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = errWindow
	}
	return n, err
}
