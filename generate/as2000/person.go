package as2000

import "github.com/dither-data/dither/rng"

// Functions is how many functions there are.
const Functions = 5

// Groups are the labels of the class.
var Groups = []string{"A", "B"}

// Person is a record; amounts are in dollars.
type Person struct {
	Salary, Commission, Age, Elevel, Car, Zipcode, HValue, HYears, Loan int
}

// person draws a record.
func person(words *rng.Turns) (p Person) {
	from := func(lo, hi int) int { return lo + rng.Below(words.Next(), hi-lo+1) }
	p.Salary, p.Age, p.Elevel, p.Car, p.Zipcode = from(20_000, 150_000), from(20, 80), from(0, 4), from(1, 20), from(1, 9)
	if p.Salary < 75_000 {
		p.Commission = from(10_000, 75_000)
	}
	k := 10 - p.Zipcode
	p.HValue, p.HYears, p.Loan = from(50_000*k, 150_000*k), from(1, 30), from(0, 500_000)
	return p
}

// InA tells whether a person is in group A by a function, 1 to 5. Limits belong to the intervals. The disposable income
// of functions 4 and 5 is compared exactly.
func (p *Person) InA(function int) bool {
	switch function {
	case 1:
		return p.Age < 40 || p.Age >= 60
	case 2:
		lo := [...]int{50_000, 75_000, 25_000}[p.stage()]
		return p.earns(lo, lo+50_000)
	case 3:
		return p.third()
	case 4:
		return p.hundredths() > 0
	case 5:
		return p.hundredths()+2*p.HValue*max(p.HYears-20, 0) > 0
	}
	panic("as2000: there is no such function")
}

// stage is 0 below 40 years, 1 below 60 and 2 from there on.
func (p *Person) stage() int {
	switch {
	case p.Age < 40:
		return 0
	case p.Age < 60:
		return 1
	}
	return 2
}

func (p *Person) earns(lo, hi int) bool { return lo <= p.Salary && p.Salary <= hi }

// third is function 3: salaries by stage and level of education.
func (p *Person) third() bool {
	switch p.stage() {
	case 0:
		return p.Elevel <= 1 && p.earns(25_000, 75_000) || (p.Elevel == 2 || p.Elevel == 3) && p.earns(50_000, 100_000)
	case 1:
		return p.Elevel >= 1 && p.Elevel <= 3 && p.earns(50_000, 100_000) || p.Elevel == 4 && p.earns(75_000, 125_000)
	default:
		return p.Elevel >= 2 && p.earns(50_000, 100_000) || p.Elevel == 1 && p.earns(25_000, 75_000)
	}
}

// hundredths is the disposable income of function 4, 0.67 (salary + commission) - 0.2 loan - 10,000, times 100.
func (p *Person) hundredths() int { return 67*(p.Salary+p.Commission) - 20*p.Loan - 1_000_000 }
