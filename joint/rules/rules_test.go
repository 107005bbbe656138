package rules

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/joint/jointtest"
	"github.com/dither-data/dither/table"
)

// three columns of the people of a test, of which the third follows from the first two as a rule.
var (
	names  = []string{"sex", "ward", "ill"}
	values = [][]string{{"f", "m"}, {"a", "b", "c"}, {"no", "yes"}}
)

// people draws records; -1 is missing.
func people(n int, seed uint64) [][3]int32 {
	draw := rand.New(rand.NewPCG(seed, 1))
	out := make([][3]int32, n)
	for i := range out {
		out[i] = [3]int32{draw.Int32N(2), draw.Int32N(3), 0}
		if out[i][0] == 1 && out[i][1] != 2 || draw.IntN(8) == 0 {
			out[i][2] = 1
		}
		if draw.IntN(20) == 0 {
			out[i][1] = -1
		}
	}
	return out
}

func tableOf(records [][3]int32, columns ...int) *table.Table {
	var cols []table.Column
	for _, c := range columns {
		codes := make([]int32, len(records))
		for i := range codes {
			codes[i] = records[i][c]
		}
		cols = append(cols, table.CatColumn(names[c], values[c], codes))
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}

// plain finds the rules of records by trying all sets, and returns them as the protocols do.
func plain(records [][3]int32, support, confidence float64, length int, show bool) *joint.Result {
	return plainCell(records, support, confidence, length, show, 5)
}

func plainCell(records [][3]int32, support, confidence float64, length int, show bool, cell int) *joint.Result {
	var items [][2]int
	var label []string
	for c := range names {
		for v := range values[c] {
			items = append(items, [2]int{c, v})
			label = append(label, names[c]+" = "+values[c][v])
		}
	}
	count := func(mask int) (n int) {
		for _, r := range records {
			all := true
			for k, it := range items {
				all = all && (mask>>k&1 == 0 || r[it[0]] == int32(it[1]))
			}
			if all {
				n++
			}
		}
		return n
	}
	text := func(mask int) (s string) {
		for k := range items {
			if mask>>k&1 == 1 {
				if s != "" {
					s += " & "
				}
				s += label[k]
			}
		}
		return s
	}
	out := joint.ResultTable{Name: "rules", Columns: []string{"antecedent", "consequent"}}
	if show {
		out.Columns = append(out.Columns, "support %", "confidence %")
	}
	for mask := range 1 << len(items) {
		n := count(mask)
		if k := bits.OnesCount(uint(mask)); k < 2 || k > length || n < cell ||
			float64(n)*100 < support*float64(len(records)) {
			continue
		}
		for from := range mask {
			if from == 0 || from&mask != from {
				continue
			}
			if m := count(from); float64(n)*100 >= confidence*float64(m) {
				row := []any{text(from), text(mask &^ from)}
				if show {
					row = append(row, float64(n)*100/float64(len(records)), float64(n)*100/float64(m))
				}
				out.Rows = append(out.Rows, row)
			}
		}
	}
	sortRows(out.Rows)
	return &joint.Result{Figures: []joint.Figure{{Name: "rules", Value: int64(len(out.Rows))}},
		Tables: []joint.ResultTable{out}}
}

// shared leaves the rules whose records are of two parties or more: counts of others are not opened.
func shared(r *joint.Result, parts [][][3]int32) {
	rows := slices.DeleteFunc(r.Tables[0].Rows, func(row []any) bool {
		some := 0
		for _, part := range parts {
			some += min(1, plainCount(part, strings.Split(fmt.Sprint(row[0], " & ", row[1]), " & ")))
		}
		return some < 2
	})
	r.Tables[0].Rows, r.Figures[0].Value = rows, int64(len(rows))
}

// plainCount is how many records have all items.
func plainCount(records [][3]int32, items []string) (n int) {
	for _, r := range records {
		has := 0
		for c, v := range r {
			if v >= 0 && slices.Contains(items, names[c]+" = "+values[c][v]) {
				has++
			}
		}
		if has == len(items) {
			n++
		}
	}
	return n
}

func sortRows(rows [][]any) {
	slices.SortFunc(rows, func(a, b []any) int {
		return slices.Compare([]string{a[0].(string), a[1].(string)}, []string{b[0].(string), b[1].(string)})
	})
}

// sorted lets a protocol give its rules in the order of their texts, so that they can be compared with the plain ones.
func sorted(q joint.Protocol) joint.Protocol {
	made := q.New
	q.New = func() joint.Computation { return inOrder{made()} }
	return q
}

func TestConformance(t *testing.T) {
	all := people(160, 4)
	columns := func(owner ...string) (out []joint.Column) {
		for c := range names {
			col := joint.Column{Name: names[c], Values: values[c]}
			if owner != nil {
				col.Owner = owner[c]
			}
			out = append(out, col)
		}
		return out
	}
	three := []*table.Table{tableOf(all[:60], 0, 1, 2), tableOf(all[60:61], 0, 1, 2), tableOf(all[61:], 0, 1, 2)}
	set := map[string]string{"support": "8", "confidence": "70", "size": "20", "length": "3"}
	with := func(key, value string) map[string]string {
		out := map[string]string{key: value}
		for k, v := range set {
			if _, ok := out[k]; !ok {
				out[k] = v
			}
		}
		return out
	}
	horizontal := joint.Plan{Parties: jointtest.Parties("ada", "bob", "cyd"), Columns: columns(), Parameters: set}
	shown, rare := horizontal, horizontal
	shown.Parameters = with("show", "true")
	rare.Parameters, rare.Least.Cell = with("support", "0.5"), 30
	guarded := plainCell(all, 0.5, 70, 3, false, 30)
	if n, m := len(guarded.Tables[0].Rows), len(plain(all, 0.5, 70, 3, false).Tables[0].Rows); n == 0 || n == m {
		t.Fatalf("%d rules of %d have records enough", n, m)
	}
	maximal := horizontal
	maximal.Parameters = with("length", "2")
	vertical := joint.Plan{Parties: jointtest.Parties("ada", "bob"), Columns: columns("ada", "bob", "bob"),
		Parameters: map[string]string{"support": "8", "confidence": "70", "length": "3"}}
	want := func(support float64, length int, show bool) []*joint.Result {
		return []*joint.Result{plain(all, support, 70, length, show)}
	}
	// Parties of which one has no records, that have the same ones, that have no ward in common, and that have none.
	var wards [3][][3]int32
	for _, r := range all {
		wards[max(0, r[1])] = append(wards[max(0, r[1])], r)
	}
	situations := func(plan joint.Plan, length int, show bool) (out []jointtest.Case) {
		for name, parts := range map[string][3][][3]int32{"one empty": {nil, all[:70], all[70:]}, "disjoint": wards,
			"identical": {all[:60], all[:60], all[:60]}, "no records": {}} {
			c := jointtest.Case{Name: name, Plan: plan, Plain: true, Tolerance: 1e-12,
				Want: []*joint.Result{plain(slices.Concat(parts[:]...), 8, 70, length, show)}}
			if show {
				shared(c.Want[0], parts[:])
			}
			for _, part := range parts {
				c.Tables = append(c.Tables, tableOf(part, 0, 1, 2))
			}
			out = append(out, c)
		}
		return out
	}
	if n := len(want(8, 3, false)[0].Tables[0].Rows); n < 3 {
		t.Fatalf("%d rules", n)
	}
	// Faults are tried on sets of one or two of four items: the messages are those of longer ones.
	short := slices.Clone(all)
	for i := range short {
		short[i][1] = -1
	}
	few := horizontal
	few.Columns, few.Parameters = []joint.Column{horizontal.Columns[0], horizontal.Columns[2]}, with("length", "2")
	few.Parameters["size"] = "4"
	apart := few
	apart.Columns = []joint.Column{vertical.Columns[0], vertical.Columns[2]}
	apart.Parameters = map[string]string{"support": "8", "confidence": "70", "length": "2"}
	apart.Parties = vertical.Parties
	pairs := []*joint.Result{plain(short, 8, 70, 2, false)}
	if len(pairs[0].Tables[0].Rows) == 0 {
		t.Fatal("no rules of two columns")
	}
	for k, cases := range [][]jointtest.Case{
		append(situations(horizontal, 3, false), []jointtest.Case{
			{Name: "two columns", Plan: few, Want: pairs, Tables: []*table.Table{tableOf(all[:60], 0, 2),
				tableOf(all[60:61], 0, 2), tableOf(all[61:], 0, 2)}},
			{Name: "plain", Plan: horizontal, Tables: three, Want: want(8, 3, false), Plain: true},
			{Name: "shown", Plan: shown, Tables: three, Want: want(8, 3, true), Plain: true},
			{Name: "cell", Plan: rare, Tables: three, Want: []*joint.Result{guarded}, Plain: true},
		}...),
		append(situations(maximal, 2, true), []jointtest.Case{
			{Name: "pairs", Plan: maximal, Tables: three, Want: want(8, 2, true), Tolerance: 1e-12},
		}...),
		{
			{Name: "two columns", Plan: apart, Want: pairs, Tables: []*table.Table{tableOf(all, 0), tableOf(all, 2)}},
			{Name: "plain", Plan: vertical, Want: want(8, 3, false), Plain: true,
				Tables: []*table.Table{tableOf(all, 0), tableOf(all, 1, 2)}},
			{Name: "no records", Plan: vertical, Want: []*joint.Result{plain(nil, 8, 70, 3, false)}, Plain: true,
				Tables: []*table.Table{tableOf(nil, 0), tableOf(nil, 1, 2)}},
		},
	} {
		q := sorted(Protocols[k])
		jointtest.Family(t, []joint.Protocol{q}, map[string][]jointtest.Case{q.Name: cases})
	}
}

// The threshold is a sum that is compared and not opened: excesses 2, -5 and 0 of 100, 200 and 300 records are not
// enough for 10 %.
func TestExcess(t *testing.T) {
	q := thresholds{support: 10}
	sum := int64(0)
	for k, c := range []struct{ count, records, want int64 }{{12, 100, 2}, {15, 200, -5}, {30, 300, 0}} {
		got := q.excess(c.count, c.records)
		if got != c.want*million {
			t.Errorf("party %d: %d, expected %d", k, got, c.want*million)
		}
		sum += got
	}
	if sum != -3*million {
		t.Errorf("the sum is %d", sum)
	}
}

// inOrder is a computation whose rules are in the order of their texts.
type inOrder struct{ joint.Computation }

func (q inOrder) CheckPlan(p *joint.Plan) error { return q.Computation.(joint.Checker).CheckPlan(p) }

func (q inOrder) Run(ctx context.Context, p *joint.Party, t *table.Table) (*joint.Result, error) {
	r, err := q.Computation.Run(ctx, p, t)
	if err == nil {
		sortRows(r.Tables[0].Rows)
	}
	return r, err
}
