package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/measure"
	"github.com/dither-data/dither/report/chart"
)

// ReconstructedShape is the distribution of an attribute as it was released, as it was reconstructed and, where the
// original is there, as it was.
type ReconstructedShape struct {
	Column     string    `json:"column"`
	By         string    `json:"by"` // the reconstruction
	Names      []string  `json:"names"`
	Edges      []float64 `json:"edges"` // of the intervals of a number
	Observed   []float64 `json:"observed"`
	Shares     []float64 `json:"shares"`
	Errors     []float64 `json:"errors"`
	Low        []float64 `json:"low"` // two errors below
	High       []float64 `json:"high"`
	Truth      []float64 `json:"truth"`
	Values     int       `json:"values"`
	Outside    float64   `json:"outside"`    // share of the released values that is in no interval
	Impossible float64   `json:"impossible"` // share that no original explains
	Rounds     int       `json:"rounds"`
	Settled    bool      `json:"settled"`
	Loss       *float64  `json:"loss"` // information loss against the original
	FaceLoss   *float64  `json:"faceLoss"`
	Privacy    float64   `json:"privacy"`     // Pi(X)
	Left       float64   `json:"left"`        // Pi(X|Y)
	Lost       float64   `json:"privacyLoss"` // 1 - Pi(X|Y)/Pi(X)
}

// width returns the largest half of a band.
func (s *ReconstructedShape) width() float64 {
	most := 0.0
	for k := range s.Shares {
		most = max(most, s.High[k]-s.Shares[k], s.Shares[k]-s.Low[k])
	}
	return most
}

// Sentences say what the drawing does not.
func (s *ReconstructedShape) Sentences() []message.Sentence {
	out := []message.Sentence{message.Say("reconstructed.says.bands").Count("values", s.Values).Text("by", s.By).
		Share("width", s.width())}
	if s.vague() {
		out = append(out, message.Say("reconstructed.says.vague"))
	}
	if s.Edges != nil && slices.Max(s.Shares) > 0.5 {
		out = append(out, message.Say("reconstructed.says.narrow"))
	}
	if !s.Settled {
		out = append(out, message.Say("reconstructed.says.unsettled").Count("rounds", s.Rounds))
	}
	if s.Impossible > 0 {
		out = append(out, message.Say("reconstructed.says.impossible").Share("share", s.Impossible))
	}
	if s.Loss != nil {
		out = append(out, message.Say("reconstructed.says.loss").Fixed("loss", *s.Loss, 3).Fixed("face", *s.FaceLoss, 3))
	}
	if s.Edges != nil {
		return append(out, message.Say("reconstructed.says.spread").Term("left", s.Left, 4).Term("privacy", s.Privacy, 4).
			Share("lost", s.Lost))
	}
	return append(out, message.Say("reconstructed.says.likely").Term("left", s.Left, 3).Term("privacy", s.Privacy, 3).
		Share("lost", s.Lost))
}

// vague reports whether the bands are wider than what they are around, on average.
func (s *ReconstructedShape) vague() bool {
	sum := 0.0
	for k := range s.Shares {
		sum += s.High[k] - s.Low[k]
	}
	return sum > 1
}

// ReconstructedText writes the distributions for a terminal.
func ReconstructedText(w io.Writer, shapes []ReconstructedShape) error {
	var b strings.Builder
	for i := range shapes {
		s := &shapes[i]
		t := s.table()
		fmt.Fprintf(&b, "\n%s\n", Printable(s.Column))
		var head []string
		var numeric []int
		for k, c := range t.Columns {
			if head = append(head, c.Title.String()); c.Numeric {
				numeric = append(numeric, k+1)
			}
		}
		most := slices.Max(append(slices.Clone(s.Shares), 0))
		var rows [][]string
		for k := range t.Rows {
			var line []string
			for c := range t.Rows[k].Cells {
				line = append(line, shown(&t.Rows[k].Cells[c]))
			}
			rows = append(rows, append(line, strings.Repeat("#", int(0.5+20*s.Shares[k]/most))))
		}
		if err := listing(&b, append(head, ""), rows, numeric...); err != nil {
			return err
		}
		for _, line := range s.Sentences() {
			fmt.Fprintln(&b, line)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table is the distribution in figures.
func (s *ReconstructedShape) table() document.Table {
	t := document.Table{Title: message.Name(s.Column),
		Columns: columns("reconstructed.columns", "value", "observed n", "reconstructed n", "band n")}
	if s.Truth != nil {
		t.Columns = append(t.Columns, columns("reconstructed.columns", "original n")...)
	}
	cell := func(key string, v float64, shown string) document.Cell {
		f := document.Exactly(key, v, measure.In(measure.Share, message.Say("unit.ofTheValues")))
		f.Shown = shown
		return document.Cell{Figure: &f}
	}
	for k, v := range s.Shares {
		r := row(message.Name(s.Names[k]))
		r.Key = s.Names[k]
		band := cell("band", v, numfmt.Percent(s.Low[k])+" to "+numfmt.Percent(s.High[k]))
		band.Figure.Lo, band.Figure.Hi = s.Low[k], s.High[k]
		r.Cells = append(r.Cells, cell("observed", s.Observed[k], numfmt.Percent(s.Observed[k])),
			cell("reconstructed", v, numfmt.Percent(v)), band)
		if s.Truth != nil {
			r.Cells = append(r.Cells, cell("original", s.Truth[k], numfmt.Percent(s.Truth[k])))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// ReconstructedHTML writes the distributions as a page. With the original it is confidential.
func ReconstructedHTML(w io.Writer, release string, records int, method string, shapes []ReconstructedShape) error {
	kicker := message.Say("page.kicker.reconstruction")
	if slices.ContainsFunc(shapes, func(s ReconstructedShape) bool { return s.Truth != nil }) {
		kicker = message.Say("page.kicker.truth")
	}
	d := ReconstructedDocument(release, records, method, shapes)
	return execute(w, pages().Lookup("sheet"), sheetOf(d, kicker, message.Say("page.paper.reconstruction")))
}

// ReconstructedDocument builds what there is to say of the distributions: drawn, and in figures.
func ReconstructedDocument(release string, records int, method string, shapes []ReconstructedShape) *document.Document {
	d := &document.Document{Kind: document.OfReconstruction,
		Title: message.Say("reconstructed.title").Name("release", Printable(release)),
		Lead: []message.Sentence{message.Say("reconstructed.lead").Count("records", records).
			Text("method", Printable(method))}}
	key := document.List{Look: "key", Marks: []string{"on", "near"},
		Items: []message.Sentence{message.Say("reconstructed.key.columns"), message.Say("reconstructed.key.lines")}}
	var charts document.Charts
	figures := fold(message.Say("reconstructed.figures"))
	for k := range shapes {
		s := &shapes[k]
		if s.Truth != nil && len(key.Items) == 2 {
			key.Items, key.Marks = append(key.Items, message.Say("reconstructed.key.original")), append(key.Marks, "orig")
		}
		charts.Items = append(charts.Items, document.Chart{Key: fmt.Sprintf("shape-%d", k), Title: message.Name(s.Column),
			Below: s.Sentences(), Drawing: chart.Reconstruction{Name: s.Column, Names: s.Names,
				Observed: s.Observed, Shares: s.Shares, Low: s.Low, High: s.High, Truth: s.Truth}})
		t := s.table()
		figures.Blocks = append(figures.Blocks, part(t.Title, t))
	}
	d.Add(&document.Section{Key: "distributions", Title: message.Say("reconstructed.distributions"),
		Blocks: []document.Block{key, charts, figures}})
	return d
}
