package basket_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// Patterns are read in any way in which a custodian writes them, and written as they are read.
func TestPatterns(t *testing.T) {
	c := must.Get(basket.New(patients(t), basket.Options{Intervals: 2}))(t)
	list := must.Get(c.Patterns("# what was to be hidden\n\nsex=f, diagnoses=flu ; diagnoses=gout\r\n \"age < 40\" => " +
		"diagnoses=flu,sex=f\n"))(t)
	var texts []string
	for _, p := range list {
		texts = append(texts, c.Text(p))
		if all := p.Items(); !slices.IsSorted(all) || len(all) != len(p.If)+len(p.Then) || p.Rule() != (len(p.Then) > 0) {
			t.Errorf("%v has the items %v", p, all)
		}
	}
	if want := []string{"sex=f,diagnoses=flu", "diagnoses=gout", "age < 40=>sex=f,diagnoses=flu"}; !slices.Equal(texts,
		want) {
		t.Errorf("%q, want %q", texts, want)
	}
	again, err := c.Patterns(strings.Join(texts, "\n"))
	if err != nil || fmt.Sprint(again) != fmt.Sprint(list) {
		t.Errorf("%v from what Text writes, want %v; %v", again, list, err)
	}
}

// The names of items may hold what divides patterns.
func TestPatternsOfOddNames(t *testing.T) {
	labels := []string{"a,b", "c;d", `say "x"`, "=>e", "#f", "x=>y", "u @ 0.5"}
	tab := tabletest.Of(t,
		table.SetColumn("s", labels, table.SetsOf([][]int32{{0, 1, 2, 3, 4, 5, 6}, {0}}, [][]int32{{}, {}})))
	c := must.Get(basket.New(tab, basket.Options{}))(t)
	for k := range labels {
		for l := range labels {
			if k == l {
				continue
			}
			p := basket.Pattern{If: []int32{int32(k)}, Then: []int32{int32(l)}, At: []string{"", "0.25"}[k%2]}
			got, err := c.Patterns(c.Text(p))
			if err != nil || fmt.Sprint(got) != fmt.Sprint([]basket.Pattern{p}) {
				t.Errorf("%q is read as %v, want %v; %v", c.Text(p), got, p, err)
			}
		}
	}
}

// The columns of patterns are told without a table: each item is of one of them, however it is written.
func TestNamed(t *testing.T) {
	tab := patients(t)
	var columns []string
	for j := range tab.Width() {
		columns = append(columns, tab.Attr(j).Name)
	}
	c := must.Get(basket.New(tab, basket.Options{Intervals: 2}))(t)
	for k := range c.Items {
		for l := range c.Items {
			p := basket.Pattern{If: []int32{int32(k)}, Then: []int32{int32(l)}, At: []string{"", "0.25"}[k%2]}
			got := basket.Named("# a remark on sex=f\n"+c.Text(p)+"; ", columns)
			slices.Sort(got)
			want := []string{c.Column(int32(k)), c.Column(int32(l))}
			slices.Sort(want)
			if want = slices.Compact(want); !slices.Equal(got, want) {
				t.Fatalf("%s is of %q, want %q", c.Text(p), got, want)
			}
		}
	}
}

// Errors name the line, and no item: they are read by those who may not know the list.
func TestPatternsErrors(t *testing.T) {
	c := must.Get(basket.New(patients(t), basket.Options{Intervals: 2}))(t)
	for _, x := range []struct{ text, want string }{
		{"sex=f\nsex=x", "line 2: there is no such item"},
		{"sex=f\n\ndiagnoses=flue", "line 3: there is no such item, but one with a similar spelling"},
		{"sex=f,sex=f", "line 1: an item stands in it twice"},
		{"sex=f=>sex=f", "line 1: an item stands in it twice"},
		{"sex=f=>sex=m=>diagnoses=flu", "line 1: => stands in it twice"},
		{"sex=f=>", "line 1: expected items"},
		{"=>sex=f", "line 1: expected items"},
		{"sex=f,diagnoses=flu;diagnoses=flu,sex=f", "line 1: it stands there twice"},
	} {
		_, err := c.Patterns(x.text)
		if err == nil || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "sex=") ||
			strings.Contains(err.Error(), "flu") {
			t.Errorf("%q: %v, want %q", x.text, err, x.want)
		}
	}
}
