package protect_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/protect/leafnoise"
)

const sum = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// TestPairingComesBack: any rows that differ are those that were packed.
func TestPairingComesBack(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		rows := rapid.SliceOfDistinct(rapid.IntRange(0, 1<<30), func(v int) int { return v }).Draw(r, "rows")
		got, err := protect.NewPairing(sum, sum, rows).Rows()
		if err != nil || !slices.Equal(got, rows) && len(rows) > 0 {
			r.Fatalf("%v, %v", got, err)
		}
	})
}

// TestPairingIsSmall: a million records in random order take 3 bytes each, before base64 makes 4 of them.
func TestPairingIsSmall(t *testing.T) {
	const n = 1_000_000
	p := protect.NewPairing(sum, sum, rand.New(rand.NewPCG(1, 2)).Perm(n))
	if len(p.Records) > 3*n {
		t.Errorf("%d bytes", len(p.Records))
	}
}

// TestPairingInAPlanFile: it goes through the file, which says so, and one that is spoilt is refused.
func TestPairingInAPlanFile(t *testing.T) {
	plain := file(t, leafnoise.Influential)
	f, p, err := protect.Decode(plain, lookup)
	must.NoError(t, err)
	if strings.Contains(f.Notice, "whose") {
		t.Error("a plan without pairs says that it holds them")
	}
	for _, c := range []struct {
		what, says string
		pairing    *protect.Pairing
	}{
		{"whole", "", protect.NewPairing(sum, sum, []int{3, 0, 1, 7})},
		{"of nobody", "", protect.NewPairing(sum, sum, nil)},
		{"a row twice", "names a row twice", protect.NewPairing(sum, sum, []int{3, 0, 3})},
		{"a negative row", "a row that no file has", protect.NewPairing(sum, sum, []int{3, -1})},
		{"a row beyond all files", "a row that no file has", protect.NewPairing(sum, sum, []int{1 << 40, 1<<40 + 1})},
		{"torn", "torn", &protect.Pairing{Release: sum, Original: sum, Records: []byte{0x80}}},
		{"too far", "torn", protect.NewPairing(sum, sum, []int{1 << 60})},
		{"no hash of the release", "SHA-256", protect.NewPairing("", sum, nil)},
		{"half a hash of the original", "SHA-256", protect.NewPairing(sum, sum[:32], nil)},
	} {
		data := must.Get(protect.EncodeFile(protect.File{Method: "linfapt", Pairing: c.pairing}, p))(t)
		g, _, err := protect.Decode(data, lookup)
		switch {
		case c.says != "":
			if err == nil || !strings.Contains(err.Error(), "plan file: the pairing: ") ||
				!strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.what, err)
			}
		case err != nil || !slices.Equal(g.Pairing.Records, c.pairing.Records) || g.Pairing.Release != sum ||
			!strings.Contains(g.Notice, "which record of the release is whose"):
			t.Errorf("%s: %+v, %v", c.what, g, err)
		}
	}
}
