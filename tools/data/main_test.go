package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/dataset"
)

// TestFetch: what a server sends is taken where it is the data set, and an error says what it is otherwise.
func TestFetch(t *testing.T) {
	file, err := os.ReadFile(dataset.File(t, "chess/chess.dat"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/right":
			w.Write(file)
		case "/short":
			w.Write(file[:1000])
		default:
			http.NotFound(w, r)
		}
	}))
	s, err := find("chess")
	if err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		"/right": "", "/short": "what came is not the data set chess", "/none": "answers 404",
	} {
		s.URL = server.URL + path
		got, err := fetch(t.Context(), server.Client(), s)
		wrong := err != nil || !bytes.Equal(got, file)
		if says != "" {
			wrong = err == nil || !strings.Contains(err.Error(), says) || unreachable(err)
		}
		if wrong {
			t.Errorf("%s: %d bytes, %v", path, len(got), err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fetch(ended, server.Client(), s); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	server.Close()
	if _, err := fetch(t.Context(), server.Client(), s); !unreachable(err) {
		t.Errorf("nobody there: %v", err)
	}
}

// TestBring: a set is written to a new file. What is no such set is refused and leaves no file, nothing is overwritten,
// and without a network the error says what to do. The proxy is an address at which nobody answers.
func TestBring(t *testing.T) {
	nobody := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: "127.0.0.1:9"})}}
	iris := dataset.File(t, "iris/iris.csv")
	t.Chdir(t.TempDir())
	if err := os.WriteFile("other.data", []byte("5.1,3.5,1.4,0.2,Iris-setosa\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, from, output, says string }{
		{"wbc", "", "", "wisconsin+original.zip: cannot be reached from here"},
		{"iriss", "", "", `did you mean "iris"`},
		{"iris", "other.data", "", "other.data: what came is not the data set iris"},
		{"iris", "gone.data", "", "gone.data"},
		{"iris", "other.data", "other.data", "other.data exists and is not overwritten"},
	} {
		_, err := bring(t.Context(), nobody, c.name, c.from, c.output)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v", c, err)
		}
	}
	if files, err := filepath.Glob("*"); err != nil || len(files) != 1 {
		t.Errorf("written: %q, %v", files, err)
	}
	want, err := os.ReadFile(iris)
	if err != nil {
		t.Fatal(err)
	}
	s, err := find("iris")
	if err != nil {
		t.Fatal(err)
	}
	published := strings.TrimPrefix(string(want), s.header+"\n") + "\n"
	if err := os.WriteFile("iris.data", []byte(published), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := bring(t.Context(), nobody, "iris", "iris.data", "")
	if err != nil || !strings.Contains(said, "every one as expected") {
		t.Fatalf("%q, %v", said, err)
	}
	if got, err := os.ReadFile("iris.csv"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestList: every set is listed with its licence and address.
func TestList(t *testing.T) {
	var out bytes.Buffer
	list(&out)
	for _, s := range sets {
		for _, part := range []string{s.Name, s.Title, s.Licence, s.URL} {
			if part == "" || !strings.Contains(out.String(), part) {
				t.Errorf("%s: %q is missing", s.Name, part)
			}
		}
	}
}
