package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dither-data/dither/table"
)

// hospital makes the kind of file that a hospital exports: an identity number, names, birth dates, free text with
// telephone numbers, a clinical panel with gaps, a sorted income and several rows of one person. Nobody in it exists.
// Records of one person follow each other, so many each.
func hospital(people, rows int, draw *rand.Rand) *table.Table {
	n := people * rows
	names, birth, notes, postcode, sex, ward := &words{}, &words{}, &words{}, &words{}, &words{}, &words{}
	age, income := make([]float64, n), make([]float64, n)
	panel := make([][]float64, len(tests))
	for k := range panel {
		panel[k] = make([]float64, n)
	}
	readmitted := &words{}
	for p := range people {
		years := 18 + draw.IntN(72)
		name := given[draw.IntN(len(given))] + " " + family[draw.IntN(len(family))] + fmt.Sprintf(
			"-%c%c",
			'A'+draw.IntN(26),
			'a'+draw.IntN(26),
		)
		born := fmt.Sprintf("%d-%02d-%02d", 2026-years, 1+draw.IntN(12), 1+draw.IntN(28))
		home := fmt.Sprintf("P%02d", 10+draw.IntN(60))
		gender := []string{"f", "m"}[draw.IntN(2)]
		earns := math.Round(900 + 60*float64(years) + 900*math.Exp(draw.NormFloat64()))
		for k := range rows {
			i := p*rows + k
			names.add(name)
			birth.add(born)
			postcode.add(home)
			sex.add(gender)
			ward.add([]string{"cardiology", "surgery", "oncology", "geriatrics"}[draw.IntN(4)])
			notes.add(
				fmt.Sprintf(
					"%s called %s at 0%d %06d, wants a visit on day %d",
					relatives[draw.IntN(len(relatives))],
					given[draw.IntN(len(given))],
					30+draw.IntN(60),
					draw.IntN(1e6),
					draw.IntN(31),
				),
			)
			age[i], income[i] = float64(years), earns
			for e := range panel {
				panel[e][i] = gap(draw, 20*float64(e+1)+4*draw.NormFloat64())
			}
			again := "no"
			if years > 65 && draw.Float64() < 0.7 || draw.Float64() < 0.1 {
				again = "yes"
			}
			readmitted.add(again)
		}
	}
	columns := []table.Column{
		names.column("name"),
		birth.column("birth_date"),
		table.NumColumn("age", 1, age),
		sex.column("sex"),
		postcode.column("postcode"),
		ward.column("ward"),
		table.NumColumn("income", 1, income),
		notes.column("notes"),
		readmitted.column("readmitted"),
	}
	for e, values := range panel {
		columns = append(columns, table.NumColumn(tests[e], 0.1, values))
	}
	t, err := table.New(columns...)
	if err != nil {
		panic(err) // the columns are of one length
	}
	return t
}

var (
	given = []string{
		"Ada",
		"Bela",
		"Cem",
		"Dora",
		"Emil",
		"Fatma",
		"Georg",
		"Hanna",
		"Ivo",
		"Jana",
		"Kofi",
		"Lena",
		"Milan",
		"Nora",
		"Omar",
		"Petra",
	}
	family = []string{
		"Adler",
		"Berg",
		"Costa",
		"Demir",
		"Eder",
		"Fuchs",
		"Gruber",
		"Horvat",
		"Ilic",
		"Jung",
		"Kern",
		"Lang",
		"Maier",
		"Novak",
		"Ott",
		"Peters",
	}
	tests = []string{
		"creatinine",
		"sodium",
		"potassium",
		"ferritin",
		"albumin",
		"calcium",
		"glucose",
		"bilirubin",
		"urea",
		"lactate",
		"troponin",
		"crp",
		"hba1c",
		"tsh",
	}
	relatives = []string{"Daughter", "Son", "Wife", "Husband", "Neighbour", "Sister"}
)

// words collects a column of categories.
type words struct {
	labels []string
	codes  []int32
	at     map[string]int32
}

func (w *words) add(s string) {
	if w.at == nil {
		w.at = map[string]int32{}
	}
	code, known := w.at[s]
	if !known {
		code = int32(len(w.labels))
		w.at[s], w.labels = code, append(w.labels, s)
	}
	w.codes = append(w.codes, code)
}

func (w *words) column(name string) table.Column { return table.CatColumn(name, w.labels, w.codes) }

// gap returns the value with one decimal, and two times of five nothing.
func gap(draw *rand.Rand, v float64) float64 {
	if draw.Float64() < 0.4 {
		return math.NaN()
	}
	return math.Round(v*10) / 10
}
