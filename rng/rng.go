// Package rng gives keyed, counter-based streams of random numbers.
//
// A draw depends on the secret seed, on a label and on the record it is for, never on the order of the calls or the
// number of workers. So any chunking of a table, on any number of cores, gives the same bytes, and a user who knows the
// noise of their own record learns nothing about that of another: the streams are AES-256 in counter mode, the record's
// identity is the counter.
//
// The label of a Fork enters through HMAC-SHA-256. One fork serves one use; for a second number per record, fork
// again or use the second half of a Block.
package rng

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/bits"
	mrand "math/rand/v2"
	"strings"

	"github.com/dither-data/dither/internal/portable"
)

// Source is a secret from which streams are derived. It never prints itself. The zero Source is that of the zero seed.
type Source struct{ key Seed }

// New returns the source of a seed. The bytes of one do as well, for those that are no secret, such as a test's.
func New[S Seed | [32]byte](seed S) Source {
	if bytes, ok := any(seed).([32]byte); ok {
		return Source{SeedOf(bytes)}
	}
	return Source{any(seed).(Seed)}
}

// ErrUnseeded refuses to draw for a release from a source that was never given a seed.
var ErrUnseeded = errors.New("there is no seed: noise drawn without one is noise that anybody can draw again; " +
	"rng.Fresh() makes one, and rng.New(seed) its source")

// Seeded returns ErrUnseeded for the zero Source, and for one of a seed of zeros.
func (s Source) Seeded() error {
	if s.key.secret() == [32]byte{} {
		return ErrUnseeded
	}
	return nil
}

// Fresh returns a seed from the operating system's generator.
func Fresh() Seed {
	var bytes [32]byte
	rand.Read(bytes[:]) // never fails: crypto/rand aborts the program instead
	return SeedOf(bytes)
}

// ParseSeed reads a seed of 64 hexadecimal digits; blanks around them are ignored. One of zeros, which anybody would
// try first, is refused.
func ParseSeed(text string) (Seed, error) {
	var bytes [32]byte
	text = strings.TrimSpace(text)
	if len(text) != 64 {
		return Seed{}, errors.New("a seed is 64 hexadecimal digits")
	}
	if _, err := hex.Decode(bytes[:], []byte(text)); err != nil {
		return Seed{}, errors.New("a seed is 64 hexadecimal digits")
	}
	if bytes == [32]byte{} {
		return Seed{}, errors.New("a seed of zeros is not secret")
	}
	return SeedOf(bytes), nil
}

// Commitment returns a hash that fixes the seed without revealing it: SHA-256 of the text "dither seed commitment 1", a
// line feed and the 32 bytes of the seed, in hexadecimal.
func Commitment(seed Seed) string {
	key := seed.secret()
	h := sha256.Sum256(append([]byte("dither seed commitment 1\n"), key[:]...))
	return hex.EncodeToString(h[:])
}

// Fork derives an independent source. Labels are joined unambiguously: Fork("a").Fork("b") differs from Fork("ab").
func (s Source) Fork(label string) Source {
	key := s.key.secret()
	m := hmac.New(sha256.New, key[:])
	m.Write([]byte(label))
	m.Sum(key[:0])
	fork := New(key)
	fork.key.isShort = s.key.isShort
	return fork
}

// Rand returns a sequential ChaCha8 generator for draws that no record owns, such as choosing a sample.
func (s Source) Rand() *mrand.Rand {
	return mrand.New(mrand.NewChaCha8(s.Fork("sequence").key.secret()))
}

// Stream is the counter-mode stream of one source: 128 random bits for every record. It is safe for concurrent use.
type Stream struct{ *keyed }

// keyed is between a Stream and its cipher: for a verb that does not fit, fmt looks behind one pointer, and the cipher
// holds the key.
type keyed struct{ block cipher.Block }

// Stream returns the source's stream.
func (s Source) Stream() Stream {
	key := s.key.secret()
	b, err := aes.NewCipher(key[:])
	if err != nil {
		panic("rng: " + err.Error()) // a 32-byte key is always accepted
	}
	return Stream{&keyed{b}}
}

// Block is the randomness of one record: two independent 64-bit words.
type Block struct{ A, B uint64 }

// At returns the block of one record.
func (s Stream) At(id uint64) Block {
	var in, out [16]byte
	binary.BigEndian.PutUint64(in[8:], id)
	s.block.Encrypt(out[:], in[:])
	return Block{binary.LittleEndian.Uint64(out[:8]), binary.LittleEndian.Uint64(out[8:])}
}

// Fill writes the blocks of the consecutive records first, first+1, ... into dst. Cost: about one AES block each.
func (s Stream) Fill(dst []Block, first uint64) {
	const batch = 512
	s.fill(dst, first, make([]byte, 16*min(batch, len(dst))))
}

// fill is Fill with a buffer of whole blocks, which it may use for bytes of the stream.
func (s Stream) fill(dst []Block, first uint64, buf []byte) {
	var iv [16]byte
	binary.BigEndian.PutUint64(iv[8:], first)
	ctr := cipher.NewCTR(s.block, iv[:])
	for len(dst) > 0 {
		n := min(len(buf)/16, len(dst))
		b := buf[:16*n]
		clear(b)
		ctr.XORKeyStream(b, b)
		for i := range dst[:n] {
			dst[i] = Block{binary.LittleEndian.Uint64(b[16*i:]), binary.LittleEndian.Uint64(b[16*i+8:])}
		}
		dst = dst[n:]
	}
}

// Unit returns a number in [0, 1) with 53 random bits.
func Unit(w uint64) float64 { return float64(w>>11) * 0x1p-53 }

// Below returns a number in 0..n-1. The bias is below n/2^64. n must be positive.
func Below(w uint64, n int) int {
	hi, _ := bits.Mul64(w, uint64(n))
	return int(hi)
}

// Normal returns a standard normal variate of the block by the Box-Muller transform. Its tails end at about 8.5
// standard deviations.
func (b Block) Normal() float64 {
	u := (float64(b.A>>11) + 0.5) * 0x1p-53 // in (0, 1)
	return float64(math.Sqrt(-2*portable.Log(u)) * portable.Cos(2*math.Pi*Unit(b.B)))
}
