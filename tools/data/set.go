package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// set is a public data set. It is not part of dither: it is brought into one notation (comma-separated with a header
// line, blanks removed, codes replaced by the names that its documentation gives them), and is taken only if every byte
// of the result is as expected.
type set struct {
	Name, Title, Licence string
	File                 string // what the file is called
	URL                  string // where it is published
	Member               string // the file in the archive that is published; empty where it is no archive
	Sum                  string // SHA-256 of the file, in hexadecimal digits
	Bytes                int    // its size

	header string
	shape  shape
}

// limit bounds what is read from anywhere: the largest set has less than 5 MB.
const limit = 64 << 20

// read makes the set of what is published: the archive, or the file in it.
func (s set) read(r io.Reader) ([]byte, error) {
	raw, err := bounded(r)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(raw, []byte("PK\x03\x04")) {
		if raw, err = s.member(raw); err != nil {
			return nil, err
		}
	}
	file := raw
	if s.shape != nil {
		if file, err = s.table(raw); err != nil {
			return nil, err
		}
	}
	if sum := sha256.Sum256(file); hex.EncodeToString(sum[:]) != s.Sum {
		return nil, fmt.Errorf("what came is not the data set %s: it makes a file of %d bytes with the SHA-256 %x, "+
			"expected are %d bytes and %s", s.Name, len(file), sum, s.Bytes, s.Sum)
	}
	return file, nil
}

func bounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && len(data) > limit {
		err = fmt.Errorf("more than %d MB, which no data set here has", limit>>20)
	}
	return data, err
}

func (s set) member(archive []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		if s.Member != "" && path.Base(f.Name) == s.Member {
			r, err := f.Open()
			if err != nil {
				return nil, err
			}
			data, err := bounded(r)
			return data, errors.Join(err, r.Close())
		}
	}
	return nil, fmt.Errorf("the archive holds no file %q", s.Member)
}

func (s set) table(raw []byte) ([]byte, error) {
	rows, err := s.shape(string(raw))
	if err != nil {
		return nil, fmt.Errorf("what came is not the data set %s: %w", s.Name, err)
	}
	var b bytes.Buffer
	b.WriteString(s.header + "\n")
	for _, cells := range rows {
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	return b.Bytes(), nil
}
