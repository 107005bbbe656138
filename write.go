package dither

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/internal/text/formulas"
	"github.com/dither-data/dither/study/reading"
	"github.com/dither-data/dither/table"
)

// Write writes a release into a new file, in the format of its extension, and returns the SHA-256 of the file in
// hexadecimal. The file appears whole or not at all, and nothing is ever overwritten. A release that is withheld is
// refused with its *Withheld, and one that nobody judged unless its policy asks for limits none by name.
func Write(ctx context.Context, r *Release, path string) (sum string, err error) {
	if err := r.mayLeave(); err != nil {
		return "", err
	}
	if d, ok := database.DriverOf(path); ok {
		if d.Write == nil {
			return "", fmt.Errorf("%s: this driver reads tables and does not write them", path)
		}
		out, opt, err := r.output()
		if err != nil {
			return "", err
		}
		return d.Write(ctx, path, out, opt)
	}
	if err := database.Unknown(path); err != nil {
		return "", err
	}
	if err := format.CheckName(path); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	f, err := wholefile.Create(path, wholefile.Options{})
	if err != nil {
		return "", err
	}
	defer f.Discard()
	h := sha256.New()
	if err := WriteTo(ctx, r, io.MultiWriter(f, h), path); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), wholefile.Place(f)
}

// WriteTo is Write for what is no file; the name says the format.
func WriteTo(ctx context.Context, r *Release, w io.Writer, name string) error {
	if err := r.mayLeave(); err != nil {
		return err
	}
	out, opt, err := r.output()
	if err != nil {
		return err
	}
	return format.WriteTo(ctx, w, name, out, opt)
}

// output is the table that is written, as its original was.
func (r *Release) output() (*table.Table, format.Options, error) {
	s := r.from.subject
	opt := r.from.info.Like(format.Options{})
	if m := s.Policy.File.MissingOut; m != nil {
		opt.MissingOut, opt.MissingMarks = string(*m), nil
	}
	out, opt, _ := reading.Labelled(s, r.made.Output, opt)
	if s.Policy.GuardFormulas {
		guarded, err := formulas.Guard(out)
		return guarded, opt, err
	}
	return out, opt, nil
}
