package desk

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/dither-data/dither/basket"
	"github.com/dither-data/dither/catalog"
	"github.com/dither-data/dither/internal/mining/itemset"
	"github.com/dither-data/dither/internal/text/numfmt"
	"github.com/dither-data/dither/message"
	"github.com/dither-data/dither/mine"
	"github.com/dither-data/dither/param"
	"github.com/dither-data/dither/rng"
	"github.com/dither-data/dither/segment/tree"
	"github.com/dither-data/dither/table"
)

// ItemsetsRequest asks for the frequent itemsets of a table.
type ItemsetsRequest struct {
	Source
	Miner string            // by any of its names
	Set   map[string]string // its parameters: support, kind ...; cuts may be ByTree
	// path of the law of a release: estimate the itemsets of its original; empty for the table as it is
	Law       string
	Plan      string // path of the plan of a release instead, for its custodian
	Top       int    // list so many of the commonest; 0 lists all in the document and in an output
	Output    string // path for all, as JSON where it ends in .json, else as CSV; empty for none
	JSON      bool   // print the document
	Overwrite bool   // replace an output that exists
	Publish   bool   // the sets are handed out, without what tells of few people
	People    int    // where they are handed out, fewer people than these are few
}

// listed is how many itemsets, or rules, a text lists.
const listed = 20

// searched is a table whose itemsets can be looked for.
type searched struct {
	mine.Patterns
	miner   string
	kind    string
	records int
}

// ByTree stands for the cuts of a C4.5 tree that learns the class.
const ByTree = "tree"

// treeCuts returns parameters with the cuts of a tree that learns the class in their place.
func (d *Desk) treeCuts(ctx context.Context, l *Loaded, set map[string]string) (map[string]string, error) {
	if l.Table.WithRole(table.Class) < 0 {
		return nil, usage(errors.New("the cuts of a tree need the class that it learns; --class COLUMN names it"))
	}
	if err := l.Learnable(); err != nil {
		return nil, err
	}
	_, learner, err := learnerOf("c45", nil)
	if err != nil {
		return nil, err
	}
	m, err := d.fit(ctx, l, learner, nil, &Spending{}, rng.Fresh())
	if err != nil {
		return nil, err
	}
	cuts := basket.TreeCuts(l.Table, m.(*tree.Tree))
	d.note(message.Say("told.cuts.at").Name("class", l.Table.Attr(l.Table.WithRole(table.Class)).Name).
		Part("cuts", cutsNoted(cuts)))
	set = maps.Clone(set)
	set["cuts"] = param.JoinNames(cuts)
	return set, nil
}

// cutsNoted lists the cuts of the first few columns.
func cutsNoted(cuts []string) message.Sentence {
	const most = 5
	first := message.Listed(message.Texts(cuts[:min(most, len(cuts))]))
	switch n := len(cuts) - most; {
	case len(cuts) == 0:
		return message.Say("told.cuts.none")
	case n > 0:
		return message.Say("list.further").Part("first", first).Count("n", n)
	}
	return first
}

// search codes the records of a table for a miner of itemsets.
func (d *Desk) search(ctx context.Context, s reader, name string, set map[string]string) (*searched, *Loaded, error) {
	if m, err := catalog.Miner(name); err == nil && !findsPatterns(&m) {
		return nil, nil, usage(
			fmt.Errorf("%s finds no itemsets; those that do: %s", m.Name, strings.Join(patternMiners(), ", ")),
		)
	}
	byTree := set["cuts"] == ByTree
	if byTree {
		set = maps.Clone(set)
		delete(set, "cuts")
	}
	miner, learner, err := learnerOf(name, set)
	if err == nil {
		err = s.minable(&miner, false)
	}
	if err != nil {
		return nil, nil, err
	}
	s.brief, s.baskets = true, true
	loaded, err := d.told(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	if byTree {
		if set, err = d.treeCuts(ctx, loaded, set); err != nil {
			return nil, nil, err
		}
		if _, learner, err = learnerOf(name, set); err != nil {
			return nil, nil, err
		}
	}
	if loaded.Info.Bytes > heavy {
		debug.FreeOSMemory() // what reading took would stand beside the transactions as the miner lays them out
	}
	l := learner.(mine.PatternLearner)
	t, err := loaded.Anonymous()
	if err != nil {
		return nil, nil, err
	}
	p, err := l.Patterns(t)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("%s: %w", loaded.File.Name, err))
	}
	kind := "all"
	if v, ok := set["kind"]; ok {
		kind = v
	}
	return &searched{p, miner.Name, kind, p.Transactions().Len()}, loaded, nil
}

// heavy is the size of a file whose memory is given back before it is mined, in bytes.
const heavy = 16 << 20

// findsPatterns reports whether a miner finds itemsets.
func findsPatterns(m *mine.Miner) bool {
	_, ok := m.New().(mine.PatternLearner)
	return ok
}

// patternMiners returns the names of the miners that find itemsets.
func patternMiners() (out []string) {
	for _, m := range catalog.Miners() {
		if findsPatterns(&m) {
			out = append(out, m.Name)
		}
	}
	return out
}

// Itemsets looks for the frequent itemsets of a table, writes all to the output, and prints the commonest to w. Cost:
// that of the miner, for a text and an output of a search each; what is found is not held, and a text does not visit
// it.
func (d *Desk) Itemsets(ctx context.Context, w io.Writer, q ItemsetsRequest) (err error) {
	out := handout{q.Publish, q.People, q.Output, q.Law != "" || q.Plan != "", q.Set["kind"]}
	if err := out.check(); err != nil {
		return err
	}
	f := out.files(append(q.inputs(), q.Law), q.Overwrite)
	f.plan = []string{q.Plan}
	defer f.discard()
	if err := d.check(f); err != nil {
		return err
	}
	in, ctx, end, err := q.larger(ctx)
	if err != nil {
		return err
	}
	defer func() { err = end(err) }()
	if q.Law != "" || q.Plan != "" {
		if in.space != nil {
			return tooLarge(nameOf(q.Path), "to estimate by the noise model of a release (noise-model, plan)")
		}
		e, err := d.estimates(ctx, &q)
		if err != nil {
			return err
		}
		return list(ctx, w, e, f, listing{q.Output, q.JSON, q.Top})
	}
	in.unhashed = true // a law names the release that it is of; here nothing asks which file it is
	s, l, err := d.search(ctx, in, q.Miner, q.Set)
	if err != nil {
		return err
	}
	p := d.begin(message.Say("work.mining").Count("n", s.records).String())
	defer p.End()
	if err := d.handOut(ctx, w, s, l, out); err != nil {
		return err
	}
	return list(ctx, w, s, f, listing{q.Output, q.JSON, q.Top})
}

// listing is where what was found goes, and how many of them.
type listing struct {
	output string
	json   bool
	top    int
}

// list writes what was found to the output, or prints it.
func list(ctx context.Context, w io.Writer, found interface {
	text(ctx context.Context, w io.Writer, most int) error
	json(ctx context.Context, w io.Writer, most int) error
	csv(ctx context.Context, w io.Writer, most int) error
}, f *files, to listing) error {
	write := found.csv
	switch {
	case to.output == "" && to.json:
		return found.json(ctx, w, to.top)
	case to.output == "":
		return found.text(ctx, w, to.top)
	case strings.HasSuffix(strings.ToLower(to.output), ".json"):
		write = found.json
	}
	if err := f.add(to.output, func(w io.Writer) error { return write(ctx, w, to.top) }); err != nil {
		return err
	}
	return f.place()
}

// each visits the itemsets that are listed: the commonest, or all where most is 0.
func (s *searched) each(
	ctx context.Context,
	most int,
	visit func(items []int32, count int) error,
) (itemset.Tally, error) {
	if most > 0 {
		sets, n, err := s.Commonest(ctx, most)
		for _, f := range sets {
			if err == nil {
				err = visit(f.Items, f.Count)
			}
		}
		return n, err
	}
	var failed error
	n, err := s.Each(ctx, func(items []int32, count int) bool {
		failed = visit(items, count)
		return failed == nil
	})
	if failed != nil {
		return n, failed
	}
	return n, err
}

// text prints the commonest itemsets, and says how many are not printed.
func (s *searched) text(ctx context.Context, w io.Writer, most int) error {
	if most == 0 {
		most = listed
	}
	sets, n, err := s.Commonest(ctx, most)
	if err != nil {
		return err
	}
	what := "frequent itemset"
	if s.kind != "all" {
		what = s.kind + " " + what
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, message.Say("mined.itemsets").Text("sets", n.Counted(what)).Count("least", s.Least()).
		Count("records", s.records))
	if len(sets) > 0 {
		fmt.Fprintf(b, "%12s  %7s  itemset\n", "records", "support")
	}
	for _, f := range sets {
		fmt.Fprintf(b, "%12s  %7s  %s\n", count(f.Count), numfmt.Percent(float64(f.Count)/float64(s.records)),
			shortened(itemNames(s.Items(), f.Items, ", "), 120))
	}
	if left := n - itemset.Tally(len(sets)); left > 0 && n != itemset.Endless {
		fmt.Fprintln(b, message.Say("mined.all").Part("left", notShown(left)))
	}
	return b.Flush()
}

// notShown says how many are left out.
func notShown[N int | itemset.Tally](left N) message.Sentence {
	if left == 1 {
		return message.Say("mined.left.one")
	}
	return message.Say("mined.left.several").Text("n", itemset.Tally(left).String())
}

// ItemsetsDocument is what is frequent in a table. It is written an itemset a line, without being held.
type ItemsetsDocument struct {
	Schema   string        `json:"schema"`
	Miner    string        `json:"miner"`
	Kind     string        `json:"kind"` // all, closed or maximal
	Records  int           `json:"records"`
	MinCount int           `json:"minCount"` // records that an itemset is in at the least
	Itemsets []SetDocument `json:"itemsets"`
	Count    uint64        `json:"count"` // of all that there are, however many are listed
}

// SetDocument is an itemset and how many records have it.
type SetDocument struct {
	Items []string `json:"items"`
	Count int      `json:"count"` // records
}

// itemTexts returns the names of items.
func itemTexts(of []basket.Item, items []int32) []string {
	out := make([]string, len(items))
	for k, i := range items {
		out[k] = of[i].String()
	}
	return out
}

// itemNames writes items as a reader is told of them.
func itemNames(of []basket.Item, items []int32, between string) string {
	return strings.Join(itemTexts(of, items), between)
}

// shortened cuts a line that is longer than so many letters.
func shortened(line string, most int) string {
	if r := []rune(line); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return line
}

// json writes an ItemsetsDocument, an itemset a line. Count is of all that there are, however many are listed.
func (s *searched) json(ctx context.Context, w io.Writer, most int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n \"schema\": %q,\n \"miner\": %q,\n \"kind\": %q,\n \"records\": %d,\n \"minCount\": %d,\n "+
		"\"itemsets\": [", schemaOf("itemsets"), s.miner, s.kind, s.records, s.Least())
	first := true
	n, err := s.each(ctx, most, func(items []int32, count int) error {
		if !first {
			b.WriteByte(',')
		}
		first = false
		line, err := encoded(SetDocument{itemTexts(s.Items(), items), count}, "")
		b.WriteString("\n  ")
		b.Write(bytes.TrimSpace(line))
		return err
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n ],\n \"count\": %d\n}\n", uint64(n))
	return b.Flush()
}

// csv writes a line an itemset: its items in one field, apart by blanks and a bar, how many records have it, and which
// share.
func (s *searched) csv(ctx context.Context, w io.Writer, most int) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"itemset", "items", "count", "support"}); err != nil {
		return err
	}
	_, err := s.each(ctx, most, func(items []int32, count int) error {
		return c.Write(
			[]string{
				itemNames(s.Items(), items, " | "),
				strconv.Itoa(len(items)),
				strconv.Itoa(count),
				strconv.FormatFloat(float64(count)/float64(s.records), 'g', -1, 64),
			},
		)
	})
	if err != nil {
		return err
	}
	c.Flush()
	return c.Error()
}
