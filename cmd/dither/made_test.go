package main

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// kinds are tables of kinds that users were served badly with, as generators of one record each: its number, and a
// source of its values. The first is the header.
var kinds = map[string]struct {
	header string
	record func(i int, r *rand.Rand) []any
}{
	// nothing follows from anything
	"independent": {"age,sex,town,dx", func(_ int, r *rand.Rand) []any {
		return []any{20 + r.IntN(70), "fm"[r.IntN(2)], "ABCDEF"[r.IntN(6)], "xxxyyz"[r.IntN(6)]}
	}},
	// values that nobody else has
	"laboratory": {"age,sex,lab0,lab1,lab2,lab3,lab4,lab5,group", func(_ int, r *rand.Rand) []any {
		out := []any{20 + r.IntN(70), []string{"f", "m"}[r.IntN(2)]}
		for k := range 6 {
			out = append(out, fmt.Sprintf("%.4f", 8+2*float64(k)+1.5*r.NormFloat64()))
		}
		return append(out, []string{"control", "treated"}[r.IntN(2)])
	}},
	// what somebody does follows from their age
	"occupations": {"agecat,gender,occupation,income", func(_ int, r *rand.Rand) []any {
		k := r.IntN(3)
		does := [][]string{{"student", "intern"}, {"employee", "jobless", "self"}, {"parttime", "retired"}}[k]
		return []any{[]string{"18-24", "25-59", "60-70"}[k], []string{"F", "M"}[r.IntN(2)], does[r.IntN(len(does))],
			1000 * (10 + r.IntN(60))}
	}},
	// people with a number
	"patients": {"patient_id,age,sex,bmi,glucose,readmitted", func(i int, r *rand.Rand) []any {
		return []any{fmt.Sprintf("P%06d", 1000+i), 20 + r.IntN(70), []string{"female", "male"}[r.IntN(2)],
			18 + float64(r.IntN(200))/10, 70 + r.IntN(120), []string{"no", "yes"}[r.IntN(2)]}
	}},
	// one of 41 alone
	"alone": {"sex,region,dx", func(i int, r *rand.Rand) []any {
		sex, region := []string{"f", "m"}[i%2], []string{"north", "south"}[i/2%2]
		if i == 40 {
			sex, region = "x", "west"
		}
		return []any{sex, region, "abcd"[r.IntN(4)]}
	}},
	// two visits of each person, who has a code, and often a namesake
	"visits": {"client,name,born,sex,origin,score,group", func(i int, r *rand.Rand) []any {
		own := rand.New(rand.NewPCG(uint64(i/2), 2))
		return []any{fmt.Sprintf("P%05d", 1+i/2), "Person " + strconv.Itoa(own.IntN(200)), 1930 + own.IntN(70),
			"fm"[own.IntN(2)], "ABCDEF"[own.IntN(6)], r.IntN(50), "yn"[r.IntN(2)]}
	}},
	// nobody is a female husband; a degree has a number, a town a postcode, a child an age, and a gross income its parts
	"families": {"age,sex,role,degree,degree_num,postcode,town,children,youngest,net,tax,gross,smokes",
		func(_ int, r *rand.Rand) []any {
			sex := r.IntN(2)
			role := []string{"single", "own child", []string{"wife", "husband"}[sex]}[r.IntN(3)]
			degree, town, children, youngest := r.IntN(5), r.IntN(30), r.IntN(4), ""
			if children > 0 {
				youngest = strconv.Itoa(r.IntN(18))
			}
			net := 100 * (3 + r.IntN(37))
			tax := net / (5 - 2*(net/2000))
			return []any{18 + r.IntN(60), "fm"[sex], role, []string{"none", "school", "college", "bachelor", "master"}[degree],
				degree + 9, 1010 + 10*town, "Town " + strconv.Itoa(town/2), children, youngest, net, tax, net + tax,
				"yn"[r.IntN(2)]}
		}},
	// households of three, with a weight of each under a name that may be another
	"hogares": {"folio,entidad,ingreso,factor_exp,edad,sexo", func(i int, r *rand.Rand) []any {
		own := rand.New(rand.NewPCG(uint64(i/3), 9))
		return []any{fmt.Sprintf("F%05d", 3*(i/3)), "region " + strconv.Itoa(own.IntN(5)), 100 * (30 + own.IntN(800)),
			fmt.Sprintf("%.2f", 80+300*own.Float64()), r.IntN(80), []string{"Hombre", "Mujer"}[r.IntN(2)]}
	}},
	// a salary and a diagnosis of each
	"salaries": {"age,sex,salary,dx", func(i int, r *rand.Rand) []any {
		return []any{30 + i%40, []string{"f", "m"}[i%2], 1000 * (4 + r.IntN(30)), []string{"hiv", "flu", "asthma"}[i%3]}
	}},
}

// made writes a table of a kind: made KIND FILE RECORDS SEED.
func made(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 || kinds[args[0]].record == nil {
		ts.Fatalf("usage: made KIND FILE RECORDS SEED")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	seed, err := strconv.ParseUint(args[3], 10, 64)
	ts.Check(err)
	r, kind := rand.New(rand.NewPCG(seed, 1)), kinds[args[0]]
	var b strings.Builder
	fmt.Fprintln(&b, kind.header)
	for i := range n {
		for k, v := range kind.record(i, r) {
			if c, ok := v.(byte); ok {
				v = string(c)
			}
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, v)
		}
		b.WriteByte('\n')
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o644))
}

// told plays somebody who counts, for each person, how many of their values of the columns lab* stand anywhere in the
// same column of a release, and takes those for its people who have more than nearly all others: told MOST PEOPLE
// OTHERS RELEASE. It fails where more than a share MOST of the people are told so.
func told(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 4 {
		ts.Fatalf("usage: told MOST PEOPLE OTHERS RELEASE")
	}
	most, err := strconv.ParseFloat(args[0], 64)
	ts.Check(err)
	var tables [3][][]string
	for k, name := range args[1:] {
		f, err := os.Open(ts.MkAbs(name))
		ts.Check(err)
		tables[k], err = csv.NewReader(f).ReadAll()
		ts.Check(err)
		ts.Check(f.Close())
	}
	seen := map[string]bool{}
	for _, rec := range tables[2][1:] {
		for j, v := range rec {
			seen[tables[2][0][j]+"="+v] = true
		}
	}
	count := func(t [][]string) (out []int) {
		for _, rec := range t[1:] {
			n := 0
			for j, v := range rec {
				if strings.HasPrefix(t[0][j], "lab") && seen[t[0][j]+"="+v] {
					n++
				}
			}
			out = append(out, n)
		}
		return out
	}
	people, others := count(tables[0]), count(tables[1])
	slices.Sort(others)
	bar, n := others[len(others)*99/100], 0
	for _, c := range people {
		if c > bar {
			n++
		}
	}
	if share := float64(n) / float64(len(people)); (share > most) != neg {
		ts.Fatalf("%.3f of the people are told by their values", share)
	}
}
