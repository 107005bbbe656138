package generate

import (
	"math/big"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var creditRisk = Generator{
	Card: card.Card{
		Name:    "cr",
		Title:   "Credit Risk (CR)",
		Aliases: []string{"credit-risk", "CR"},
		Summary: "Credit applicants: four numbers, a city and a risk determined by rules.",
		Paper:   "Islam 2007, section 6.7.1",
		Missing: "no value is missing",
		Cost:    "O(rows)",
	},
	Rows: 399,
	New:  func() Maker { return fixed(CR) },
}

// The categories of the Credit Risk data set, by code, in the order the thesis lists them.
var (
	CRCities = []string{"Mel", "New", "Syd", "Arm"}
	CRRisks  = []string{"No", "Yes"}
)

const (
	mel, newcastle, syd, arm = 0, 1, 2, 3
	no, yes                  = 0, 1
)

// CROutcomes is the number of equally likely outcomes a Credit Risk record is drawn from: 501 house rents x 71
// incomes x 4 job grades x 8 numbers of dependents x a die of 12 faces for the city.
const CROutcomes = 501 * 71 * 4 * 8 * 12

// CRRecord is one record of the Credit Risk data set; City and Risk are codes.
type CRRecord struct {
	HouseRent, Income, JobGrade, Dependents int
	City, Risk                              int32
}

// CROutcome returns the record of an outcome in 0..CROutcomes-1, by the pseudo-code of section 6.7.1. Job grade and
// dependents are drawn in every branch; as printed and indented it is open whether the branch of incomes up to 50
// draws them for City = New, and a table with holes is not meant.
func CROutcome(outcome int) CRRecord {
	die := outcome % 12
	outcome /= 12
	r := CRRecord{Dependents: outcome % 8}
	outcome /= 8
	r.JobGrade = 1 + outcome%4
	outcome /= 4
	r.Income = 30 + outcome%71
	r.HouseRent = 100 + outcome/71
	switch {
	case r.HouseRent > 300:
		r.City = [...]int32{mel, syd}[die/6]
		r.Risk = no
		if r.City == syd && r.Dependents > 2 {
			r.Risk = yes
		}
	case r.Income > 50:
		r.City = int32(die / 3)
		r.Risk = no
		if r.JobGrade > 2 {
			r.Risk = yes
		}
	default:
		r.City = [...]int32{newcastle, mel, arm}[die/4]
		r.Risk = yes
		if r.City == newcastle {
			r.Risk = no
		}
	}
	return r
}

// CRValid reports whether the generator can produce the record.
func CRValid(r CRRecord) bool {
	if r.HouseRent < 100 || r.HouseRent > 600 || r.Income < 30 || r.Income > 100 || r.JobGrade < 1 || r.JobGrade > 4 ||
		r.Dependents < 0 || r.Dependents > 7 {
		return false
	}
	first := ((((r.HouseRent-100)*71+r.Income-30)*4+r.JobGrade-1)*8 + r.Dependents) * 12
	for die := range 12 {
		if CROutcome(first+die) == r {
			return true
		}
	}
	return false
}

// Segment names the branch of the pseudo-code the record comes from: high_rent, low_rent_high_income or
// low_rent_low_income.
func (r CRRecord) Segment() string {
	switch {
	case r.HouseRent > 300:
		return "high_rent"
	case r.Income > 50:
		return "low_rent_high_income"
	}
	return "low_rent_low_income"
}

// CRLaw returns the exact probability of every answer about a record, by enumeration of all outcomes.
// Cost: O(CROutcomes), 13.7 million calls, from several goroutines.
func CRLaw(answer func(CRRecord) string) map[string]*big.Rat {
	return law(CROutcomes, func(k int) string { return answer(CROutcome(k)) })
}

// CR returns a Credit Risk table of Islam 2007, section 6.7.1.
func CR(rows int, src rng.Source) *table.Table {
	var num [4][]float64
	for k := range num {
		num[k] = make([]float64, rows)
	}
	city, risk := make([]int32, rows), make([]int32, rows)
	each(rows, src, []string{"cr"}, func(i int, b []rng.Block) {
		r := CROutcome(rng.Below(b[0].A, CROutcomes))
		num[0][i], num[1][i] = float64(r.HouseRent), float64(r.Income)
		num[2][i], num[3][i] = float64(r.JobGrade), float64(r.Dependents)
		city[i], risk[i] = r.City, r.Risk
	})
	class := table.CatColumn("Credit Risk", CRRisks, risk)
	class.Role = table.Class
	return whole([]table.Column{
		integers("House Rent", 100, 600, num[0]),
		integers("Income", 30, 100, num[1]),
		integers("Job Grade", 1, 4, num[2]),
		integers("No of Dependents", 0, 7, num[3]),
		table.CatColumn("City", CRCities, city),
		class,
	})
}
