package linkage

import (
	"context"
	"fmt"

	"github.com/dither-data/dither/card"
	"github.com/dither-data/dither/internal/system/parallel"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/internal/channel"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/table"
)

// RowOrder measures what the order of the records reveals: only the position of a record in the file is used.
//
// Anyone who gets a release sees its order. If the file was sorted, by income or by the day of admission, neighbours
// are alike, and a record's place tells its value however much noise the value got. For every column the intruder tells
// a person's original value from the place of the released record: by the median of the released values of the 1, 8 or
// 64 records before and behind it (of categories, the commonest), or by the value that is as far up, or down, among all
// released ones as the record is in the file. A number is told when it is within the parameter tolerance of the
// original, in per cent of the range of the originals, a category when it is the same. The own released value does not
// count. The control does the same with the file in a random order. Column and way are chosen on one half of the people
// tried and counted on the other (package measure/internal/channel). The score is the share of people told beyond the
// control's, with one-sided 95 % bounds (Clopper & Pearson 1934).
//
// An intruder who knows the order of the original (order: true) besides expects the target at its place: the score is
// then the share of people whose record stands where it stood, if that is more. It is 1 where rows are kept, and 1/n on
// average in a random order.
//
// Parts give the shares behind the score; the detail has those of every column. Of t categories equally common beside a
// place each is guessed as often.
//
// Cost: those tried (parameter people) times 150 neighbours by column, and O(n) to put records in order. A million
// records of 14 columns take 7 times a slices.Sort of as many random float64.
//
// Departures: none; there is no published measure of this channel. The excess over a control is that of M. Giomi, F.
// Boenisch, C. Wehmeyer and B. Tasnádi, "A unified framework for quantifying privacy risk in synthetic data", PoPETs
// 2023, as a difference.
//
// Reference: A. Hundepool et al., "Statistical Disclosure Control", Wiley 2012, section 3.1: records are to be written
// in a random order.
var RowOrder = measure.Measure{
	Card: card.Card{
		Name:      "roworder",
		Title:     "Order of the records",
		Aliases:   []string{"row number", "record order"},
		Summary:   "What the position of a record in the file reveals, compared with a random order.",
		Paper:     "Hundepool et al. 2012, section 3.1",
		Needs:     "paired records",
		Preserves: "0 in a random order; 1 when the order is kept and the intruder knows that of the original",
		Missing:   "not tested, and skipped",
		Cost:      "O(n), and 150 neighbours per person tested and column",
	},
	Facts: measure.Facts{
		Besides: true, About: measure.Identity, Counts: measure.Records, Effort: measure.Fast, Place: 12,
		Bounds: map[string]string{"people": "1000"},
		Act: func(n, who, _ message.Sentence) message.Sentence {
			return message.Say("act.roworder").Part("n", n).Part("people", who)
		},
		Remedy: func(*table.Table) (message.Sentence, string) {
			return message.Say("remedy.roworder"), ""
		},
	},
	Side:     measure.Risk,
	Better:   measure.Lower,
	Range:    table.Interval{Lo: 0, Hi: 1},
	Unit:     measure.OfPeople("unit.ofPeople"),
	Intruder: true,
	New:      func() measure.Meter { return param.Default(&RowOrderMeter{}) },
}

// RowOrderMeter measures what the order tells.
type RowOrderMeter struct {
	People    int
	Tolerance float64
}

// Params declares the parameters.
func (m *RowOrderMeter) Params() param.Set {
	return param.Set{
		param.Int(&m.People, "people", 2000, 2, 1_000_000, "people", "test up to this many people"),
		param.Float(&m.Tolerance, "tolerance", 5, 0, 100, "% of the range", "a guess this close to a number is correct"),
	}
}

// RowOrderColumn is what the order tells of one column, of the half of the people on which attacks are counted.
type RowOrderColumn struct {
	Column string           `json:"column"`
	By     message.Sentence `json:"by"` // how the value is told
	channel.Gain
}

// RowOrderDetail is what the order tells.
type RowOrderDetail struct {
	Intruder string           `json:"intruder"`
	People   int              `json:"people"`
	Best     *RowOrderColumn  `json:"best"` // the column that is told best; nil where there is none to tell
	Columns  []RowOrderColumn `json:"columns"`
	// Linked is the share of the people whose record stands where it stood, against one who knows the order of the
	// original; nil against others.
	Linked *float64 `json:"linked"`
}

// Measure returns what the order tells with a RowOrderDetail. It fails when records are not paired or there are none.
func (m *RowOrderMeter) Measure(ctx context.Context, r *measure.Release, _ rng.Source) (measure.Value, error) {
	view, err := r.PairedView()
	if err != nil {
		return measure.Value{}, err
	}
	n := r.Original.Rows()
	key := fmt.Sprintf("told by the order %d %v", m.People, m.Tolerance)
	what, err := measure.PerRelease(r, key, func(r *measure.Release) (*told, error) { return m.told(ctx, r) })
	if err != nil {
		return measure.Value{}, err
	}
	d := &RowOrderDetail{Intruder: view.Name, People: n, Columns: what.columns, Best: what.best}
	v := what.value()
	if view.Order {
		v = d.link(r, v)
	}
	v.Detail = d
	return v, nil
}

// told is what the place of a record tells, no matter who the intruder is.
type told struct {
	columns []RowOrderColumn
	best    *RowOrderColumn // nil where no column has values to tell
}

func (t *told) value() measure.Value {
	g := t.best
	if g == nil {
		return measure.Exact(0, nil, message.Say("measure.roworder.note.none"))
	}
	return measure.Value{Score: g.More, Lo: g.Lo, Hi: g.Hi, Parts: []measure.Part{
		{Key: "told", Of: g.Column, Name: message.Say("measure.roworder.part.told").Name("column", g.Column), Score: g.With},
		{Key: "told-shuffled", Name: message.Say("measure.roworder.part.told-shuffled"), Score: g.Without},
	}}
}

// told tells the values of every column. Who is tried, and the random order, are no secret and the same for all
// measures of a release.
func (m *RowOrderMeter) told(ctx context.Context, r *measure.Release) (*told, error) {
	src := rng.New([32]byte{}).Fork("order of the records")
	f := newFile(r.Places, r.Original, src.Fork("random order"))
	rows := measure.DrawnOf(r.Original, m.People)
	choosing := channel.Halves(src.Fork("halves"), len(rows))
	var columns []int
	for j := range r.Original.Width() {
		if a := r.Original.Attr(j); a.Kind.Scalar() && a.Role&(table.Identifier|table.Weight) == 0 {
			columns = append(columns, j)
		}
	}
	found := make([]RowOrderColumn, len(columns))
	chosen := make([]float64, len(columns)) // gain on the half on which attacks are chosen
	err := parallel.Each(ctx, len(columns), func(k int) error {
		a := f.attack(r.Original.Column(columns[k]), r.Released.Column(columns[k]), rows, m.Tolerance/100)
		with, without := a.credits(f.at, f.row), a.credits(f.shuffledAt, f.shuffledRow)
		w, c := channel.Best(with, choosing), channel.Best(without, choosing)
		found[k] = RowOrderColumn{
			r.Original.Attr(columns[k]).Name,
			message.Say("measure.roworder.by." + ways[w]),
			channel.Count(with[w], without[c], choosing),
		}
		x, _ := channel.Mean(with[w], choosing, true)
		y, _ := channel.Mean(without[c], choosing, true)
		chosen[k] = x - y
		return nil
	})
	if err != nil {
		return nil, err
	}
	best := -1
	for k := range found {
		if found[k].Tried > 0 && (best < 0 || chosen[k] > chosen[best]) {
			best = k
		}
	}
	t := &told{columns: found}
	if best >= 0 {
		t.best = &found[best]
	}
	return t, nil
}

// link adds what an intruder does who knows the order of the original, and returns the greater danger.
func (d *RowOrderDetail) link(r *measure.Release, told measure.Value) measure.Value {
	right := 0
	for i := range r.Original.Rows() {
		if r.Places == nil || int(r.Places[i]) == i {
			right++
		}
	}
	v := channel.Share(float64(right), r.Original.Rows())
	share := v.Score
	d.Linked = &share
	told.Parts = append(told.Parts,
		measure.Part{Key: "in-place", Name: message.Say("measure.roworder.part.in-place"), Score: share})
	if v.Score >= told.Score {
		v.Parts, v.Notes = told.Parts, told.Notes
		return v
	}
	return told
}

// Sentence says what the order tells.
func (d *RowOrderDetail) Sentence() message.Sentence {
	says := message.Say("measure.roworder.saysNothing")
	if g := d.Best; g != nil {
		says = message.Say("measure.roworder.says").Name("column", g.Column).Share("told", g.With).
			Count("people", g.Tried).Share("shuffled", g.Without)
	}
	var linked message.Sentence
	if d.Linked != nil {
		linked = message.Say("measure.roworder.linked").Share("share", *d.Linked)
	}
	return message.After(says, linked)
}
