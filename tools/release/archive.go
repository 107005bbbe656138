package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// entry is a file of an archive: where it lies here, and its name and mode in the archive.
type entry struct {
	path, name string
	mode       fs.FileMode
}

// tarball writes dir/name.tar.gz, in which all lies in a folder of that name. The order is that of the entries, every
// time is t, and nobody owns the files, so the bytes depend on nothing else.
func tarball(dir, name string, entries []entry, t time.Time) (string, error) {
	file := filepath.Join(dir, name+".tar.gz")
	return file, into(file, func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		a := tar.NewWriter(z)
		for _, e := range entries {
			data, err := os.ReadFile(e.path)
			if err != nil {
				return err
			}
			h := tar.Header{
				Typeflag: tar.TypeReg,
				Name:     name + "/" + e.name,
				Size:     int64(len(data)),
				Mode:     int64(e.mode),
				ModTime:  t,
				Format:   tar.FormatUSTAR,
			}
			if err := a.WriteHeader(&h); err != nil {
				return err
			}
			if _, err := a.Write(data); err != nil {
				return err
			}
		}
		return errors.Join(a.Close(), z.Close())
	})
}

// zipped writes dir/name.zip likewise.
func zipped(dir, name string, entries []entry, t time.Time) (string, error) {
	file := filepath.Join(dir, name+".zip")
	return file, into(file, func(w io.Writer) error {
		a := zip.NewWriter(w)
		a.RegisterCompressor(
			zip.Deflate,
			func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) },
		)
		for _, e := range entries {
			data, err := os.ReadFile(e.path)
			if err != nil {
				return err
			}
			h := zip.FileHeader{Name: name + "/" + e.name, Method: zip.Deflate, Modified: t}
			h.SetMode(e.mode)
			f, err := a.CreateHeader(&h)
			if err != nil {
				return err
			}
			if _, err := f.Write(data); err != nil {
				return err
			}
		}
		return a.Close()
	})
}

func into(file string, write func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
