package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dither-data/dither/message"

	"github.com/dither-data/dither/document"
	"github.com/dither-data/dither/internal/numeral"
	"github.com/dither-data/dither/report/chart"
)

// ReconstructedShape is the distribution of an attribute as it was released, as it was reconstructed and, where the original is there, as it was.
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
func (s *ReconstructedShape) Sentences() []string {
	out := []string{fmt.Sprintf("From %s values by %s: the bands are two standard errors, up to %s.", whole(s.Values), s.By, numeral.Percent(s.width()))}
	if s.vague() {
		out = append(out, "The bands are wide: the release leaves open what the original looked like here.")
	}
	if s.Edges != nil && slices.Max(s.Shares) > 0.5 {
		out = append(out, "Most values are in one interval, and the bands do not count how they lie inside it, so they are too narrow; --set intervals=N takes more of them.")
	}
	if !s.Settled {
		out = append(out, numeral.Sprintf("It has not settled in %d rounds; --set rounds=N allows more.", s.Rounds))
	}
	if s.Impossible > 0 {
		out = append(out, fmt.Sprintf("%s of the released values cannot come from any interval by this law and are left out.", numeral.Percent(s.Impossible)))
	}
	if s.Loss != nil {
		out = append(out, fmt.Sprintf("Information loss against the original: %.3f; of the released values at face value: %.3f (0 is the same distribution, 1 none in common).", *s.Loss, *s.FaceLoss))
	}
	if s.Edges != nil {
		out = append(out, fmt.Sprintf("To who has the release, a value is on average as uncertain as if spread over %.4g; without it, over %.4g: %s of the privacy is lost.", s.Left, s.Privacy, numeral.Percent(s.Lost)))
	} else {
		out = append(out, fmt.Sprintf("To who has the release, a value is on average as uncertain as one of %.3g equally likely ones; without it, of %.3g: %s of the privacy is lost.", s.Left, s.Privacy, numeral.Percent(s.Lost)))
	}
	return out
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
	for i := range shapes {
		s := &shapes[i]
		var b strings.Builder
		fmt.Fprintf(&b, "\n%s\n", Printable(s.Column))
		head, most := []string{"value", "observed", "reconstructed", "band", ""}, 0.0
		if s.Truth != nil {
			head = []string{"value", "observed", "reconstructed", "band", "original", ""}
		}
		for k := range s.Shares {
			most = max(most, s.Shares[k])
		}
		var rows [][]string
		for k := range s.Shares {
			row := []string{Printable(s.Names[k]), numeral.Percent(s.Observed[k]), numeral.Percent(s.Shares[k]), numeral.Percent(s.Low[k]) + " to " + numeral.Percent(s.High[k])}
			if s.Truth != nil {
				row = append(row, numeral.Percent(s.Truth[k]))
			}
			rows = append(rows, append(row, strings.Repeat("#", int(0.5+20*s.Shares[k]/most))))
		}
		numeric := []int{2, 3, 4, 5}
		if s.Truth == nil {
			numeric = numeric[:3]
		}
		if err := listing(&b, head, rows, numeric...); err != nil {
			return err
		}
		for _, line := range s.Sentences() {
			fmt.Fprintln(&b, line)
		}
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}

// ReconstructedHTML writes the distributions as a page. With the original it is confidential.
func ReconstructedHTML(w io.Writer, release string, records int, method string, shapes []ReconstructedShape) error {
	d := &document.Document{Kind: document.OfReconstruction, Title: message.Say("reconstructed.title").Name("release", Printable(release)),
		Lead: []message.Sentence{message.Say("reconstructed.lead").Count("records", records).Text("method", Printable(method))}}
	key := document.List{Look: "key", Marks: []string{"on", "near"}, Items: []message.Sentence{message.Say("reconstructed.key.columns"), message.Say("reconstructed.key.lines")}}
	kicker := message.Say("page.kicker.reconstruction")
	var charts document.Charts
	for k := range shapes {
		s := &shapes[k]
		if s.Truth != nil && len(key.Items) == 2 {
			kicker = message.Say("page.kicker.truth")
			key.Items, key.Marks = append(key.Items, message.Say("reconstructed.key.original")), append(key.Marks, "orig")
		}
		charts.Items = append(charts.Items, document.Chart{Key: fmt.Sprintf("shape-%d", k), Title: message.Name(s.Column), Below: message.Texts(s.Sentences()),
			Drawing: chart.Reconstruction{Name: s.Column, Names: s.Names, Observed: s.Observed, Shares: s.Shares, Low: s.Low, High: s.High, Truth: s.Truth}})
	}
	d.Add(&document.Section{Key: "distributions", Title: message.Say("reconstructed.distributions"), Blocks: []document.Block{key, charts}})
	return execute(w, pages().Lookup("sheet"), sheetOf(d, kicker, message.Say("page.paper.reconstruction")))
}
