package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dither-data/dither/budget"
	"github.com/dither-data/dither/internal/noise/mechanism"
	"github.com/dither-data/dither/internal/noise/noisycounts"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/rng"
)

// QuantilesRequest asks for quantiles of a column of a table under differential privacy.
type QuantilesRequest struct {
	Source
	Spending
	Of        string   // column
	Domain    string   // lo..hi/width: quantiles are chosen among lo, lo+width, ..., hi
	At        []string // which quantiles: decimals or fractions between 0 and 1
	Epsilon   string   // of all of them; a decimal or a fraction
	Person    string   // column that says whose a record is; empty protects records
	Household string   // in place of Person: column that says of which household a record is
	Records   int      // of a person or household, that take part; 0 is 1
	SeedFile  string   // path of the seed, as in ProtectRequest
	Output    string   // path of the document; empty for none
	JSON      bool     // the output is the document, not the text
	Overwrite bool     // replace outputs that exist
}

// QuantilesDocument is quantiles of a column. It may be published: what it tells of a person is bounded by epsilon.
type QuantilesDocument struct {
	Schema     string           `json:"schema"`
	Of         string           `json:"of"`
	Epsilon    float64          `json:"epsilon"`    // of all quantiles together
	Unit       budget.Unit      `json:"unit"`       // whom the promise protects
	Neighbours string           `json:"neighbours"` // tables that the promise makes alike
	Candidates int              `json:"candidates"` // numbers among which each is chosen
	Quantiles  []ChosenQuantile `json:"quantiles"`
	Charged    *Charged         `json:"charged"` // null where no ledger was named
}

// ChosenQuantile is one quantile.
type ChosenQuantile struct {
	At     string  `json:"at"`
	Value  float64 `json:"value"`
	Within float64 `json:"within"` // its rank is off by this many records or fewer with probability 0.95
	text   string
}

// quantiling is a request that was understood.
type quantiling struct {
	*QuantilesRequest
	domain  noisycounts.Domain
	at      []wanted // ascending
	epsilon mechanism.Ratio
	unit    budget.Unit
}

// wanted is a quantile.
type wanted struct {
	text  string
	share mechanism.Ratio
	of    *mechanism.Quantile
}

// mostCandidates is among how many numbers a quantile is chosen at most.
const mostCandidates = 1 << 20

// understood reads what is asked for, before any table is.
func (q *QuantilesRequest) understood() (*quantiling, error) {
	c := &quantiling{QuantilesRequest: q}
	var err error
	if c.unit, err = unitOf(q.Person, q.Household, q.Records); err != nil {
		return nil, err
	}
	if c.domain, err = noisycounts.ParseDomain(q.Of + "=" + q.Domain); err != nil {
		return nil, &Usage{Field: "domain", Value: q.Domain, Err: err}
	}
	if n := c.domain.Points(); n == 0 || n > mostCandidates {
		return nil, &Usage{Field: "domain", Value: q.Domain, Err: fmt.Errorf("expected lo..hi/width, with at most %d "+
			"numbers among which to choose", mostCandidates)}
	}
	if c.epsilon, err = mechanism.ParseRatio(q.Epsilon); err != nil {
		return nil, &Usage{Field: "epsilon", Value: q.Epsilon, Err: err}
	}
	each, err := c.epsilon.Over(uint64(c.unit.Records) * uint64(max(len(q.At), 1)))
	if err != nil {
		return nil, &Usage{Field: "epsilon", Value: q.Epsilon, Err: err}
	}
	for _, text := range q.At {
		a := wanted{text: text}
		if a.share, err = mechanism.ParseRatio(text); err == nil {
			a.of, err = mechanism.NewQuantile(a.share.Num, a.share.Den, each)
		}
		if err != nil {
			return nil, &Usage{Field: "at", Value: text, Err: err}
		}
		c.at = append(c.at, a)
	}
	if len(c.at) == 0 {
		return nil, &Usage{Field: "at", Err: errors.New("no quantile is asked for")}
	}
	slices.SortFunc(c.at, func(a, b wanted) int { return a.share.Rat().Cmp(b.share.Rat()) })
	return c, nil
}

// whose is the column that says whose a record is.
func (q *QuantilesRequest) whose() string { return q.Person + q.Household }

// Quantiles chooses quantiles of the numbers of a column among those of a declared domain, under differential privacy.
// Each number counts as the nearest one of the domain; what is missing or no number does not count. Epsilon is shared
// out evenly, and the charge is spent before anything is drawn. Cost: that of reading, and O(candidates) for each.
func (d *Desk) Quantiles(ctx context.Context, q QuantilesRequest) (out *QuantilesDocument, err error) {
	c, err := q.understood()
	if err != nil {
		return nil, err
	}
	f := &files{reads: q.inputs(), ledger: q.Ledger, seed: q.SeedFile, shown: []string{q.Output}, main: q.Output,
		replace: q.Overwrite}
	defer f.discard()
	l, seed, err := d.asked(ctx, &q.Source, f, []word{{"of", q.Of}, {"person", q.Person}, {"household", q.Household}})
	if err != nil {
		return nil, err
	}
	src := drawn(seed, "quantiles", l, q.Of, q.Domain, q.Epsilon, strings.Join(q.At, "\x00"), fmt.Sprint(c.unit),
		q.whose())
	counts, err := c.counted(l, src.Fork("people"))
	if err != nil {
		return nil, err
	}
	out = &QuantilesDocument{Schema: schemaOf("quantiles"), Of: q.Of, Epsilon: c.epsilon.Float(), Unit: c.unit,
		Neighbours: budget.AddOrRemove, Candidates: len(counts)}
	if out.Charged, err = q.charge([]budget.Entry{c.charge()}, seed, l.File.SHA256); err != nil {
		return nil, err
	}
	if out.Charged == nil {
		d.note(message.Say("told.uncharged"))
	}
	if out.Quantiles, err = c.chosen(counts, src.Fork("noise").Stream().Words()); err != nil {
		return nil, err
	}
	if err := f.add(q.Output, func(w io.Writer) error { return out.Print(w, q.JSON) }); err != nil {
		return nil, err
	}
	return out, f.place()
}

// charge is what all quantiles spend.
func (c *quantiling) charge() budget.Entry {
	return budget.Entry{Amount: budget.Of(c.epsilon), Kind: budget.Pure, Mechanism: "permute-and-flip",
		Neighbours: budget.AddOrRemove, Unit: c.unit, Purpose: "quantiles",
		Parameters: map[string]string{"quantiles": strconv.Itoa(len(c.at)), "candidates": strconv.Itoa(c.domain.Points())}}
}

// counted returns how many records each number of the domain is the nearest of, with as many of a person as take part.
func (c *quantiling) counted(l *Loaded, src rng.Source) ([]int64, error) {
	col, err := find(l, c.Of)
	if err != nil {
		return nil, err
	}
	at := make([]int32, len(col.Labels))
	for code, label := range col.Labels {
		k, ok := c.domain.Nearest(label)
		if at[code] = int32(k); !ok {
			at[code] = -1
		}
	}
	places := make([]int32, len(col.Cat))
	for i, code := range col.Cat {
		if places[i] = -1; code >= 0 {
			places[i] = at[code]
		}
	}
	if c.whose() != "" {
		whose, err := find(l, c.whose())
		if err != nil {
			return nil, err
		}
		keepFew(l.Table, whose, places, c.unit.Records, false, src)
	}
	counts := make([]int64, c.domain.Points())
	for _, k := range places {
		if k >= 0 {
			counts[k]++
		}
	}
	return counts, nil
}

// chosen chooses the quantiles, and puts them in order, which costs nothing.
func (c *quantiling) chosen(counts []int64, w mechanism.Words) (out []ChosenQuantile, err error) {
	places := make([]int, len(c.at))
	for k := range c.at {
		places[k] = c.at[k].of.Choose(w, counts)
	}
	slices.Sort(places)
	for k, place := range places {
		a := &c.at[k]
		q := ChosenQuantile{At: a.text, text: c.domain.Point(place), Within: a.of.Within(len(counts), 0.95)}
		if q.Value, err = strconv.ParseFloat(q.text, 64); err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}

// Print writes the document, or the quantiles as a table with what is promised.
func (c *QuantilesDocument) Print(w io.Writer, asJSON bool) error {
	if asJSON {
		return WriteJSON(w, c)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "quantile\t%s\t95 %% within\n", report.Printable(c.Of))
	for _, q := range c.Quantiles {
		fmt.Fprintf(t, "%s\t%s\t%.0f ranks\n", q.At, q.text, q.Within)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	says := bounded{epsilon: c.Epsilon, unit: c.Unit, charged: c.Charged}
	choice := message.Say("counts.chosen").Count("n", c.Candidates).String()
	_, err := io.WriteString(w, "\n"+says.lines(line{"choice", choice}))
	return err
}
