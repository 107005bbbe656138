package detective

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/generate"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/mine/kmeans"
	"github.com/dither-data/dither/mine/minetest"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// fit fits a learner with parameters to a table.
func fit(t testing.TB, tab *table.Table, set map[string]string) *EXDETECTIVEModel {
	t.Helper()
	l := EXDETECTIVE.New()
	must.NoError(t, l.Params().Apply(set))
	m := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{})))(t)
	return m.(*EXDETECTIVEModel)
}

// TestEXDETECTIVEGolden is the example of section 6.4.7: ten records, first by A and B, then by A, B and C.
func TestEXDETECTIVEGolden(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/ex_detective.json"))(t)
	var cases []struct {
		Name  string
		Input struct{ Partitions [][][]int }
		Want  [][]int `json:"expected"`
	}
	must.NoError(t, json.Unmarshal(data, &cases))
	for _, c := range cases {
		partitions := make([][]int32, len(c.Input.Partitions))
		for k, leaves := range c.Input.Partitions {
			partitions[k] = make([]int32, 10)
			for l, records := range leaves {
				for _, r := range records {
					partitions[k][r-1] = int32(l)
				}
			}
		}
		labels, n := Intersect(partitions, 2)
		got := make([][]int, n)
		for i, l := range labels {
			if l >= 0 {
				got[l] = append(got[l], i+1)
			}
		}
		if !reflect.DeepEqual(got, c.Want) {
			t.Errorf("%s: %v, expected %v", c.Name, got, c.Want)
		}
	}
}

// TestAssign: on the table of the fit Assign gives Labels, in any order of the records and in any chunk, also after a
// trip through JSON; and two records are together exactly when no tree tells them apart.
func TestAssign(t *testing.T) {
	for _, missing := range []float64{0, 0.2} {
		tab := minetest.Mixed(700, missing)
		m := fit(t, tab, map[string]string{"minLeaf": "10", "weights": "town=0.5"})
		text := must.Get(json.Marshal(m))(t)
		var back EXDETECTIVEModel
		must.NoError(t, json.Unmarshal(text, &back))
		if again, _ := json.Marshal(&back); string(again) != string(text) {
			t.Error("a second trip through JSON differs")
		}
		rows := make([]int, tab.Rows())
		for i := range rows {
			rows[i] = (i*37 + 5) % tab.Rows()
		}
		for _, m := range []*EXDETECTIVEModel{m, &back} {
			got := make([]int32, tab.Rows())
			m.Assign(tab, got)
			if !slices.Equal(got, m.Labels()) {
				t.Error("on the table of the fit Assign does not give Labels")
			}
			m.Assign(tab.Gather(rows), got)
			for k, i := range rows {
				if got[k] != m.Labels()[i] {
					t.Fatalf("record %d is in cluster %d in another order, else in %d", i, got[k], m.Labels()[i])
				}
			}
		}
		if back.Text() != m.Text() || back.Clusters() != m.Clusters() {
			t.Error("the model that went through JSON says something else")
		}
	}
}

// TestClustersAreIntersections compares the clusters with pairs of records, tree by tree.
func TestClustersAreIntersections(t *testing.T) {
	tab := minetest.Mixed(150, 0.1)
	m := fit(t, tab, map[string]string{"attributes": "job,class", "minLeaf": "8", "noPrune": "true", "minRecords": "3"})
	leaf := make([][]int32, len(m.Attributes))
	for k, a := range m.Attributes {
		leaf[k] = make([]int32, tab.Rows())
		a.Tree.Route(tab, leaf[k])
	}
	if m.Clusters() < 3 {
		t.Fatalf("%d clusters test little", m.Clusters())
	}
	for i := range tab.Rows() {
		together := 0
		for j := range tab.Rows() {
			same := leaf[0][i] == leaf[0][j] && leaf[1][i] == leaf[1][j]
			if same {
				together++
			}
			if l := m.Labels(); l[i] >= 0 && l[j] >= 0 && (l[i] == l[j]) != same {
				t.Fatalf("records %d and %d: in one intersection %v, clusters %d and %d", i, j, same, l[i], l[j])
			}
		}
		if c := m.Labels()[i]; (c >= 0) != (together >= 3) || c >= 0 && m.Intersections[c].Records != together {
			t.Fatalf("record %d of an intersection of %d is in cluster %d", i, together, c)
		}
	}
}

// TestUncorrelated: on Customer Status the two attributes of thirty values that mean nothing have trees that divide
// next to nothing, or get weight 0, and then change nothing.
func TestUncorrelated(t *testing.T) {
	tab := generate.CS(399, rng.New([32]byte{1}))
	ignored := fit(t, tab, map[string]string{"weights": "Parents' Country=0, Favorite City = 0"})
	without := fit(t, tab, map[string]string{"attributes": "Country of Origin,Profession,Car Make,Status"})
	if !slices.Equal(ignored.Labels(), without.Labels()) {
		t.Error("attributes of weight 0 change the clusters")
	}
	for _, a := range ignored.Attributes {
		if zero := a.Weight == 0; zero != (len(a.Tree.Nodes) == 1) {
			t.Errorf("%s: weight %v, %d nodes", a.Name, a.Weight, len(a.Tree.Nodes))
		}
	}
	if n := without.Clusters(); n < 4 {
		t.Errorf("%d clusters by four related attributes", n)
	}
}

func TestText(t *testing.T) {
	text := fit(t, minetest.Mixed(700, 0),
		map[string]string{"minLeaf": "2", "noPrune": "true", "weights": "town=0"}).Text()
	for _, want := range []string{"clusters with", "by town: weight 0, a tree of 1 leaves", "cluster ",
		"smaller clusters"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	for _, l := range strings.Split(text, "\n") {
		if n := len([]rune(l)); n > 160 {
			t.Errorf("a line of %d characters", n)
		}
	}
	one := fit(t, minetest.Mixed(100, 0), map[string]string{"attributes": "job", "weights": "job=0"})
	if one.Clusters() != 1 || !strings.Contains(one.Text(), "cluster 0, 100 records: everywhere") {
		t.Errorf("a tree of one leaf: %s", one.Text())
	}
}

func TestEXDETECTIVERefusals(t *testing.T) {
	tab := minetest.Mixed(50, 0)
	for _, c := range []struct {
		name, value, want string
	}{
		{"attributes", "nothing", `no column "nothing"`},
		{"attributes", "age", "expected categorical"},
		{"weights", "job", "column=weight"},
		{"weights", "job=2", "from 0 to 1"},
		{"weights", "job=NaN", "from 0 to 1"},
		{"weights", "job=", "from 0 to 1"},
		{"weights", "age=0.5", "none of those"},
	} {
		l := EXDETECTIVE.New()
		must.NoError(t, l.Params().Apply(map[string]string{c.name: c.value}))
		if _, err := l.Fit(context.Background(), tab, rng.New([32]byte{})); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: error %v", c.name, c.value, err)
		}
	}
	if _, err := New().Fit(context.Background(), tab.Select(1, 2), rng.New([32]byte{})); err == nil {
		t.Error("a table of numbers is clustered")
	}
}

// halves is a miner of two clusters, the lower and the upper half of the records, and of an outlier, the first.
type halves struct{ least int }

func (h halves) Params() param.Set { return nil }
func (h halves) Fit(_ context.Context, t *table.Table, _ rng.Source) (mine.Model, error) {
	if t.Rows() < h.least {
		return nil, errors.New("too few records")
	}
	if t.Width() != 2 || t.Attr(0).Kind != table.Numeric {
		return "no clusters", nil
	}
	l := make([]int32, t.Rows())
	for i := range l {
		l[i] = int32(2 * i / len(l))
	}
	l[0] = -1
	return halved{l}, nil
}

type halved struct{ labels []int32 }

func (h halved) Clusters() int                { return 2 }
func (h halved) Labels() []int32              { return h.labels }
func (h halved) Assign(*table.Table, []int32) {}

// TestDivide is figure 6.8: another technique divides every cluster by its numbers.
func TestDivide(t *testing.T) {
	tab := minetest.Mixed(300, 0)
	m := fit(t, tab, map[string]string{"attributes": "class,job", "minLeaf": "10"})
	const least = 4
	d := must.Get(m.Divide(context.Background(), tab, halves{least}, []int{1, 2}, rng.New([32]byte{})))(t)
	next, whole := 0, 0
	for c, x := range m.Intersections {
		k := 0
		for i, old := range m.Labels() {
			if old != int32(c) {
				continue
			}
			want := int32(next)
			switch {
			case x.Records >= least && k == 0:
				want = -1
			case x.Records >= least:
				want += int32(2 * k / x.Records)
			}
			if d.Labels[i] != want {
				t.Fatalf("record %d of cluster %d is in %d, expected %d", i, c, d.Labels[i], want)
			}
			k++
		}
		next++
		if x.Records >= least {
			next++
		} else {
			whole++
		}
	}
	if d.Clusters != next || d.Whole != whole || next < 4 {
		t.Errorf("%d clusters, %d whole, expected %d and %d", d.Clusters, d.Whole, next, whole)
	}
	if _, err := m.Divide(context.Background(), tab, halves{}, []int{1}, rng.New([32]byte{})); err == nil {
		t.Error("a model that clusters no records divides")
	}
	if _, err := m.Divide(context.Background(), tab.Slice(0, 10), halves{}, []int{1, 2}, rng.New([32]byte{})); err == nil {
		t.Error("another table is divided")
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := m.Divide(ctx, tab, halves{1 << 30}, []int{1, 2}, rng.New([32]byte{})); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled division: %v", err)
	}
}

// TestLastStep: the last step by parameters is that of Divide with the same miner, and other records get the clusters
// of those they are like.
func TestLastStep(t *testing.T) {
	mine.Register(func() []mine.Miner { return []mine.Miner{kmeans.Miner} })
	tab := minetest.Mixed(300, 0)
	m := fit(t, tab, map[string]string{"attributes": "class,job", "minLeaf": "10", "divideBy": "kmeans",
		"divide": "k=2, restarts=1"})
	d := m.Divided
	if d == nil || d.By != "kmeans" || d.Clusters != 2*len(m.Intersections)-d.Whole || m.Clusters() != d.Clusters ||
		len(d.Columns) == 0 || int(d.From[len(m.Intersections)]) != d.Clusters {
		t.Fatalf("%+v", d)
	}
	for i, c := range m.Labels() {
		if of := m.Members[i]; c >= 0 && (c < d.From[of] || c >= d.From[of+1]) {
			t.Fatalf("record %d of cluster %d is in cluster %d", i, of, c)
		}
	}
	got := make([]int32, tab.Rows())
	m.Assign(tab, got)
	if !slices.Equal(got, m.Labels()) {
		t.Error("the records have other clusters than when they were clustered")
	}
	for _, want := range []string{"divided by kmeans on " + strings.Join(d.Columns, ", "), "clusters 0 to 1, "} {
		if !strings.Contains(m.Text(), want) {
			t.Errorf("%q is not in the text:\n%s", want, m.Text())
		}
	}
	for want, set := range map[string]map[string]string{
		`"divide": it sets parameters of`:  {"divide": "k=2"},
		`"divide": kmeans: `:               {"divideBy": "kmeans", "divide": "clusters=2"},
		`"divide": "k" is not of the form`: {"divideBy": "kmeans", "divide": "k"},
	} {
		l := New()
		must.NoError(t, l.Params().Apply(set))
		_, err := l.Fit(context.Background(), tab, rng.New([32]byte{1}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	l := New()
	l.DivideBy = "kmeans"
	none := tabletest.Of(t, table.CatColumn("a", []string{"x", "y"}, []int32{0, 1, 0, 1}))
	if _, err := l.Fit(context.Background(), none, rng.New([32]byte{1})); err == nil ||
		!strings.Contains(err.Error(), "no numeric column") {
		t.Errorf("no numbers: %v", err)
	}
}

// TestManyValues: a tree whose class has as many values as there are records counts all of them in every node, so such
// a column is an input only, unless it is asked for; then it is an error. What is left out does not depend on whether
// the list of names is nil or empty.
func TestManyValues(t *testing.T) {
	const n = 1000
	labels, many, few, none := make([]string, n), make([]int32, n), make([]int32, n), make([]int32, n)
	for i := range n {
		labels[i], many[i], few[i], none[i] = strconv.Itoa(i), int32(i), int32(i%2), -1
	}
	tab := tabletest.Of(t, table.CatColumn("many", labels, many), table.CatColumn("few", labels[:2], few),
		table.CatColumn("none", labels[:2], none))
	for _, names := range [][]string{nil, {}} {
		l := New()
		l.Attributes = names
		got := must.Get(l.Fit(context.Background(), tab, rng.New([32]byte{})))(t)
		m := got.(*EXDETECTIVEModel)
		if len(m.Attributes) != 1 || m.Attributes[0].Name != "few" ||
			!strings.Contains(m.Text(), `note: column "many" has 1000 values`) {
			t.Errorf("attributes %+v, text\n%s", m.Attributes, m.Text())
		}
	}
	l := New()
	l.Attributes = []string{"many", "few"}
	if _, err := l.Fit(context.Background(), tab, rng.New([32]byte{})); err == nil ||
		!strings.Contains(err.Error(), "maxValues 200") {
		t.Errorf("a column of many values by name: %v", err)
	}
	if len(fit(t, tab, map[string]string{"attributes": "many", "maxValues": "1000"}).Attributes) != 1 {
		t.Error("a larger limit does not take the column")
	}
}
