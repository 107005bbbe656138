package store_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/beam/store/storetest"
)

func put(t *testing.T, address, text string) {
	t.Helper()
	if err := store.Write(t.Context(), address, store.Bytes([]byte(text))); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, address string) string {
	t.Helper()
	data, err := store.Read(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// names lists a folder by the names in it.
func names(t *testing.T, folder string) (all []string) {
	t.Helper()
	found, err := store.List(t.Context(), store.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range found {
		all = append(all, store.Base(address))
	}
	return all
}

// filled is a working folder with a release of two files.
func filled(t *testing.T, parent string) (working, release string) {
	t.Helper()
	working, err := store.Folder(parent, ".working-")
	if err == nil {
		release, err = store.Within(working, "release")
	}
	if err != nil {
		t.Fatal(err)
	}
	put(t, store.Join(working, "job.json"), "job")
	for _, name := range []string{"a.csv", "b.csv"} {
		if err := store.Release(t.Context(), store.Join(release, name), store.Bytes([]byte("of "+name))); err != nil {
			t.Fatal(err)
		}
	}
	return working, release
}

var files = []string{"a.csv", "b.csv"}

// TestPlaceLacks: a runner does the same work twice. Where the second attempt of it fails, what the first one wrote
// stays; and a release that lacks a file, or has one too many, is not placed.
func TestPlaceLacks(t *testing.T) {
	s, s3 := storetest.S3(t)
	for name, parent := range map[string]string{"S3": s3 + "/lacks", "disk": t.TempDir()} {
		_, release := filled(t, parent)
		if name == "S3" {
			s.Deny(t, func(r *http.Request) bool { return r.Method == "PUT" && strings.HasSuffix(r.URL.Path, "b.csv") })
			if err := store.Release(t.Context(), store.Join(release, "b.csv"), store.Bytes([]byte("again"))); err == nil {
				t.Error("a refused object is written")
			}
			s.Deny(t, func(*http.Request) bool { return false })
			if got := get(t, store.Join(release, "b.csv")); got != "of b.csv" {
				t.Errorf("the first attempt left %q", got)
			}
		}
		for _, expected := range [][]string{{"a.csv"}, {"a.csv", "b.csv", "c.csv"}, nil} {
			to := store.Join(parent, "out")
			if err := store.Place(t.Context(), release, to, expected); err == nil {
				t.Errorf("%s: two files are placed as %q", name, expected)
			}
			if left := names(t, to); len(left) > 0 {
				t.Errorf("%s: there are %q", name, left)
			}
		}
	}
}

// A release gets its place from any store into any other, whole, and is marked where it does not appear at once; what
// was in its place stays; a folder that is removed is gone.
func TestPlace(t *testing.T) {
	_, s3 := storetest.S3(t)
	for name, c := range map[string]struct{ from, to string }{
		"disk":      {t.TempDir(), t.TempDir()},
		"S3":        {s3 + "/1", s3 + "/2"},
		"disk, S3":  {t.TempDir(), s3 + "/3"},
		"S3, disk":  {s3 + "/4", t.TempDir()},
		"S3 inside": {s3 + "/5", s3 + "/5"},
	} {
		working, release := filled(t, c.from)
		to := store.Join(c.to, "out")
		if err := store.Place(t.Context(), release, to, files); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := []string{"a.csv", "b.csv"}
		if !store.Local(to) {
			want = []string{store.Marker, "a.csv", "b.csv"}
		}
		if got := names(t, to); !slices.Equal(got, want) {
			t.Errorf("%s: there are %q, expected %q", name, got, want)
		}
		if got := get(t, store.Join(to, "b.csv")); got != "of b.csv" {
			t.Errorf("%s: %q", name, got)
		}
		if st, err := os.Stat(filepath.Join(to, "b.csv")); store.Local(to) && (err != nil || st.Mode().Perm()&0o044 == 0) {
			t.Errorf("%s: nobody else may read the release: %v, %v", name, st.Mode(), err)
		}
		if err := store.Place(t.Context(), release, to, files); err == nil || !strings.Contains(err.Error(), to) {
			t.Errorf("%s: over another: %v", name, err)
		}
		if err := store.RemoveAll(t.Context(), working, "job.json"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, parent := range []string{c.from, c.to} {
			for _, address := range names(t, parent) {
				if store.Local(parent) && address != "out" {
					t.Errorf("%s: left behind: %s", name, address)
				}
			}
		}
		if there, err := store.Exists(t.Context(), working); there || err != nil {
			t.Errorf("%s: the working folder is there: %v", name, err)
		}
	}
}

// Where a store fails, nothing is left in the place of a release, what could not be removed is named, and the error
// names the address and no content.
func TestPlaceFails(t *testing.T) {
	s, s3 := storetest.S3(t)
	is := func(method, part string) func(*http.Request) bool {
		return func(r *http.Request) bool { return r.Method == method && strings.Contains(r.URL.Path, part) }
	}
	none := func(*http.Request) bool { return false }
	for name, c := range map[string]struct {
		first, then func(*http.Request) bool // refused while placed; and while removed
		left        string
	}{
		"a copy":                     {is("PUT", "out/b.csv"), none, ""},
		"the marker":                 {is("PUT", "out/"+store.Marker), none, ""},
		"a copy, and what it leaves": {is("PUT", "out/b.csv"), is("DELETE", "out/"), "out/a.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			prefix := s3 + "/" + strings.ReplaceAll(strings.ReplaceAll(name, " ", "-"), ",", "")
			_, release := filled(t, prefix)
			to := prefix + "/out"
			begun := make(chan struct{})
			var once sync.Once
			s.Deny(t, func(r *http.Request) bool {
				if is("PUT", "out/a.csv")(r) {
					once.Do(func() { close(begun) })
				}
				if !c.first(r) {
					return c.then(r)
				}
				<-begun // the other file's copy has begun, and is made
				return true
			})
			err := store.Place(t.Context(), release, to, files)
			if err == nil || !strings.Contains(err.Error(), to) || strings.Contains(err.Error(), "of b.csv") ||
				strings.Contains(err.Error(), "remove it") != (c.left != "") || !strings.Contains(err.Error(), c.left) {
				t.Errorf("%v", err)
			}
			left := names(t, to)
			if c.left == "" && len(left) > 0 || slices.Contains(left, store.Marker) {
				t.Errorf("there are %q", left)
			}
		})
	}
}

// An object that fails in the middle of writing is not there, whatever part of it came through: neither where its
// content ends with an error, nor where the store refuses the rest of it.
func TestNoHalfObject(t *testing.T) {
	s, s3 := storetest.S3(t)
	half := errors.New("half")
	for _, address := range []string{s3 + "/content", filepath.Join(t.TempDir(), "content")} {
		err := store.Write(t.Context(), address, func(w io.Writer) error {
			_, err := w.Write(bytes.Repeat([]byte("secret"), 2<<20))
			return errors.Join(err, half)
		})
		if there, _ := store.Exists(t.Context(), address); !errors.Is(err, half) || there {
			t.Errorf("%s is there: %v, %v", address, there, err)
		}
	}
	// the third part of a large object
	s.Deny(t, func(r *http.Request) bool { return r.URL.Query().Get("partNumber") == "3" })
	large := bytes.Repeat([]byte("secret"), 3<<20)
	err := store.Write(t.Context(), s3+"/parts", store.Bytes(large))
	if err == nil || !strings.Contains(err.Error(), s3+"/parts") || strings.Contains(err.Error(), "secretsecret") {
		t.Errorf("%v", err)
	}
	if there, err := store.Exists(t.Context(), s3+"/parts"); there || err != nil {
		t.Errorf("half an object is there: %v", err)
	}
	s.Deny(t, func(*http.Request) bool { return false })
	if put(t, s3+"/parts", string(large)); get(t, s3+"/parts") != string(large) {
		t.Error("a large object differs")
	}
}

// What cannot be removed is said, with the address.
func TestRemovalFails(t *testing.T) {
	s, s3 := storetest.S3(t)
	working, _ := filled(t, s3)
	s.Deny(t, func(r *http.Request) bool { return r.Method == "DELETE" && strings.HasSuffix(r.URL.Path, "b.csv") })
	if err := store.RemoveAll(t.Context(), working, "job.json"); err == nil || !strings.Contains(err.Error(), working) {
		t.Errorf("%v", err)
	}
	if left, err := store.List(t.Context(), working+"/*/*"); len(left) != 1 || err != nil {
		t.Errorf("left are %q, %v: what can be removed is", left, err)
	}
}

// An address that a store would take for another, or that no store is known for, is refused with what to do.
func TestFull(t *testing.T) {
	storetest.S3(t)
	for address, says := range map[string]string{
		"s3://bucket":             "s3://bucket/name",
		"s3://bucket/a b":         "other names",
		"s3://bucket/a%20b":       "other names",
		"s3://bucket/*":           "other names",
		"s3://bucket/pr\u00e9fix": "other names",
		"hdfs://host/a":           "gs://",
	} {
		if _, err := store.Full(address); err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if got, err := store.Full("s3://bucket/a/"); got != "s3://bucket/a" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := store.Full("a"); !filepath.IsAbs(got) || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := store.Open(context.Background(), "s3://bucket/none"); err == nil ||
		!strings.Contains(err.Error(), "s3://bucket/none") {
		t.Errorf("an object that is not there: %v", err)
	}
}
