package rules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

// twoPlan is a plan of two parties with columns, by their numbers.
func twoPlan(support string, cell int, columns ...int) joint.Plan {
	p := joint.Plan{Parties: jointtest.Parties("hospital", "clinic"),
		Parameters: map[string]string{"support": support, "confidence": "70", "length": "3"}}
	p.Least.Cell = cell
	for _, c := range columns {
		p.Columns = append(p.Columns, joint.Column{Name: names[c], Values: values[c]})
	}
	return p
}

// Two parties find the rules of the records of both, whatever each has.
func TestTwoParties(t *testing.T) {
	long.Only(t, "rules of two parties in all situations")
	all := people(160, 4)
	short := slices.Clone(all)
	for i := range short {
		short[i][1] = -1
	}
	few := twoPlan("8", 5, 0, 2)
	few.Parameters["length"] = "2"
	cases := []jointtest.Case{{Name: "two columns", Plan: few, Want: []*joint.Result{plain(short, 8, 70, 2, false)},
		Tables: []*table.Table{tableOf(all[:60], 0, 2), tableOf(all[60:], 0, 2)}}}
	for _, c := range []struct {
		name    string
		support float64
		cell    int
		parts   [2][][3]int32
	}{
		{"apart", 8, 5, [2][][3]int32{all[:60], all[60:]}},
		{"one record", 8, 5, [2][][3]int32{all[:1], all[1:]}},
		{"one empty", 8, 5, [2][][3]int32{nil, all}},
		{"identical", 8, 5, [2][][3]int32{all[:80], all[:80]}},
		{"no records", 8, 5, [2][][3]int32{}},
		{"cell", 0.5, 30, [2][][3]int32{all[:60], all[60:]}},
	} {
		want := plainCell(slices.Concat(c.parts[:]...), c.support, 70, 3, false, c.cell)
		cases = append(cases, jointtest.Case{Name: c.name, Plan: twoPlan(fmt.Sprint(c.support), c.cell, 0, 1, 2), Plain: true,
			Want: []*joint.Result{want}, Tables: []*table.Table{tableOf(c.parts[0], 0, 1, 2), tableOf(c.parts[1], 0, 1, 2)}})
	}
	if n := len(cases[1].Want[0].Tables[0].Rows); n < 3 || n == len(cases[6].Want[0].Tables[0].Rows) {
		t.Fatalf("%d rules", n)
	}
	q := sorted(Protocols[0])
	jointtest.Run(t, &q, cases)
}

// What two parties open is the result and nothing else: one bit for each candidate, which says whether it is frequent,
// and one for each rule of frequent sets, which says whether it is sure. What a party is sent is of the same kinds and
// sizes where the other has records that give the same result.
func TestTwoPartiesOpenTheResult(t *testing.T) {
	all := people(160, 4)
	others := people(160, 4)
	for i := range 12 { // of one ward: frequent at the clinic, and at most there
		others[100+i][1] = 1
	}
	c := func(clinic [][3]int32) jointtest.Case {
		return jointtest.Case{Name: "opened", Plan: twoPlan("8", 5, 0, 1, 2),
			Tables: []*table.Table{tableOf(all[:90], 0, 1, 2), tableOf(clinic, 0, 1, 2)}}
	}
	var shapes [2]string
	for k, clinic := range [][][3]int32{all[90:], others[90:]} {
		views := jointtest.Views(t, &Protocols[0], c(clinic), 1)
		var opened [2][][]uint64
		for party, view := range views {
			for _, m := range view {
				shapes[k] += fmt.Sprintln(m.From, m.Kind, len(m.Payload))
				if m.Kind == "pair.open" {
					opened[party] = append(opened[party], joint.NewReader(m.Payload).Words(len(m.Payload)/8))
				}
			}
		}
		want := verdicts(slices.Concat(all[:90], clinic))
		if len(opened[0]) != len(want) || len(opened[1]) != len(want) {
			t.Fatalf("bits are opened %d times, expected %d", len(opened[0]), len(want))
		}
		for i, bits := range want {
			for w := range opened[0][i] {
				opened[0][i][w] ^= opened[1][i][w]
			}
			if got := not(opened[0][i], len(bits)); !slices.Equal(got, bits) || len(opened[0][i]) > (len(bits)+63)/64 {
				t.Errorf("opened %v, expected %v", got, bits)
			}
		}
	}
	if shapes[0] != shapes[1] {
		t.Errorf("other records of the same result make other messages:\n%s\n%s", shapes[0], shapes[1])
	}
}

// verdicts are which sets of each length that is tried are frequent at 8 %, and which rules of these reach 70 %.
func verdicts(records [][3]int32) (out [][]bool) {
	plan := twoPlan("8", 5, 0, 1, 2)
	it, err := itemsOf(&plan)
	if err != nil {
		panic(err)
	}
	count := func(s itemset) (n int) {
		var items []string
		for _, k := range s {
			items = append(items, it.names[k])
		}
		return plainCount(records, items)
	}
	var frequent []itemset
	for level := it.singles(); len(level) > 0 && len(level[0]) <= 3; {
		bits := make([]bool, len(level))
		for i, s := range level {
			bits[i] = count(s) >= 5 && 100*count(s) >= 8*len(records)
		}
		level = keep(level, bits)
		out, frequent = append(out, bits), append(frequent, level...)
		level = it.candidates(level)
	}
	var sure []bool
	for _, r := range rulesOf(frequent) {
		sure = append(sure, 100*count(r.both) >= 70*count(r.from))
	}
	return append(out, sure)
}

// A simulator that knows a party's own numbers and the verdicts alone makes what the party sees of a tally of two:
// uniform words, and the bits that the verdicts leave. The other's numbers are those with the least and the largest
// sums of these verdicts. Words of each kind that follow each other fall into joint cells (256, which a right program
// exceeds once in 10,000 for each of 10 tests; the seed is fixed).
func TestTallyIsSimulated(t *testing.T) {
	long.Only(t, "6,000 numbers of two parties")
	const n, compared = 6000, 900
	own, small, large := make([]int64, n), make([]int64, n), make([]int64, n)
	for i := range own {
		own[i] = int64(i%7) << 58
		small[i] = -own[i] - int64(i%2) // the sum is 0 or -1
		large[i] = 1<<60 - own[i]
		if i%2 == 1 {
			large[i] -= 1 << 61
		}
	}
	for k, x := range [][2][]int64{{own, small}, {large, own}} {
		plan := &joint.Plan{Version: 1, Parties: jointtest.Parties("hospital", "clinic")}
		joint.Fill(plan)
		machines, views := make([]*joint.Machine, 2), [2]map[string][]uint64{{}, {}}
		for party := range machines {
			s := &joint.Session{Plan: plan, Random: rand.NewChaCha8([32]byte{byte(k), byte(party)})}
			machines[party] = joint.NewMachine(t.Context(), s, party,
				func(_ context.Context, p *joint.Party) (*joint.Result, error) {
					is, err := signs(p, x[party], compared)
					for i := range is {
						if is[i] != (i%2 == 0) {
							t.Errorf("number %d: %v", i, is[i])
						}
					}
					return &joint.Result{}, err
				})
		}
		must.Get(joint.Together(machines, func(m *joint.Message) {
			views[m.To][m.Kind] = append(views[m.To][m.Kind], joint.NewReader(m.Payload).Words(len(m.Payload)/8)...)
		}))(t)
		for party, kinds := range [][]string{{"pair.extend", "pair.and"}, {"rules.partial", "pair.extend", "pair.and"}} {
			for _, kind := range kinds {
				words := views[party][kind]
				pairs := make([]uint64, len(words)/2)
				for i := range pairs {
					pairs[i] = words[2*i]>>60<<60 | words[2*i+1]>>60<<56
				}
				if chi2, _ := jointtest.Uniform(pairs, 256); len(pairs) < 2560 || chi2 > 347.7 {
					t.Errorf("party %d sees the other's numbers in %d words of %s: chi-square %.1f", party, len(words), kind, chi2)
				}
			}
		}
	}
}

// signs adds all numbers and compares the first of the sums.
func signs(p *joint.Party, x []int64, compared int) ([]bool, error) {
	all, err := newTally(p)
	if err != nil {
		return nil, err
	}
	shares, err := all.sum(x)
	if err != nil {
		return nil, err
	}
	return all.reached(shares[:compared])
}
