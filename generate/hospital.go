package generate

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var hospitalExport = Generator{
	Card: card.Card{
		Name:  "hospital-export",
		Title: "Hospital export",
		Summary: "The stays of generator patients as exported from a spreadsheet, with typical faults: names, " +
			"dates of birth, notes with telephone numbers, several stays per person, codes for missing values, " +
			"variant spellings, repeated lines, empty columns; a CSV file in Windows-1252.",
		Paper:   "invented for this program; no record is of a person",
		Missing: "999 means an unknown age in 3 per cent of the records; others are empty cells and n/a",
		Cost:    "O(rows)",
	},
	Rows:   3000,
	New:    func() Maker { return fixed(HospitalExport) },
	Export: export,
}

// The words of the export; the columns are German, as its letters beyond ASCII are.
var (
	firstNames = [][]string{
		{"Anna", "Jürgen", "Käthe", "Marie", "Petra", "Ursula"},
		{"Björn", "Hans", "Jörg", "Karl", "Peter", "Uwe"},
	}
	lastNames = []string{"Bauer", "Fischer", "Groß", "Jäger", "Köhler", "Müller", "Schäfer", "Schmidt", "Vogel", "Weiß"}
	wards     = []string{"Innere", "Kardiologie", "Chirurgie"}
	sexWords  = [][]string{{"w", "W", "weiblich"}, {"m", "M", "männlich"}}
	regions   = []string{"010", "011", "041", "042", "091"} // postcodes begin so
	notes     = []string{"Tochter ruft an unter %s", "bitte Rückruf bei Sohn %s", "Hausarzt erreichbar %s",
		"kommt mit dem Taxi nach Hause", "Befund folgt in der nächsten Woche"}
)

// hospitalDraws are the blocks of a stay besides those of a patient.
var hospitalDraws = []string{"names", "births", "texts", "traps", "codes", "stays"}

// perPerson is how many stays on average one person has, nearly.
const perPerson = 1.25

// HospitalExport returns the export as a table of texts, as its cells are written. A person has one stay or two, and
// what is the person's is the same in both: number, name, birth, sex and postcode. One record in a hundred repeats the
// one before.
func HospitalExport(rows int, src rng.Source) *table.Table {
	names := []string{"Patient", "Name", "Geburtsdatum", "Alter", "Geschlecht", "PLZ", "Station", "Aufnahme", "Diagnose",
		"BMI", "Glukose", "Tage", "Notiz", "Wiederaufnahme"}
	cells := make([][]string, len(names))
	for k := range cells {
		cells[k] = make([]string, rows)
	}
	draws := append(append([]string{}, patientDraws...), hospitalDraws...)
	drawn := make([][]rng.Block, rows)
	each(rows, src, draws, func(i int, b []rng.Block) { drawn[i] = append([]rng.Block{}, b...) })
	var record []string
	for i, b := range drawn {
		if i%100 != 50 {
			who := int(math.Floor(float64(i) / perPerson)) // two records in five are one person's
			first := int(math.Ceil(float64(who) * perPerson))
			record = stay(who, b, drawn[first])
		}
		for k, v := range record {
			cells[k][i] = v
		}
	}
	cols := make([]table.Column, len(names))
	for k, name := range names {
		cols[k] = texts(name, cells[k])
	}
	return whole(cols)
}

// stay writes the cells of a stay, from its own blocks and those of the person's first one.
func stay(who int, own, first []rng.Block) []string {
	p, o := patient(own), own[len(patientDraws):]
	q, d := patient(first), first[len(patientDraws):]
	age, glucose, again := fmt.Sprint(q.Age), fmt.Sprint(p.Glucose), "nein"
	if rng.Below(o[4].A, 100) < 3 {
		age = "999"
	}
	if p.NoGlucose {
		glucose = "n/a"
	}
	if p.Readmitted() != p.AgainstTheseRules {
		again = "ja"
	}
	bmi := strings.Replace(fmt.Sprintf("%.1f", p.BMI), ".", ",", 1)
	if p.NoBMI {
		bmi = ""
	}
	return []string{
		fmt.Sprintf("P%06d", who+1),
		firstNames[q.Sex][rng.Below(d[0].A, 6)] + " " + lastNames[rng.Below(d[0].B, 10)],
		fmt.Sprintf("%02d.%02d.%d", 1+rng.Below(d[1].A, 28), 1+rng.Below(d[1].B, 12), 2025-q.Age),
		age,
		sexWords[q.Sex][max(0, rng.Below(o[4].B, 12)-9)],
		fmt.Sprintf("%s%02d", regions[rng.Below(d[2].A, len(regions))], 50+rng.Below(d[2].B, 12)),
		ward(o[2]),
		fmt.Sprintf("%02d.%02d.2025", 1+rng.Below(o[5].A, 28), 1+rng.Below(o[5].B, 12)),
		PatientDiagnoses[p.Diagnosis], bmi, glucose, fmt.Sprint(p.Days), note(o[3]), again,
	}
}

// ward is where a stay was, one in ten in other letters.
func ward(b rng.Block) string {
	name := wards[rng.Below(b.A, 3)]
	switch rng.Below(b.B, 20) {
	case 0:
		return strings.ToLower(name)
	case 1:
		return strings.ToUpper(name)
	}
	return name
}

// note is what somebody wrote down on a stay, one time in two, and whom to call.
func note(b rng.Block) string {
	k := rng.Below(b.B, 10)
	if k >= len(notes) {
		return ""
	}
	return strings.Replace(notes[k], "%s", fmt.Sprintf("0351 %d", 1000000+rng.Below(b.A, 9000000)), 1)
}

// texts is a column of categories in the order of their first record; an empty cell is missing.
func texts(name string, cells []string) table.Column {
	code, labels, codes := map[string]int32{}, []string(nil), make([]int32, len(cells))
	for i, s := range cells {
		if codes[i] = -1; s == "" {
			continue
		}
		k, ok := code[s]
		if !ok {
			k = int32(len(labels))
			code[s] = k
			labels = append(labels, s)
		}
		codes[i] = k
	}
	return table.CatColumn(name, labels, codes)
}

// export writes the table as a spreadsheet does in much of Europe: semicolons, line ends of Windows, Windows-1252, and
// two empty columns behind the last.
func export(t *table.Table) []byte {
	var b bytes.Buffer
	line := func(cell func(j int) string) {
		for j := range t.Width() {
			for _, r := range cell(j) {
				b.WriteByte(byte(r)) // the words hold no character beyond Latin-1
			}
			b.WriteByte(';')
		}
		b.WriteString(";\r\n")
	}
	line(func(j int) string { return t.Attr(j).Name })
	for i := range t.Rows() {
		line(func(j int) string {
			if t.MissingAt(i, j) {
				return ""
			}
			return t.Attr(j).Labels[t.Cat(j)[i]]
		})
	}
	return b.Bytes()
}
