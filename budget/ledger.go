package budget

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dither-data/dither/internal/system/filelock"
)

// Ledger is what a file held when it was opened or last charged.
type Ledger struct {
	path    string
	header  Header
	entries []Entry
}

// Create begins a ledger. It fails with fs.ErrExist where the file is there already.
func Create(path string, limits Limits) (*Ledger, error) {
	if limits.Neighbours == "" {
		limits.Neighbours = AddOrRemove
	}
	h := Header{Delta: limits.Delta, Epsilon: limits.Epsilon, Neighbours: limits.Neighbours, Schema: Schema,
		Unit: limits.Unit}
	if err := h.check(); err != nil {
		return nil, err
	}
	h.Hash = h.chained()
	l := &Ledger{path: path, header: h}
	err := l.locked(os.O_CREATE, func(f *os.File, data []byte) error {
		if slices.Contains(data, '\n') {
			return fmt.Errorf("%s: %w", path, fs.ErrExist)
		}
		if err := appended(f, 0, canonical(h)); err != nil {
			return err
		}
		return flushed(filepath.Dir(path))
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Open opens a ledger and checks all of it.
func Open(path string) (*Ledger, error) {
	l := &Ledger{path: path}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if _, err := l.take(data); err != nil {
		return nil, err
	}
	return l, nil
}

// Charge spends what a release costs, before its noise is drawn, and fills in when, and the hash of the entry. Where it
// fails nothing may be drawn; a *Beyond says that the budget does not allow it. Cost: reading the file, and a flush to
// the disk.
func (l *Ledger) Charge(e *Entry) error { return l.ChargeAll([]*Entry{e}) }

// ChargeAll charges several entries, all or none, but for a process that is killed meanwhile: then the first ones may
// be spent.
func (l *Ledger) ChargeAll(entries []*Entry) error {
	return l.locked(0, func(f *os.File, data []byte) error {
		earlier := l.entries
		whole, err := l.take(data)
		if err != nil {
			return err
		}
		if n := len(earlier); n > 0 && !l.Has(earlier[n-1].Hash) {
			return fmt.Errorf("%s: a charge that was there is gone", l.path)
		}
		all, before := slices.Clone(l.entries), l.Head()
		var lines []byte
		for _, e := range entries {
			if e.Parameters == nil {
				e.Parameters = map[string]string{}
			}
			e.Time = time.Now().UTC().Format(time.RFC3339)
			if err := e.check(&l.header); err != nil {
				return err
			}
			e.Hash = e.chained(before)
			before, all = e.Hash, append(all, *e)
			lines = append(append(lines, canonical(e)...), '\n')
		}
		if err := l.allows(all); err != nil {
			return err
		}
		if err := appended(f, int64(whole), lines[:len(lines)-1]); err != nil {
			return fmt.Errorf("%s: the charge may be spent, but nothing may be released: %w", l.path, err)
		}
		l.entries = all
		return nil
	})
}

// take reads the bytes of the file.
func (l *Ledger) take(data []byte) (whole int, err error) {
	h, entries, whole, err := read(data)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", l.path, err)
	case h == nil:
		return 0, fmt.Errorf("%s: this is not a ledger: it is empty", l.path)
	case l.header.Schema != "" && h.Hash != l.header.Hash:
		return 0, fmt.Errorf("%s: this is another ledger than before", l.path)
	}
	l.header, l.entries = *h, entries
	return whole, nil
}

// locked opens the file, waits for its lock, reads it and calls do.
func (l *Ledger) locked(flag int, do func(f *os.File, data []byte) error) (err error) {
	f, err := os.OpenFile(l.path, os.O_RDWR|flag, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := filelock.Wait(f); err != nil {
		return fmt.Errorf("%s: the disk cannot keep two runs from charging at once: %w", l.path, err)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	return do(f, data)
}

// appended puts lines behind the first bytes of the file, in place of one that was cut off, and flushes them.
func appended(f *os.File, whole int64, lines []byte) error {
	if err := f.Truncate(whole); err != nil {
		return err
	}
	if _, err := f.WriteAt(append(lines, '\n'), whole); err != nil {
		return err
	}
	return f.Sync()
}

// flushed flushes the name of a new file. Systems that flush no folders do it by themselves.
func flushed(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrPermission) &&
		!errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

// Limits returns what the ledger allows.
func (l *Ledger) Limits() Limits {
	h := &l.header
	return Limits{h.Epsilon, h.Delta, h.Unit, h.Neighbours}
}

// Entries returns the charges, in order. They must not be changed.
func (l *Ledger) Entries() []Entry { return l.entries }

// Head returns the last hash of the chain.
func (l *Ledger) Head() string {
	if n := len(l.entries); n > 0 {
		return l.entries[n-1].Hash
	}
	return l.header.Hash
}

// Has says whether the ledger holds the entry with a hash, as a release keeps it.
func (l *Ledger) Has(hash string) bool {
	return slices.ContainsFunc(l.entries, func(e Entry) bool { return e.Hash == hash })
}
