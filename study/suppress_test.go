package study

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

const secret = "her wife must not know of it"

// remarks is a column that mostly says none, of 100 records.
func remarks(name string, rare ...string) table.Column {
	labels, codes := append([]string{"none"}, rare...), make([]int32, 100)
	for k := range rare {
		codes[10*k+1] = int32(k + 1)
	}
	return table.CatColumn(name, labels, codes)
}

func nothingKept(string) bool { return false }

// labelled writes the values of a column of categories, by record.
func labelled(t *table.Table, j int) (out []string) {
	for _, v := range t.Cat(j) {
		if v < 0 {
			out = append(out, "")
		} else {
			out = append(out, t.Attr(j).Labels[v])
		}
	}
	return out
}

// What is told is taken out of every column value by value, and what stands there instead is a category only where the
// values are neither ordered nor declared.
func TestSuppress(t *testing.T) {
	plain, ordered, declared := remarks("plain", secret), remarks("ordered", secret), remarks("declared", secret)
	ordered.Ordered, declared.Declared = true, true
	other, kept, id := remarks("other", "OTHER", secret), remarks("kept", secret), remarks("id", secret)
	id.Role = table.Identifier
	whole := table.CatColumn("whole", []string{secret}, make([]int32, 100))
	for i := range whole.Cat {
		whole.Cat[i] = -int32(min(i, 1))
	}
	in := tabletest.Of(t, plain, ordered, declared, other, kept, id, whole)
	out, gone := Suppress(in, func(column string) bool { return column == "kept" }, 5)
	at := []int{1, 1, 1, 11}
	for j, want := range []string{"other", "", "", "OTHER"} {
		was, is := labelled(in, j), labelled(out, j)
		if is[at[j]] != want || slices.Contains(out.Attr(j).Labels, secret) {
			t.Errorf("%s: %q stands there; labels %q", in.Attr(j).Name, is[at[j]], out.Attr(j).Labels)
		}
		was[at[j]], is[at[j]] = "", ""
		if !slices.Equal(was, is) {
			t.Errorf("%s: other records changed", in.Attr(j).Name)
		}
	}
	for _, j := range []int{4, 5, 6} {
		if !slices.Equal(labelled(in, j), labelled(out, j)) {
			t.Errorf("%s changed", in.Attr(j).Name)
		}
	}
	var names []string
	for _, s := range gone {
		names = append(names, s.Column)
		if s.Values != 1 || s.Records != 1 || s.Whole != (s.Column == "whole") ||
			strings.Contains(s.Says().String(), secret) {
			t.Errorf("%+v: %v", s, s.Says())
		}
	}
	if want := []string{"plain", "ordered", "declared", "other", "whole"}; !slices.Equal(names, want) {
		t.Errorf("%q, not %q", names, want)
	}
	for column, want := range map[string]string{
		"plain": "other stands there", "ordered": "nothing stands there", "whole": "left out",
	} {
		s := gone[slices.Index(names, column)].Says().String()
		if !strings.Contains(s, want) || !strings.Contains(s, column) {
			t.Errorf("%s: %s", column, s)
		}
	}
	if again, more := Suppress(out.Select(0, 1, 2, 3), nothingKept, 5); more != nil || again.Width() != 4 {
		t.Errorf("suppressed twice: %+v", more)
	}
}

// Numbers of cards are left out as a column, and are found in a release that holds some, read as numbers or as texts.
func TestSuppressNumbersOfCards(t *testing.T) {
	nan := math.NaN()
	in := tabletest.Of(t, table.NumColumn("pay", 1, []float64{378282246310005, 371449635398431, nan, 378734493671000}))
	_, gone := Suppress(in, nothingKept, 5)
	if len(gone) != 1 || !gone[0].Whole || gone[0].Values != 3 || gone[0].Records != 3 {
		t.Fatalf("%+v", gone)
	}
	for _, c := range []struct {
		column table.Column
		want   int
	}{
		{table.NumColumn("pay", 1, []float64{1, 371449635398431, 371449635398431, nan}), 1},
		{table.NumColumn("pay", 0.5, []float64{1, 371449635398431.5, nan}), 0},
		{table.CatColumn("pay", []string{"378282246310005", "371449635398431", "1"}, []int32{0, 2, 2}), 1},
		{table.NumColumn("age", 1, []float64{371449635398431}), 0},
	} {
		if got := StillSuppressed(gone, tabletest.Of(t, c.column)); len(got) != c.want {
			t.Errorf("%s of kind %v: %v", c.column.Name, c.column.Kind, got)
		}
	}
	if _, gone := Suppress(in, func(string) bool { return true }, 5); gone != nil {
		t.Errorf("kept numbers are suppressed: %+v", gone)
	}
}

// A release that holds what was taken out is told, no matter who made it, and so is one with rare texts that the
// original lacks.
func TestStillSuppressed(t *testing.T) {
	in := tabletest.Of(t, remarks("remark", secret))
	out, gone := Suppress(in, nothingKept, 5)
	if got := StillSuppressed(gone, out); got != nil {
		t.Errorf("told of a release without them: %v", got)
	}
	if got := StillSuppressed(gone, in); len(got) != 1 || strings.Contains(got[0].Why.String(), secret) {
		t.Errorf("in the release: %v", got)
	}
	unused := remarks("remark", secret)
	unused.Cat = make([]int32, 100)
	if got := StillSuppressed(gone, tabletest.Of(t, unused)); got != nil {
		t.Errorf("a label that no record has: %v", got)
	}
	foreign := tabletest.Of(t, remarks("remark", "lost his job after the fire"))
	if got := stillRare(in, foreign); len(got) != 1 || got[0].Column != "remark" {
		t.Errorf("a text that the original lacks: %v", got)
	}
	if got := stillRare(in, in); got != nil {
		t.Errorf("one that the original kept: %v", got)
	}
}

// Where a plan or a hierarchy does not list what stands for the values, they are missing, and it is said so.
func TestUnlisted(t *testing.T) {
	out, gone := Suppress(tabletest.Of(t, remarks("a", secret), remarks("b", secret)), nothingKept, 5)
	schema := []table.Attribute{{Name: "a", Labels: []string{"none"}}, {Name: "b", Labels: []string{"none", "other"}}}
	got, said := Unlisted(out, gone, Schema(schema))
	a, b := labelled(got, 0)[1], labelled(got, 1)[1]
	if a != "" || b != "other" || said[0].By != "" || said[1].By != "other" {
		t.Errorf("%q and %q, said %+v", a, b, said)
	}
	if slices.Contains(got.Attr(0).Labels, "other") || !strings.Contains(said[0].Says().String(), "nothing stands there") {
		t.Errorf("%q, %v", got.Attr(0).Labels, said[0].Says())
	}
	if gone[0].By != "other" || labelled(out, 0)[1] != "other" {
		t.Error("what was given changed")
	}
	if same, _ := Unlisted(out, gone, Schema(nil)); same != out {
		t.Error("a schema without the columns changes them")
	}
}

// Rare categories are named by column and number, never by value, the first few of many columns.
func TestFindRare(t *testing.T) {
	id := remarks("id", "Wilson")
	id.Role = table.Identifier
	in := tabletest.Of(t, remarks("a", "Wilson", "Crohn"), id, remarks("kept", "Wilson"), remarks("full"),
		remarks("b", "Wilson"))
	got := FindRare(in, func(column string) bool { return column == "kept" }, 5)
	if want := []Rare{{"a", 2}, {"b", 1}}; !slices.Equal(got, want) {
		t.Fatalf("%v, not %v", got, want)
	}
	s := SaysRare(got, 7).String()
	for _, part := range []string{
		"by fewer than 7 each", "2 categories of column a; 1 category of column b;", "--hierarchy",
	} {
		if !strings.Contains(s, part) || strings.Contains(s, "Wilson") {
			t.Errorf("%q lacks %q", s, part)
		}
	}
	if !SaysRare(nil, 5).Empty() || FindRare(in, nothingKept, 1) != nil {
		t.Error("something is said where there is nothing")
	}
	many := SaysRare([]Rare{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}, {"f", 1}}, 5).String()
	if !strings.Contains(many, "column d; some of 2 more columns") || strings.Contains(many, "column e") {
		t.Error(many)
	}
	person := table.CatColumn("who", []string{"1", "2", "3", "4"}, make([]int32, 100))
	for i := range person.Cat {
		person.Cat[i] = int32(i / 25)
	}
	person.Role = table.Person
	if got := FindRare(tabletest.Of(t, person, remarks("full")), nothingKept, 5); !slices.Contains(got, Rare{"full", 1}) {
		t.Errorf("100 records of 4 people: %v", got)
	}
}

// Headings tell by their form, by the value of an identifier, and by what was taken out.
func TestTellingHeadings(t *testing.T) {
	id := remarks("who", "Peeva", "Ilze Mata")
	id.Role = table.Identifier
	in, gone := Suppress(tabletest.Of(t, id, remarks("remark", secret)), nothingKept, 5)
	var columns []table.Column
	for _, heading := range []string{
		"age", "score of Peeva", "peeva index", "Dr. Weiß", "visit_Ilze_Mata", "Her wife must not know of it!", "remark",
		"anna.k@example.org", "none", "total of none",
	} {
		columns = append(columns, table.NumColumn(heading, 1, []float64{1}))
	}
	var at []string
	for _, f := range TellingHeadings(in, gone, tabletest.Of(t, columns...)) {
		at = append(at, f.Column)
	}
	if want := []string{"2", "4", "5", "6", "8"}; !slices.Equal(at, want) {
		t.Errorf("headings %v, not %v", at, want)
	}
}
