package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"golang.org/x/sync/errgroup"
)

// Marker is the name of the empty object that is written last into a release in a store, where files do not appear at
// once: where it is, the release is whole. Spark and Hadoop write it, too, and programs that read what they write know
// it.
const Marker = "_SUCCESS"

// Folder makes a folder of a fresh name that begins so, for its owner alone. In a store, where there is nothing to be
// made, it is a prefix; who may read there is for the store to say.
func Folder(parent, begins string) (string, error) {
	if Local(parent) {
		return os.MkdirTemp(parent, begins)
	}
	return Join(parent, begins+rand.Text()), nil
}

// Within makes a folder of a folder, which only the owner of that can enter; who may read there once it has another
// place is for the umask of the process to say.
func Within(folder, name string) (string, error) {
	inner := Join(folder, name)
	if Local(folder) {
		return inner, os.Mkdir(inner, 0o777)
	}
	return inner, nil
}

// atOnce is how many files are copied or removed at the same time: most of it is waiting for the store.
const atOnce = 16

// rounds is how often files are looked for that are to be removed: some may just be made.
const rounds = 10

// RemoveAll removes a folder and what is in it, and in its folders. One of this machine gets another name first, so
// that nobody who is still at work finds it and writes into it. In a store, where that cannot be, a writer looks
// afterwards whether the file that is removed first is still there. First is its name, empty for none.
func RemoveAll(ctx context.Context, folder, first string) (err error) {
	if Local(folder) {
		gone := folder + ".removed"
		if err := os.Rename(folder, gone); err != nil {
			return err
		}
		for range rounds {
			if err = os.RemoveAll(gone); err == nil {
				return nil
			}
			time.Sleep(10 * time.Millisecond) // a file was just being made; no further one can be
		}
		return err
	}
	if first != "" {
		_ = discard(ctx, Join(folder, first)) // what fails here fails below
	}
	for k := range rounds {
		var found []string
		if found, err = inside(ctx, folder); err != nil && k+1 < tries {
			continue // a connection that is cut is no reason to leave a table behind
		}
		if err != nil || len(found) == 0 {
			return err
		}
		var removed atomic.Int64
		var work errgroup.Group
		work.SetLimit(atOnce)
		for _, address := range found {
			work.Go(func() error {
				err := Remove(ctx, address)
				if err == nil {
					removed.Add(1)
				}
				return err
			})
		}
		if err = work.Wait(); removed.Load() == 0 {
			break
		}
	}
	return cmp.Or(err, fmt.Errorf("%s: files appear there while it is removed", folder))
}

// inside lists what is in a folder of a store, and in its folders.
func inside(ctx context.Context, folder string) (all []string, err error) {
	for _, pattern := range []string{"*", "*/*"} {
		some, err := List(ctx, Join(folder, pattern))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// Place gives the files of a folder their place, which must not be there: all of them, or none. Among folders of one
// disk it is renamed. A folder elsewhere on this machine is filled under another name first, and renamed. In a store
// every file is copied, and the marker written last; if that fails, all that was copied is removed. The folder must
// hold the files of these names, and no others.
func Place(ctx context.Context, from, to string, names []string) error {
	if there, err := Exists(ctx, to); err != nil || there {
		return cmp.Or(err, fmt.Errorf("%s has appeared meanwhile and is not overwritten", to))
	}
	files, err := List(ctx, Join(from, "*"))
	if err != nil {
		return err
	}
	var found []string
	for _, file := range files {
		found = append(found, Base(file))
	}
	slices.Sort(found)
	if len(names) == 0 || !slices.Equal(found, slices.Sorted(slices.Values(names))) {
		return fmt.Errorf("%s: %d files are there, expected the %d of the release", from, len(found), len(names))
	}
	if Local(from) && Local(to) {
		if err := os.Rename(from, to); !errors.Is(err, syscall.EXDEV) {
			return err
		}
	}
	if !Local(to) && scheme(from) == scheme(to) {
		return commit(ctx, files, to)
	}
	return across(ctx, files, to)
}

func scheme(address string) string {
	s, _, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	return s
}

// across copies files from one disk or store to another, under another name, and gives them their place there.
func across(ctx context.Context, files []string, to string) (err error) {
	parent, name := split(to)
	staged, err := Folder(parent, "."+name+".placing-")
	if err != nil {
		return err
	}
	folder, err := Within(staged, "release")
	defer func() {
		if left := RemoveAll(context.WithoutCancel(ctx), staged, ""); left != nil {
			err = Both(err, fmt.Errorf("what is left there is as confidential as the release, remove it: %w", left))
		}
	}()
	if err != nil {
		return err
	}
	copied, err := copyAll(ctx, files, folder)
	if err != nil {
		return err
	}
	if Local(to) {
		return os.Rename(folder, to)
	}
	return commit(ctx, copied, to)
}

// commit copies files inside a store to their place, and writes the marker.
func commit(ctx context.Context, files []string, to string) error {
	placed, err := copyAll(ctx, files, to)
	marker := Join(to, Marker)
	if err == nil {
		err = send(ctx, marker, strings.NewReader(""))
	}
	if err != nil {
		for _, address := range append(placed, marker) {
			if left := discard(context.WithoutCancel(ctx), address); left != nil {
				err = Both(err, fmt.Errorf("it is part of a release that failed, remove it: %w", left))
			}
		}
	}
	return err
}

// copyAll copies files into a folder, and returns where they are or, after an error, where some of them may be. A copy
// that has begun ends before it returns: a store may finish one that is given up, after the caller has removed it.
func copyAll(ctx context.Context, files []string, folder string) (copied []string, err error) {
	work, failed := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for _, file := range files {
		place := Join(folder, Base(file))
		copied = append(copied, place)
		work.Go(func() error { return cmp.Or(failed.Err(), copyFile(ctx, file, place)) })
	}
	return copied, work.Wait()
}

// copyFile copies a file, by the store itself where it can.
func copyFile(ctx context.Context, from, to string) error {
	if s := scheme(to); s != "" && s == scheme(from) {
		of, err := system(to)
		if err != nil {
			return err
		}
		if c, ok := of.(filesystem.Copier); ok {
			return named(to, c.Copy(ctx, from, to))
		}
	}
	r, err := Open(ctx, from)
	if err != nil {
		return err
	}
	defer r.Close()
	if Local(to) {
		return write(to, func(w io.Writer) error {
			_, err := io.Copy(w, r)
			return named(from, err)
		}, true)
	}
	return send(ctx, to, r)
}
