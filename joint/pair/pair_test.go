package pair

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/table"
)

// run lets two parties run a body, over wires that lose nothing, and returns what each computed.
func run(t testing.TB, body func(c *Pair, first bool) ([]uint64, error)) (out [2][]uint64) {
	t.Helper()
	plan := joint.Plan{Parties: jointtest.Parties("ada", "bob")}
	jointtest.Fill(&plan, "pair")
	var machines [2]*joint.Machine
	var queue [][]joint.Message
	for me := range machines {
		seed := sha256.Sum256([]byte{byte(me), 7})
		s := &joint.Session{Plan: &plan, Random: rand.NewChaCha8(seed)}
		code := func(_ context.Context, p *joint.Party) (*joint.Result, error) {
			c, err := New(p)
			if err != nil {
				return nil, err
			}
			out[me], err = body(c, me == 0)
			return &joint.Result{}, err
		}
		machines[me] = joint.NewMachine(context.Background(), s, me, code)
	}
	for _, m := range machines {
		o := must.Get(m.Start())(t)
		queue = append(queue, o)
	}
	for len(queue) > 0 {
		batch := queue[0]
		queue = queue[1:]
		for k := range batch {
			o := must.Get(machines[batch[k].To].Deliver(batch[k].From, batch[k].AppendFrame(nil)))(t)
			queue = append(queue, o)
		}
	}
	return out
}

func numbers(n int, seed uint64) []uint64 {
	draw := rand.New(rand.NewPCG(seed, 1))
	out := make([]uint64, n)
	for i := range out {
		out[i] = draw.Uint64() >> draw.IntN(64)
		if draw.IntN(2) == 0 {
			out[i] = -out[i]
		}
	}
	return out
}

// shared cuts numbers into two shares.
func shared(x []uint64, seed uint64, first bool) []uint64 {
	draw := rand.New(rand.NewPCG(seed, 2))
	out := make([]uint64, len(x))
	for i := range out {
		out[i] = draw.Uint64()
		if first {
			out[i] = x[i] - out[i]
		}
	}
	return out
}

func joined(out [2][]uint64) []uint64 {
	sum := make([]uint64, len(out[0]))
	for i := range sum {
		sum[i] = out[0][i] + out[1][i]
	}
	return sum
}

func TestTranspose(t *testing.T) {
	var a, b [64]uint64
	copy(a[:], numbers(64, 1))
	b = a
	transpose(&b)
	for i := range 64 {
		for j := range 64 {
			if a[i]>>j&1 != b[j]>>i&1 {
				t.Fatalf("place %d, %d", i, j)
			}
		}
	}
}

// Products, signs, choices and the smallest are the plain ones, of numbers of all sizes and signs.
func TestPlain(t *testing.T) {
	n := long.Of(70, 150)
	x, y := numbers(n, 1), numbers(n, 2)
	y[7] = x[7]
	out := run(t, func(c *Pair, first bool) ([]uint64, error) {
		return c.Product(shared(x, 3, first), shared(y, 4, first))
	})
	for i, v := range joined(out) {
		if v != x[i]*y[i] {
			t.Fatalf("%d times %d is %d", x[i], y[i], v)
		}
	}
	out = run(t, func(c *Pair, first bool) ([]uint64, error) { return c.Negative(shared(x, 3, first)) })
	for i, v := range x {
		if got := (out[0][i/64]^out[1][i/64])>>(i%64)&1 == 1; got != (int64(v) < 0) {
			t.Fatalf("%d: below zero is %v", int64(v), got)
		}
	}
	out = run(t, func(c *Pair, first bool) ([]uint64, error) {
		bits, err := c.Negative(shared(x, 3, first))
		if err != nil {
			return nil, err
		}
		return c.Choose(bits, shared(x, 5, first), shared(y, 6, first))
	})
	for i, v := range joined(out) {
		want := x[i]
		if int64(x[i]) < 0 {
			want = y[i]
		}
		if v != want {
			t.Fatalf("number %d is %d, expected %d", i, v, want)
		}
	}
	for _, width := range long.Of([]int{5}, []int{1, 2, 3, 5, 8}) {
		small := make([]uint64, n/width*width)
		for i := range small {
			small[i] = uint64(int64(x[i]) >> 3)
		}
		out = run(t, func(c *Pair, first bool) ([]uint64, error) { return c.Least(shared(small, 3, first), width) })
		for i, v := range joined(out) {
			row := small[i*width : (i+1)*width]
			want := slices.IndexFunc(row, func(v uint64) bool {
				return !slices.ContainsFunc(row, func(o uint64) bool { return int64(o) < int64(v) })
			})
			if int(v) != want {
				t.Fatalf("width %d, row %d: the smallest is number %d, expected %d", width, i, v, want)
			}
		}
	}
}

// The scalar product of bits, and of numbers of several places.
func TestDot(t *testing.T) {
	n := long.Of(500, 5000)
	for _, places := range long.Of([]int{7}, []int{1, 7, 64}) {
		x, y := numbers(n, 1), numbers(n, 2)
		want := uint64(0)
		for i := range y {
			if places < 64 {
				y[i] &= 1<<places - 1
			}
			want += x[i] * y[i]
		}
		out := run(t, func(c *Pair, first bool) ([]uint64, error) {
			mine := x
			if !first {
				mine = y
			}
			v, err := c.Dot(mine, places)
			return []uint64{v}, err
		})
		if got := joined(out)[0]; got != want {
			t.Errorf("places %d: %d, expected %d", places, got, want)
		}
	}
}

// What a party opens of a product is uniform, so that it says nothing: shares of one product over 2,560 runs' worth of
// numbers, by their top bits. A right program exceeds the bound once in 10,000.
func TestShares(t *testing.T) {
	long.Only(t, "the shares of 2,560 products")
	x := make([]uint64, 2560)
	out := run(t, func(c *Pair, first bool) ([]uint64, error) {
		return c.Product(shared(x, 3, first), shared(x, 4, first))
	})
	for k := range out {
		if chi2, degrees := jointtest.Uniform(out[k], 256); chi2 > 347.7 {
			t.Errorf("the shares of party %d have chi-square %.1f of %d degrees", k, chi2, degrees)
		}
	}
}

// A simulator that knows nothing of the other party makes what each party sees of transfers, from which scalar products
// are made. Of the one that chooses: a pad, and the other's number behind the other pad, independent of each other,
// whatever the number and the choice. Of the one that gives: the streams it chose, and what the other told,
// independent, whatever the other chooses. Each by joint cells of 256, which a right program exceeds once
// in 10,000; and the shares add up to the product, so that opening them tells the product alone.
func TestTransfersAreSimulated(t *testing.T) {
	const n = 64 * 160
	joined := func(a, b []uint64) []uint64 {
		out := make([]uint64, len(a))
		for i := range out {
			out[i] = a[i]>>60<<60 | b[i]>>60<<56
		}
		return out
	}
	x, want := make([]uint64, n), uint64(0)
	for i := range x {
		x[i] = uint64(i%5) << 60 // would show in the top bits
		want += x[i]
	}
	for _, bit := range long.Of([]uint64{1}, []uint64{0, 1}) { // all choices
		out := run(t, func(c *Pair, first bool) ([]uint64, error) {
			if first {
				return c.factors(x, 1)
			}
			got, err := c.choose(slices.Repeat([]uint64{-bit}, n/64), n)
			if err != nil {
				return nil, err
			}
			told, err := c.p.ReceiveWords(c.other, "pair.factors", n)
			return append(got, told...), err
		})
		got, told := out[1][:n], out[1][n:]
		if chi2, _ := jointtest.Uniform(joined(got, told), 256); chi2 > 347.7 {
			t.Errorf("choosing %d, the second sees the first's numbers: chi-square %.1f", bit, chi2)
		}
		sum := uint64(0)
		for i := range x {
			sum += out[0][i] + got[i] + told[i]*bit
		}
		if sum != want*bit {
			t.Errorf("the shares add up to %d, expected %d", sum, want*bit)
		}
		out = run(t, func(c *Pair, first bool) ([]uint64, error) {
			if !first {
				return c.choose(slices.Repeat([]uint64{-bit}, n/64), n)
			}
			told, err := c.p.ReceiveWords(c.other, "pair.extend", base*n/64)
			var known []uint64
			for j := range base {
				known = append(known, words(c.send.seeds[j], n/64)...)
			}
			return joined(known, told), err
		})
		if chi2, _ := jointtest.Uniform(out[0], 256); len(out[0]) != base*n/64 || chi2 > 347.7 {
			t.Errorf("the first sees that the second chooses %d: chi-square %.1f", bit, chi2)
		}
	}
}

// The suite with faults, on a protocol that uses everything.
func TestFaults(t *testing.T) {
	q := &joint.Protocol{Card: cardOf(),
		Roles: []joint.Role{{Name: "party", Help: "has numbers", Least: 2, Most: 2, Table: true}},
		New:   func() joint.Computation { return computation{} }}
	tab := must.Get(table.New(table.NumColumn("x", 1, []float64{3, -4, 5})))(t)
	jointtest.Run(t, q, []jointtest.Case{{
		Name: "squares", Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob")}, Tables: []*table.Table{tab, tab},
		Want: []*joint.Result{{Figures: []joint.Figure{{Name: "least", Value: "[1]"}}}},
	}})
}

type computation struct{}

func (computation) Params() param.Set { return nil }

func (computation) Run(_ context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	c, err := New(p)
	if err != nil {
		return nil, err
	}
	x := make([]uint64, t.Rows())
	for i, v := range t.Num(0) {
		x[i] = uint64(int64(v))
	}
	at, err := c.Least(x, len(x))
	if err != nil {
		return nil, err
	}
	if at, err = c.Open(at); err != nil {
		return nil, err
	}
	return &joint.Result{Figures: []joint.Figure{{Name: "least", Value: fmt.Sprint(at)}}}, nil
}

func BenchmarkNegative(b *testing.B) {
	x := numbers(4096, 1)
	for b.Loop() {
		run(b, func(c *Pair, first bool) ([]uint64, error) { return c.Negative(shared(x, 3, first)) })
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/4096, "µs/number")
}

func BenchmarkDot(b *testing.B) {
	x := numbers(1<<20, 1)
	for b.Loop() {
		run(b, func(c *Pair, _ bool) ([]uint64, error) { v, err := c.Dot(x, 1); return []uint64{v}, err })
	}
}

func cardOf() joint.Card {
	return joint.Card{
		Card: card.Card{
			Name: "pair", Title: "Pair", Summary: "Computes on shares.", Paper: "made for the test", Needs: "numbers",
			Exposes: "the result", Missing: "none", Cost: "O(n)",
		},
		Threat: joint.SemiHonest, Survives: "none", Leaks: "nothing",
	}
}

// x ln x of counts of all sizes, from shares: within what eight terms leave, and the vector x = 1000, for which the
// nearest power is 2^10 and e = -0.0234375.
func TestLogarithms(t *testing.T) {
	l := Logarithms{Places: 15}
	var x []uint64
	for v := uint64(0); v < 1<<15; v = v*9/long.Of[uint64](4, 8) + 1 {
		x = append(x, v)
	}
	x = append(x, 1000, 1<<15-1, 3, 6, 48)
	out := run(t, func(c *Pair, first bool) ([]uint64, error) { return l.Of(c, shared(x, 3, first)) })
	for i, v := range joined(out) {
		got, want := float64(int64(v))/float64(int64(1)<<l.Fixed()), 0.0
		if x[i] > 0 {
			want = float64(x[i]) * math.Log(float64(x[i]))
		}
		if math.Abs(got-want) > 5e-4*float64(x[i]) {
			t.Errorf("%d ln %d is %v, expected %v", x[i], x[i], got, want)
		}
	}
	finer := Logarithms{Places: 15, Terms: 12}
	out = run(t, func(c *Pair, first bool) ([]uint64, error) { return finer.Factorials(c, shared(x, 3, first)) })
	for i, v := range joined(out) {
		got, n := float64(int64(v))/float64(int64(2)<<l.Fixed()), float64(x[i])
		want, _ := math.Lgamma(n + 1)
		formula := 0.0 // at most half of what Stirling's formula lacks; nothing of 0, 1 and 2
		if n > 2 {
			formula = 0.5 / (12 * n)
		}
		if n == 0 && got != 0 || math.Abs(got-want) > formula+1e-4*(n+1) {
			t.Errorf("ln %d! is %v, expected %v", x[i], got, want)
		}
	}
	out = run(t, func(c *Pair, first bool) ([]uint64, error) {
		n, err := l.nearest(c, shared([]uint64{1000}, 3, first))
		var of []uint64
		for _, p := range n {
			of = append(of, p...)
		}
		return of, err
	})
	for n, v := range joined(out) {
		if (v == 1) != (n == 10) || v > 1 {
			t.Errorf("of 1000, power %d is %d", n, v)
		}
	}
}

// The error of a logarithm where e is nearly 1/2, and so the largest, is what the terms of the series leave. At -1/2,
// which does not occur, they would leave 1.09e-2, 2.0e-3 and 4.0e-4.
func TestSeries(t *testing.T) {
	left := func(e float64, terms int) float64 {
		sum, power := 0.0, 1.0
		for k := 1; k <= terms; k++ {
			power *= -e
			sum -= power / float64(k)
		}
		return sum - math.Log1p(e)
	}
	const x = 1<<14 + 1<<13 - 1
	for terms, most := range map[int]float64{4: 1.09e-2, 6: 2.0e-3, 8: 4.0e-4} {
		if terms > 4 && !long.Enabled() {
			continue
		}
		l := Logarithms{Places: 15, Terms: terms}
		out := run(t, func(c *Pair, first bool) ([]uint64, error) { return l.Of(c, shared([]uint64{x}, 3, first)) })
		got := float64(int64(joined(out)[0]))/float64(int64(1)<<l.Fixed())/x - math.Log(x)
		if want := left(0.5, terms); math.Abs(got-want) > 1e-4 {
			t.Errorf("%d terms leave %.2e, expected %.2e", terms, got, want)
		}
		if e := left(-0.5, terms); math.Abs(e/most-1) > 0.01 {
			t.Errorf("%d terms leave %.2e at -1/2", terms, e)
		}
	}
}

func BenchmarkLogarithms(b *testing.B) {
	x := make([]uint64, 1024)
	for i := range x {
		x[i] = uint64(i * 31)
	}
	for b.Loop() {
		run(b, func(c *Pair, first bool) ([]uint64, error) { return Logarithms{Places: 15}.Of(c, shared(x, 3, first)) })
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1024, "µs/number")
}
