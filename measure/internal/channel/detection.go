package channel

import (
	"math"
	"slices"

	"github.com/dither-data/dither/internal/stats/confidence"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/message"
)

// Detection is how well members of a file are told from other people by a figure that is small for members.
type Detection struct {
	Members int     `json:"members"`  // tried
	Others  int     `json:"others"`   // tried
	AtOne   float64 `json:"at1"`      // true positive rate at 1 % false positives
	AtTenth float64 `json:"at0.1"`    // and at 0.1 %
	AUC     float64 `json:"auc"`      // the probability that a member has the smaller figure, ties counting half
	FalseAt float64 `json:"falseAt1"` // the share of the others that is in fact called a member
}

// Detect tells members by figures, of which there are some of each. Of the figures that as many others at most have as
// may be called in wrongly the largest is the limit; figures that tie are all in or all out. NaN and +Inf are no sign
// of membership. Cost: O(n log n).
func Detect(members, others []float64) Detection {
	d := Detection{Members: len(members), Others: len(others)}
	in, out := sorted(members), sorted(others)
	d.AtOne, d.FalseAt = rate(in, out, 0.01)
	d.AtTenth, _ = rate(in, out, 0.001)
	below, sum := 0, 0.0
	for _, v := range in { // of every member, the others above, and half of those beside
		for below < len(out) && out[below] < v {
			below++
		}
		beside := below
		for beside < len(out) && out[beside] == v {
			beside++
		}
		sum += float64(len(out)-beside) + float64(beside-below)/2
	}
	d.AUC = sum / float64(max(1, len(in)*len(out)))
	return d
}

func sorted(figures []float64) []float64 {
	out := slices.Clone(figures)
	for i, v := range out {
		if v != v {
			out[i] = math.Inf(1)
		}
	}
	slices.Sort(out)
	return out
}

// rate returns the share of members called in, and that of others, at a share of false positives.
func rate(in, out []float64, falsely float64) (right, wrong float64) {
	if len(in) == 0 || len(out) == 0 {
		return 0, 0
	}
	limit := out[min(len(out)-1, int(falsely*float64(len(out))))] // the first figure of another that must not be called in
	count := func(figures []float64) float64 {
		n, _ := slices.BinarySearch(figures, limit)
		return float64(n) / float64(len(figures))
	}
	return count(in), count(out)
}

// Value is the true positive rate at 1 % false positives, with its bounds, of a file with so many people.
func (d *Detection) Value(people int) measure.Value {
	v := measure.Value{Score: d.AtOne}
	v.Lo, v.Hi = confidence.ClopperPearson(float64(d.AtOne*float64(d.Members)), float64(d.Members), 0.95)
	v.Lo, v.Hi = min(v.Lo, v.Score), max(v.Hi, v.Score)
	v.Parts = []measure.Part{
		{Key: "told-01", Name: message.Say("measure.channel.part.told-01"), Score: d.AtTenth},
		{Key: "auc", Name: message.Say("measure.channel.part.auc"), Score: d.AUC},
		{Key: "members", Name: message.Say("measure.channel.part.members"), Score: float64(d.Members)},
		{Key: "others", Name: message.Say("measure.channel.part.others"), Score: float64(d.Others)},
	}
	switch {
	case d.Others < 100:
		v.Notes = append(v.Notes, message.Say("measure.channel.note.tooFew").Count("n", d.Others))
	case d.Others < 1000:
		v.Notes = append(v.Notes, message.Say("measure.channel.note.few").Count("n", d.Others))
	}
	if d.Members < people {
		v.Notes = append(v.Notes, measure.Sample(d.Members, people))
	}
	return v
}
