// Package wholefile writes files that are whole or absent. A file is written next to its destination under a temporary
// name, readable by its owner only, flushed to the disk and then renamed, together with others that belong to it. A
// file that must not overwrite another is put in place by a hard link, which fails if something has appeared there.
package wholefile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Options says how a file takes its place.
type Options struct {
	Private bool // for its owner alone; else as the umask of the process has it
	// a file that is there is replaced, and its permissions are kept; else it stays and Place fails with ErrAppeared
	Replace bool
}

// ErrAppeared is the error for a file that is in the place of one that must not overwrite it. It is an fs.ErrExist.
var ErrAppeared = fmt.Errorf("it appeared meanwhile and is not overwritten: %w", fs.ErrExist)

// File is a file that is not in its place yet. It is to be placed or discarded.
type File struct {
	opt  Options
	path string // its place, as the caller names it
	at   string // its place: what a link that is replaced points to
	mode fs.FileMode
	f    *os.File
}

// unplaced are the files of this process that are neither placed nor discarded. Its lock is held while files are
// placed.
var unplaced = struct {
	sync.Mutex
	files map[*File]bool
}{files: map[*File]bool{}}

// Abandon removes every file that was begun, for a process that ends at once. Files that are being placed are waited
// for, and no file is begun or placed afterwards: such a call never returns.
func Abandon() {
	unplaced.Lock()
	for f := range unplaced.files {
		os.Remove(f.f.Name())
	}
}

// Create begins a file. The folder must be there and be writable; errors name the path. A symbolic link that is
// replaced stays: the file is written where it points.
func Create(path string, opt Options) (*File, error) {
	at := path
	if opt.Replace {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			at = target
		}
	}
	mode, err := modeOf(at, opt)
	if err != nil {
		return nil, named(path, err)
	}
	unplaced.Lock()
	defer unplaced.Unlock()
	f, err := os.OpenFile(beside(at), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, named(path, err)
	}
	w := &File{opt, path, at, mode, f}
	unplaced.files[w] = true
	return w, nil
}

// modeOf returns the permissions of the file in its place. The umask is found by making a file: asking for it would
// change it for a moment, in all threads.
func modeOf(path string, opt Options) (fs.FileMode, error) {
	probe := beside(path)
	f, err := os.OpenFile(probe, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	st, err := f.Stat()
	if err = errors.Join(err, f.Close(), os.Remove(probe)); err != nil {
		return 0, err
	}
	mode := st.Mode().Perm()
	if old, err := os.Stat(path); opt.Replace && err == nil {
		mode = old.Mode().Perm()
	}
	if opt.Private {
		mode &= 0o600
	}
	return mode, nil
}

// Writable reports whether files may be made beside the path: the error names it.
func Writable(path string) error {
	_, err := modeOf(path, Options{})
	return named(path, err)
}

const end = ".part"

const (
	randoms  = 10  // letters of a temporary name
	longName = 255 // bytes of a name that file systems take
)

// beside returns a fresh name in the folder of a path, which Leftovers recognises.
func beside(path string) string {
	return filepath.Join(filepath.Dir(path), stem(path)+rand.Text()[:randoms]+end)
}

// stem is how the temporary names for a path begin: with its name, as far as there is room.
func stem(path string) string {
	name := filepath.Base(path)
	most := longName - len("..") - randoms - len(end)
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "")
	}
	return "." + name + "."
}

// Leftovers lists the files that were begun for a path and are there still: by a process that was killed, or that is at
// work.
func Leftovers(path string) (names []string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), stem(path))
		middle, part := strings.CutSuffix(rest, end)
		if ours && part && len(middle) == randoms && strings.ToUpper(middle) == middle && !strings.Contains(middle, ".") {
			names = append(names, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return names
}

// Path returns the place of the file.
func (f *File) Path() string { return f.path }

// Write writes to the file, which is not in its place yet.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	return n, bare(err)
}

// Close flushes a file to the disk. It can be placed then.
func (f *File) Close() error {
	err := f.f.Sync()
	if err == nil {
		err = f.f.Chmod(f.mode)
	}
	return named(f.path, errors.Join(err, f.f.Close()))
}

// Discard removes a file that was not placed, whatever state it is in.
func (f *File) Discard() {
	unplaced.Lock()
	defer unplaced.Unlock()
	f.discard()
}

func (f *File) discard() {
	f.f.Close()
	os.Remove(f.f.Name())
	delete(unplaced.files, f)
}

// Place puts closed files in their places, all or none: first those that must not overwrite anything, for any of them
// may find its place taken, then those that replace others, which fails only when somebody changes the folder at that
// moment; the error then says what has been replaced. Files that are not in their place in the end are gone. The
// folders are flushed to the disk as well, where the system can.
func Place(files ...*File) (err error) {
	unplaced.Lock()
	defer unplaced.Unlock()
	var linked, replaced []string
	defer func() {
		for _, f := range files {
			f.discard()
		}
		flushed := map[string]bool{}
		for _, f := range files {
			if dir := filepath.Dir(f.at); err == nil && !flushed[dir] {
				flushed[dir] = true
				flush(dir)
			}
		}
		for _, path := range linked {
			if err != nil {
				os.Remove(path)
			}
		}
		if err != nil && len(replaced) > 0 {
			err = fmt.Errorf("%w; replaced by then: %s", err, strings.Join(replaced, ", "))
		}
	}()
	for _, f := range files {
		if f.opt.Replace {
			continue
		}
		if err := f.link(); err != nil {
			return named(f.path, err)
		}
		linked = append(linked, f.path)
	}
	for _, f := range files {
		if !f.opt.Replace {
			continue
		}
		if err := os.Rename(f.f.Name(), f.at); err != nil {
			return named(f.path, err)
		}
		replaced = append(replaced, f.path)
	}
	return nil
}

// flush writes the names in a folder to the disk. Systems that cannot keep the files all the same. A test takes its
// place: whether a disk was told shows only where the power fails.
var flush = func(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// link puts a file in a place that must be free. Where the disk knows no hard links an empty file takes the place
// first, which is then replaced.
func (f *File) link() error {
	err := os.Link(f.f.Name(), f.path)
	if err == nil {
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return ErrAppeared
	}
	hold, err := os.OpenFile(f.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return ErrAppeared
	}
	if err != nil {
		return err
	}
	if err = errors.Join(hold.Close(), os.Rename(f.f.Name(), f.path)); err != nil {
		os.Remove(f.path)
	}
	return err
}

// named puts the path before an error of the operating system, in the place of a temporary name.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, bare(err))
}

// bare drops the name of a file from an error of the operating system.
func bare(err error) error {
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
