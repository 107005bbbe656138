package format

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/table"
)

// Write writes the table into a file, in the format of its extension, and returns the SHA-256 of the file in
// hexadecimal. The file appears whole or not at all: it is written beside its place under another name, flushed to the
// disk and renamed. On an error, and when ctx ends, nothing is left behind. A file that is already there is replaced
// and keeps its permissions.
func Write(ctx context.Context, path string, t *table.Table, opt Options) (sum string, err error) {
	if err := CheckName(path); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	f, err := wholefile.Create(path, wholefile.Options{Replace: true})
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if err = WriteTo(ctx, io.MultiWriter(f, h), path, t, opt); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	} else {
		err = f.Close()
	}
	if err != nil {
		f.Discard()
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), wholefile.Place(f)
}
