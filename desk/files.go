package desk

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/dither-data/dither/database"
	"github.com/dither-data/dither/database/postgres"
	"github.com/dither-data/dither/format"
	"github.com/dither-data/dither/internal/system/wholefile"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// files are those that a request reads and writes. All that can be wrong with them is found before any work, and what
// was made takes its place together, at last. An empty path is no file, and of those that are read neither is standard
// input.
type files struct {
	reads   []string // must be there
	plan    []string // are read, too, and confidential
	seed    string   // is read where it is there, and written where it is not
	ledger  string   // is only ever added to
	tables  []string // are written in the format of their extension
	secret  []string // are written for their owner only
	shown   []string // are written as the umask has it
	main    string   // the one of those that are written that may go to standard output
	replace bool     // what is there
	left    seal     // the report that may be replaced in any case

	sums   map[string]string // SHA-256 of what was added, in hexadecimal, by path; nil where nobody asks
	made   []*wholefile.File
	stored []*postgres.Pending
	out    io.Writer    // takes what is piped; nil where nothing is
	format string       // of a table that is piped; empty for text
	piped  bytes.Buffer // until everything else is in its place
}

// outputs are the paths of what is placed at last.
func (f *files) outputs() []string {
	return slices.DeleteFunc(slices.Concat(f.tables, f.secret, f.shown),
		func(path string) bool { return path == standardOutput })
}

// inputs are the paths of what must be there.
func (f *files) inputs() []string { return slices.Concat(f.reads, f.plan) }

// check refuses a request whose files cannot be read or written, and tells what is odd about them.
func (d *Desk) check(f *files) error {
	if err := d.pipes(f); err != nil {
		return err
	}
	read, written := f.inputs(), append(f.outputs(), f.ledger)
	if _, err := readSeed(f.seed); errors.Is(err, fs.ErrNotExist) {
		written = append(written, f.seed)
	} else if read = append(read, f.seed); err != nil {
		return err
	}
	if err := distinct(written...); err != nil {
		return err
	}
	for _, path := range f.outputs() {
		if err := vacant([]string{path}, f.replaces(path), read...); err != nil {
			return err
		}
	}
	if err := vacant(written[len(f.outputs()):], true, read...); err != nil {
		return err
	}
	for _, path := range f.tables {
		if err := format.CheckName(path); path != "" && !postgres.Is(path) && path != standardOutput && err != nil {
			return usage(fmt.Errorf("%s: %w", path, err))
		}
	}
	for _, path := range f.inputs() {
		if err := readable(path); err != nil {
			return err
		}
	}
	d.remarks(f)
	return nil
}

// vacant checks that outputs may be written: none must be an input, none must exist unless it is to be overwritten, and
// its folder must let files be made.
func vacant(outputs []string, overwrite bool, inputs ...string) error {
	for _, path := range outputs {
		if path == "" {
			continue
		}
		for _, in := range inputs {
			if in != "" && in != standardInput && same(path, in) {
				return usage(fmt.Errorf("%s is an input and is never overwritten", path))
			}
		}
		if postgres.Is(path) {
			if err := vacantTable(path); err != nil {
				return err
			}
			continue
		}
		if err := free(path, overwrite); err != nil {
			return err
		}
		if err := wholefile.Writable(path); err != nil {
			return err
		}
	}
	return nil
}

func free(path string, overwrite bool) error {
	if err := database.Unknown(path); err != nil {
		return usage(err)
	}
	st, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		st, err = os.Lstat(path) // a link to nothing is there, too
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case st.IsDir():
		return usage(fmt.Errorf("%s is a folder; name a file", path))
	case !st.Mode().IsRegular():
		return usage(fmt.Errorf("%s is not a regular file and is never replaced", path))
	case !overwrite:
		return usage(fmt.Errorf("%s %w", path, ErrExists))
	}
	return nil
}

// readable returns an error for a file that cannot be read. What is no ordinary file, such as a pipe, is not opened:
// its data come once.
func readable(path string) error {
	if path == "" || path == standardInput || postgres.Is(path) {
		return nil
	}
	if err := database.Unknown(path); err != nil {
		return usage(err)
	}
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return usage(fmt.Errorf("%s is a folder; name a file", path))
	} else if err == nil && !st.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// remarks tells of confidential files that everybody can read, and of files that runs left which did not end.
func (d *Desk) remarks(f *files) {
	for _, path := range append(slices.Clone(f.plan), f.seed) {
		if st, err := os.Stat(path); path != "" && err == nil && runtime.GOOS != "windows" && st.Mode().Perm()&0o004 != 0 {
			d.note(message.Say("told.readable").Name("file", path))
		}
	}
	for _, path := range slices.Concat(f.inputs(), f.tables) {
		if how := postgres.Exposed(path); how != postgres.Guarded {
			d.note(message.Say(exposed[how]))
		}
	}
	if !f.replace && f.left.holds(f.left.report) {
		d.note(message.Say("told.replaced").Name("file", f.left.report))
	}
	for _, path := range f.outputs() {
		if left := wholefile.Leftovers(path); path != "" && len(left) > 0 {
			d.note(message.Say("told.leftover").Listed("files", left))
		}
	}
}

// exposed are the sentences for connections that are not guarded.
var exposed = map[postgres.Guard]string{postgres.Unverified: "told.unverified", postgres.Clear: "told.clear"}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y)
	}
	return whereabouts(a) == whereabouts(b)
}

// whereabouts is the one path of a file, which may not be there yet: through which links its folder is named does not
// matter, nor do capitals where file systems usually take them for small letters.
func whereabouts(path string) string {
	path, _ = filepath.Abs(path)
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		path = strings.ToLower(path)
	}
	return path
}

// distinct refuses two outputs of one name.
func distinct(paths ...string) error {
	for i, p := range paths {
		for _, q := range paths[:i] {
			if p != "" && q != "" && same(p, q) {
				return usage(fmt.Errorf("%s is named for two outputs", p))
			}
		}
	}
	return nil
}

// add writes a file, which place puts in its place. Without a path there is nothing to do.
func (f *files) add(path string, write func(io.Writer) error) error {
	switch path {
	case "":
		return nil
	case standardOutput:
		return write(f.counted(path, &f.piped))
	}
	opt := wholefile.Options{Private: slices.Contains(f.secret, path), Replace: f.replaces(path)}
	w, err := wholefile.Create(path, opt)
	if err != nil {
		return err
	}
	f.made = append(f.made, w)
	if err := write(f.counted(path, placed{w})); err != nil {
		return err
	}
	return w.Close()
}

// placed is a file whose errors name its place, as when the disk is full.
type placed struct{ *wholefile.File }

// Write writes.
func (p placed) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	if err != nil {
		err = &unwritten{p.Path(), err}
	}
	return n, err
}

// unwritten is the error of writing a file.
type unwritten struct {
	path string
	err  error
}

// Error names the file.
func (u *unwritten) Error() string { return u.path + ": " + u.err.Error() }

// Unwrap returns the error of the system.
func (u *unwritten) Unwrap() error { return u.err }

// counted returns a writer that keeps the SHA-256 of what goes through it, up to date after every call, where somebody
// asks for it.
func (f *files) counted(path string, w io.Writer) io.Writer {
	if f.sums == nil {
		return w
	}
	return &summing{w, sha256.New(), f.sums, path}
}

type summing struct {
	io.Writer
	sum  hash.Hash
	sums map[string]string
	path string
}

// Write writes, and keeps the sum.
func (s *summing) Write(p []byte) (int, error) {
	n, err := s.Writer.Write(p)
	s.sum.Write(p[:n])
	s.sums[s.path] = hex.EncodeToString(s.sum.Sum(nil))
	return n, err
}

// table adds a table and returns the SHA-256 of its file in hexadecimal. Standard output gets the format
// that is asked for, or text with the delimiter of the original.
func (f *files) table(ctx context.Context, path string, t *table.Table, opt format.Options) (string, error) {
	if postgres.Is(path) {
		return f.store(ctx, path, t, opt)
	}
	h, name := sha256.New(), path
	if path == standardOutput {
		name = cmp.Or(f.format, "txt")
	}
	err := f.add(path, func(w io.Writer) error {
		err := format.WriteTo(ctx, io.MultiWriter(w, h), name, t, opt)
		if full := (*unwritten)(nil); err == nil || errors.As(err, &full) {
			return err
		}
		return fmt.Errorf("%s: %w", OutputName(path), err)
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// place puts what was made in its place, all or nothing, and hands over what is piped.
func (f *files) place() error {
	back, err := f.commit()
	if err != nil {
		return err
	}
	made := f.made
	f.made = nil
	if err := wholefile.Place(made...); err != nil {
		return errors.Join(err, back())
	}
	return f.pass()
}

// discard removes what was made and is not in its place.
func (f *files) discard() {
	for _, w := range f.made {
		w.Discard()
	}
	f.made = nil
	for _, p := range f.stored {
		p.Discard()
	}
	f.stored = nil
}

// seed reads the seed of a seed file, or makes a fresh one: without a path it is forgotten after the request, with the
// path of a file that does not exist yet it is written there, for its owner only. Of two requests that make one file
// the later takes the seed of the earlier.
func (d *Desk) seed(path string) (rng.Seed, error) {
	fresh := rng.Fresh()
	if path == "" {
		return fresh, nil
	}
	s, err := readSeed(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	f := &files{secret: []string{path}}
	defer f.discard()
	if err = f.add(path, func(w io.Writer) error { _, err := fmt.Fprintln(w, fresh.Reveal()); return err }); err == nil {
		err = f.place()
	}
	if errors.Is(err, fs.ErrExist) {
		d.note(message.Say("told.oneSeed").Name("file", path))
		return readSeed(path)
	}
	return fresh, err
}

// errTwoSeeds refuses a request that names two.
var errTwoSeeds = errors.New("a seed is secret and in a file (--seed-file), or a short one (--seed), not both")

// seedOf is the seed of a seed file or, where none is named, the short one of a policy that has one.
func (d *Desk) seedOf(path string, pol *policy.Policy) (rng.Seed, error) {
	if path == "" && pol.Seed != "" {
		return shortSeed(string(pol.Seed))
	}
	return d.seed(path)
}

// shortSeed is the seed that some digits stand for.
func shortSeed(digits string) (rng.Seed, error) {
	s, err := rng.ShortSeed(digits)
	if err != nil {
		return s, &Usage{Field: "seed", Value: digits, Err: err}
	}
	return s, nil
}

// readSeed reads a seed file.
func readSeed(path string) (s rng.Seed, err error) {
	if path == "" {
		return s, fs.ErrNotExist
	}
	data, err := wholefile.Read(path)
	if err != nil {
		return s, err
	}
	if s, err = rng.ParseSeed(string(data)); err != nil {
		return s, usage(fmt.Errorf("%s: %w", path, err))
	}
	return s, nil
}
