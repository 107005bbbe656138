package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/bytesize"
	"github.com/dither-data/dither/param"
)

// patternFlags are what both verbs take.
type patternFlags struct {
	said
	miner      string
	set        []string
	support    string
	top        int
	output     string
	json       bool
	force      bool
	attributes []string
	intervals  string
	cuts       []string
	memory     bytesize.Size
}

func (f *patternFlags) declare(c *cobra.Command) {
	f.said.declare(c)
	fl := c.Flags()
	fl.StringVar(&f.miner, "miner", "lcm", "which `miner`: lcm, eclat, fpgrowth or apriori; they find the same")
	fl.StringVar(&f.support, "support", "0.1", "how many records have an itemset at least: below 1 a `share` of them, from 1 on a number")
	fl.StringSliceVar(&f.attributes, "columns", nil, "the `columns` that give items, with commas between (default: all but identifiers, persons, households and weights)")
	fl.StringVar(&f.intervals, "intervals", "4", "cut numbers into `so many` intervals of about equally many records")
	fl.StringSliceVar(&f.cuts, "cuts", nil, "cut numbers `here` instead: column=limit|limit, such as age=30|65, or \"tree\" for the cuts of a C4.5 tree for the class; may be repeated")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the miner: `name=value`; may be repeated (\"dither miners lcm\" lists them)")
	fl.StringVarP(&f.output, "output", "o", "", "write all to this `file` instead of printing the first: JSON where it ends in .json, else CSV")
	fl.BoolVar(&f.json, "json", false, "print all as JSON")
	fl.BoolVar(&f.force, "force", false, "overwrite an output that exists")
	memoryFlag(c, &f.memory)
}

// table is where the transactions are.
func (f *patternFlags) table(path string) (desk.Source, error) {
	s, err := f.source(path)
	s.Memory = int64(f.memory)
	allow(f.memory)
	return s, err
}

// parameters are those of the miner.
func (f *patternFlags) parameters() (map[string]string, error) {
	set, err := sets(f.set)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"support": f.support, "intervals": f.intervals, "attributes": param.JoinNames(f.attributes), "cuts": param.JoinNames(f.cuts)} {
		if _, twice := set[name]; !twice && value != "" {
			set[name] = value
		}
	}
	return set, nil
}

func (a *app) mineItemsets() *cobra.Command {
	f := &patternFlags{}
	var closed, maximal bool
	var law, plan string
	c := &cobra.Command{
		Use:   "itemsets IN --support SHARE",
		Short: "find what many records have in common: frequent itemsets",
		Long: `itemsets finds the sets of items that at least so many records have. An item is attribute=value, an interval of a number, or what a
set holds; a missing value is none. The commonest are printed, and how many there are; -o writes all. --closed leaves out those that a larger one
shares all records with, --maximal those that a larger one is frequent with. What is printed names values of the table: it is as confidential as the
table. --law estimates the itemsets of the original of a release that was made at random, from what its custodian published (protect --law-out): each with its
standard error, as long as the estimate is not below the support by more than that; and it says which support can be found at all.`,
		Example: `  dither mine itemsets adult.csv --support 0.4
  dither mine itemsets release.dat --law law.json --support 0.02
  dither mine itemsets adult.csv --support 100 --closed -o itemsets.csv
  dither mine itemsets adult.csv --cuts 'age=30|65,hours_per_week=40'`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runItemsets(c.Context(), args[0], f, desk.ItemsetsRequest{Law: law, Plan: plan}, closed, maximal)
		},
	}
	f.declare(c)
	fl := c.Flags()
	fl.StringVar(&law, "law", "", "IN is a release: estimate the itemsets of its original by the law in this `file`")
	fl.StringVar(&plan, "plan", "", "the same by the `plan` that the release was written with, for its custodian")
	c.MarkFlagsMutuallyExclusive("law", "plan")
	fl.IntVar(&f.top, "top", 0, "list the `N` commonest only (default: 20 in a text, all elsewhere)")
	fl.BoolVar(&closed, "closed", false, "only sets that no larger one shares all records with")
	fl.BoolVar(&maximal, "maximal", false, "only sets that no larger one is frequent with")
	return c
}

func (a *app) runItemsets(ctx context.Context, in string, f *patternFlags, q desk.ItemsetsRequest, closed, maximal bool) error {
	q.Miner, q.Top, q.Output, q.JSON, q.Overwrite = f.miner, f.top, f.output, f.json, f.force
	var err error
	if q.Source, err = f.table(in); err != nil {
		return err
	}
	if q.Set, err = f.parameters(); err != nil {
		return err
	}
	switch {
	case closed && maximal:
		return wrong("itemsets: --closed and --maximal exclude each other")
	case f.top < 0:
		return wrong("itemsets: --top is the number of itemsets to list")
	case closed:
		q.Set["kind"] = "closed"
	case maximal:
		q.Set["kind"] = "maximal"
	}
	return a.desk().Itemsets(ctx, a.out, q)
}

func (a *app) mineRules() *cobra.Command {
	f := &patternFlags{}
	var q desk.RulesRequest
	c := &cobra.Command{
		Use:   "rules IN --support SHARE --confidence SHARE",
		Short: "find association rules: who has this mostly has that",
		Long: `rules makes association rules of the frequent itemsets: of the records with the items before the arrow, a share of at least the confidence has those
behind it, too. The strongest are printed, and how many there are; -o writes all, with support, confidence, lift, leverage, conviction, J-measure and
chi-square. With --class rules end with a value of the class. What is printed names values of the table: it is as confidential as the table.`,
		Example: `  dither mine rules adult.csv --support 0.2 --confidence 0.9 --plain
  dither mine rules adult.csv --support 0.05 --class income --cuts tree --by confidence --top 50
  dither mine rules adult.csv --support 0.1 --then education -o rules.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runRules(c.Context(), args[0], f, q) },
	}
	f.declare(c)
	fl := c.Flags()
	fl.IntVar(&f.top, "top", 0, "list the `N` strongest only (default: 20 in a text, all elsewhere)")
	fl.Float64Var(&q.Confidence, "confidence", 0.8, "the least `share` of the records with the items before the arrow that have those behind it")
	fl.StringVar(&q.By, "by", desk.Strengths()[0], "order by: "+strings.Join(desk.Strengths(), ", "))
	fl.StringArrayVar(&q.Then, "then", nil, "rules end with this `column`, or item, such as sex=female; may be repeated")
	fl.BoolVar(&q.Plain, "plain", false, "leave out rules that others say as well: whose end could be longer, or whose beginning shorter, at the same records")
	return c
}

func (a *app) runRules(ctx context.Context, in string, f *patternFlags, q desk.RulesRequest) error {
	q.Miner, q.Top, q.Output, q.JSON, q.Overwrite, q.ByClass = f.miner, f.top, f.output, f.json, f.force, f.Class != ""
	var err error
	if q.Source, err = f.table(in); err != nil {
		return err
	}
	if q.Set, err = f.parameters(); err != nil {
		return err
	}
	if f.top < 0 {
		return wrong("rules: --top is the number of rules to list")
	}
	return a.desk().Rules(ctx, a.out, q)
}
