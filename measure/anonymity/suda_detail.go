package anonymity

import (
	"iter"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/portable"
	"github.com/dither-data/dither/internal/portable/exact"
	"github.com/dither-data/dither/intruder"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/table"
)

// SUDADetail is who is a special unique.
type SUDADetail struct {
	Intruder string `json:"intruder"`
	People   int    `json:"people"` // in the release; records where each is a person's
	Columns  int    `json:"columns"`
	Size     int    `json:"size"` // of the largest set that was looked at
	// Special counts the special uniques.
	Special int `json:"special"`
	// Least counts them by the columns of their smallest minimal sample unique, from 1.
	Least    []int   `json:"least"`
	Fraction float64 `json:"fraction"` // that people were sampled with
	Uniques  int     `json:"uniques"`  // people unique in all the columns
	Pairs    int     `json:"pairs"`    // people whose values in all the columns one other has
	DIS      float64 `json:"dis"`      // probability that a unique match is right
	Highest  float64 `json:"highest"`  // DIS-SUDA score
	// Bands counts people by their DIS-SUDA score: 0, then up to 0.1, 0.2 and so on to 0.7, and above.
	Bands []int `json:"bands"`
	// Contributions say what share of all SUDA scores comes of sets with a column, by known column; a set counts for each
	// of its columns.
	Contributions []float64 `json:"contributions"`

	scores, special []float64 // by person: SUDA and DIS-SUDA
	risk            []float64
}

// scorer adds up the minimal sample uniques of records.
type scorer struct {
	*sudaScene
	found  []unique // by row of items
	starts []int32  // by row of items: where its own begin
	weight []float64
}

func newScorer(s *sudaScene, found []unique, weight []float64) *scorer {
	starts := make([]int32, len(s.owner)+1)
	for _, u := range found {
		starts[u.row+1]++
	}
	for k := range s.owner {
		starts[k+1] += starts[k]
	}
	sorted, next := make([]unique, len(found)), slices.Clone(starts)
	for _, u := range found {
		sorted[next[u.row]] = u
		next[u.row]++
	}
	return &scorer{s, sorted, starts, weight}
}

// own yields those of a released record whose values are the person's own.
func (s *scorer) own(i int) iter.Seq[unique] {
	row := s.of[i]
	return func(yield func(unique) bool) {
		for _, u := range s.found[s.starts[row]:s.starts[row+1]] {
			if (s.foreign == nil || s.foreign[i]&u.columns == 0) && !yield(u) {
				return
			}
		}
	}
}

// record returns the SUDA score of a released record and the columns of its smallest minimal sample unique; 0 for none.
func (s *scorer) record(i int) (score float64, least int) {
	for u := range s.own(i) {
		score += s.weight[u.len()]
		if least == 0 || u.len() < least {
			least = u.len()
		}
	}
	return score, least
}

// score works out everything of the minimal sample uniques.
func (d *SUDADetail) score(s *scorer) {
	d.scores, d.Least = make([]float64, d.People), make([]int, d.Size)
	best, least := slices.Repeat([]int32{-1}, d.People), make([]int, d.People)
	for i, p := range s.who {
		score, few := s.record(i)
		if few == 0 {
			continue
		}
		if least[p] == 0 || few < least[p] {
			least[p] = few
		}
		if best[p] < 0 || score > d.scores[p] {
			best[p], d.scores[p] = int32(i), score
		}
	}
	contributions := make([]exact.Sum, d.Columns)
	var sums exact.Sum
	for p, i := range best {
		if i < 0 {
			continue
		}
		d.Special++
		d.Least[least[p]-1]++
		sums.Add(d.scores[p])
		for u := range s.own(int(i)) {
			for c := u.columns; c != 0; c &= c - 1 {
				contributions[bits.TrailingZeros64(c)].Add(s.weight[u.len()])
			}
		}
	}
	d.Contributions = exact.Rounded(contributions)
	if sum := sums.Float64(); sum > 0 {
		for k := range d.Contributions {
			d.Contributions[k] /= sum
		}
	}
	d.disSuda(s.sudaScene)
}

// disSuda works out the DIS score of the file and the DIS-SUDA scores of people.
func (d *SUDADetail) disSuda(s *sudaScene) {
	d.Uniques, d.Pairs = s.uniques, s.pairs
	f := d.Fraction
	if u := float64(s.uniques); u > 0 {
		d.DIS = u * f / (float64(u*f) + float64(float64(s.pairs)*(1-f)))
	}
	doubt := float64(s.pairs) * (1 - f) / f // U/DIS - U
	q := max(0, 1+(8-float64(d.Columns))/20)
	var sums exact.Sum
	for _, v := range d.scores {
		if v > 0 {
			sums.Add(portable.Pow(v, -q))
		}
	}
	sum := sums.Float64()
	d.special, d.Bands = make([]float64, d.People), make([]int, 9)
	for p, v := range d.scores {
		if v > 0 {
			d.special[p] = 1 / (1 + doubt/(portable.Pow(v, q)*sum))
		}
		d.Highest = max(d.Highest, d.special[p])
		d.Bands[band(d.special[p])]++
	}
}

// band is the place in Bands of a DIS-SUDA score.
func band(v float64) int {
	if v == 0 {
		return 0
	}
	return min(8, max(1, int(math.Ceil(float64(10*v)-1e-9))))
}

// byRecord returns the DIS-SUDA score of every original record's person; NaN where records are not paired.
func (d *SUDADetail) byRecord(s *sudaScene, r *measure.Release) []float64 {
	out := make([]float64, r.Original.Rows())
	for i := range out {
		if out[i] = math.NaN(); r.Paired {
			out[i] = d.special[s.who[i]]
		}
	}
	return out
}

func (d *SUDADetail) parts(view *intruder.View, t *table.Table) []measure.Part {
	out := []measure.Part{
		{Key: "one-column", Name: message.Say("measure.suda.part.one-column"), Score: sudaShare(d.Least[0], d.People)},
		{Key: "dis", Name: message.Say("measure.suda.part.dis"), Score: d.DIS},
		{Key: "highest", Name: message.Say("measure.suda.part.highest"), Score: d.Highest},
	}
	for k, n := range d.Bands[1:] {
		if n > 0 {
			name := message.Say("measure.suda.part.over")
			if k < 7 {
				name = message.Say("measure.suda.part.band").Fixed("from", float64(k)/10, 1).Fixed("to", float64(k+1)/10, 1)
			}
			out = append(out, measure.Part{Key: "band", Of: strconv.Itoa(k + 1), Name: name, Score: sudaShare(n, d.People)})
		}
	}
	for k, known := range view.Known {
		name := t.Attr(known.Column).Name
		out = append(out, measure.Part{
			Key: measure.OfColumn, Of: name, Score: d.Contributions[k],
			Name: message.Say("measure.suda.part.column").Name("column", name),
		})
	}
	return out
}

// sudaShare returns a/b, and 0 where there is nothing to take a share of.
func sudaShare(a, b int) float64 { return float64(a) / float64(max(1, b)) }

// Records returns by original record the DIS-SUDA score of its person; NaN where records are not paired.
func (d *SUDADetail) Records() []float64 { return d.risk }

// Sentence says how many special uniques there are.
func (d *SUDADetail) Sentence() message.Sentence {
	if d.Special == 0 {
		return message.Say("measure.suda.none").Count("people", d.People).Count("size", d.Size)
	}
	return message.Say("measure.suda.says").Count("people", d.People).Count("special", d.Special).
		Count("size", d.Size).Digits("dis", d.DIS, 2).Digits("highest", d.Highest, 2)
}
