package format

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/dither-data/dither/table"
)

// Write writes the table into a file, in the format of its extension, and returns the SHA-256 of the file in hexadecimal. The file appears
// whole or not at all: it is written beside its place under another name, flushed to the disk and renamed. On an
// error, and when ctx ends, nothing is left behind. A file that is already there is replaced.
func Write(ctx context.Context, path string, t *table.Table, opt Options) (sum string, err error) {
	if _, ok := byName(path); !ok {
		return "", fmt.Errorf("%s: %w", path, unknown(path))
	}
	f, mode, err := create(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, unwrapPath(err))
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("%s: %w", path, unwrapPath(err))
		}
	}()
	h := sha256.New()
	if err := WriteTo(ctx, io.MultiWriter(f, h), path, t, opt); err != nil {
		return "", err
	}
	if err := f.Sync(); err != nil {
		return "", err
	}
	if err := f.Chmod(mode); err != nil {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// create opens a new file beside path that only its owner can read, and returns the mode that the process gives to new files.
func create(path string) (*os.File, os.FileMode, error) {
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text()[:10]+".part")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, 0, err
	}
	s, err := f.Stat()
	if err == nil {
		err = f.Chmod(0o600)
	}
	if err != nil {
		f.Close()
		os.Remove(name)
		return nil, 0, err
	}
	return f, s.Mode().Perm(), nil
}

// unwrapPath drops the temporary file's name from an error of the operating system.
func unwrapPath(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}
