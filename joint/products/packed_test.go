package products

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
)

// packedCases are the cases of other products that are narrow enough, and one of two blocks.
func packedCases(cases []jointtest.Case) []jointtest.Case {
	out := slices.Concat(cases[:4], cases[5:])
	two := vectors("two blocks", packedSlots+3, -9, 9, shown)
	two.Plain = true
	return append(out, two)
}

// What the parties see is uniform, whatever the columns hold: the first, of ciphertexts that it can decrypt, the second
// half, and what it decrypts; the second all. A right program exceeds the bound once in 10,000 for each.
func TestPackedViews(t *testing.T) {
	q := &Protocols[4]
	c := vectors("uniform", 300, 0, 9, shown)
	for k, view := range jointtest.Views(t, q, c, 5) {
		back := 0
		for _, m := range view {
			if len(m.Payload) < 1<<16 {
				continue
			}
			words := joint.NewReader(m.Payload).Words(len(m.Payload) / 8)
			for i := range words {
				words[i] <<= 10 // they have 54 bits
			}
			if m.Kind == packedBack {
				back++
			}
			if chi2, degrees := jointtest.Uniform(words, 256); chi2 > 347.7 {
				t.Errorf("party %d: %s has chi-square %.1f of %d degrees", k, m.Kind, chi2, degrees)
			}
		}
		if k == 0 && back != 2 {
			t.Errorf("the first party receives %d polynomials", back)
		}
	}
}

// What the first party decrypts is the products with their masks; before it reduces them, nearly all coefficients have
// the flood's size, which hides the errors that the second's numbers left. The other half of the ciphertext is not the
// first's own times the second's numbers, which would give them.
func TestPackedAnswer(t *testing.T) {
	k := must.Get(newPacking(&joint.Party{Random: joint.NewRandom(rand.NewChaCha8([32]byte{6}))}))(t)
	public := must.Get(k.uniform(make([]byte, 32)))(t)
	draw := rand.New(rand.NewPCG(8, 8))
	var numbers [3][]uint64 // those of both, and masks
	for i := range numbers {
		for range packedSlots {
			numbers[i] = append(numbers[i], draw.Uint64N(plainPrime))
		}
	}
	s, key, keyPublic, d := k.secret(), k.error(), public.ReadNew(), public.ReadNew()
	k.hide(key, keyPublic, s)
	c := k.error()
	k.q.Add(c, k.encode(numbers[0]), c)
	k.hide(c, d, s)
	naive := d.CopyNew()
	k.q.MulCoeffsBarrett(*naive, k.encode(numbers[1]), *naive)
	k.answer(c, d, key, keyPublic, numbers[1], numbers[2])
	k.q.Sub(d, *naive, *naive)
	near := 0
	for _, v := range k.whole(*naive) {
		if v.BitLen() < 100 {
			near++
		}
	}
	if near > 0 {
		t.Error("half of the answer is the second's numbers times what the first knows, but for small errors")
	}
	k.q.MulCoeffsBarrettThenAdd(d, s, c)
	slots := k.decoded(*c.CopyNew())
	for i, v := range slots {
		hi, lo := bits.Mul64(numbers[0][i], numbers[1][i])
		_, want := bits.Div64(hi, lo, plainPrime)
		if want = (want + numbers[2][i]) % plainPrime; v != want {
			t.Fatalf("slot %d is %d, expected %d", i, v, want)
		}
	}
	small := 0
	for _, v := range k.whole(c) {
		switch n := v.BitLen(); {
		case n > 161:
			t.Fatal("an error is too large")
		case n < 40+floodBits-12: // less than one of 2^10
			small++
		}
	}
	if small > 40 { // 4 at most are expected; 40 do not come
		t.Errorf("%d coefficients of %d are not hidden by the flood", small, packedSlots)
	}
}

// A product that may be too large for the prime is refused before anything is sent.
func TestPackedTooWide(t *testing.T) {
	c := vectors("wide", 8, -1<<31, 1<<31, shown)
	if err := jointtest.Ends(t, &Protocols[4], c); err == nil {
		t.Error("it is taken")
	}
}
