package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/bytesize"
	"github.com/dither-data/dither/param"
)

// patternFlags are what both verbs take.
type patternFlags struct {
	said
	fewFlags
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
	fl.StringVar(&f.miner, "miner", "lcm", "which `miner`: lcm, eclat, fpgrowth or apriori; all find the same itemsets")
	fl.StringVar(&f.support, "support", "0.1", "minimum support of an itemset: a `share` of the records if below 1, "+
		"else a number of records")
	fl.StringSliceVar(&f.attributes, "columns", nil, "the `columns` to take items from, comma-separated (default: all "+
		"but identifiers, persons, households and weights)")
	fl.StringVar(&f.intervals, "intervals", "4", "cut numbers into this `number` of intervals with about equally many "+
		"records")
	fl.StringSliceVar(&f.cuts, "cuts", nil, "cut numbers at these `limits` instead: column=limit|limit, such as "+
		"age=30|65, or \"tree\" for the cuts of a C4.5 tree that predicts the class; may be repeated")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the miner: `name=value`; may be repeated (\"dither miners "+
		"lcm\" lists them)")
	fl.StringVarP(&f.output, "output", "o", "", "write all to this `file` instead of printing the first ones: JSON if "+
		"it ends in .json, else CSV")
	fl.BoolVar(&f.json, "json", false, "print all as JSON")
	fl.BoolVar(&f.force, "force", false, "overwrite an output that exists")
	memoryFlag(c, &f.memory)
	f.offer(c, "hand the patterns out: those are left out whose counts tell of few people, by differences too, or let a "+
		"value of the class or of a confidential column follow")
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
	for name, value := range map[string]string{"support": f.support, "intervals": f.intervals,
		"attributes": param.JoinNames(f.attributes), "cuts": param.JoinNames(f.cuts)} {
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
		Short: "find frequent itemsets",
		Long: `itemsets finds the sets of items that have at least the given support. An item is attribute=value,
an interval of a number, or an element of a set; a missing value is not an item. The most frequent
are printed, and how many there are; -o writes all. --closed leaves out sets with a superset of
the same support, --maximal those with a frequent superset.

--noise-model estimates the itemsets of the original from a randomised release and its published
noise model (protect --noise-model-out), each with its standard error; estimates within one standard
error of the support are listed, too. It also says which support can be detected at all.

The output contains values of the table: it is as confidential as the table. --publish hands out
those sets by whose counts nobody works out a group of few people.`,
		Example: `  dither mine itemsets adult.csv --support 0.4
  dither mine itemsets release.dat --noise-model noise.json --support 0.02
  dither mine itemsets adult.csv --support 100 --closed -o itemsets.csv
  dither mine itemsets adult.csv --cuts 'age=30|65,hours_per_week=40'
  dither mine itemsets adult.csv --class income --support 0.1 --publish -o itemsets.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runItemsets(c.Context(), args[0], f, desk.ItemsetsRequest{Law: law, Plan: plan}, closed, maximal)
		},
	}
	f.declare(c)
	fl := c.Flags()
	fl.StringVar(&law, "noise-model", "", "IN is a randomised release: estimate the itemsets of its original with the "+
		"noise model in this `file`")
	fl.StringVar(&plan, "plan", "", "the same with the `plan` of the release, for its custodian")
	c.MarkFlagsMutuallyExclusive("noise-model", "plan")
	fl.IntVar(&f.top, "top", 0, "list only the `N` most frequent (default: 20 in text, all elsewhere)")
	fl.BoolVar(&closed, "closed", false, "only closed sets: no superset has the same support")
	fl.BoolVar(&maximal, "maximal", false, "only maximal sets: no superset is frequent")
	return c
}

func (a *app) runItemsets(
	ctx context.Context,
	in string,
	f *patternFlags,
	q desk.ItemsetsRequest,
	closed, maximal bool,
) error {
	q.Miner, q.Top, q.Output, q.JSON, q.Overwrite = f.miner, f.top, f.output, f.json, f.force
	q.Publish, q.People = f.publish, f.people
	var err error
	if q.Source, err = f.table(in); err != nil {
		return err
	}
	if q.Set, err = f.parameters(); err != nil {
		return err
	}
	switch {
	case closed && maximal:
		return wrong("itemsets: use either --closed or --maximal")
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
		Short: "find association rules: records with X usually also have Y",
		Long: `rules makes association rules from the frequent itemsets: of the records that contain the
antecedent, at least the share given by --confidence also contain the consequent. The strongest
are printed, and how many there are; -o writes all, with support, confidence, lift, leverage,
conviction, J-measure and chi-square. With --class the consequent is a value of the class. The
output contains values of the table: it is as confidential as the table. --publish hands out those
rules by whose counts nobody works out a group of few people.`,
		Example: `  dither mine rules adult.csv --support 0.2 --confidence 0.9 --plain
  dither mine rules adult.csv --support 0.05 --class income --cuts tree --by confidence --top 50
  dither mine rules adult.csv --support 0.1 --then education -o rules.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runRules(c.Context(), args[0], f, q) },
	}
	f.declare(c)
	fl := c.Flags()
	fl.IntVar(&f.top, "top", 0, "list only the `N` strongest (default: 20 in text, all elsewhere)")
	fl.Float64Var(&q.Confidence, "confidence", 0.8, "minimum confidence: the `share` of the records with the antecedent "+
		"that also have the consequent")
	fl.StringVar(&q.By, "by", desk.Strengths()[0], "order by: "+strings.Join(desk.Strengths(), ", "))
	fl.StringArrayVar(&q.Then, "then", nil, "only rules whose consequent is of this `column`, or is this item, such as "+
		"sex=female; may be repeated")
	fl.BoolVar(&q.Plain, "plain", false, "leave out redundant rules: those with the same records as a rule with a "+
		"longer consequent or a shorter antecedent")
	return c
}

func (a *app) runRules(ctx context.Context, in string, f *patternFlags, q desk.RulesRequest) error {
	q.Miner, q.Top, q.Output, q.JSON, q.Overwrite, q.ByClass = f.miner, f.top, f.output, f.json, f.force, f.Class != ""
	q.Publish, q.People = f.publish, f.people
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
