package sums

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
)

// conversation are the messages of one addition, in the order they were sent.
type conversation []joint.Message

// talk lets parties add vectors and returns what they said.
func talk(t *testing.T, adding Add, seed uint64, vectors ...[]uint64) (out conversation, total []uint64) {
	t.Helper()
	plan := &joint.Plan{Version: 1, Parties: jointtest.Parties([]string{"a", "b", "c", "d", "e"}[:len(vectors)]...)}
	joint.Fill(plan)
	machines := make([]*joint.Machine, len(vectors))
	for k := range machines {
		s := &joint.Session{Plan: plan, Random: rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), byte(k)})}
		machines[k] = joint.NewMachine(context.Background(), s, k,
			func(_ context.Context, p *joint.Party) (*joint.Result, error) {
				sum, err := adding(p, vectors[k])
				total = sum
				return &joint.Result{}, err
			})
	}
	must.Get(joint.Together(machines, func(m *joint.Message) { out = append(out, *m) }))(t)
	return out, total
}

// words are the numbers that one party told another under a kind, in order.
func (c conversation) words(kind string, from, to int) (out []uint64) {
	for _, m := range c {
		if m.Kind == kind && m.From == from && m.To == to {
			out = append(out, joint.NewReader(m.Payload).Words(len(m.Payload)/8)...)
		}
	}
	return out
}

// What the two neighbours of a party in a ring saw gives its numbers. With shares, and in a ring of two where they are
// not its neighbours in the other, the same difference is another number in every run.
func TestCollusion(t *testing.T) {
	x := [][]uint64{{11, 7}, {22, 8}, {33, 9}, {44, 1}, {55, 2}}
	said, total := talk(t, Ring, 1, x...)
	if !slices.Equal(total, []uint64{165, 27}) {
		t.Fatalf("the total is %v", total)
	}
	for k := 1; k < 5; k++ {
		before, after := said.words("sums.partial", k-1, k), said.words("sums.partial", k, (k+1)%5)
		for i := range before {
			if after[i]-before[i] != x[k][i] {
				t.Errorf("the neighbours of party %d compute %d, expected %d", k, after[i]-before[i], x[k][i])
			}
		}
	}
	twice := func(p *joint.Party, x []uint64) ([]uint64, error) { return Rings(p, x, 2) }
	for name, adding := range map[string]Add{"two rings": twice, "shares": Shares} {
		seen := map[uint64]bool{}
		for seed := range uint64(20) {
			said, total := talk(t, adding, seed, x...)
			if !slices.Equal(total, []uint64{165, 27}) {
				t.Fatalf("%s: the total is %v", name, total)
			}
			guess := uint64(0) // of what parties 0 and 2, the neighbours of 1, saw
			if name == "shares" {
				guess = said.words("sums.share", 1, 0)[0] + said.words("sums.share", 1, 2)[0]
			} else {
				guess = said.words("sums.partial", 1, 2)[0] - said.words("sums.partial", 0, 1)[0]
			}
			if guess == x[1][0] || seen[guess] {
				t.Errorf("%s: the neighbours of party 1 compute %d, as in another run", name, guess)
			}
			seen[guess] = true
		}
	}
}

// The partial totals of a test of frequent itemsets: excesses of 2, -5 and 0 over three parties, with R = 17
// (Kantarcioglu & Clifton 2002, phase 2).
func TestExcess(t *testing.T) {
	excess := []int64{2, -5, 0}
	plan := &joint.Plan{Version: 1, Parties: jointtest.Parties("a", "b", "c")}
	joint.Fill(plan)
	machines := make([]*joint.Machine, 3)
	var total uint64
	for k := range machines {
		r := bytes.NewReader(binary.LittleEndian.AppendUint64(nil, 17))
		machines[k] = joint.NewMachine(context.Background(), &joint.Session{Plan: plan, Random: r}, k,
			func(_ context.Context, p *joint.Party) (*joint.Result, error) {
				sum, err := Ring(p, []uint64{uint64(excess[k])})
				if err == nil {
					total = sum[0]
				}
				return &joint.Result{}, err
			})
	}
	var said conversation
	must.Get(joint.Together(machines, func(m *joint.Message) { said = append(said, *m) }))(t)
	partials := []uint64{said.words("sums.partial", 0, 1)[0], said.words("sums.partial", 1, 2)[0],
		said.words("sums.partial", 2, 0)[0]}
	if !slices.Equal(partials, []uint64{19, 14, 14}) || int64(total) != -3 {
		t.Errorf("partial totals %v, total %d; expected 19 14 14 and -3", partials, int64(total))
	}
}

// Every masked message is uniform: chi-square over 256 cells, which a right program exceeds once in 10,000 for each of
// the kinds (the seed is fixed). What is constant here would stand out at once.
func TestMaskedMessagesAreUniform(t *testing.T) {
	ones := slices.Repeat([]uint64{1}, 20_000)
	masked := func(p *joint.Party, x []uint64) ([]uint64, error) { return (&masks{}).add(p, x) }
	for _, c := range []struct {
		name   string
		adding Add
		kind   string
		from   int
		to     int
	}{
		{"ring", Ring, "sums.partial", 0, 1}, {"ring", Ring, "sums.partial", 1, 2},
		{"shares", Shares, "sums.share", 0, 1}, {"shares", Shares, "sums.partials", 2, 0},
		{"masks", masked, maskVector, 1, 0}, {"masks", masked, maskVector, 2, 0},
	} {
		said, total := talk(t, c.adding, 7, ones, ones, ones)
		if total[0] != 3 {
			t.Fatalf("%s: the total is %d", c.name, total[0])
		}
		words := said.words(c.kind, c.from, c.to)
		if len(words) != len(ones) {
			t.Fatalf("%s: %d numbers from %d to %d", c.name, len(words), c.from, c.to)
		}
		chi2, degrees := jointtest.Uniform(words, 256)
		if degrees != 255 || chi2 > 347.7 {
			t.Errorf("%s: the messages from %d to %d are not uniform: chi-square %.1f", c.name, c.from, c.to, chi2)
		}
	}
}

// A simulator that knows the own numbers and the total alone makes what the first party sees of the shares: uniform
// shares, one uniform partial total, and the other that the total leaves. The view of parties whose parts are exchanged
// is compared with it, by the joint cells of share and partial total (256 cells, once in 10,000).
func TestViewIsSimulated(t *testing.T) {
	n := 20_000
	parts, none := make([]uint64, n), make([]uint64, n)
	for i := range parts {
		parts[i] = uint64(i%5) << 60 // would show in the top bits
	}
	for _, others := range [][2][]uint64{{parts, none}, {none, parts}} {
		said, total := talk(t, Shares, 3, none, others[0], others[1])
		share, partial := said.words("sums.share", 1, 0), said.words("sums.partials", 1, 0)
		mine, last := said.words("sums.partials", 0, 1), said.words("sums.partials", 2, 0)
		pairs := make([]uint64, n)
		for i := range pairs {
			pairs[i] = share[i]>>60<<60 | partial[i]>>60<<56
			if mine[i]+partial[i]+last[i] != total[i] {
				t.Fatal("the partial totals do not add up to the total")
			}
		}
		if chi2, _ := jointtest.Uniform(pairs, 256); chi2 > 347.7 {
			t.Errorf("what the first party sees tells the parts of the others: chi-square %.1f", chi2)
		}
	}
}

// Any threshold of the shares give the secret, and a share alone is uniform.
func TestShamir(t *testing.T) {
	draw := rand.NewChaCha8([32]byte{1})
	random := func(n int) []byte {
		b := make([]byte, n)
		_, _ = draw.Read(b)
		return b
	}
	for _, c := range [][2]int{{3, 2}, {5, 3}, {255, 128}, {2, 2}, {4, 1}} {
		secret := random(32)
		shares := split(secret, c[0], c[1], random(32*(c[1]-1)))
		held := map[int][]byte{}
		for _, k := range rand.New(draw).Perm(c[0])[:c[1]] {
			held[k] = shares[k]
		}
		if got := join(held, 32); !slices.Equal(got, secret) {
			t.Errorf("%d of %d: %x, expected %x", c[1], c[0], got, secret)
		}
	}
	for a := 1; a < 256; a++ {
		if times(byte(a), inverse(byte(a))) != 1 {
			t.Fatalf("the inverse of %d is wrong", a)
		}
	}
	seen := map[byte]int{}
	for range 2560 {
		seen[split([]byte{7}, 3, 2, random(1))[0][0]]++
	}
	if len(seen) < 250 {
		t.Errorf("a share takes %d values of 256", len(seen))
	}
}

func TestRingsApart(t *testing.T) {
	for n := 3; n < 30; n++ {
		var rings [][]int
		for _, stride := range apart(n) {
			order := make([]int, n)
			for k := range order {
				order[k] = k * stride % n
			}
			sorted := slices.Sorted(slices.Values(order))
			if len(slices.Compact(sorted)) != n {
				t.Errorf("%d parties: the ring of stride %d misses some", n, stride)
			}
			rings = append(rings, order)
		}
		if len(rings) == 0 || !NeighboursOnce(rings) {
			t.Errorf("%d parties: the rings %v", n, rings)
		}
	}
}

// The plain comparison is the twin; what is opened of a total that is too small is 0, of others uniform.
func TestAtLeast(t *testing.T) {
	draw := rand.New(rand.NewPCG(9, 9))
	for _, parties := range []int{3, 4, 5} {
		for _, least := range []int{0, 1, 2, 5, 11} {
			n := 30
			parts, want := make([][]uint64, parties), make([]uint64, n)
			for k := range parts {
				parts[k] = make([]uint64, n)
				for i := range want {
					if draw.IntN(3) > 0 {
						parts[k][i] = draw.Uint64N(6)
					}
					want[i] += parts[k][i]
				}
			}
			compare := func(p *joint.Party, x []uint64) ([]uint64, error) {
				said, err1 := AtLeast(p, x, least)
				others, err2 := OthersAtLeast(p, x, least)
				for i := range said {
					if said[i] != (want[i] >= uint64(least)) {
						t.Errorf("%d parties: %d is at least %d: %v", parties, want[i], least, said[i])
					}
					most := uint64(0)
					for _, part := range parts {
						most = max(most, part[i])
					}
					if others[i] != (want[i]-most >= uint64(least)) {
						t.Errorf("%d parties: %d without %d is at least %d: %v", parties, want[i], most, least, others[i])
					}
				}
				return nil, errors.Join(err1, err2)
			}
			said, _ := talk(t, compare, uint64(least), parts...)
			shares := map[uint64]bool{}
			for _, w := range said.words("sums.bgw", 1, 0) {
				if shares[w] {
					t.Fatalf("a share %d comes twice", w)
				}
				shares[w] = true
			}
		}
	}
}

// What a party sees of a comparison is uniform, whatever the totals are: shares, and what is opened of a total that is
// large enough (chi-square over 256 cells, once in 10,000 each).
func TestComparisonHidesTotals(t *testing.T) {
	ones := slices.Repeat([]uint64{1}, 10_000)
	said, _ := talk(t, func(p *joint.Party, x []uint64) ([]uint64, error) {
		_, err := OthersAtLeast(p, x, 2)
		return nil, err
	}, 3, ones, ones, ones)
	spread := func(words []uint64) []uint64 {
		out := slices.Clone(words)
		for i := range out {
			out[i] <<= 3 // 61 bits
		}
		return out
	}
	shares, opened := said.words("sums.bgw", 1, 0), make([]uint64, len(ones))
	w := weights(3)
	for k := range 3 {
		for i, s := range said.words("sums.opened", k, (k+1)%3) {
			opened[i] = reduce(opened[i] + mul(w[k], s))
		}
	}
	for name, words := range map[string][]uint64{"shares": shares, "products": opened} {
		if chi2, _ := jointtest.Uniform(spread(words), 256); len(words) < len(ones) || chi2 > 347.7 {
			t.Errorf("%s: chi-square %.1f of %d", name, chi2, len(words))
		}
	}
}

// The field is that of big numbers.
func TestField(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	m := new(big.Int).SetUint64(prime)
	for range 10_000 {
		a, b := draw.Uint64N(prime), draw.Uint64N(prime)
		if draw.IntN(10) == 0 {
			a = prime - 1
		}
		want := new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
		if got := mul(a, b); got != want.Mod(want, m).Uint64() {
			t.Fatalf("%d times %d is %d", a, b, got)
		}
	}
	if mul(7, power(7, prime-2)) != 1 {
		t.Error("the inverse of 7 is wrong")
	}
}

// A first party that tells a party of a run without it is blamed by name, in each of the lists that it tells (with).
func TestGoesOnWithout(t *testing.T) {
	plan := &joint.Plan{Version: 1, Parties: jointtest.Parties("a", "b", "c")}
	joint.Fill(plan)
	s := &joint.Session{Plan: plan, Random: rand.NewChaCha8([32]byte{})}
	m := joint.NewMachine(context.Background(), s, 1, func(_ context.Context, p *joint.Party) (*joint.Result, error) {
		a := &masking{p: p}
		if all, err := a.with([]byte{1, 1, 0}); err != nil || !slices.Equal(all, []int{0, 1}) {
			t.Errorf("a list with this party: %v, %v", all, err)
		}
		_, err := a.with([]byte{1, 0, 1})
		var f *joint.Fault
		if !errors.As(err, &f) || f.Party != "a" || f.Cause != joint.Garbled {
			t.Errorf("a list without this party: %v", err)
		}
		return &joint.Result{}, nil
	})
	must.Get(m.Start())(t)
}
