// Package chance fixes what a test binary draws from the operating system: seeds that nobody gave, keys and names of
// temporary files. A verdict that holds for most seeds only then fails in every run of a test, or in none.
package chance

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	chacha "math/rand/v2"
	"os"
	"sync"
	"testing"
)

// variable is where a process finds what its draws are of.
const variable = "DITHER_TEST_CHANCE"

// stream is what crypto/rand reads in a test binary.
type stream struct {
	mu    sync.Mutex
	draws *chacha.ChaCha8
}

var (
	fixed stream
	turns sync.Map // how often a test began
)

func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draws.Read(p)
}

func (s *stream) of(words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draws = chacha.NewChaCha8(sha256.Sum256([]byte(words)))
}

// Fix is called once, before a binary draws: by TestMain, and by what runs in its place as a process of a test. The
// draws are those that Env asked for, if it did, and those of the words.
func Fix(words ...string) {
	fixed.of(fmt.Sprint(os.Getenv(variable), words))
	rand.Reader = &fixed
}

// Begin gives this binary the draws of the test and of the number of times that it began, so that two calls in a test
// draw differently and a test alone draws what it draws among others. Tests that run in parallel share the draws.
func Begin(t *testing.T) { fixed.of(next(t)) }

// Env is what a process that calls Fix needs in its environment to draw likewise.
func Env(t *testing.T) string { return variable + "=" + next(t) }

func next(t *testing.T) string {
	n, _ := turns.LoadOrStore(t.Name(), new(int))
	*n.(*int)++
	return fmt.Sprint(t.Name(), " ", *n.(*int))
}
