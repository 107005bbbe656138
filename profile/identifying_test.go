package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/table"
)

// TestTells: what tells of a person is found by its values, and harmless columns that look a little like it are not.
func TestTells(t *testing.T) {
	const rows = 100
	texts := func(name string, text func(i int) string) table.Column {
		var labels []string
		codes := make([]int32, rows)
		for i := range rows {
			s := text(i)
			k := slices.Index(labels, s)
			if k < 0 {
				k, labels = len(labels), append(labels, s)
			}
			codes[i] = int32(k)
		}
		return table.CatColumn(name, labels, codes)
	}
	numbers := func(name string, step float64, value func(i int) float64) table.Column {
		v := make([]float64, rows)
		for i := range v {
			v[i] = value(i)
		}
		return table.NumColumn(name, step, v)
	}
	called := func(c table.Column) table.Column { // dates by its file
		c.Dated = true
		return c
	}
	word := func(i int) string { return string(rune('A'+i%26)) + string(rune('a'+i/26)) + "lem" }
	for _, c := range []struct {
		column table.Column
		want   string
	}{
		{texts("notes", func(i int) string { return fmt.Sprintf("came in with pain number %d and went home", i) }), "text"},
		{texts("remark", func(i int) string { return fmt.Sprintf("the usual course of the illness, kind %d", i%6) }), ""},
		{texts("icd", func(i int) string { return fmt.Sprintf("heart failure of the kind %d here", i%19) }), ""},
		{texts("contact", func(i int) string { return []string{"none", "call his sister 0171 5550123"}[i/99] }), "name"},
		{texts("reach", func(i int) string { return []string{"none", "a.b@example.org"}[i/99] }), "name"},
		{texts("us", func(i int) string { return []string{"none", "(212) 555-0123"}[i/99] }), "name"},
		{texts("x1", func(i int) string { return word(i) + ", Anna" }), "name"},
		{texts("town", func(i int) string { return []string{"New York", "Bad Ems", "Ulm"}[i%3] }), ""},
		{texts("surname", word), "name"},
		{texts("phone_calls", func(i int) string { return fmt.Sprint(i % 3) }), ""},
		{texts("birthdate", func(i int) string { return fmt.Sprintf("1990-03-%02d", 1+i%28) }), "date birth"},
		{texts("seen", func(i int) string { return fmt.Sprintf("2023-%02d-%02d", 1+i%3, 1+i%5) }), "date"},
		{texts("since", func(i int) string { return fmt.Sprintf("%d-05-01", 1980+i%40) }), "date birth"},
		{texts("event", func(i int) string { return fmt.Sprintf("2023-%02d-%02d", 1+i%12, 1+i/12) }), "date birth"},
		{numbers("dob", 1, func(i int) float64 { return float64(19800101 + i%28) }), "date birth"},
		{called(numbers("seen", 1, func(i int) float64 { return float64(1_900_000_000 + i%9) })), "date birth"},
		{called(texts("seen", func(i int) string { return []string{"1950-01-31", "unknown", "about 1950"}[i%3] })),
			"date birth"},
		{texts("seen", func(i int) string { return []string{"1950-01-31", "unknown", "about 1950"}[i%3] }), ""},
		{numbers("age", 1, func(i int) float64 { return float64(i) }), "age"},
		{numbers("age", 1, func(i int) float64 { return float64(i % 90) }), ""},
		{numbers("zip", 1, func(i int) float64 { return float64(10000 + i) }), "zip"},
		{numbers("lat", 0.00001, func(i int) float64 { return 54.1 + float64(i)/99999 }), "name"},
		{numbers("homeLongitude", 0, func(i int) float64 { return -10.1 - float64(i)/97 }), "name"},
		{numbers("lat", 0.01, func(i int) float64 { return 54.1 + float64(i)/100 }), ""},
		{numbers("lat", 0.001, func(i int) float64 { return 54.1 + float64(i%3)/1000 }), ""},
		{numbers("long", 0.001, func(i int) float64 { return 500 + float64(i)/1000 }), ""},
		{numbers("bilirubin", 0.001, func(i int) float64 { return float64(i) / 1000 }), ""},
		{texts("plz", func(i int) string { return fmt.Sprintf("89%d", i%10) }), ""},
		{numbers("glucose", 1, func(i int) float64 { return float64(80 + i) }), ""},
		{texts("interval", func(i int) string { return fmt.Sprintf("[%d, %d)", i%40, i%40+10) }), ""},
		{texts("x1", func(i int) string { return fmt.Sprintf("K%d", 7000+17*i) }), "name"},
		{texts("x1", func(i int) string { return strings.ToUpper(word(i) + ", Anna") }), "name"},
		{texts("x1", func(i int) string { return fmt.Sprintf("%d.%d.%d", 1+i%28, 1+i%12, 30+i%60) }), "date birth"},
		{texts("x1", func(i int) string { return fmt.Sprintf("%d March %d", 1+i%28, 1930+i%60) }), "date birth"},
		{texts("x1", func(i int) string { return fmt.Sprintf("%02d%02d%d", 1+i%28, 1+i%12, 1930+i%60) }), "date birth"},
		{numbers("x1", 1, func(i int) float64 { return float64((1930+i%60)*10000 + 101 + i%28) }), "date birth"},
		{numbers("x1", 1, func(i int) float64 { return float64(500000 + 13*i) }), "name"},
		{numbers("x1", 0.01, func(i int) float64 { return float64(i) / 100 }), ""},
		{numbers("income", 1, func(i int) float64 { return float64(20000 + 31*i) }), ""},
		{texts("code", func(i int) string { return fmt.Sprintf("A%02d.%d", i%30, i%3) }), ""},
	} {
		c.column.Domain = table.Everything()
		tab := must.Get(table.New(c.column))(t)
		found := must.Get(FindIdentifying(context.Background(), tab))(t)
		left := of(t, tab).Columns[0].Suggest.Role&table.Identifier != 0
		var kinds []string
		for _, f := range found {
			kinds = append(kinds, f.Kind)
			if !left && c.column.Kind == table.Categorical && (f.Kind == limit.Name || f.Kind == limit.Text) {
				t.Errorf("%s: a release with it is withheld (%s), and nobody is told to leave it out", c.column.Name, f.Why)
			}
			for _, l := range c.column.Labels {
				if len(l) > 3 && strings.Contains(f.Why.String(), l) {
					t.Errorf("%s: %q tells a value", c.column.Name, f.Why)
				}
			}
		}
		if got := strings.Join(kinds, " "); got != c.want {
			t.Errorf("%s: %q, want %q: %v", c.column.Name, got, c.want, found)
		}
	}
}
