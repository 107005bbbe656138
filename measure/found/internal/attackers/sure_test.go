package attackers

import (
	"math"
	"slices"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
)

// agreed scores two rows as Fellegi and Sunter do, by the shares of pairs that agree: of one person, and of a person
// with the record a third of the table further on. Every share is of one pair more that agrees and one that does not.
func agreed(r *measure.Release, columns []int) func(person, record int) float64 {
	n, sd := r.Original.Rows(), deviations(r)
	agree := func(j, person, record int) (yes, gone, lost bool) {
		x, gone := cell(r.Original, person, j)
		y, lost := cell(r.Released, record, j)
		if r.Original.Num(j) == nil {
			return x == y, gone, lost
		}
		return math.Abs(x-y) <= 0.1*sd[j], gone, lost
	}
	yes, no := map[int]float64{}, map[int]float64{}
	for _, j := range columns {
		own, others, all := 1.0, 1.0, 2.0
		for i := range n {
			same, gone, lost := agree(j, i, i)
			if gone {
				continue
			}
			all++
			if same && !lost {
				own++
			}
			if same, _, lost := agree(j, i, (i+1+n/3)%n); same && !lost {
				others++
			}
		}
		m, u := own/all, others/all
		yes[j], no[j] = math.Log(m/u), math.Log((1-m)/(1-u))
	}
	return func(person, record int) (sum float64) {
		for _, j := range columns {
			switch same, gone, lost := agree(j, person, record); {
			case gone || lost:
			case same:
				sum += yes[j]
			default:
				sum += no[j]
			}
		}
		return sum
	}
}

// deviations returns the standard deviations of the numbers, by column.
func deviations(r *measure.Release) map[int]float64 {
	out := map[int]float64{}
	for j := range r.Original.Width() {
		known := slices.DeleteFunc(slices.Clone(r.Original.Num(j)), func(x float64) bool { return x != x })
		mean, ss := sumOf(known)/float64(len(known)), 0.0
		for _, x := range known {
			ss += (x - mean) * (x - mean)
		}
		out[j] = math.Sqrt(ss / float64(len(known)-1))
	}
	return out
}

// TestAgreementEqualsCounting: the attacker by agreement finds whom the plain scores find.
func TestAgreementEqualsCounting(t *testing.T) {
	r := released(t, 150)
	for _, columns := range subsets[:long.Of(2, len(subsets))] {
		same(t, "agreement", credits(t, r, "agreement", columns, false), plain(150, agreed(r, columns), false))
	}
}

// distances scores two rows by their squared distance; what is missing in a record is at distance 1.
func distances(r *measure.Release, columns []int) func(person, record int) float64 {
	sd := deviations(r)
	return func(person, record int) (sum float64) {
		for _, j := range columns {
			x, gone := cell(r.Original, person, j)
			y, lost := cell(r.Released, record, j)
			switch v := r.Original.Num(j); {
			case gone:
			case lost || v == nil && x != y:
				sum--
			case v != nil:
				sum -= (x - y) * (x - y) / 2 / sd[j] / sd[j]
			}
		}
		return sum
	}
}

// certainties returns how far the second best is below the best, by person; 0 for ties.
func certainties(n int, score func(person, record int) float64) []float64 {
	sure := make([]float64, n)
	for i := range n {
		all := make([]float64, n)
		for k := range n {
			all[k] = score(i, k)
		}
		slices.Sort(all)
		sure[i] = min(8, all[n-1]-all[n-2])
	}
	return sure
}

// plainSure tries every certainty: how many are found when only those are claimed of whom the attacker is as sure, if
// few of them are false.
func plainSure(credit, sure []float64, falsehood float64) (best float64) {
	for _, least := range sure {
		claims, right := 0.0, 0.0
		for i := range sure {
			if sure[i] >= least-1e-9 {
				claims, right = claims+1, right+credit[i]
			}
		}
		if claims-right <= falsehood*claims {
			best = max(best, right/float64(len(sure)))
		}
	}
	return best
}

// TestSureEqualsTryingAll: the share found with few false claims is the best of all certainties that could be asked
// for.
func TestSureEqualsTryingAll(t *testing.T) {
	r, some := released(t, 150), 0
	rows := measure.Drawn(150, 150)
	for _, columns := range subsets[:long.Of(2, len(subsets))] {
		who := &intruder.Intruder{Name: "x"}
		for _, j := range columns {
			who.Knows = append(who.Knows, r.Original.Attr(j).Name)
		}
		view := must.Get(who.On(r.Original.Attrs()))(t)
		team := must.Get(NewTeam(t.Context(), r, view, rows, Options{}))(t)
		for name, score := range map[string]func(person, record int) float64{"nearest": distances(r, columns),
			"agreement": agreed(r, columns)} {
			a := team.Attackers[slices.IndexFunc(team.Attackers, func(a *Attacker) bool { return a.Name == name })]
			claims, err := team.Claims(t.Context(), &Choice{a, false, team.clues(a, false, team.orders[0])}, rows, &Budget{})
			must.NoError(t, err)
			credit, sure := plain(150, score, false), certainties(150, score)
			for _, falsehood := range []float64{0, 0.01, 0.1, 0.3, 0.6} {
				want := plainSure(credit, sure, falsehood)
				if got := claims.Sure(falsehood); math.Abs(got-want) > 1e-9 {
					t.Errorf("%s by %v: %v are found with %v false claims, expected %v", name, columns, got, falsehood, want)
				}
				if want > 0 && want < 1 {
					some++
				}
			}
		}
	}
	if some < 10 {
		t.Errorf("%d cases tell anything", some)
	}
}

// TestSureByHand: of five claims the third by certainty is false, two are equally sure, and one person is not claimed.
func TestSureByHand(t *testing.T) {
	c := Claims{
		[]claim{
			{ties: 1, sure: 2},
			{credit: 1, ties: 1, sure: 5},
			{credit: 1, ties: 1, sure: 3},
			{},
			{credit: 1, ties: 1, sure: 1},
			{credit: 0.5, ties: 2, sure: 0},
		},
	}
	for falsehood, want := range map[float64]float64{0: 2.0 / 6, 0.2: 2.0 / 6, 0.25: 3.0 / 6, 0.3: 3.5 / 6} {
		if got := c.Sure(falsehood); math.Abs(got-want) > 1e-12 {
			t.Errorf("with %v false claims %v are found, expected %v", falsehood, got, want)
		}
	}
}
