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
	v := &visits{panel: make([][]float64, len(tests))}
	for range people {
		p := drawPerson(draw)
		for range rows {
			v.add(p, draw)
		}
	}
	return v.table()
}

// person is what is the same in all records of a person.
type person struct {
	name, born, home, gender string
	years                    int
	income                   float64
}

func drawPerson(draw *rand.Rand) *person {
	years := 18 + draw.IntN(72)
	initials := func() string { return fmt.Sprintf("-%c%c", 'A'+draw.IntN(26), 'a'+draw.IntN(26)) }
	return &person{
		years:  years,
		name:   oneOf(given, draw) + " " + oneOf(family, draw) + initials(),
		born:   fmt.Sprintf("%d-%02d-%02d", 2026-years, 1+draw.IntN(12), 1+draw.IntN(28)),
		home:   fmt.Sprintf("P%02d", 10+draw.IntN(60)),
		gender: oneOf([]string{"f", "m"}, draw),
		income: math.Round(900 + 60*float64(years) + 900*math.Exp(draw.NormFloat64())),
	}
}

// visits are the columns of the file.
type visits struct {
	names, birth, notes, postcode, sex, ward, readmitted words
	age, income                                          []float64
	panel                                                [][]float64 // by test
}

// add draws a record of a person.
func (v *visits) add(p *person, draw *rand.Rand) {
	v.names.add(p.name)
	v.birth.add(p.born)
	v.postcode.add(p.home)
	v.sex.add(p.gender)
	v.ward.add(oneOf(wards, draw))
	v.notes.add(fmt.Sprintf("%s called %s at 0%d %06d, wants a visit on day %d",
		oneOf(relatives, draw), oneOf(given, draw), 30+draw.IntN(60), draw.IntN(1e6), draw.IntN(31)))
	v.age, v.income = append(v.age, float64(p.years)), append(v.income, p.income)
	for e := range v.panel {
		v.panel[e] = append(v.panel[e], gap(draw, 20*float64(e+1)+4*draw.NormFloat64()))
	}
	again := "no"
	if p.years > 65 && draw.Float64() < 0.7 || draw.Float64() < 0.1 {
		again = "yes"
	}
	v.readmitted.add(again)
}

func (v *visits) table() *table.Table {
	columns := []table.Column{
		v.names.column("name"),
		v.birth.column("birth_date"),
		table.NumColumn("age", 1, v.age),
		v.sex.column("sex"),
		v.postcode.column("postcode"),
		v.ward.column("ward"),
		table.NumColumn("income", 1, v.income),
		v.notes.column("notes"),
		v.readmitted.column("readmitted"),
	}
	for e, values := range v.panel {
		columns = append(columns, table.NumColumn(tests[e], 0.1, values))
	}
	t, err := table.New(columns...)
	if err != nil {
		panic(err) // the columns are of one length
	}
	return t
}

var (
	given = []string{"Ada", "Bela", "Cem", "Dora", "Emil", "Fatma", "Georg", "Hanna", "Ivo", "Jana", "Kofi", "Lena",
		"Milan", "Nora", "Omar", "Petra"}
	family = []string{"Adler", "Berg", "Costa", "Demir", "Eder", "Fuchs", "Gruber", "Horvat", "Ilic", "Jung", "Kern",
		"Lang", "Maier", "Novak", "Ott", "Peters"}
	tests = []string{"creatinine", "sodium", "potassium", "ferritin", "albumin", "calcium", "glucose", "bilirubin",
		"urea", "lactate", "troponin", "crp", "hba1c", "tsh"}
	relatives = []string{"Daughter", "Son", "Wife", "Husband", "Neighbour", "Sister"}
	wards     = []string{"cardiology", "surgery", "oncology", "geriatrics"}
)

func oneOf(list []string, draw *rand.Rand) string { return list[draw.IntN(len(list))] }

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
