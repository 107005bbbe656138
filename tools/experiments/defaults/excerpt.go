package main

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/rng"
)

// most is how many records of a data set are looked at.
const most = 4000

// excerpt writes some of the records of a data set, drawn at random, where there are more.
func (w work) excerpt(ctx context.Context, s set) (string, error) {
	path, err := dataset.Path(s.file)
	if err != nil {
		return "", err
	}
	t, _, err := format.Read(ctx, path, format.Options{})
	if err != nil || t.Rows() <= most {
		return path, err
	}
	rows := rng.New([32]byte{10}).Rand().Perm(t.Rows())[:most]
	slices.Sort(rows)
	path = filepath.Join(w.dir, s.name+".csv")
	_, err = format.Write(ctx, path, t.Gather(rows), format.Options{})
	return path, err
}
