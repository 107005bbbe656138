package generate

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/yardstick"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var seed = rng.New([32]byte{7})

// TestPatients checks the documented rules and shares. With 200,000 records a share of 5 % is off by 5 standard
// errors (0.25 %) with probability 6e-7.
func TestPatients(t *testing.T) {
	const rows = 200_000
	tab := Patients(rows, seed)
	share := func(name string, hit func(i int) bool) float64 {
		n := 0
		for i := range rows {
			if hit(i) {
				n++
			}
		}
		return float64(n) / rows
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/rows) {
			t.Errorf("%s: %.4f, expected %.4f", what, got, want)
		}
	}
	for name, want := range map[string]float64{"bmi": 0.04, "glucose": 0.02, "smoking": 0.03} {
		j := tab.Find(name)
		near(name+" missing", share(name, func(i int) bool { return tab.MissingAt(i, j) }), want)
	}
	col := func(name string, i int) float64 { return tab.Num(tab.Find(name))[i] }
	diagnosis, class := tab.Cat(tab.Find("diagnosis")), tab.Cat(tab.WithRole(table.Class))
	complete, against := 0, 0
	for i := range rows {
		if tab.MissingAt(i, tab.Find("glucose")) {
			continue
		}
		p := Patient{Age: int(col("age", i)), Glucose: int(col("glucose", i)), Prior: int(col("prior_admissions", i)),
			Days: int(col("days", i)), Diagnosis: diagnosis[i]}
		complete++
		if p.Readmitted() != (class[i] == yes) {
			against++
		}
	}
	near("against the rules", float64(against)/float64(complete), PatientNoise)
	if back := share("readmitted", func(i int) bool { return class[i] == yes }); back < 0.2 || back > 0.45 {
		t.Errorf("%.3f of the patients come back; the rules mean about a third", back)
	}
}

func TestReadmitted(t *testing.T) {
	for _, c := range []struct {
		p    Patient
		want bool
	}{
		{Patient{Diagnosis: injury, Days: 14}, false},
		{Patient{Diagnosis: injury, Days: 15}, true},
		{Patient{Diagnosis: heartFailure, Prior: 1}, false},
		{Patient{Diagnosis: heartFailure, Prior: 2}, true},
		{Patient{Diagnosis: diabetes, Glucose: 170}, false},
		{Patient{Diagnosis: diabetes, Glucose: 171}, true},
		{Patient{Diagnosis: pneumonia, Age: 71}, false},
		{Patient{Diagnosis: pneumonia, Age: 72}, true},
		{Patient{Diagnosis: asthma, Age: 90, Prior: 9, Glucose: 300}, false},
	} {
		if got := c.p.Readmitted(); got != c.want {
			t.Errorf("%+v: %v, expected %v", c.p, got, c.want)
		}
	}
}

func TestRoles(t *testing.T) {
	tab := Patients(10, seed)
	var got []string
	for _, a := range tab.Attrs() {
		if a.Role != 0 {
			got = append(got, a.Name+" "+a.Role.String())
		}
	}
	want := []string{"patient_id identifier", "age quasi-identifier", "sex quasi-identifier", "region quasi-identifier",
		"diagnosis confidential", "smoking confidential", "bmi confidential", "systolic confidential", "glucose confidential",
		"readmitted class"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("roles are %q", got)
	}
}

// BenchmarkCR makes a million records of six attributes: 0.6 of the time of sorting a million random numbers.
func BenchmarkCR(b *testing.B) {
	for b.Loop() {
		CR(1_000_000, seed)
	}
	yardstick.Report(b)
}

// BenchmarkPatients makes a million records of thirteen attributes: 5 times the time of sorting a million random
// numbers.
func BenchmarkPatients(b *testing.B) {
	for b.Loop() {
		Patients(1_000_000, seed)
	}
	yardstick.Report(b)
}

// TestHospitalExport finds every trap in the bytes of the export.
func TestHospitalExport(t *testing.T) {
	tb := HospitalExport(3000, seed)
	text := string(hospitalExport.Export(tb))
	lines := strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n")
	if len(lines) != 3001 ||
		lines[0] != "Patient;Name;Geburtsdatum;Alter;Geschlecht;PLZ;Station;"+
			"Aufnahme;Diagnose;BMI;Glukose;Tage;Notiz;Wiederaufnahme;;" {
		t.Fatalf("%d lines, the first %q", len(lines), lines[0])
	}
	for _, trap := range []string{";999;", "n/a", ";m;", ";M;", "m\xe4nnlich", ";innere;", ";INNERE;", "0351 ", ";04155;",
		",5;", ";;"} {
		if !strings.Contains(text, trap) {
			t.Errorf("%q is missing", trap)
		}
	}
	again, persons := 0, map[string][]string{}
	for i, l := range lines[1:] {
		if i > 0 && l == lines[i] {
			again++
		}
		f := strings.Split(l, ";")
		if was := persons[f[0]]; was != nil && (was[1] != f[1] || was[2] != f[2] || was[5] != f[5]) {
			t.Fatalf("%s is two people: %q, %q", f[0], was, f)
		}
		persons[f[0]] = f
	}
	if again != 30 || len(persons) < 2300 || len(persons) > 2450 {
		t.Errorf("%d lines repeat the one before, %d persons", again, len(persons))
	}
}
