// Package format reads and writes tables in files: delimited text, ARFF and Parquet. It chooses by the file's name, and where that says
// nothing by the first bytes; the formats themselves are in the packages below it.
package format

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dither-data/dither/format/arff"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/parquet"
	"github.com/dither-data/dither/table"
)

// Options and Info are those of package dialect.
type (
	Options = dialect.Options
	Info    = dialect.Info
)

// DefaultMissing are the texts that stand for a missing value when nothing else is asked.
var DefaultMissing = dialect.DefaultMissing

// Read returns the table in a file, and what there is to know about the file. Errors begin with the path. Cost: O(bytes), in memory at
// most about three times the file.
func Read(ctx context.Context, path string, opt Options) (*table.Table, *Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return ReadFrom(ctx, path, f, opt)
}

// ReadFrom is Read for data that come from elsewhere; the name chooses the format and leads the errors.
func ReadFrom(ctx context.Context, name string, r io.Reader, opt Options) (*table.Table, *Info, error) {
	data, err := slurp(ctx, r)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	sum := make(chan string, 1)
	go func() {
		h := sha256.Sum256(data)
		sum <- hex.EncodeToString(h[:])
	}()
	if what := foreign(name, data); what != "" {
		return nil, nil, fmt.Errorf("%s: %s", name, what)
	}
	t, info, err := decode(ctx, kindOf(name, data), data, opt)
	hash := <-sum
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	info.Bytes, info.SHA256 = int64(len(data)), hash
	return t, info, nil
}

// slurp reads everything into one buffer, of just the right size when r is a file.
func slurp(ctx context.Context, r io.Reader) ([]byte, error) {
	size := 1 << 16
	if f, ok := r.(*os.File); ok {
		if s, err := f.Stat(); err == nil && s.Mode().IsRegular() {
			size = int(s.Size()) + 2 // a line feed may be added, and the end has to be met
		}
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

// kindOf returns the format of data: "csv", "tsv", "txt", "arff" or "parquet".
func kindOf(name string, data []byte) string {
	if kind := byName(name); kind != "" {
		return kind
	}
	if bytes.HasPrefix(data, []byte("PAR1")) {
		return "parquet"
	}
	if arff.Looks(data) {
		return "arff"
	}
	return "csv"
}

// byName returns the format that a file's extension, or a bare extension, stands for: "csv", "tsv", "txt" (delimited text too),
// "arff" or "parquet"; "" when it stands for none.
func byName(name string) string {
	ext := strings.ToLower(filepath.Ext(name))
	if ext == "" {
		ext = "." + strings.ToLower(name)
	}
	switch ext {
	case ".tsv", ".tab":
		return "tsv"
	case ".csv", ".txt", ".arff", ".parquet":
		return ext[1:]
	}
	return ""
}

func decode(ctx context.Context, kind string, data []byte, opt Options) (*table.Table, *Info, error) {
	switch kind {
	case "arff":
		return arff.Read(ctx, data, opt)
	case "parquet":
		return parquet.Read(ctx, data, opt)
	case "tsv":
		if opt.Delimiter == 0 {
			opt.Delimiter = '\t'
		}
	}
	return csv.Read(ctx, data, opt)
}

// WriteTo writes the table in the format that the name's extension stands for; the name may be just "csv", "tsv", "arff" or "parquet". The
// name also settles the delimiter where readers expect one of it: .tsv is always written with tabs, .csv never.
func WriteTo(ctx context.Context, w io.Writer, name string, t *table.Table, opt Options) error {
	switch byName(name) {
	case "arff":
		return arff.Write(ctx, w, t, opt)
	case "parquet":
		return parquet.Write(ctx, w, t, opt)
	case "tsv":
		return csv.Write(ctx, w, t, delimited(opt, '\t', opt.Delimiter != '\t'))
	case "csv":
		return csv.Write(ctx, w, t, delimited(opt, ',', opt.Delimiter == '\t'))
	case "txt":
		return csv.Write(ctx, w, t, opt)
	}
	return fmt.Errorf("the extension %q stands for no format, expected .csv, .tsv, .txt, .arff or .parquet", filepath.Ext(name))
}

// delimited returns opt with another delimiter if it is to change. Decimal commas, which belong to the ways of a file with its own
// delimiter, go with it: nobody expects them behind another.
func delimited(opt Options, delim byte, change bool) Options {
	if change {
		opt.DecimalComma = opt.DecimalComma && opt.Delimiter == 0
		opt.Delimiter = delim
	}
	return opt
}
