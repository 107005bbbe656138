package desk

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/dataset"
	"github.com/dither-data/dither/internal/published"
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
	s, err := published.Find("chess")
	if err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{"/right": "", "/short": "what came is not the data set chess", "/none": "answers 404"} {
		s.URL = server.URL + path
		got, err := fetch(t.Context(), server.Client(), s)
		if says == "" && (err != nil || !bytes.Equal(got, file)) || says != "" && (err == nil || !strings.Contains(err.Error(), says) || unreachable(err)) {
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
