package products

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

func column(name string, v ...float64) *table.Table {
	t, err := table.New(table.NumColumn(name, 1, v))
	if err != nil {
		panic(err)
	}
	return t
}

// vectors are a case of random numbers between least and most, with the plain product.
func vectors(name string, n int, least, most int64, want func(product int64) any) jointtest.Case {
	draw := rand.New(rand.NewPCG(uint64(n), 1))
	x, y, sum := make([]float64, n), make([]float64, n), int64(0)
	for i := range x {
		a, b := least+draw.Int64N(most-least+1), least+draw.Int64N(most-least+1)
		x[i], y[i] = float64(a), float64(b)
		sum += a * b
	}
	col := func(name, owner string) joint.Column {
		return joint.Column{Name: name, Owner: owner, Min: float64(least), Max: float64(most)}
	}
	return jointtest.Case{Name: name, Tables: []*table.Table{column("x", x...), column("y", y...)},
		Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: []joint.Column{col("x", "ada"), col("y", "bob")}},
		Want: []*joint.Result{{Figures: []joint.Figure{{Name: "product", Value: want(sum)}}}}}
}

func shown(v int64) any { return v }

func withheld(int64) any { return joint.Withheld{Why: joint.BelowCell} }

func TestConformance(t *testing.T) {
	plain := func(c jointtest.Case) jointtest.Case {
		c.Plain = true
		return c
	}
	two := []jointtest.Case{
		vectors("signed", 30, -1000, 700, shown), plain(vectors("bits", 200, 0, 1, shown)),
		plain(vectors("few bits", 6, 0, 1, withheld)), plain(vectors("none", 0, 0, 9, withheld)),
		plain(vectors("wide", 64, -1<<31, 1<<31, shown)),
	}
	same, apart := vectors("identical", 40, -9, 9, shown), vectors("disjoint", 40, 0, 1, withheld)
	squares := int64(0)
	for i, v := range same.Tables[0].Num(0) {
		squares += int64(v * v)
		same.Tables[1].Num(0)[i], apart.Tables[1].Num(0)[i] = v, 1-apart.Tables[0].Num(0)[i]
	}
	same.Want[0].Figures[0].Value = squares
	two = append(two, plain(same), plain(apart))
	small := []jointtest.Case{vectors("signed", 20, -1000, 700, shown), plain(vectors("bits", 60, 0, 1, shown))}
	var three []jointtest.Case
	for _, c := range two {
		c.Plan.Parties = append(jointtest.Parties("ada", "bob"), joint.Member{Name: "cyd", Role: "server"})
		c.Tables = append(c.Tables, nil)
		c.Want = []*joint.Result{c.Want[0], c.Want[0], {}}
		three = append(three, c)
	}
	var totals []jointtest.Case
	for _, q := range []struct {
		name       string
		mine, hers float64
		larger     string
	}{{"more", 5, 3, "ada"}, {"less", -7, 3, "bob"}, {"equal", 9, 9, "ada"}} {
		totals = append(totals, jointtest.Case{Name: q.name, Plain: q.name != "less",
			Tables: []*table.Table{column("x", q.mine, 1), column("x", q.hers, 1)},
			Plan: joint.Plan{Parties: jointtest.Parties("ada", "bob"),
				Columns: []joint.Column{{Name: "x", Min: -10, Max: 10}}},
			Want: []*joint.Result{{Figures: []joint.Figure{{Name: "at least as large", Value: q.larger}}}}})
	}
	jointtest.Family(t, Protocols, map[string][]jointtest.Case{
		"packedproduct": packedCases(two), "scalarproduct": two, "algebraicproduct": small, "commodityproduct": three,
		"comparison": totals,
	})
}

// A product by Beaver's method, modulo 101: 7 and 9 behind 13 and 22, whose product is 84, are told as 95 and 88, and
// the shares add up to 63 (D. Beaver, "Efficient multiparty protocols using circuit randomization", CRYPTO 1991).
func TestBeaver(t *testing.T) {
	const x, y, a, b = 7, 9, 13, 22
	mod := func(w uint64) int64 { return (int64(w)%101 + 101) % 101 }
	plan := &joint.Plan{Version: 1, Parties: jointtest.Parties("ada", "bob", "cyd")}
	joint.Fill(plan)
	mine, dealt, shares := [][]uint64{{x}, {y}, nil}, []byte(nil), make([]uint64, 3)
	draws := joint.AppendWords(nil, []uint64{^uint64(a) + 1, ^uint64(b) + 1, 1 << 40}) // it adds what it draws: -a and -b
	machines := make([]*joint.Machine, 3)
	for k := range machines {
		s := &joint.Session{Plan: plan, Random: bytes.NewReader(draws)} // the others draw nothing
		machines[k] = joint.NewMachine(t.Context(), s, k,
			func(_ context.Context, p *joint.Party) (_ *joint.Result, err error) {
				shares[k], err = Served(p, mine[k], 1)
				return &joint.Result{}, err
			})
	}
	var told []int64
	must.Get(joint.Together(machines, func(m *joint.Message) {
		if m.Kind == "products.masked" {
			told = append(told, mod(joint.NewReader(m.Payload).Words(1)[0]))
		} else {
			dealt = append(dealt, m.Payload...)
		}
	}))(t)
	of := joint.NewReader(dealt).Words(4) // -a and a share to the first, -b and the other share to the second
	if slices.Sort(told); !slices.Equal(told, []int64{88, 95}) || mod(of[1]+of[3]) != 84 || shares[0]+shares[1] != 63 {
		t.Errorf("told %v, product of the masks %d, of the numbers %d", told, mod(of[1]+of[3]), shares[0]+shares[1])
	}
}

// What either of two parties receives is uniform: 3,000 words each by the top bits. A right program exceeds the bound
// once in 10,000.
func TestUniform(t *testing.T) {
	c := vectors("uniform", 3000, 0, 1, shown)
	c.Plan.Parties = append(jointtest.Parties("ada", "bob"), joint.Member{Name: "cyd", Role: "server"})
	c.Tables = append(c.Tables, nil)
	for k, q := range Protocols[:2] {
		if k == 0 {
			c := c
			c.Plan.Parties, c.Tables = c.Plan.Parties[:2], c.Tables[:2]
			uniform(t, &q, c)
			continue
		}
		uniform(t, &q, c)
	}
}

// A simulator that knows an owner's own column and the product alone makes what the owner sees of a product with a
// server: uniform numbers of the server and of the other owner, and the share of the other that the product leaves. The
// view of owners whose columns are exchanged is compared with it, by the joint cells of both numbers (256 cells, once
// in 10,000 each). The columns' product is 0 either way. The server is told how many records there are.
func TestViewsAreSimulated(t *testing.T) {
	const n = 20_000
	column, none := make([]uint64, n), make([]uint64, n)
	for i := range column {
		column[i] = uint64(i%5) << 60 // would show in the top bits
	}
	for seed, mine := range [][2][]uint64{{column, none}, {none, column}} {
		plan := &joint.Plan{Version: 1, Parties: jointtest.Parties("ada", "bob", "cyd")}
		joint.Fill(plan)
		machines, shares, views := make([]*joint.Machine, 3), make([]uint64, 3), [3]map[string][]uint64{{}, {}, {}}
		for k := range machines {
			s := &joint.Session{Plan: plan, Random: rand.NewChaCha8([32]byte{byte(seed), byte(k), 5})}
			machines[k] = joint.NewMachine(t.Context(), s, k,
				func(_ context.Context, p *joint.Party) (_ *joint.Result, err error) {
					shares[k], err = Served(p, [][]uint64{mine[0], mine[1], nil}[k], n)
					return &joint.Result{}, err
				})
		}
		must.Get(joint.Together(machines, func(m *joint.Message) {
			if m.Kind != "joint.done" {
				views[m.To][m.Kind] = joint.NewReader(m.Payload).Words(len(m.Payload) / 8)
			}
		}))(t)
		for k, view := range views[:2] {
			given, masked, pairs := view["products.commodity"], view["products.masked"], make([]uint64, n)
			for i := range pairs {
				pairs[i] = given[i]>>60<<60 | masked[i]>>60<<56
			}
			if chi2, _ := jointtest.Uniform(pairs, 256); chi2 > 347.7 {
				t.Errorf("what owner %d sees tells the other's column: chi-square %.1f", k, chi2)
			}
			own := given[n] - dot(given[:n], masked)
			if k == 1 {
				own = dot(masked, mine[1]) + given[n]
			}
			if own != shares[k] || own+shares[1-k] != 0 || len(view) != 2 {
				t.Errorf("owner %d sees more than its share and the product make", k)
			}
		}
		if len(views[2]) > 0 {
			t.Errorf("the server sees %v", views[2])
		}
	}
}

func uniform(t *testing.T, q *joint.Protocol, c jointtest.Case) {
	for _, view := range jointtest.Views(t, q, c, 3) {
		for _, m := range view {
			if len(m.Payload) < 3000*8 || m.Kind == "pair.base" || m.Kind == "pair.choices" {
				continue
			}
			words := joint.NewReader(m.Payload).Words(len(m.Payload) / 8)
			if chi2, degrees := jointtest.Uniform(words, 256); chi2 > 347.7 {
				t.Errorf("%s: %s has chi-square %.1f of %d degrees", q.Name, m.Kind, chi2, degrees)
			}
		}
	}
}

// The algebraic form is broken: from what the second party receives of a column of 16 bits it finds the column, the
// only one of 2^16 that differs from what it saw by a combination of the public columns.
func TestBroken(t *testing.T) {
	const n = 16
	c := vectors("broken", n, 0, 1, shown)
	hidden := joint.NewReader(jointtest.Views(t, &Protocols[2], c, 1)[1][1].Payload).Words(n)
	m := matrix(jointtest.SessionID(&c), n)
	checks := parity(m, n)
	found := []int{}
	for guess := range 1 << n {
		bits := make([]uint64, n)
		for i := range bits {
			bits[i] = (hidden[i] + prime - uint64(guess>>i&1)) % prime
		}
		if fits(checks, bits) {
			found = append(found, guess)
		}
	}
	want := 0
	for i, v := range c.Tables[0].Num(0) {
		want |= int(v) << i
	}
	if len(found) != 1 || found[0] != want {
		t.Errorf("%d columns fit what was seen", len(found))
	}
}

// parity returns the equations that all combinations of the columns of a matrix satisfy: n/2 rows that are orthogonal
// to them, by elimination of its transpose.
func parity(m [][]uint64, n int) (out [][]uint64) {
	k := len(m[0])
	a := make([][]uint64, k)
	for j := range a {
		a[j] = make([]uint64, n)
		for i := range n {
			a[j][i] = m[i][j]
		}
	}
	for j := range a {
		inv := invert(a[j][j])
		for i := range a[j] {
			a[j][i] = mulMod(a[j][i], inv)
		}
		for o := range a {
			if f := a[o][j]; o != j {
				for i := range a[o] {
					a[o][i] = (a[o][i] + prime - mulMod(f, a[j][i])) % prime
				}
			}
		}
	}
	for free := k; free < n; free++ {
		row := make([]uint64, n)
		row[free] = 1
		for j := range a {
			row[j] = (prime - a[j][free]) % prime
		}
		out = append(out, row)
	}
	return out
}

// invert is a^(prime-2).
func invert(a uint64) uint64 {
	out := uint64(1)
	for e := uint64(prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			out = mulMod(out, a)
		}
		a = mulMod(a, a)
	}
	return out
}

func fits(checks [][]uint64, v []uint64) bool {
	for _, row := range checks {
		sum := uint64(0)
		for i, w := range row {
			sum = (sum + mulMod(w, v[i])) % prime
		}
		if sum != 0 {
			return false
		}
	}
	return true
}

// A million bits at each party.
func BenchmarkProduct(b *testing.B) {
	c := vectors("large", 1_000_000, 0, 1, shown)
	for b.Loop() {
		jointtest.Results(b, &Protocols[0], c, 1)
	}
}
