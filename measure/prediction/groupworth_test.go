package prediction_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/prediction"
	"github.com/dither-data/dither/profile"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// people is 600 records of two sexes in which pay tells the class, for men from 50 on and for women below it.
func people(n int) *table.Table {
	r := rand.New(rand.NewPCG(5, 6))
	sex, pay, class := make([]int32, n), make([]float64, n), make([]int32, n)
	for i := range sex {
		if r.IntN(3) == 0 {
			sex[i] = 1
		}
		pay[i] = float64(r.IntN(100))
		if (pay[i] >= 50) == (sex[i] == 0) {
			class[i] = 1
		}
	}
	cols := []table.Column{table.CatColumn("sex", []string{"male", "female"}, sex), table.NumColumn("pay", 1, pay),
		table.CatColumn("good", []string{"no", "yes"}, class)}
	cols[0].Role, cols[2].Role = table.Quasi, table.Class
	return tabletest.Must(cols...)
}

func take(t *testing.T, original, released *table.Table, columns ...string) (measure.Value, []prediction.Group) {
	t.Helper()
	m := prediction.GroupWorth.New().(*prediction.GroupWorthMeter)
	m.Columns = columns
	v := must.Get(m.Measure(t.Context(), &measure.Release{Original: original, Released: released}, rng.Source{}))(t)
	return v, v.Detail.(*prediction.GroupWorthDetail).Groups
}

// A release that is right about men and mirrors the pay of women is good on the whole, and bad for women alone.
func TestOneGroupIsServedWorse(t *testing.T) {
	original := people(600)
	pay := slices.Clone(original.Num(1))
	for i := range pay {
		if original.Cat(0)[i] == 1 {
			pay[i] = 99 - pay[i]
		}
	}
	v, g := take(t, original, original.WithNum(1, pay))
	if len(g) != 2 || g[0].Group != "male" || g[1].Group != "female" {
		t.Fatalf("groups %+v", g)
	}
	if math.Abs(g[0].Lost()) > 1 || *g[0].OneWay != 0 || *g[0].TwoWay != 0 || *g[0].MeanError != 0 || g[0].Clear() {
		t.Errorf("men lose %v, %v", g[0].Lost(), *g[0].TwoWay)
	}
	if g[1].Lost() < 50 || *g[1].TwoWay < 0.5 || !g[1].Clear() || v.Score != *g[1].TwoWay ||
		v.Part("accuracy-lost") != g[1].Lost() || v.Part("mean-error") != *g[1].MeanError {
		t.Errorf("women lose %v, %v; score %v, parts %v", g[1].Lost(), *g[1].TwoWay, v.Score, v.Parts)
	}
	women := 0
	for _, c := range original.Cat(0) {
		women += int(c)
	}
	if g[1].People != women || g[1].Records != women || g[1].Share != float64(women)/600 || g[1].Released != g[1].Share {
		t.Errorf("%d women: %+v", women, g[1])
	}
}

// The shares of the release are its own, and errors of means are in standard deviations of the whole column.
func TestSharesAndMeans(t *testing.T) {
	original := people(600)
	pay, sex := slices.Clone(original.Num(1)), slices.Clone(original.Cat(0))
	for i := range pay {
		pay[i] += 10
		if i < 100 {
			sex[i] = 0
		}
	}
	_, g := take(t, original, original.WithNum(1, pay))
	sum, squares := 0.0, 0.0
	for _, v := range original.Num(1) {
		sum += v / 600
	}
	for _, v := range original.Num(1) {
		squares += (v - sum) * (v - sum) / 600
	}
	if want := 10 / math.Sqrt(squares); math.Abs(*g[0].MeanError-want) > 1e-9 || math.Abs(*g[1].MeanError-want) > 1e-9 {
		t.Errorf("errors of means %v and %v, expected %v", *g[0].MeanError, *g[1].MeanError, want)
	}
	_, g = take(t, original, original.WithCat(0, sex))
	men := 0
	for _, c := range sex {
		men += 1 - int(c)
	}
	if g[0].Released != float64(men)/600 || g[0].Released <= g[0].Share {
		t.Errorf("the release has %d men: %+v", men, g[0])
	}
}

// origins is a table whose column of origin has categories of these numbers of people.
func origins(heading string, sizes ...int) *table.Table {
	var of []int32
	var labels []string
	for c, n := range sizes {
		labels = append(labels, string(rune('a'+c)))
		for range n {
			of = append(of, int32(c))
		}
	}
	x := make([]float64, len(of))
	for i := range x {
		x[i] = float64(i % 7)
	}
	return tabletest.Must(table.CatColumn(heading, labels, of), table.NumColumn("x", 1, x))
}

// A group of fewer people than least is not told: several are summed, a single one is left out, and so are those that
// are too few together.
func TestSmallGroups(t *testing.T) {
	for want, sizes := range map[string][]int{
		"b 50, a 40, others(2) 49": {40, 50, 29, 20},
		"b 50, a 40":               {40, 50, 29},
		"a 50, b 40":               {50, 40, 10, 9},
		"a 30, b 30":               {30, 30},
	} {
		tab := origins("nationality", sizes...)
		_, g := take(t, tab, tab)
		var got []string
		for _, x := range g {
			name := x.Group
			if x.Others > 0 {
				name = "others(" + string(rune('0'+x.Others)) + ")"
			}
			got = append(got, name+" "+itoa(x.People))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("sizes %v: %s, expected %s", sizes, s, want)
		}
	}
}

func itoa(n int) string { return string(rune('0'+n/10)) + string(rune('0'+n%10)) }

// Who is counted is people: thirty records of three of them are no group.
func TestPeopleAreCounted(t *testing.T) {
	tab := origins("nationality", 60, 60, 30)
	who := map[table.RecordID]int32{}
	for i := range tab.Rows() {
		if who[tab.ID(i)] = int32(i); i >= 120 {
			who[tab.ID(i)] = 1000 + int32(i)%3
		}
	}
	r := &measure.Release{Original: tab, Released: tab}
	r.Persons, r.Person = map[string]map[table.RecordID]int32{"patient": who}, "patient"
	v := must.Get(prediction.GroupWorth.New().Measure(t.Context(), r, rng.Source{}))(t)
	if g := v.Detail.(*prediction.GroupWorthDetail).Groups; len(g) != 2 || g[0].People != 60 {
		t.Errorf("groups %+v", g)
	}
}

// Which columns are groups is guessed by heading and by values; others are named.
func TestColumns(t *testing.T) {
	for heading, want := range map[string]bool{"sex": true, "Geschlecht": true, "native_country": true,
		"ethnicGroup": true, "Staatsangehörigkeit": true, "width": false, "essex_road": false, "origins": false} {
		a := table.Attribute{Name: heading, Kind: table.Categorical, Labels: []string{"a", "b"}}
		if got := profile.Protected(&a); got != want {
			t.Errorf("%s: %v", heading, got)
		}
	}
	a := table.Attribute{Name: "v7", Kind: table.Categorical, Labels: []string{"Mann", "Frau"}}
	if !profile.Protected(&a) {
		t.Error("two sexes are not seen by their values")
	}
	tab := origins("width", 40, 40)
	same := &measure.Release{Original: tab, Released: tab}
	if _, err := prediction.GroupWorth.New().Measure(t.Context(), same, rng.Source{}); err == nil {
		t.Error("a column without a role, whose heading says nothing, is a grouping")
	}
	if _, g := take(t, tab, tab, "width"); len(g) != 2 {
		t.Errorf("a named column gives %+v", g)
	}
	for _, name := range []string{"height", "x"} {
		m := prediction.GroupWorth.New().(*prediction.GroupWorthMeter)
		m.Columns, m.Least = []string{name}, 50
		_, err := m.Measure(t.Context(), &measure.Release{Original: tab, Released: tab}, rng.Source{})
		if err == nil || !strings.Contains(err.Error(), "parameter groups") || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A sex that is coded as numbers divides people too.
func TestNumbersAreGroups(t *testing.T) {
	original := people(200)
	v := make([]float64, 200)
	for i, c := range original.Cat(0) {
		v[i] = float64(1 + c)
	}
	sex := table.NumColumn("sex", 1, v)
	tab := tabletest.Must(sex, original.Column(1))
	if _, g := take(t, tab, tab); len(g) != 2 || g[0].Group != "1" || g[1].Group != "2" || g[0].AccuracyOriginal != nil {
		t.Errorf("groups %+v", g)
	}
	noisy := slices.Clone(v)
	for k := range 20 {
		noisy[k] = 1.5 + float64(k)/100 // which are neither sex, and no further ones
	}
	ones, twos := 0, 0
	for _, x := range noisy {
		switch x {
		case 1:
			ones++
		case 2:
			twos++
		}
	}
	if _, g := take(t, tab, tab.WithNum(0, noisy)); len(g) != 2 || g[0].Released != float64(ones)/float64(ones+twos) {
		t.Errorf("groups of a noisy release %+v", g)
	}
}
