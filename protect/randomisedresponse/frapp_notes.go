package randomisedresponse

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/internal/randomised"
	"github.com/dither-data/dither/table"
)

// nothing is a share of the records that are kept, besides those drawn anew, of which nothing can be told.
const nothing = 1e-9

// Notes says how many records stay, how far the odds of two may move, and what can still be found.
func (p *FrappPlan) Notes() []string {
	if len(p.Columns) == 0 {
		return nil
	}
	d := p.Diagonal(p.Columns)
	out := []string{fmt.Sprintf("the columns have %.6g possible combinations; a record is released as it is with probability %.3g, so nearly all others of the release are random ones", d.Size, d.Gamma*d.Off())}
	if d.Gamma*d.Off() > 0.5 {
		out[0] = fmt.Sprintf("the columns have %.6g possible combinations; a record is released as it is with probability %.3g", d.Size, d.Gamma*d.Off())
	}
	out = append(out, p.told(d))
	if d.Keep() >= nothing {
		out = append(out, p.found(d))
	}
	if p.Spread > 0 {
		out = append(out, "who is not told the draws of spread sees the matrix of their mean: estimates, errors and epsilon are those without it")
	}
	if numbers := p.numbers(); numbers != nil {
		out = append(out, "numbers are released as they are, and may tell whose a record is: "+strings.Join(numbers, ", "))
	}
	return append(out, "a record is kept in all values or in none: whoever knows some of them and sees these unchanged believes the others, and a measure of risk that takes columns one by "+
		"one understates this")
}

// Epsilon is that of a whole record.
func (p *FrappPlan) Epsilon() float64 { return math.Log(p.Gamma) }

// told says how far the odds of two originals may move.
func (p *FrappPlan) told(d randomised.Diagonal) string {
	if d.Keep() < nothing {
		return "nothing is released of these columns"
	}
	_, most := randomised.Posterior(0.05, p.Gamma)
	return fmt.Sprintf("local differential privacy of a whole record: epsilon is %.3g (amplification gamma %.4g). What has the probability 0.05 before has %.3g at most after its release",
		math.Log(p.Gamma), p.Gamma, most)
}

// numbers names the numeric columns, which stay.
func (p *FrappPlan) numbers() (out []string) {
	for j := range p.Attrs {
		if a := &p.Attrs[j]; a.Kind == table.Numeric && a.Role&table.Weight == 0 {
			out = append(out, fmt.Sprintf("%q", a.Name))
		}
	}
	return out
}

// found says which shares can still be found.
func (p *FrappPlan) found(d randomised.Diagonal) string {
	sizes := []int{}
	for _, j := range p.Columns {
		sizes = append(sizes, len(p.Attrs[j].Labels))
	}
	slices.Sort(sizes)
	text, combinations := "the lowest share that can be told from 0 (4 standard errors) is", 1.0
	for k := range min(3, len(sizes)) {
		combinations *= float64(sizes[k])
		at := "none"
		if s := d.Lowest(float64(p.Records), combinations); s <= 1 {
			at = numeral.Percent(s)
		}
		text += fmt.Sprintf(" %s for a value of %s,", at, numeral.Counted(k+1, "column"))
	}
	return text[:len(text)-1] + fmt.Sprintf(", of those with the fewest categories (condition number %.4g)", d.Condition())
}

// Corrections says how a user of the release estimates shares of the original.
func (p *FrappPlan) Corrections() []string {
	if len(p.Columns) == 0 {
		return nil
	}
	d := p.Diagonal(p.Columns)
	if d.Keep() < nothing {
		return []string{"shares cannot be estimated: nothing is released of these columns"}
	}
	var sizes []string
	for _, j := range p.Columns {
		sizes = append(sizes, fmt.Sprintf("%q %d", p.Attrs[j].Name, len(p.Attrs[j].Labels)))
	}
	return []string{
		fmt.Sprintf("share of the records with given values of some of the columns: (s - %.6g/c) / %.6g, where s is their share in the release and c the product of the numbers of "+
			"categories of these columns (%s); its standard error is the root of s (1 - s) / n over %.6g, of n records", d.Size*d.Off(), d.Keep(), strings.Join(sizes, ", "), d.Keep()),
		"records with missing values have numbers of their own: take gamma and the categories of the columns that they have. \"dither mine itemsets RELEASE --law LAW\" does",
		"put 0 for estimates below 0 and 1 for those above 1",
	}
}
