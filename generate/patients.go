package generate

import (
	"fmt"
	"math"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var patients = Generator{
	Card: card.Card{
		Name:    "patients",
		Title:   "Patients",
		Aliases: []string{"hospital"},
		Summary: "Hospital stays: the patient, measurements, a diagnosis and, by known rules, readmission within 30 days.",
		Paper:   "invented for this program; no record is of a person",
		Missing: "smoking, body mass index and glucose are missing completely at random in 3, 4 and 2 per cent of the " +
			"records",
		Cost: "O(rows)",
	},
	Rows: 5000,
	New:  func() Maker { return fixed(Patients) },
}

// The categories of the hospital table, by code.
var (
	PatientSexes      = []string{"female", "male"}
	PatientRegions    = []string{"north", "east", "south", "west", "centre"}
	PatientAdmissions = []string{"emergency", "planned", "transfer"}
	PatientDiagnoses  = []string{"asthma", "diabetes", "heart failure", "hip fracture", "injury", "pneumonia"}
	PatientSmokings   = []string{"never", "former", "current"}
)

const (
	asthma, diabetes, heartFailure, hipFracture, injury, pneumonia = 0, 1, 2, 3, 4, 5
	never, former, current                                         = 0, 1, 2
)

// PatientNoise is the share of the patients whose readmission goes against the rules of Readmitted.
const PatientNoise = 0.06

// Patient is one stay; categorical fields are codes.
type Patient struct {
	Age, Systolic, Glucose, Prior, Days            int
	BMI                                            float64 // kg/m2, one decimal
	Sex, Region, Admission, Diagnosis, Smoking     int32
	NoBMI, NoGlucose, NoSmoking, AgainstTheseRules bool
}

// Readmitted is the rule behind the class: a patient comes back within 30 days after heart failure with at least two
// earlier admissions, diabetes with a glucose above 170 mg/dl, pneumonia at 72 years or more, and any stay above 14
// days.
func (p *Patient) Readmitted() bool {
	switch {
	case p.Days > 14:
		return true
	case p.Diagnosis == heartFailure:
		return p.Prior >= 2
	case p.Diagnosis == diabetes:
		return p.Glucose > 170
	case p.Diagnosis == pneumonia:
		return p.Age >= 72
	}
	return false
}

// illness is what a diagnosis does to the other attributes: chances of the admissions in per cent, mean number of
// earlier admissions before rounding down, mean days after the first, body mass index, glucose and its standard
// deviation.
type illness struct {
	admission                         [3]int
	prior, days, bmi, glucose, spread float64
}

var illnesses = [...]illness{
	asthma:       {[3]int{80, 15, 5}, 1.3, 2, 25.5, 96, 12},
	diabetes:     {[3]int{35, 60, 5}, 1.4, 3, 30.5, 165, 38},
	heartFailure: {[3]int{60, 25, 15}, 2.4, 5, 26.5, 99, 13},
	hipFracture:  {[3]int{85, 2, 13}, 1, 8, 23.5, 96, 12},
	injury:       {[3]int{90, 2, 8}, 0.8, 2, 25, 95, 12},
	pneumonia:    {[3]int{75, 5, 20}, 1.1, 4.5, 25, 98, 12},
}

var patientDraws = []string{"person", "age", "illness", "habit", "bmi", "systolic", "glucose", "stay", "missing",
	"noise"}

// patient makes a record of its blocks, one per name in patientDraws.
func patient(b []rng.Block) Patient {
	unit := func(w uint64) float64 { return rng.Unit(w) }
	p := Patient{
		Sex:    int32(rng.Below(b[0].A, 2)),
		Region: pick(b[0].B, 30, 25, 20, 15, 10),
		Age:    18 + int(78*portable.Pow(unit(b[1].A), 0.75)),
	}
	switch {
	case p.Age < 40:
		p.Diagnosis = pick(b[2].A, 32, 25, 3, 1, 24, 15)
	case p.Age < 65:
		p.Diagnosis = pick(b[2].A, 16, 28, 20, 3, 17, 16)
	default:
		p.Diagnosis = pick(b[2].A, 5, 18, 33, 19, 5, 20)
	}
	ill := &illnesses[p.Diagnosis]
	p.Admission = pick(b[2].B, ill.admission[:]...)
	p.Smoking = pick(b[3].A, 50, 30, 20)
	if p.Diagnosis == asthma {
		p.Smoking = pick(b[3].A, 72, 20, 8)
	}
	p.Prior = min(9, int(exponential(b[3].B, ill.prior)))
	p.BMI = table.Snap(clip(ill.bmi+4*b[4].Normal(), 15, 50), 0.1)
	pressure := 116 + float64(0.4*float64(p.Age-40))
	if p.Smoking == current {
		pressure += 8
	}
	p.Systolic = int(clip(math.Round(pressure+float64(13*b[5].Normal())), 85, 220))
	p.Glucose = int(clip(math.Round(ill.glucose+float64(ill.spread*b[6].Normal())), 55, 320))
	p.Days = 1 + min(29, int(exponential(b[7].A, ill.days)))
	p.NoBMI, p.NoGlucose = unit(b[8].A) < 0.04, unit(b[8].B) < 0.02
	p.NoSmoking, p.AgainstTheseRules = unit(b[9].A) < 0.03, unit(b[9].B) < PatientNoise
	return p
}

// pick draws a code with the given chances, in per cent.
func pick(w uint64, percent ...int) int32 {
	face := rng.Below(w, 100)
	for k, n := range percent {
		if face -= n; face < 0 {
			return int32(k)
		}
	}
	panic("generate: the chances do not add up to 100")
}

func exponential(w uint64, mean float64) float64 {
	return float64(-mean * portable.Log1p(-rng.Unit(w)))
}

func clip(v, lo, hi float64) float64 { return math.Min(math.Max(v, lo), hi) }

// Patients returns an invented hospital table: patient_id is an identifier; sex, age and region are
// quasi-identifiers; diagnosis and the measurements are confidential; the class readmitted follows Patient.Readmitted
// but for PatientNoise.
func Patients(rows int, src rng.Source) *table.Table {
	num := make([][]float64, 6)
	for k := range num {
		num[k] = make([]float64, rows)
	}
	cat := make([][]int32, 7)
	for k := range cat {
		cat[k] = make([]int32, rows)
	}
	names := make([]string, rows)
	each(rows, src, patientDraws, func(i int, b []rng.Block) {
		p := patient(b)
		names[i] = fmt.Sprintf("P%06d", i+1)
		cat[0][i], cat[1][i], cat[2][i], cat[3][i], cat[4][i], cat[5][i] = int32(
			i,
		), p.Sex, p.Region, p.Admission, p.Diagnosis, p.Smoking
		num[0][i], num[1][i], num[2][i] = float64(p.Age), p.BMI, float64(p.Systolic)
		num[3][i], num[4][i], num[5][i] = float64(p.Glucose), float64(p.Prior), float64(p.Days)
		if p.Readmitted() != p.AgainstTheseRules {
			cat[6][i] = yes
		}
		if p.NoBMI {
			num[1][i] = math.NaN()
		}
		if p.NoGlucose {
			num[3][i] = math.NaN()
		}
		if p.NoSmoking {
			cat[5][i] = -1
		}
	})
	bmi := integers("bmi", 15, 50, num[1])
	bmi.Step = 0.1
	return whole([]table.Column{
		role(table.CatColumn("patient_id", names, cat[0]), table.Identifier),
		role(integers("age", 18, 96, num[0]), table.Quasi),
		role(table.CatColumn("sex", PatientSexes, cat[1]), table.Quasi),
		role(table.CatColumn("region", PatientRegions, cat[2]), table.Quasi),
		table.CatColumn("admission", PatientAdmissions, cat[3]),
		role(table.CatColumn("diagnosis", PatientDiagnoses, cat[4]), table.Confidential),
		role(table.CatColumn("smoking", PatientSmokings, cat[5]), table.Confidential),
		role(bmi, table.Confidential),
		role(integers("systolic", 85, 220, num[2]), table.Confidential),
		role(integers("glucose", 55, 320, num[3]), table.Confidential),
		integers("prior_admissions", 0, 9, num[4]),
		integers("days", 1, 30, num[5]),
		role(table.CatColumn("readmitted", []string{"no", "yes"}, cat[6]), table.Class),
	})
}

func role(c table.Column, r table.Role) table.Column {
	c.Role = r
	return c
}
