package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dither-data/dither/database/postgres"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/table"
)

// A path may be the address of a table in a database instead of a file: it is read like any other table, and a release
// goes into a new table there.

// reachTime bounds how long a database may take to say whether a table can be made.
const reachTime = 30 * time.Second

// address reads an address, with the query that is asked where it names no table.
func address(path, query string) (*postgres.Address, error) {
	a, err := postgres.Parse(path, query)
	if err != nil {
		return nil, usage(err)
	}
	return a, nil
}

// fromDatabase reads a table of a database.
func fromDatabase(ctx context.Context, path, query string, opt format.Options) (*table.Table, *format.Info, error) {
	a, err := address(path, query)
	if err != nil {
		return nil, nil, err
	}
	t, info, err := postgres.Read(ctx, a, opt)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %w", postgres.Name(path), err)
	}
	return t, info, err
}

// vacantTable refuses a table that is there, or that cannot be made.
func vacantTable(path string) error {
	a, err := address(path, "")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), reachTime)
	defer cancel()
	if err := postgres.Vacant(ctx, a); err != nil {
		return usage(err)
	}
	return nil
}

// store writes a table into a new table of a database, which place makes visible, and returns what it is known by.
func (f *files) store(ctx context.Context, path string, t *table.Table, opt format.Options) (sum string, err error) {
	a, err := address(path, "")
	if err != nil {
		return "", err
	}
	p, err := postgres.Write(ctx, a, t, opt)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%s: %w", postgres.Name(path), err)
	}
	f.stored = append(f.stored, p)
	if f.sums != nil {
		f.sums[path] = p.SHA256
	}
	return p.SHA256, nil
}

// commit makes the tables visible, and returns what takes them back.
func (f *files) commit() (back func() error, err error) {
	var done []*postgres.Pending
	back = func() (err error) {
		for _, p := range done {
			err = errors.Join(err, p.Drop(context.Background()))
		}
		return err
	}
	for _, p := range f.stored {
		if err := p.Commit(context.Background()); err != nil {
			return nil, errors.Join(err, back())
		}
		done = append(done, p)
	}
	return back, nil
}
