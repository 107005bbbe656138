package desk

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/dither-data/dither/internal/noise/maskeditems"
	"github.com/dither-data/dither/message"
)

// estimated are the itemsets of the original of a release, by its law.
type estimated struct {
	*searched
	method    string
	threshold float64
	found     []maskeditems.Found // the commonest first
	levels    []maskeditems.Level
	lowest    []float64 // by number of items less one: the lowest support that can be told from 0
}

// estimates looks for the itemsets that may be frequent in the original of a release.
func (d *Desk) estimates(ctx context.Context, q *ItemsetsRequest) (*estimated, error) {
	if q.Set["kind"] != "" {
		return nil, usage(errors.New("whether a set is closed or maximal in the original cannot be estimated; leave out " +
			"--closed and --maximal"))
	}
	if _, given := q.Set["cuts"]; given && q.Set["cuts"] == ByTree {
		return nil, usage(errors.New("a tree for the class is not learned from a disguised release; name the cuts"))
	}
	law, err := readLaw(q.Law, q.Plan)
	if err != nil {
		return nil, err
	}
	s, loaded, err := d.search(ctx, reader{Source: q.Source}, q.Miner, q.Set)
	if err != nil {
		return nil, err
	}
	if err := ofRelease(law, loaded); err != nil {
		return nil, err
	}
	t, err := loaded.Anonymous()
	if err != nil {
		return nil, err
	}
	release, err := maskeditems.New(t, s.Coding(), law)
	if err != nil {
		return nil, usage(fmt.Errorf("%s: %w", loaded.File.Name, err))
	}
	p := d.begin(message.Say("work.estimating").Count("n", s.records).String())
	defer p.End()
	e := &estimated{searched: s, method: law.Method, threshold: float64(s.Least()) / float64(max(1, s.records))}
	if e.found, e.levels, err = release.Find(ctx, e.threshold); err != nil {
		return nil, err
	}
	slices.SortStableFunc(e.found, func(a, b maskeditems.Found) int { return cmp.Compare(b.Share, a.Share) })
	for k := range max(3, len(e.levels)) {
		e.lowest = append(e.lowest, release.Lowest(k+1))
	}
	return e, nil
}

// clearly reports whether the estimate is over the threshold by more than its error.
func (e *estimated) clearly(f *maskeditems.Found) bool { return f.Share-f.Error >= e.threshold }

// listed returns the itemsets that are listed: the commonest, or all where most is 0.
func (e *estimated) listed(most int) []maskeditems.Found {
	if most == 0 {
		return e.found
	}
	return e.found[:min(most, len(e.found))]
}

// text prints the commonest itemsets, each with its error, and says how many are not printed and what could not be
// told.
func (e *estimated) text(_ context.Context, w io.Writer, most int) error {
	if most == 0 {
		most = listed
	}
	b := bufio.NewWriter(w)
	over, clear, lost := 0, 0, 0
	for k := range e.found {
		if e.found[k].Share >= e.threshold {
			over++
		}
		if e.clearly(&e.found[k]) {
			clear++
		}
	}
	for _, l := range e.levels {
		lost += l.Lost
	}
	fmt.Fprintln(b, message.Say("mined.estimates").Count("n", over).Share("support", e.threshold).
		Count("records", e.records).Count("clear", clear).Count("more", len(e.found)-over))
	fmt.Fprintln(b, message.Say("mined.lowest.of").Part("supports", message.Listed(e.lowestSupports())))
	if lost > 0 {
		fmt.Fprintln(b, message.Say("mined.lost").Count("n", lost))
	}
	if len(e.found) > 0 {
		fmt.Fprintf(b, "%9s %10s  itemset\n", "estimate", "error")
	}
	for _, f := range e.listed(most) {
		fmt.Fprintf(b, "%7.2f %% +- %5.2f %%  %s\n", float64(100*f.Clipped()), float64(100*f.Error),
			shortened(itemNames(e.Items(), f.Items, ", "), 120))
	}
	if left := len(e.found) - most; left > 0 {
		fmt.Fprintln(b, message.Say("mined.all").Part("left", notShown(left)))
	}
	return b.Flush()
}

// lowestSupports says what can be found at all.
func (e *estimated) lowestSupports() (out []message.Sentence) {
	for k, s := range e.lowest[:3] {
		at := message.Share(s)
		if s > 1 {
			at = message.Say("mined.lowest.none")
		}
		out = append(out, message.Say("mined.lowest.at").Part("support", at).Count("n", k+1))
	}
	return out
}

// EstimatesDocument are the frequent itemsets of the original of a release, estimated by its law.
type EstimatesDocument struct {
	Schema   string             `json:"schema"`
	Method   string             `json:"method"` // of the release
	Records  int                `json:"records"`
	Support  float64            `json:"support"` // the threshold
	Levels   []LevelDocument    `json:"levels"`
	Itemsets []EstimateDocument `json:"itemsets"`
	Count    int                `json:"count"` // of all that were found, however many are listed
}

// EstimateDocument is an itemset. The support is the unbiased estimate, which may be below 0 or above 1.
type EstimateDocument struct {
	Items   []string `json:"items"`
	Support float64  `json:"support"`
	Error   float64  `json:"error"`   // standard error of the support
	Clearly bool     `json:"clearly"` // the support is above the threshold by more than its error
}

// LevelDocument is what was looked at of a length.
type LevelDocument struct {
	Items      int    `json:"items"` // of the itemsets
	Candidates int    `json:"candidates"`
	Kept       int    `json:"kept"`        // estimate not below the threshold by more than the error
	Lost       int    `json:"lost"`        // left out: error as large as the threshold, and many
	Error      Number `json:"medianError"` // of those kept; null where there are none
	Lowest     Number `json:"lowest"`      // support that can be told from 0; null where there is none
}

// json writes an EstimatesDocument, an itemset a line.
func (e *estimated) json(_ context.Context, w io.Writer, most int) error {
	b := bufio.NewWriter(w)
	var levels []LevelDocument
	for k, l := range e.levels {
		levels = append(levels, LevelDocument{l.Items, l.Candidates, l.Kept, l.Lost, Number(l.Error), Number(e.lowest[k])})
	}
	looked, err := encoded(levels, "")
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "{\n \"schema\": %q,\n \"method\": %q,\n \"records\": %d,\n \"support\": %v,\n \"levels\": %s,\n "+
		"\"itemsets\": [", schemaOf("estimates"), e.method, e.records, e.threshold, bytes.TrimSpace(looked))
	for k, f := range e.listed(most) {
		if k > 0 {
			b.WriteByte(',')
		}
		line, err := encoded(EstimateDocument{itemTexts(e.Items(), f.Items), f.Share, f.Error, e.clearly(&f)}, "")
		if err != nil {
			return err
		}
		b.WriteString("\n  ")
		b.Write(bytes.TrimSpace(line))
	}
	fmt.Fprintf(b, "\n ],\n \"count\": %d\n}\n", len(e.found))
	return b.Flush()
}

// csv writes a line an itemset.
func (e *estimated) csv(_ context.Context, w io.Writer, most int) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"itemset", "items", "support", "error", "clearly"}); err != nil {
		return err
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, f := range e.listed(most) {
		if err := c.Write([]string{itemNames(e.Items(), f.Items, " | "), strconv.Itoa(len(f.Items)), number(f.Share),
			number(f.Error), strconv.FormatBool(e.clearly(&f))}); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
