package main

import (
	"context"
	"fmt"
	"io"

	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/measure/distributions"
)

// drawing is a way to draw the numeric attributes.
type drawing struct {
	title, method string
	set           settings
	whole         bool   // on the whole file, not inside the leaves of a tree
	rival         string // the drawing with GADP where this one has something else
}

const (
	leavesClip   = extended + ", GADP, clip"
	leavesNoise  = extended + ", GADP, clip, noise in small leaves"
	leavesRedraw = extended + ", GADP, redraw"
	wholeClip    = "GADP on the whole file, clip"
	wholeRedraw  = "GADP on the whole file, redraw"
	wholeAllow   = "GADP on the whole file, allow"
)

// noiseInSmall puts noise on the numbers of leaves that have too few records for moments; by default moments are those
// of more leaves.
var noiseInSmall = settings{"small": "noise"}

func numbers(technique, outside string) settings {
	return settings{"technique": technique, "outside": outside, "p": "0.1"}
}

// drawings are the ways compared; the first is the measure of the others, and a rival stands before those it is the
// measure of.
var drawings = []drawing{
	{title: framework, method: "framework"},
	{leavesClip, "extframework", numbers("gadp", "clip"), false, leavesClip},
	{extended + ", C-GADP", "extframework", numbers("cgadp", "clip"), false, leavesClip},
	{extended + ", EGADP, clip", "extframework", numbers("egadp", "clip"), false, leavesClip},
	{leavesNoise, "extframework", with(numbers("gadp", "clip"), noiseInSmall), false, leavesNoise},
	{
		extended + ", C-GADP, noise in small leaves",
		"extframework",
		with(numbers("cgadp", "clip"), noiseInSmall),
		false,
		leavesNoise,
	},
	{leavesRedraw, "extframework", numbers("gadp", "redraw"), false, leavesRedraw},
	{extended + ", EGADP, redraw", "extframework", numbers("egadp", "redraw"), false, leavesRedraw},
	{wholeClip, "gadp", settings{"outside": "clip"}, true, wholeClip},
	{"C-GADP on the whole file", "cgadp", nil, true, wholeClip},
	{"data shuffling on the whole file", "shuffle", nil, true, wholeClip},
	{"EGADP on the whole file, clip", "egadp", settings{"outside": "clip"}, true, wholeClip},
	{wholeRedraw, "gadp", settings{"outside": "redraw"}, true, wholeRedraw},
	{wholeAllow, "gadp", settings{"outside": "allow"}, true, wholeAllow},
	{"EGADP on the whole file, allow", "egadp", settings{"outside": "allow"}, true, wholeAllow},
}

// arena is a table on which the drawings are compared.
type arena struct {
	title   string
	samples []*sample
	label   string   // of the seeds
	set     settings // of the techniques in leaves
	trees   settings
}

// arenas returns WBC, Adult in the thesis's setting and Adult in ours.
func arenas(ctx context.Context) ([]arena, error) {
	small, err := wbcSamples(ctx)
	if err != nil {
		return nil, err
	}
	large, err := adultSample(ctx)
	if err != nil {
		return nil, err
	}
	return []arena{
		{"WBC", small, "wbc correlations", asPrinted, c45Release8("2")},
		{"Adult, as the thesis", large, "adult correlations", twoColumns(large[0].Original), see5("200")},
		{"Adult, C4.5, influential kept", large, "adult correlations", kept, c45Release8("200")},
	}, nil
}

// changes returns the largest change of a correlation in ten releases of every sample.
func (a *arena) changes(ctx context.Context, d *drawing) ([]float64, error) {
	k := kind{name: d.title, method: d.method, set: d.set}
	if !d.whole {
		k.trees, k.set = a.trees, with(a.set, d.set)
	}
	rs, err := repeat(ctx, a.samples, 10, a.label, &k, []measure.Measure{distributions.Bias})
	if err != nil {
		return nil, err
	}
	return column(rs, changeWithout(0)), nil
}

// correlations compares the ways to draw numbers by the largest change of a correlation.
func correlations(ctx context.Context, w io.Writer, g figures) error {
	as, err := arenas(ctx)
	if err != nil {
		return err
	}
	fmt.Fprint(w, correlationsHead)
	head := []string{"numbers drawn by"}
	for _, a := range as {
		head = append(head, a.title, "x Framework", "x GADP")
	}
	row(w, head...)
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	medians := make([]map[string]float64, len(as))
	for n, d := range drawings {
		cells := []string{d.title}
		for k := range as {
			if n == 0 {
				medians[k] = map[string]float64{}
			}
			if d.whole && k > 1 {
				cells = append(cells, "as left", "", "") // no technique for the whole file knows trees
				continue
			}
			v, err := as[k].changes(ctx, &d)
			if err != nil {
				return err
			}
			m := quantile(v, 0.5)
			medians[k][d.title] = m
			as := fmt.Sprintf("%d/%s", k, d.title)
			g[as+": x F"] = m / medians[k][framework]
			cells = append(cells, medianSpan(v, 3), fmt.Sprintf("%.2f", g[as+": x F"]), "")
			if d.rival != "" {
				g[as+": x G"] = m / medians[k][d.rival]
				cells[len(cells)-1] = fmt.Sprintf("%.2f", g[as+": x G"])
			}
		}
		row(w, cells...)
	}
	found, err := g.fill(correlationsFound)
	if err != nil {
		return err
	}
	fmt.Fprint(w, found)
	return nil
}

const correlationsHead = `## Correlations: the Extended Framework against the Framework, C-GADP and EGADP against GADP

The largest absolute change of a correlation of two numeric attributes, as median (smallest-largest): on WBC over 100 runs (10 splits, 10
seeds, minimum 2), on Adult over 10 seeds (minimum 200). "x Framework" and "x GADP" are the ratios of the medians to those of the Framework
and of GADP where it draws from the same records and does the same with values outside.

`

// correlationsFound names arenas by their number: 0 is WBC, 1 Adult as the thesis has it, 2 Adult with C4.5's trees.
const correlationsFound = `
**At most half of the Framework's?** Yes with values clipped, whatever draws the numbers:
{{between "0/Extended Framework, C-GADP: x F" "0/Extended Framework, GADP, clip: x F" 2}} of it on WBC,
{{between "1/Extended Framework, C-GADP: x F" "2/Extended Framework, GADP, clip: x F" 2}} on Adult. With
redraw, {{f "0/Extended Framework, GADP, redraw: x F" 2}} on WBC and
{{f "1/Extended Framework, GADP, redraw: x F" 2}} on Adult with the thesis's setting, but
{{f "2/Extended Framework, GADP, redraw: x F" 2}} with C4.5's trees, because a record with one value outside is
drawn again as a whole, which cuts the tails of all its attributes. The thesis's own matrices have 0.43 (median of five), and 0.13 without
age. GADP on the whole file changes less than the Extended Framework, as the thesis finds; what it costs is the rules.

**At most GADP's with C-GADP or EGADP, as the thesis expects?** With C-GADP yes: {{f "0/Extended Framework, C-GADP: x G" 2}} of it on
WBC, {{f "1/Extended Framework, C-GADP: x G" 2}} and {{f "2/Extended Framework, C-GADP: x G" 2}} on Adult. It draws
values that occur in the leaf, so hardly anything is clipped, and clipping is what moves correlations on Adult: capital_gain and capital_loss,
zero in nine records of ten, are drawn as normals and cut at zero. On WBC the gain hangs on small leaves: where their records get noise and
not the moments of more leaves, the noise decides, and it is {{f "0/Extended Framework, C-GADP, noise in small leaves: x G" 2}}. EGADP gains
nothing on Adult ({{f "1/Extended Framework, EGADP, clip: x G" 2}} and {{f "2/Extended Framework, EGADP, clip: x G" 2}}): the moments that it has exact
are lost in clipping, and in leaves of 200 records and more there is little sampling error to save. On WBC, whose leaves are small, it has
{{f "0/Extended Framework, EGADP, clip: x G" 2}}, and {{f "0/Extended Framework, EGADP, redraw: x G" 2}} with redraw. On the whole file it is
the other way round: EGADP is better than GADP ({{f "0/EGADP on the whole file, clip: x G" 2}} and
{{f "1/EGADP on the whole file, clip: x G" 2}}, and where values may leave
the domain {{f "0/EGADP on the whole file, allow: x G" 2}} and {{f "1/EGADP on the whole file, allow: x G" 2}}, the rest being rounding), and
C-GADP, like data shuffling, worse ({{f "0/C-GADP on the whole file: x G" 2}} and {{f "1/C-GADP on the whole file: x G" 2}}), since it keeps rank correlations,
and these say little of the correlations of a mixture of groups, which the table is and a leaf is less. Whether CAPT may move records
out of their leaf does not matter here: all parts read the original records, and numbers are drawn by the leaf of the original. The
two settings of Adult differ by their trees.
`
