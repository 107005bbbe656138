package rng_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/rng"
)

func seed(n byte) [32]byte { return [32]byte{n} }

func TestForkIsHMAC(t *testing.T) {
	key := seed(9)
	m := hmac.New(sha256.New, key[:])
	m.Write([]byte("label"))
	var want [32]byte
	m.Sum(want[:0])
	if rng.New(key).Fork("label").Stream().At(5) != rng.New(want).Stream().At(5) {
		t.Error("a fork is not keyed by HMAC-SHA-256 of its label")
	}
}

func TestForksDiffer(t *testing.T) {
	s := rng.New(seed(1))
	sources := map[string]rng.Source{
		"itself": s, "a": s.Fork("a"), "b": s.Fork("b"), "ab": s.Fork("ab"), "a, b": s.Fork("a").Fork("b"),
		"b, a":  s.Fork("b").Fork("a"),
		"empty": s.Fork(""), "another seed": rng.New(seed(2)),
	}
	seen := make(map[rng.Block]string)
	for name, f := range sources {
		b := f.Stream().At(0)
		if other, ok := seen[b]; ok {
			t.Errorf("the streams of %s and %s are the same", name, other)
		}
		seen[b] = name
	}
}

// A record's block is the same one by one, in a run, in a run of another length, and among scattered records.
func TestBlocksDoNotDependOnTheirCompany(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		s := rng.New(seed(3)).Stream()
		first := rapid.Uint64Range(0, math.MaxUint64-2000).Draw(t, "first")
		n := rapid.IntRange(0, 1500).Draw(t, "n")
		dst := make([]rng.Block, n)
		s.Fill(dst, first)
		ids := make([]uint64, n)
		for i := range ids {
			ids[i] = first + uint64(n-1-i)
		}
		scattered := make([]rng.Block, n)
		rng.Blocks(s, scattered, ids, 0)
		for i := range dst {
			if at := s.At(first + uint64(i)); dst[i] != at || scattered[n-1-i] != at {
				t.Fatalf("record %d: %v in a run, %v scattered, %v alone", i, dst[i], scattered[n-1-i], at)
			}
		}
	})
}

func TestParseSeed(t *testing.T) {
	text := strings.Repeat("0aF1", 16)
	got, err := rng.ParseSeed("  " + text + "\n")
	if err != nil || got.Reveal() != strings.ToLower(text) {
		t.Errorf("got %x, %v", got, err)
	}
	for _, bad := range []string{"", "00", text + "00", text[:63], text[:63] + "g", text[:32] + " " + text[32:]} {
		if _, err := rng.ParseSeed(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		} else if strings.Contains(err.Error(), "0aF1") {
			t.Errorf("the error shows the seed: %v", err)
		}
	}
}

func TestCommitmentFixesTheSeed(t *testing.T) {
	a, b := rng.Commitment(rng.SeedOf(seed(1))), rng.Commitment(rng.SeedOf(seed(2)))
	if a == b || a != rng.Commitment(rng.SeedOf(seed(1))) || len(a) != 64 {
		t.Errorf("commitments %s and %s", a, b)
	}
}

func TestFreshSeedsDiffer(t *testing.T) {
	a, b := rng.Fresh(), rng.Fresh()
	if a.Equal(b) || !a.Equal(a) {
		t.Error("two fresh seeds are the same")
	}
}

const verbs = "vTtbcdoOqxXUeEfFgGspw"

// No verb prints the key of a Seed, a Source or a Stream, as a value, behind a pointer, or in a field, exported or not.
// The field n makes fmt print the struct once more, without asking any Formatter, for a verb that does not fit it.
func TestSecretsHide(t *testing.T) {
	hiding(t, rng.SeedOf(bytes32(0xAB)))
	hiding(t, rng.New(bytes32(0xAB)))
	hiding(t, rng.New(bytes32(0xAB)).Stream())
	hiding(t, rng.New(bytes32(0xAB)).Stream().Words())
	hiding(t, rng.New(bytes32(0xAB)).Stream().Turns())
}

func hiding[T any](t *testing.T, s T) {
	type inner struct {
		s T
		n *int
	}
	type outer struct {
		S T
		inner
		N *int
	}
	in := inner{s: s, n: new(int)}
	hides(t, s, &s, in, &in, outer{S: s, inner: in}, &outer{S: s, inner: in}, []T{s}, []inner{in}, map[string]T{"a": s})
}

func bytes32(b byte) (key [32]byte) {
	for i := range key {
		key[i] = b
	}
	return key
}

// hides prints values that hold a key of 32 bytes 0xAB; whatever form prints the key has one of the signs for every
// byte or group of bytes, and an address has few.
func hides(t *testing.T, values ...any) {
	t.Helper()
	check := func(how, text string) {
		for _, sign := range []string{"171", "ab", "AB", "253", "10101011", "\u00ab", "q6ur", "2880154539"} {
			if strings.Count(text, sign) >= 8 {
				t.Errorf("%s prints the key: %s", how, text)
			}
		}
	}
	for _, v := range values {
		for _, verb := range verbs {
			for _, flag := range []string{"", "+", "#", " ", "0", "40", "-"} {
				format := "%" + flag + string(verb)
				check(format, fmt.Sprintf(format, v))
			}
		}
		text, _ := json.Marshal(v) // a Seed is refused
		check("JSON", string(text))
		var b strings.Builder
		for _, h := range []slog.Handler{slog.NewTextHandler(&b, nil), slog.NewJSONHandler(&b, nil)} {
			slog.New(h).Info("secret", "value", v)
		}
		check("slog", b.String())
	}
}

func TestSeedsAreNotWritten(t *testing.T) {
	s := rng.SeedOf(seed(1))
	if rng.New(s).Stream().At(1) != rng.New(seed(1)).Stream().At(1) {
		t.Error("a Seed is another seed than its bytes")
	}
	_, asJSON := json.Marshal(struct{ Seed rng.Seed }{s})
	_, sourceAsJSON := json.Marshal(rng.New(s))
	for encoder, err := range map[string]error{"JSON": asJSON, "JSON of a source": sourceAsJSON,
		"gob": gob.NewEncoder(io.Discard).Encode(s), "XML": xml.NewEncoder(io.Discard).Encode(s)} {
		if err == nil || !strings.Contains(err.Error(), "Reveal") {
			t.Errorf("%s writes a seed, or does not say what to do: %v", encoder, err)
		}
	}
}

func TestZeroSource(t *testing.T) {
	var zero rng.Source
	if zero.Stream().At(3) != rng.New([32]byte{}).Stream().At(3) ||
		zero.Fork("a").Stream().At(3) != rng.New([32]byte{}).Fork("a").Stream().At(3) {
		t.Error("the zero Source is not that of the zero seed")
	}
}

func TestUnitAndBelow(t *testing.T) {
	if rng.Unit(0) != 0 || rng.Unit(math.MaxUint64) >= 1 || rng.Unit(1<<63) != 0.5 {
		t.Error("Unit does not map words to [0, 1) in order")
	}
	long.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, math.MaxInt).Draw(t, "n")
		if k := rng.Below(rapid.Uint64().Draw(t, "w"), n); k < 0 || k >= n {
			t.Fatalf("%d is not below %d", k, n)
		}
	})
	if rng.Below(0, 7) != 0 || rng.Below(math.MaxUint64, 7) != 6 || rng.Below(1<<63, 2) != 1 {
		t.Error("Below does not divide the words evenly")
	}
}

func TestRandIsASequenceOfItsOwn(t *testing.T) {
	s := rng.New(seed(4))
	a, b := s.Rand(), s.Rand()
	for range 10 {
		if a.Uint64() != b.Uint64() {
			t.Fatal("the same source gives two sequences")
		}
	}
	if s.Rand().Uint64() == s.Stream().At(0).A {
		t.Error("the sequence repeats the stream")
	}
}
