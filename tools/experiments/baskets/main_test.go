package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/noise/randomised"
	"github.com/dither-data/dither/table"
	"github.com/dither-data/dither/table/tabletest"
)

// MASK at gamma 19 has p = 0.561 for six attributes: the factors of twelve bits multiply to 19.
func TestMaskAt19(t *testing.T) {
	if got := math.Pow((randomised.Bits{One: maskAt19, Zero: maskAt19}).Gamma(), 12); math.Abs(got-19) > 1e-9 ||
		math.Abs(maskAt19-0.561) > 5e-4 {
		t.Errorf("p = %v has gamma %v", maskAt19, got)
	}
}

// A small page has every table, and what is found with little noise is what is frequent.
func TestPage(t *testing.T) {
	const n = 400
	sets := make([][]int32, n)
	a, b := make([]int32, n), make([]int32, n)
	for i := range sets {
		sets[i] = [][]int32{{0, 1, 2}, {0, 1}, {2}, {0, 3}}[i%4]
		a[i], b[i] = int32(i%2), int32(i%3)
	}
	baskets := tabletest.Must(table.SetColumn("items", []string{"p", "q", "r", "s"}, table.SetsOf(sets, nil)))
	people := tabletest.Must(table.CatColumn("a", []string{"1", "2"}, a), table.CatColumn("b", []string{"1", "2", "3"}, b))
	var out bytes.Buffer
	if err := page(t.Context(), &out, baskets, people, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| mask, p=0.9 | 1 | 4 |", "| cutandpaste, most=3, rho=0.494 |", "| frapp, gamma=19, " +
		"spread=0.5 | 2 | 6 |", "| warner, gamma 19 |", "| selectasize, gamma 19 |", "| pram, keep 0.8, 2 categories |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(out.String(), "{{") {
		t.Error("a mark is left")
	}
	e := experiment{baskets, 0.2, []release{{"mask", "p=0.999"}}}
	rows, err := e.run(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	for k, all := range []int{4, 4, 1} { // p q r s; pq pr qr ps; pqr
		if !strings.Contains(rows, fmt.Sprintf("| mask, p=0.999 | %d | %d |", k+1, all)) {
			t.Errorf("%d itemsets of %d items are lacking in %s", all, k+1, rows)
		}
	}
	if strings.Count(rows, "| 0.0 % | 0.0 % |") != 3 {
		t.Error(rows)
	}
}
