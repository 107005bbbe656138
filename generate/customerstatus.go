package generate

import (
	"math/big"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

var customerStatus = Generator{
	Card: card.Card{
		Name:    "cs",
		Title:   "Customer Status (CS)",
		Aliases: []string{"customer-status", "CS"},
		Summary: "Customers: a status determined by rules on country, profession and car, and two irrelevant attributes.",
		Paper:   "Islam 2007, section 6.7.2",
		Missing: "no value is missing",
		Cost:    "O(rows)",
	},
	Rows: 399,
	New:  func() Maker { return fixed(CS) },
}

// The categories of the Customer Status data set, by code. The thesis gives the two domains of thirty values by their
// size only; the names are ours.
var (
	CSCountries   = []string{"USA", "England", "Australia"}
	CSProfessions = []string{"Scientist", "Academic", "Engineer"}
	CSCars        = []string{"Toyota", "Ford", "Nissan", "Holden"}
	CSStatuses    = []string{"Good", "Bad"}
	CSParents     = []string{"Argentina", "Australia", "Austria", "Bangladesh", "Brazil", "Canada", "Chile", "China",
		"Denmark", "Egypt", "England", "Finland", "France", "Germany", "Greece", "India", "Ireland", "Italy", "Japan",
		"Kenya", "Mexico", "Norway", "Peru", "Poland", "Portugal", "Spain", "Sweden", "Thailand", "USA", "Vietnam"}
	CSCities = []string{"Amsterdam", "Athens", "Barcelona", "Berlin", "Boston", "Brisbane", "Buenos Aires", "Cairo",
		"Chicago", "Dhaka", "Dublin", "Florence", "Geneva", "Hanoi", "Istanbul", "Kyoto", "Lima", "Lisbon", "London",
		"Melbourne", "Montreal", "Nairobi", "New York", "Oslo", "Paris", "Prague", "Rome", "Sydney", "Vancouver",
		"Vienna"}
)

const (
	usa, england, australia       = 0, 1, 2
	scientist, academic, engineer = 0, 1, 2
	toyota, ford, nissan, holden  = 0, 1, 2, 3
	good, bad                     = 0, 1
)

// CSOutcomes is the number of equally likely outcomes that a Customer Status record is drawn from, the two attributes
// of thirty values left aside: a die of 5 faces for the country, of 100 for the profession and of 20 for the car.
const CSOutcomes = 5 * 100 * 20

// CSRecord is one record of the Customer Status data set without its two unrelated attributes; all fields are codes.
type CSRecord struct{ Country, Profession, Car, Status int32 }

// CSOutcome returns the record of an outcome in 0..CSOutcomes-1, by the pseudo-code of section 6.7.2.
func CSOutcome(outcome int) CSRecord {
	car := outcome % 20
	prof := outcome / 20 % 100
	r := CSRecord{Country: [...]int32{usa, usa, england, england, australia}[outcome/2000]}
	if r.Country != australia {
		r.Profession = share(prof, []int{95, 3, 2}, scientist, academic, engineer)
		r.Car = share(car, []int{8, 8, 4}, toyota, ford, nissan)
		fine := r.Car == ford || r.Country == usa && r.Car == toyota || r.Country == england && r.Car == nissan
		r.Status = bad
		if fine {
			r.Status = good
		}
		return r
	}
	r.Profession = share(prof, []int{40, 30, 30}, engineer, academic, scientist)
	if r.Profession == engineer {
		r.Car = share(car, []int{10, 10}, toyota, holden)
	} else {
		r.Car = share(car, []int{5, 5, 5, 5}, toyota, nissan, ford, holden)
	}
	r.Status = bad
	if r.Profession == academic {
		r.Status = good
	}
	return r
}

// share returns the code on a die's face when faces are dealt out in the given numbers.
func share(face int, faces []int, codes ...int32) int32 {
	for k, n := range faces {
		if face -= n; face < 0 {
			return codes[k]
		}
	}
	panic("generate: the die has too many faces")
}

// CSValid reports whether the generator can produce the record. Cost: O(CSOutcomes).
func CSValid(r CSRecord) bool {
	for k := range CSOutcomes {
		if CSOutcome(k) == r {
			return true
		}
	}
	return false
}

// CSLaw returns the exact probability of every answer about a record, by enumeration of all outcomes.
func CSLaw(answer func(CSRecord) string) map[string]*big.Rat {
	return law(CSOutcomes, func(k int) string { return answer(CSOutcome(k)) })
}

// CS returns a Customer Status table of Islam 2007, section 6.7.2.
func CS(rows int, src rng.Source) *table.Table {
	var cat [6][]int32
	for k := range cat {
		cat[k] = make([]int32, rows)
	}
	each(rows, src, []string{"cs"}, func(i int, b []rng.Block) {
		r := CSOutcome(rng.Below(b[0].A, CSOutcomes))
		pair := rng.Below(b[0].B, 900)
		cat[0][i], cat[1][i], cat[2][i], cat[5][i] = r.Country, r.Profession, r.Car, r.Status
		cat[3][i], cat[4][i] = int32(pair/30), int32(pair%30)
	})
	class := table.CatColumn("Status", CSStatuses, cat[5])
	class.Role = table.Class
	return whole([]table.Column{
		table.CatColumn("Country of Origin", CSCountries, cat[0]),
		table.CatColumn("Profession", CSProfessions, cat[1]),
		table.CatColumn("Car Make", CSCars, cat[2]),
		table.CatColumn("Parents' Country", CSParents, cat[3]),
		table.CatColumn("Favorite City", CSCities, cat[4]),
		class,
	})
}
