// Package zstd lets files of any format be compressed with zstd (.zst), once it is imported. It has one worker, so that
// the bytes depend on the text and the version alone.
package zstd

import (
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
			return d.IOReadCloser(), nil
		},
		Pack: func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) }})
}
