package generate

import (
	"math"
	"math/big"
	"testing"
)

// shares answers the questions of the golden cases.
func shares(op, what string) map[string]*big.Rat {
	if op == "cr_probabilities" {
		return CRLaw(func(r CRRecord) string {
			switch what {
			case "Credit Risk":
				return CRRisks[r.Risk]
			case "City":
				return CRCities[r.City]
			case "segment":
				return r.Segment()
			case "rent_low":
				return truth(r.HouseRent <= 300)
			}
			return truth(r.Income > 50)
		})
	}
	return CSLaw(func(r CSRecord) string {
		switch what {
		case "Status":
			return CSStatuses[r.Status]
		case "Car Make":
			return CSCars[r.Car]
		}
		return CSProfessions[r.Profession]
	})
}

func truth(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// within compares frequencies with exact probabilities. A frequency is off by 6 standard errors with probability 2e-9,
// so a correct generator fails with probability below 1e-7 for 40 combinations.
func within(t *testing.T, seen map[string]int, rows int, law map[string]*big.Rat) {
	t.Helper()
	if len(seen) != len(law) {
		t.Errorf("%d combinations occur, expected %d", len(seen), len(law))
	}
	total := new(big.Rat)
	for k, r := range law {
		total.Add(total, r)
		p, _ := r.Float64()
		if f := float64(seen[k]) / float64(rows); math.Abs(f-p) > 6*math.Sqrt(p*(1-p)/float64(rows)) {
			t.Errorf("%s: frequency %.5f, probability %.5f", k, f, p)
		}
	}
	if total.Cmp(big.NewRat(1, 1)) != 0 {
		t.Errorf("the probabilities add up to %v", total)
	}
}

// TestShareOfDie is the dumb twin of the enumeration of section 6.7.1: the probability of a risky record, by hand.
func TestShareOfDie(t *testing.T) {
	// rent <= 300: 201/501; then income > 50: 50/71 with risk 1/2, else 21/71 with risk 2/3; rent > 300: Sydney 1/2
	// with risk 5/8.
	low := new(
		big.Rat,
	).Add(new(big.Rat).Mul(big.NewRat(50, 71), big.NewRat(1, 2)), new(big.Rat).Mul(big.NewRat(21, 71), big.NewRat(2, 3)))
	want := new(
		big.Rat,
	).Add(new(big.Rat).Mul(big.NewRat(201, 501), low), new(big.Rat).Mul(big.NewRat(300, 501), big.NewRat(5, 16)))
	if got := CRLaw(func(r CRRecord) string { return CRRisks[r.Risk] })["Yes"]; got.Cmp(want) != 0 {
		t.Errorf("probability %v, expected %v", got, want)
	}
}
