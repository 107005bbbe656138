package rng

import (
	"crypto/sha256"
	"errors"
	"strconv"
)

// mostShort is the largest short seed: up to it every whole number is the same in JSON, R, Python and Go.
const mostShort = 1<<53 - 1

// ShortSeed returns the seed that a whole number from 0 to 2^53-1 stands for, in decimal digits without a sign or
// leading zeros: SHA-256 of the text "dither short seed 1", a line feed and the digits. So 42 is the same 256 bits in
// every language. It is no secret, as all of them can be tried out. Short says so of it, and of the sources made of
// it: no release that is made with one meets its limits.
func ShortSeed(digits string) (Seed, error) {
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > mostShort || strconv.FormatUint(n, 10) != digits {
		return Seed{}, errors.New("a short seed is a whole number from 0 to 9007199254740991, such as 42; a secret one is " +
			"in a file")
	}
	h := sha256.Sum256([]byte("dither short seed 1\n" + digits))
	seed := SeedOf(h)
	seed.isShort = true
	return seed, nil
}

// Short reports whether the seed is a short one: it can be tried out.
func (s Seed) Short() bool { return s.isShort }

// Short reports whether the source is that of a short seed, or a fork of it.
func (s Source) Short() bool { return s.key.isShort }
