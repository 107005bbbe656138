// Package storetest has stores for tests: S3 in this process, and whatever goes wrong there.
package storetest

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	// s3:// of Beam, which takes server and keys from the environment.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
)

// Bucket is the bucket that is there.
const Bucket = "bucket"

// Server is a server of S3 on this machine. One serves all tests of a process, as the clients of Beam know but one, so
// that tests of it do not run in parallel where one has requests fail.
type Server struct {
	mu     sync.Mutex
	denied func(*http.Request) bool
	cut    func(*http.Request) bool
	served http.Handler
}

var only = sync.OnceValues(func() (*Server, error) {
	objects := s3mem.New()
	if err := objects.CreateBucket(Bucket); err != nil {
		return nil, err
	}
	s := &Server{served: gofakes3.New(objects).Server()}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL":          httptest.NewServer(s).URL, // as long as the process lives
		"AWS_ACCESS_KEY_ID":         "key",
		"AWS_SECRET_ACCESS_KEY":     "secret",
		"AWS_REGION":                "us-east-1",
		"AWS_EC2_METADATA_DISABLED": "true",
		// a warning for every answer without a checksum else
		"AWS_RESPONSE_CHECKSUM_VALIDATION": "when_required",
	} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	return s, nil
})

var prefixes atomic.Int64

// S3 returns the server, and the address of a prefix in it that no other test has.
func S3(t *testing.T) (s *Server, prefix string) {
	t.Helper()
	s, err := only()
	if err != nil {
		t.Fatal(err)
	}
	return s, fmt.Sprintf("s3://%s/%s-%d", Bucket, strings.ReplaceAll(t.Name(), "/", "-"), prefixes.Add(1))
}

// Deny has the server refuse the requests that are chosen, until the test ends. The choice is asked by several requests
// at once, and may wait.
func (s *Server) Deny(t *testing.T, chosen func(*http.Request) bool) {
	t.Helper()
	s.choose(t, &s.denied, chosen)
}

// Cut is Deny for requests whose answers end in the middle.
func (s *Server) Cut(t *testing.T, chosen func(*http.Request) bool) {
	t.Helper()
	s.choose(t, &s.cut, chosen)
}

func (s *Server) choose(t *testing.T, what *func(*http.Request) bool, chosen func(*http.Request) bool) {
	t.Helper()
	set := func(f func(*http.Request) bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		*what = f
	}
	set(chosen)
	t.Cleanup(func() { set(nil) })
}

// ServeHTTP serves a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	denied, cut := s.denied, s.cut
	s.mu.Unlock()
	switch {
	case denied != nil && denied(r):
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "<Error><Code>AccessDenied</Code><Message>no</Message></Error>")
	case cut != nil && cut(r):
		whole := httptest.NewRecorder()
		s.served.ServeHTTP(whole, r)
		maps.Copy(w.Header(), whole.Header())
		body := whole.Body.Bytes()
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.WriteHeader(whole.Code)
		_, _ = w.Write(body[:len(body)/2])
		panic(http.ErrAbortHandler)
	default:
		s.served.ServeHTTP(w, r)
	}
}
