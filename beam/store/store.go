// Package store is where the files of a job are: the only one that opens, makes, lists, renames and removes them. An
// address is a path of this machine, or that of an object in a store that Beam's registry of file systems opens, such
// as gs://bucket/key or s3://bucket/key; a program imports the file systems that it wants. A folder of a store is a
// prefix of addresses, up to a slash. Errors name the address.
package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/dither-data/dither/internal/system/wholefile"
)

// Local reports whether an address is a path of this machine.
func Local(address string) bool { return strings.Index(address, "://") <= 0 }

// plain are the characters of an address in a store: file systems of Beam take others, such as %, for their own.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/=,@:!"

// Full returns an address that means the same on every machine: a path from the root on, or an address of a store whose
// file system is known, without a slash at the end.
func Full(address string) (string, error) {
	if Local(address) {
		return filepath.Abs(address)
	}
	address = strings.TrimRight(address, "/")
	scheme, rest, _ := strings.Cut(address, "://")
	bucket, key, _ := strings.Cut(rest, "/")
	switch {
	case bucket == "" || key == "":
		return "", fmt.Errorf("%s: name a place in a bucket, such as %s://bucket/name", address, scheme)
	case strings.ContainsFunc(rest, func(r rune) bool { return !strings.ContainsRune(plain, r) }):
		return "", fmt.Errorf("%s: an address of a store has letters from a to z, digits and any of -_.~/=,@:! and nothing "+
			"else: give the objects other names", address)
	}
	_, err := system(address)
	return address, err
}

// Join returns the address of a file of a folder.
func Join(folder, name string) string {
	if Local(folder) {
		return filepath.Join(folder, name)
	}
	return strings.TrimRight(folder, "/") + "/" + name
}

// split parts an address into that of its folder and the name in it.
func split(address string) (folder, name string) {
	if Local(address) {
		return filepath.Dir(address), filepath.Base(address)
	}
	i := strings.LastIndexByte(address, '/')
	return address[:i], address[i+1:]
}

// Base returns the last element of an address.
func Base(address string) string {
	_, name := split(address)
	return name
}

// Dir returns the address without its last element.
func Dir(address string) string {
	folder, _ := split(address)
	return folder
}

// systems are the file systems that were opened, by scheme: each keeps its connections as long as the process lives.
var systems sync.Map

// system returns the file system of an address in a store.
func system(address string) (filesystem.Interface, error) {
	scheme, _, _ := strings.Cut(address, "://")
	opened, _ := systems.LoadOrStore(scheme, sync.OnceValues(func() (of filesystem.Interface, err error) {
		defer func() {
			if r := recover(); r != nil { // so some say that they have no credentials
				err = fmt.Errorf("%s:// cannot be opened: %v", scheme, r)
			}
		}()
		if of, err = filesystem.New(context.Background(), address); err != nil {
			err = fmt.Errorf("%s: there is no file system for %s:// here: name a path, or an address of gs:// or s3://",
				address, scheme)
		}
		return of, err
	}))
	return opened.(func() (filesystem.Interface, error))()
}

// named puts the address before an error that does not name it.
func named(address string, err error) error {
	if err == nil || strings.Contains(err.Error(), address) {
		return err
	}
	return fmt.Errorf("%s: %w", address, err)
}

// List returns the addresses that fit a pattern, in the order of their names. A star stands for a part of a name.
func List(ctx context.Context, pattern string) (found []string, err error) {
	if Local(pattern) {
		return filepath.Glob(pattern)
	}
	of, err := system(pattern)
	if err == nil {
		found, err = of.List(ctx, pattern)
	}
	slices.Sort(found)
	return found, named(pattern, err)
}

// Exists reports whether there is a file under an address, or a folder with files.
func Exists(ctx context.Context, address string) (bool, error) {
	if Local(address) {
		_, err := os.Lstat(address)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		return err == nil, err
	}
	of, err := system(address)
	if err != nil {
		return false, err
	}
	if _, err := of.Size(ctx, address); err == nil { // else it may be a folder, or the store out of reach: a list tells
		return true, nil
	}
	for _, pattern := range []string{address, Join(address, "*")} {
		if found, err := List(ctx, pattern); err != nil || len(found) > 0 {
			return len(found) > 0, err
		}
	}
	return false, nil
}

// Open opens a file for reading. A device, which may have no end, is refused.
func Open(ctx context.Context, address string) (io.ReadCloser, error) {
	if !Local(address) {
		of, err := system(address)
		if err != nil {
			return nil, err
		}
		r, err := of.OpenRead(ctx, address)
		return r, named(address, err)
	}
	f, err := os.Open(address)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err == nil && st.Mode()&os.ModeDevice != 0 {
		f.Close()
		return nil, fmt.Errorf("%s is a device, which may have no end; name a file", address)
	}
	return f, nil
}

// tries is how often a store is asked whose answer is cut on the way. Its clients try again what they ask for, and not
// what they are being sent.
const tries = 4

// Read returns the bytes of a file.
func Read(ctx context.Context, address string) (data []byte, err error) {
	for range tries {
		if data, err = readOnce(ctx, address); !errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
	}
	return data, err
}

func readOnce(ctx context.Context, address string) ([]byte, error) {
	r, err := Open(ctx, address)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	return data, named(address, cmp.Or(err, r.Close()))
}

// Content writes what is to be in a file.
type Content func(w io.Writer) error

// Bytes is content that is there.
func Bytes(data []byte) Content {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// Write writes a file of a job, whole or not at all, for its owner alone; one that is there is replaced. On a disk it
// is not flushed: where a machine loses it, the job begins anew.
func Write(ctx context.Context, address string, content Content) error {
	if Local(address) {
		return write(address, content, false)
	}
	return spool(ctx, address, content)
}

// Release is Write for a file that is to be released: who may read it is for the umask of the process to say, or for
// the store, and it is flushed.
func Release(ctx context.Context, address string, content Content) error {
	if Local(address) {
		return write(address, content, true)
	}
	return spool(ctx, address, content)
}

// New writes a file that must not be there, for its owner alone, and flushes it.
func New(ctx context.Context, address string, content Content) error {
	if !Local(address) {
		if there, err := Exists(ctx, address); err != nil || there {
			return cmp.Or(err, fmt.Errorf("%s is there already and is never overwritten: name a new one", address))
		}
		return spool(ctx, address, content)
	}
	f, err := wholefile.Create(address, wholefile.Options{Private: true})
	if err != nil {
		return err
	}
	if err = content(f); err == nil {
		err = f.Close()
	}
	if err != nil {
		f.Discard()
		return err
	}
	return wholefile.Place(f)
}

// write writes a file of this machine under another name, and renames it. One to be released has its other name outside
// its folder, so that nothing else is in there where a machine is lost.
func write(path string, content Content, released bool) (err error) {
	other, mode := path, fs.FileMode(0o600)
	if released {
		other, mode = filepath.Dir(path), 0o666
	}
	f, err := os.OpenFile(other+"."+rand.Text(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err = content(f); err == nil && released {
		err = f.Sync()
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// spool writes an object. What is to be in it goes to a file of this machine first, so that content which ends in the
// middle, with an error, never reaches the store.
func spool(ctx context.Context, address string, content Content) error {
	f, err := temporary()
	if err != nil {
		return err
	}
	defer f.Close()
	if err := content(f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return send(ctx, address, f)
}

// send writes an object. If that fails, what an earlier attempt wrote there may still be there, whole: runners do the
// same work twice.
func send(ctx context.Context, address string, r io.Reader) error {
	of, err := system(address)
	if err != nil {
		return err
	}
	sending, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := of.OpenWrite(sending, address)
	if err != nil {
		return named(address, err)
	}
	if _, err = io.Copy(w, r); err != nil {
		cancel() // closing gives up what was sent
		_ = w.Close()
	} else {
		err = w.Close()
	}
	return named(address, err)
}

// Both is two errors in a line, or the one that there is. Errors.Is finds either.
func Both(first, second error) error {
	switch {
	case second == nil:
		return first
	case first == nil:
		return second
	}
	return fmt.Errorf("%w; %w", first, second)
}

// discard removes an object if it is there.
func discard(ctx context.Context, address string) error {
	found, err := List(ctx, address)
	if err != nil || len(found) == 0 {
		return err
	}
	return Remove(ctx, address)
}

// Remove removes a file.
func Remove(ctx context.Context, address string) error {
	if Local(address) {
		return os.Remove(address)
	}
	of, err := system(address)
	if err != nil {
		return err
	}
	r, ok := of.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("%s: nothing can be removed from this store by Beam's file system", address)
	}
	return named(address, r.Remove(ctx, address))
}

// temporaryFile is a file of this machine that is gone when it is closed.
type temporaryFile struct{ *os.File }

// temporary makes one, in the folder for such files (TMPDIR), for its owner alone. It has no name from the moment it is
// made, where the system allows that, so that nothing is left behind however the program ends.
func temporary() (*temporaryFile, error) {
	f, err := os.CreateTemp("", "dither-beam-")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	return &temporaryFile{f}, nil
}

// Close closes and removes the file.
func (t *temporaryFile) Close() error {
	err := t.File.Close()
	os.Remove(t.Name())
	return err
}

// Disk returns a folder for files that must be of this machine: the given one if it is, or else that for temporary
// files (TMPDIR).
func Disk(folder string) string {
	if Local(folder) {
		return folder
	}
	return os.TempDir()
}
