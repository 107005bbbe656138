package recordclusters

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

var _ mine.Clusterer = (*COREModel)(nil)
var _ mine.Described = (*COREModel)(nil)

func coreFit(t testing.TB, tab *table.Table, set map[string]string) *COREModel {
	t.Helper()
	l := CORE.New()
	must.NoError(t, l.Params().Apply(set))
	m := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{})))(t)
	return m.(*COREModel)
}

// TestGolden is figure 6.2: a1 is in records 1 and 3, b1 in 1, 3 and 4.
func TestGolden(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/core_corr.json"))(t)
	var cases []struct {
		Input struct {
			A []int `json:"records_a"`
			B []int `json:"records_b"`
		}
		Want struct{ Corr float64 } `json:"expected"`
	}
	must.NoError(t, json.Unmarshal(data, &cases))
	for _, c := range cases {
		both := 0
		for _, r := range c.Input.A {
			if slices.Contains(c.Input.B, r) {
				both++
			}
		}
		if got := Corr(float64(len(c.Input.A)), float64(len(c.Input.B)), float64(both)); got != c.Want.Corr {
			t.Errorf("correlation %v, expected %v", got, c.Want.Corr)
		}
	}
}

// TestCOREFigure63: a value that always comes with a frequent one has a correlation of 1/3 with it, and is repelled
// when delta is larger.
func TestCOREFigure63(t *testing.T) {
	if got := Corr(1, 3, 1); got != 1.0/3 {
		t.Errorf("correlation %v", got)
	}
	if got := Corr(0, 0, 0); got != 0 {
		t.Errorf("values that do not occur have correlation %v", got)
	}
}

// planted returns records of three groups, each with its own values, and how many of which attributes are those of
// another group.
func planted(rows, attributes, noise int) *table.Table {
	r := rand.New(rand.NewPCG(1, 2))
	cols := make([]table.Column, attributes)
	for j := range cols {
		codes := make([]int32, rows)
		for i := range codes {
			codes[i] = int32(2*(i%3) + r.IntN(2))
		}
		for i := range noise {
			codes[(7*i+j)%rows] = r.Int32N(6)
		}
		cols[j] = table.CatColumn(fmt.Sprint("a", j), []string{"p", "q", "r", "s", "t", "u"}, codes)
	}
	return tabletest.Must(cols...)
}

// TestPlanted: groups of records that share no values are the clusters, asked for or not.
func TestPlanted(t *testing.T) {
	tab := planted(600, 4, 0)
	m := coreFit(t, tab, nil)
	for i, c := range m.Labels() {
		if c != int32(i%3) {
			t.Fatalf("record %d of group %d is in cluster %d of %d", i, i%3, c, m.Clusters())
		}
	}
	if m := coreFit(t, tab, map[string]string{"clusters": "5"}); m.Clusters() != 5 {
		t.Errorf("%d clusters, expected 5", m.Clusters())
	}
	if m := coreFit(t, tab, map[string]string{"clusters": "2"}); m.Clusters() != 3 {
		t.Errorf("%d clusters, though the three groups repel each other", m.Clusters())
	}
	if m := coreFit(t, tab, map[string]string{"delta": "1"}); m.Clusters() != len(m.Kinds) {
		t.Errorf("%d clusters of %d kinds, though all values repel each other", m.Clusters(), len(m.Kinds))
	}
}

// TestAssign: on the table of the fit Assign gives Labels, in any order of the records, and after a trip through JSON.
func TestAssign(t *testing.T) {
	for _, missing := range []float64{0, 0.4} {
		tab := minetest.Mixed(700, missing)
		m := coreFit(t, tab, nil)
		text := must.Get(json.Marshal(m))(t)
		var back COREModel
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(&back, m) {
			t.Fatalf("through JSON the model differs: %v", err)
		}
		rows := make([]int, tab.Rows())
		for i := range rows {
			rows[i] = (i*37 + 5) % tab.Rows()
		}
		mixed := tab.Gather(rows)
		got := make([]int32, tab.Rows())
		back.Assign(mixed, got)
		for k, i := range rows {
			if got[k] != m.Labels()[i] {
				t.Fatalf("record %d is assigned to cluster %d, fitted in %d", i, got[k], m.Labels()[i])
			}
			if none := tab.MissingAt(i, 3) && tab.MissingAt(i, 5) && tab.MissingAt(i, 7); none != (got[k] < 0) {
				t.Fatalf("record %d is in cluster %d, without known values: %v", i, got[k], none)
			}
		}
		again := coreFit(t, mixed, nil)
		for k, i := range rows {
			if again.Labels()[k] != m.Labels()[i] {
				t.Fatal("another order of the records gives other clusters")
			}
		}
	}
}

// TestNewRecords: a record that was not fitted goes to the group most of its values are of; one of no group's values to
// none.
func TestNewRecords(t *testing.T) {
	m := coreFit(t, planted(600, 4, 0), map[string]string{"delta": "0.1"})
	labels := []string{"p", "q", "r", "s", "t", "u", "nothing like it"}
	var cols []table.Column
	for j, codes := range [][]int32{{0, 2, 5, 6, -1, 0}, {0, 3, 5, 6, -1, 6}, {2, 2, 4, 6, -1, 1}, {1, 0, -1, 6, -1, 1}} {
		cols = append(cols, table.CatColumn(fmt.Sprint("a", j), labels, codes))
	}
	tab := tabletest.Of(t, cols...)
	got := make([]int32, tab.Rows())
	m.Assign(tab, got)
	if want := []int32{0, 1, 2, -1, -1, 0}; !slices.Equal(got, want) {
		t.Errorf("clusters %v, expected %v", got, want)
	}
}

func TestText(t *testing.T) {
	text := coreFit(t, planted(600, 4, 0), nil).Text()
	if !strings.Contains(text, "3 clusters of 600 records") || !strings.Contains(text, "cluster 0, 200 records: a0 ") {
		t.Errorf("the text is\n%s", text)
	}
	text = coreFit(t, minetest.Mixed(700, 0), map[string]string{"delta": "1"}).Text()
	if !strings.Contains(text, "smaller clusters") {
		t.Errorf("the text is\n%s", text)
	}
	for _, l := range strings.Split(text, "\n") {
		if n := len([]rune(l)); n > 160 {
			t.Errorf("a line of %d characters", n)
		}
	}
}

// TestOneCluster: one cluster of different records is no finding, and the text says what to do; clusters= does it.
func TestOneCluster(t *testing.T) {
	tab := planted(600, 4, 0)
	const hint = "no split found"
	one := coreFit(t, tab.Slice(0, 1), nil)
	if one.Clusters() != 1 || strings.Contains(one.Text(), hint) {
		t.Errorf("of equal records the text is\n%s", one.Text())
	}
	loose := map[string]string{"delta": "1e-9"}
	half := tab.Gather([]int{0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30})
	if m := coreFit(t, half, loose); m.Clusters() != 1 || !strings.Contains(m.Text(), hint) {
		t.Errorf("the text is\n%s", m.Text())
	}
	loose["clusters"] = "2"
	if m := coreFit(t, half, loose); m.Clusters() != 2 || strings.Contains(m.Text(), hint) {
		t.Errorf("the text is\n%s", m.Text())
	}
}

func TestRefusals(t *testing.T) {
	tab := minetest.Mixed(50, 0)
	for _, c := range []struct {
		set  map[string]string
		want string
	}{
		{map[string]string{"attributes": "nothing"}, `no column "nothing"`},
		{map[string]string{"attributes": "age"}, "expected categorical"},
		{map[string]string{"attributes": "job,job"}, "twice"},
		{map[string]string{"maxRecords": "10"}, "more than maxRecords 10"},
		{map[string]string{"maxValues": "10"}, "more than maxValues 10"},
	} {
		l := CORENew()
		must.NoError(t, l.Params().Apply(c.set))
		if _, err := l.Fit(context.Background(), tab, rng.New([32]byte{})); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v", c.set, err)
		}
	}
	if _, err := CORENew().Fit(context.Background(), tab.Select(1, 2), rng.New([32]byte{})); err == nil {
		t.Error("a table of numbers is clustered")
	}
}
