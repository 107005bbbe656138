package rules

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

// baskets of a party: bits of items.
type baskets []int

const basketItems = 4

func (b baskets) table() *table.Table {
	var cols []table.Column
	for k := range basketItems {
		codes := make([]int32, len(b))
		for i, mask := range b {
			codes[i] = int32(mask >> k & 1)
		}
		cols = append(cols, table.CatColumn(fmt.Sprint("item", k), []string{"no", "yes"}, codes))
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}

// count is how many baskets have exactly these items of a set.
func (b baskets) count(set, exactly int) (n int) {
	for _, mask := range b {
		if mask&set == exactly {
			n++
		}
	}
	return n
}

// kept reports whether all cells of a set have records enough, without any party's own, too, of k parties.
func kept(parties []baskets, set, k, cell int) bool {
	for exactly := range set + 1 {
		if exactly&set != exactly {
			continue
		}
		some, n, most := 0, 0, 0
		for _, b := range parties {
			c := b.count(set, exactly)
			n += c
			some += min(c, 1)
			most = max(most, c)
		}
		if some < k || n-most < cell {
			return false
		}
	}
	return true
}

// plainly is the result by trying all sets of up to three items, shortest first.
func plainly(parties []baskets, k int, support, confidence float64) *joint.Result {
	var all baskets
	for _, b := range parties {
		all = append(all, b...)
	}
	open, withheld := map[int]bool{}, int64(0)
	n := float64(len(all))
	text := func(set int) (s string) {
		for k := range basketItems {
			if set>>k&1 == 1 {
				if s != "" {
					s += " & "
				}
				s += fmt.Sprintf("item%d = yes", k)
			}
		}
		return s
	}
	out := joint.ResultTable{Name: "rules"}
	for length := range 4 {
		for set := range 1 << basketItems {
			tried := bits.OnesCount(uint(set)) == length
			for k := range basketItems {
				if below := set &^ (1 << k); tried && below != set {
					tried = open[below] && (below == 0 || float64(all.count(below, below))*100 >= support*n)
				}
			}
			switch {
			case !tried:
			case kept(parties, set, k, 5):
				open[set] = true
			default:
				withheld++
			}
		}
	}
	for set := range open {
		both := float64(all.count(set, set))
		for from := range set {
			if from == 0 || from&set != from || both*100 < support*n {
				continue
			}
			if m := float64(all.count(from, from)); both*100 >= confidence*m {
				out.Rows = append(out.Rows, []any{text(from), text(set &^ from), both * 100 / n, both * 100 / m})
			}
		}
	}
	sortRows(out.Rows)
	out.Columns = []string{"antecedent", "consequent", "support %", "confidence %"}
	return &joint.Result{Figures: []joint.Figure{{Name: "rules", Value: int64(len(out.Rows))},
		{Name: "itemsets withheld", Value: withheld}}, Tables: []joint.ResultTable{out}}
}

// groceries draws baskets of five parties; items 0 and 1 go together, and item 3 is of two parties only.
func groceries(seed uint64) []baskets {
	draw := rand.New(rand.NewPCG(seed, 3))
	out := make([]baskets, 5)
	for p := range out {
		for range 60 {
			mask := draw.IntN(8)
			if mask&1 == 1 && draw.IntN(4) > 0 {
				mask |= 2
			}
			if p < 2 && draw.IntN(4) > 0 {
				mask |= 8
			}
			out[p] = append(out[p], mask)
		}
	}
	return out
}

func kttpCase(parties []baskets, k int) jointtest.Case {
	c := jointtest.Case{Name: fmt.Sprint("k ", k), Tolerance: 1e-12, Plan: joint.Plan{
		Parties:    jointtest.Parties("ada", "bob", "cyd", "dan", "eve"),
		Parameters: map[string]string{"support": "15", "confidence": "60", "length": "3", "k": fmt.Sprint(k)}}}
	for k := range basketItems {
		c.Plan.Columns = append(c.Plan.Columns, joint.Column{Name: fmt.Sprint("item", k), Values: []string{"no", "yes"}})
	}
	for _, b := range parties {
		c.Tables = append(c.Tables, b.table())
	}
	c.Want = []*joint.Result{plainly(parties, k, 15, 60)}
	return c
}

func TestKTTPConformance(t *testing.T) {
	parties := groceries(2)
	none := make([]baskets, 5)
	cases := []jointtest.Case{kttpCase(parties, 3), kttpCase(parties, 2), kttpCase(none, 3)}
	cases[1].Plain, cases[2].Plain, cases[2].Name = true, true, "no records"
	alike, empty := slices.Repeat([]baskets{parties[0]}, 5), slices.Concat(parties[:4], none[:1])
	for name, of := range map[string][]baskets{"identical": alike, "one empty": empty} {
		c := kttpCase(of, 3)
		c.Name, c.Plain = name, true
		cases = append(cases, c)
	}
	few, many := len(cases[0].Want[0].Tables[0].Rows), len(cases[1].Want[0].Tables[0].Rows)
	if few == 0 || many <= few {
		t.Fatalf("%d rules at k 3 and %d at k 2", few, many)
	}
	q := sorted(Protocols[3])
	jointtest.Family(t, []joint.Protocol{q}, map[string][]jointtest.Case{"kttp": cases})
}

// alone is the smallest number of parties that a statistic is of which follows from a rule of a result: the records
// with its antecedent and without its consequent, whose number is the difference of two totals.
func alone(r *joint.Result, parties []baskets) int {
	least := math.MaxInt
	for _, row := range r.Tables[0].Rows {
		var from, to int
		for k := range basketItems {
			name := fmt.Sprintf("item%d = yes", k)
			if row[0] == name {
				from = 1 << k
			}
			if row[1] == name {
				to = 1 << k
			}
		}
		if from == 0 || to == 0 {
			continue
		}
		some := 0
		for _, b := range parties {
			some += min(1, b.count(from|to, from))
		}
		least = min(least, some)
	}
	return least
}

// All records with item 0 have item 1, but for those of one party: the difference of two totals is this party's alone.
// The rules of maximal sets give it, those of the k-TTP do not; what these give is of k parties.
func TestDifferenceOfTotals(t *testing.T) {
	parties := groceries(2)
	for p := range parties {
		for i, mask := range parties[p] {
			if p > 0 && mask&1 == 1 {
				parties[p][i] |= 2
			}
		}
		parties[p] = append(parties[p], 1+2, 2, 0)
	}
	for range 10 {
		parties[0] = append(parties[0], 1)
	}
	c := kttpCase(parties, 3)
	if got := alone(jointtest.Results(t, &Protocols[3], c, 0)[0], parties); got < 3 {
		t.Errorf("the k-TTP tells a statistic of %d parties", got)
	}
	c.Plan.Parameters = map[string]string{"support": "15", "confidence": "60", "length": "3", "size": "20"}
	if got := alone(jointtest.Results(t, &Protocols[1], c, 0)[0], parties); got != 1 {
		t.Errorf("the attack on maximal sets finds a statistic of %d parties, expected that of one", got)
	}
}
