package swapping

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/protect/protecttest"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

func recordFit(t testing.TB, tab *table.Table, set map[string]string) *RecordPlan {
	t.Helper()
	q := NewRecord()
	must.NoError(t, q.Params().Apply(set))
	p := must.Get(q.Fit(context.Background(), tab, protecttest.Seed(1)))(t)
	return p.(*RecordPlan)
}

// text writes a record's values of some columns.
func text(t *table.Table, i int, columns []int) string {
	var b strings.Builder
	for _, j := range columns {
		switch {
		case t.MissingAt(i, j):
			b.WriteString("|?")
		case t.Attr(j).Kind == table.Numeric:
			fmt.Fprintf(&b, "|%v", t.Num(j)[i])
		default:
			fmt.Fprintf(&b, "|%d", t.Cat(j)[i])
		}
	}
	return b.String()
}

// matched checks the pairs of a table by their definition, by looking at all pairs.
func matched(p *RecordPlan, tab *table.Table, from []int32) error {
	similar := func(i, k, l int) bool { return text(tab, i, p.Similar[:l]) == text(tab, k, p.Similar[:l]) }
	place := func(i int) string { return text(tab, i, p.Columns) }
	_, finest := p.alike(tab)
	risky, swapped, people := p.risky(tab, finest), 0, map[string]map[int]bool{}
	key := func(i int) string { return text(tab, i, p.Keys) + place(i) }
	who := func(i int) int { return i }
	if whose := tab.Owners(); whose != nil {
		who = func(i int) int { return int(whose[i]) }
	}
	for i := range from {
		if people[key(i)] == nil {
			people[key(i)] = map[int]bool{}
		}
		people[key(i)][who(i)] = true
	}
	for i, k := range from {
		if risky[i] != (len(people[key(i)]) < p.K && !strings.Contains(place(i), "?")) {
			return fmt.Errorf("record %d is risky: %v", i, risky[i])
		}
		if int(k) == i {
			continue
		}
		swapped++
		if int(from[k]) != i || place(i) == place(int(k)) || who(i) == who(int(k)) ||
			strings.Contains(place(i)+place(int(k)), "?") {
			return fmt.Errorf("records %d and %d change places", i, k)
		}
	}
	// Of those that stay, no two could have been swapped if one is risky, or if the rate is not reached.
	for i := range from {
		for k := range from {
			if int(from[i]) == i && int(from[k]) == k && place(i) != place(k) && who(i) != who(k) &&
				!strings.Contains(place(i)+place(k), "?") &&
				(risky[i] || float64(swapped) < p.Rate*float64(len(from))) {
				return fmt.Errorf("records %d and %d stay", i, k)
			}
		}
	}
	// No two of different pairs are more alike than both are in their own, if both pairs were made for risky records.
	for i, k := range from {
		for a, b := range from {
			l := len(p.Similar)
			if i != int(k) && a != int(b) && i != int(b) && i != a && risky[i] && risky[k] && risky[a] && risky[b] && l > 0 &&
				similar(i, a, l) && place(i) != place(a) && who(i) != who(a) && !similar(i, int(k), l) && !similar(a, int(b), l) {
				return fmt.Errorf("records %d and %d have less similar partners than each other", i, a)
			}
		}
	}
	return nil
}

// Pairs are exchanged, elsewhere, of two people, as similar as can be, and as many as asked for.
func TestPairs(t *testing.T) {
	long.Check(t, func(r *rapid.T) {
		tab := protecttest.RandomTable(r)
		if rapid.Bool().Draw(r, "people") {
			whose := make([]int32, tab.Rows())
			for i := range whose {
				whose[i] = int32(rapid.IntRange(0, tab.Rows()/2).Draw(r, "whose"))
			}
			tab = tab.Owned(whose)
		}
		p := &RecordPlan{
			Attrs: tab.Attrs(),
			K:     rapid.IntRange(1, 6).Draw(r, "k"),
			Rate:  rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(r, "rate"),
		}
		for j := range tab.Width() - 1 {
			switch rapid.IntRange(0, 4).Draw(r, "use") {
			case 0:
				p.Columns = append(p.Columns, j)
			case 1:
				p.Similar, p.Keys = append(p.Similar, j), append(p.Keys, j)
			case 2:
				p.Keys = append(p.Keys, j)
			case 3:
				p.Similar = append(p.Similar, j)
			}
		}
		if p.Check() != nil || len(p.Columns) == 0 {
			return
		}
		from := p.partners(tab, protecttest.Seed(rapid.Byte().Draw(r, "seed")))
		must.NoError(r, matched(p, tab, from))
	})
}

// The swapped columns are permuted together, and similar partners keep their joint counts with the similar columns.
func TestCountsAreKept(t *testing.T) {
	tab := protecttest.Mixed(600)
	p := recordFit(t, tab, map[string]string{"swap": "city,size", "keys": "sex", "similar": "sex", "rate": "0.5"})
	out := must.Get(p.Apply(tab, protecttest.Seed(2)))(t)
	count := func(t *table.Table) map[string]int {
		m := map[string]int{}
		for i := range t.Rows() {
			m[text(t, i, []int{7, 4, 9})]++
		}
		return m
	}
	changed := 0
	for i := range tab.Rows() {
		if text(tab, i, p.Columns) != text(out, i, p.Columns) {
			changed++
		}
	}
	if a, b := fmt.Sprint(count(tab)), fmt.Sprint(count(out)); a != b || changed != 300 {
		t.Errorf("%d records changed; counts %s become %s", changed, a, b)
	}
}

// A record that is not risky is swapped as often as any other like it, and all partners are as likely. At a probability
// of 1e-9 of each chi-square a right program fails once in 5 * 10^8.
func TestChoicesAreUniform(t *testing.T) {
	place, group := make([]int32, 12), make([]int32, 12)
	for i := range place {
		place[i], group[i] = int32(i%3), int32(i/6)
	}
	tab := tabletest.Of(t, table.CatColumn("place", []string{"a", "b", "c"}, place),
		table.CatColumn("group", []string{"x", "y"}, group))
	p := &RecordPlan{Attrs: tab.Attrs(), Columns: []int{0}, Similar: []int{1}, K: 1, Rate: 0.1} // one pair
	const n = 6000
	who, pairs := make([]float64, 12), map[[2]int]float64{}
	for seed := range n {
		src := protecttest.Seed(byte(seed)).Fork(fmt.Sprint(seed))
		from := p.partners(tab, src)
		for i, k := range from {
			if int(k) > i {
				who[i]++
				who[k]++
				pairs[[2]int{i, int(k)}]++
			}
		}
	}
	chi := 0.0
	for _, seen := range who {
		chi += (seen - n/6.) * (seen - n/6.) / (n / 6. * 5 / 6) * 11 / 12 // the counts add up to 2n
	}
	if (distuv.ChiSquared{K: 11}).Survival(chi) < 1e-9 {
		t.Errorf("records are swapped %v times, chi-square %v", who, chi)
	}
	chi = 0
	for _, seen := range pairs { // 2 groups of 3 places of 2 records: 12 pairs each
		chi += (seen - n/24.) * (seen - n/24.) / (n / 24.)
	}
	if len(pairs) != 24 || (distuv.ChiSquared{K: 23}).Survival(chi) < 1e-9 {
		t.Errorf("pairs %v, chi-square %v", pairs, chi)
	}
}

// Where the only other place is that of another record of the same person, a group is not given up: somebody else of it
// finds a partner in that record.
func TestOwnRecords(t *testing.T) {
	tab := tabletest.Of(t, table.CatColumn("place", []string{"a", "b"}, []int32{0, 1, 0})).Owned([]int32{0, 0, 1})
	p := &RecordPlan{Attrs: tab.Attrs(), Columns: []int{0}, K: 5, Rate: 1}
	for seed := range byte(20) {
		if from := p.partners(tab, protecttest.Seed(seed)); !slices.Equal(from, []int32{0, 2, 1}) {
			t.Errorf("seed %d: records get the places of %v", seed, from)
		}
	}
}

func TestDefaults(t *testing.T) {
	tab := protecttest.Mixed(200)
	for _, j := range []int{0, 4, 7} {
		a := *tab.Attr(j)
		a.Role = table.Quasi
		tab = tab.WithAttr(j, a)
	}
	p := recordFit(t, tab, nil)
	if !slices.Equal(p.Columns, []int{4}) || !slices.Equal(p.Keys, []int{0, 4, 7}) ||
		!slices.Equal(p.Similar, []int{0, 7}) {
		t.Errorf("columns %v, keys %v, similar %v", p.Columns, p.Keys, p.Similar)
	}
	if notes := p.Notes(); !strings.Contains(notes[0].String(), "more than the rate") || p.Risky == 0 {
		t.Errorf("notes %q", notes)
	}
	if notes := recordFit(t, tab, map[string]string{"k": "1"}).Notes(); !strings.HasPrefix(notes[0].String(), "0 of 200") {
		t.Errorf("notes %q", notes)
	}
	for _, unsuited := range []*table.Table{tab.Select(0, 10), tab.Select(10)} {
		if _, err := NewRecord().Fit(context.Background(), unsuited, protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), `"swap"`) {
			t.Errorf("without a categorical key: %v", err)
		}
	}
}

// Of keys that name records, that have two values and that have three, the last is swapped; a constant one never.
func TestDefaultSwap(t *testing.T) {
	const n = 60
	key := func(name string, values int) table.Column {
		labels, codes := make([]string, n), make([]int32, n)
		for i := range codes {
			labels[i], codes[i] = fmt.Sprint(i), int32(i%values)
		}
		c := table.CatColumn(name, labels, codes)
		c.Role = table.Quasi
		return c
	}
	tab := tabletest.Of(t, key("name", n), key("sex", 2), key("region", 3), key("country", 1))
	for want, columns := range map[int][]int{2: {0, 1, 2, 3}, 1: {0, 1, 3}} {
		if p := recordFit(t, tab.Select(columns...), nil); !slices.Equal(p.Columns, []int{want}) {
			t.Errorf("of %v, %v is swapped", columns, p.Columns)
		}
	}
	if _, err := NewRecord().Fit(context.Background(), tab.Select(0, 3), protecttest.Seed(1)); err == nil {
		t.Error("names or a constant are swapped")
	}
}

// Five records of ten stand out and are of place a; only two are elsewhere.
func TestPartnersThatLack(t *testing.T) {
	tab := must.Get(table.New(table.CatColumn("place", []string{"a", "b"}, []int32{0, 0, 0, 0, 0, 0, 0, 0, 1, 1}),
		table.NumColumn("key", 1, []float64{1, 2, 3, 4, 5, 6, 6, 6, 6, 6})))(t)
	p := recordFit(t, tab, map[string]string{"swap": "place", "keys": "key", "rate": "0", "k": "2"})
	if notes := strings.Join(message.Written(p.Notes()), ""); p.Risky != 5 || p.Alone != 3 ||
		!strings.Contains(notes, "3 risky records found no partner") {
		t.Errorf("%d risky, %d alone: %q", p.Risky, p.Alone, notes)
	}
}

func TestRecordRefusals(t *testing.T) {
	tab := protecttest.Mixed(30)
	for want, set := range map[string]map[string]string{
		"would change nothing": {"swap": "city", "similar": "sex,city"},
		"it is the class":      {"swap": "risk"},
		"holds sampling":       {"swap": "weight"},
	} {
		q := NewRecord()
		must.NoError(t, q.Params().Apply(set))
		if _, err := q.Fit(context.Background(), tab, protecttest.Seed(1)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: the error is %v", set, err)
		}
	}
	for want, change := range map[string]func(p *RecordPlan){
		"is not one":       func(p *RecordPlan) { p.Keys = []int{99} },
		"ascending":        func(p *RecordPlan) { p.Columns = []int{4, 4} },
		"k is":             func(p *RecordPlan) { p.K = 0 },
		"rate":             func(p *RecordPlan) { p.Rate = math.NaN() },
		"no usable domain": func(p *RecordPlan) { p.Columns, p.Attrs[0].Domain = []int{0}, table.Everything() },
	} {
		p := recordFit(t, tab, map[string]string{"swap": "city", "keys": "sex"})
		change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", want, err)
		}
	}
}

// Fit and release of records like Adult's, whose occupation is exchanged, as multiples of the yardstick; keys are age,
// sex and race: 1,000,000 records take 2.1, 30,162 records 0.12. With all 15 columns as keys a million take some 5
// times the processor time of three.
func BenchmarkRecordRelease(b *testing.B) {
	for name, rows := range map[string]int{"30k": 30_162, "1M": 1_000_000} {
		t := protecttest.AdultLike(b, rows)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p := recordFit(b, t, map[string]string{"swap": "occupation", "keys": "age,sex,race"})
				must.Get(p.Apply(t, protecttest.Seed(1)))(b)
			}
			yardstick.Report(b)
		})
	}
}

// Of 20,000 records all but two are of one place. These two are not risky, for they are alike; the only record that is
// finds one of them. Some thousand tries would find one in one run of ten.
func TestRarePartner(t *testing.T) {
	const n = 20_000
	place, key := make([]int32, n), make([]int32, n)
	place[5_000], place[15_000], key[0] = 1, 1, 1
	tab := tabletest.Of(t, table.CatColumn("place", []string{"a", "b"}, place),
		table.CatColumn("key", []string{"x", "y"}, key))
	p := &RecordPlan{Attrs: tab.Attrs(), Columns: []int{0}, Keys: []int{1}, K: 2}
	for seed := range byte(5) {
		if from := p.partners(tab, protecttest.Seed(seed)); from[0] != 5_000 && from[0] != 15_000 {
			t.Errorf("seed %d: the risky record gets the place of record %d", seed, from[0])
		}
	}
}
