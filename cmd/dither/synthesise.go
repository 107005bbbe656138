package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

// drawn are the flags of synthesise besides those of protect: parameters of the technique.
type drawn struct {
	rows                 int
	like, epsilon, delta string
}

func (a *app) synthesise() *cobra.Command {
	f, d := &protectFlags{}, &drawn{}
	f.Draws = true
	c := &cobra.Command{
		Use:     "synthesise IN -o OUT",
		Aliases: []string{"synthesize"},
		Short:   "draw a table of new records",
		Long: `synthesise draws new records that resemble those of IN: they stand for nobody. It is protect with
a technique that draws records (--method; default ` + desk.DefaultSynthesis + `), and takes the same
flags; --rows and --like are parameters of the technique, and so are --epsilon and --delta where it
has them.

Some people, drawn at random, are kept out of the fit. Whether the release may go out is decided
by what it tells of the others beyond what it tells of them: whether they are in it, what they look
like, what their secrets are. The relations that hold in the table hold in every new record, and
people who have several records are drawn as people.

--like draws only records that are like this: "region=North", "age>=65", joined by " and ". Of a
group of few people more records show what these few had, not more of others.`,
		Example: `  dither synthesise patients.csv -o synthetic.csv
  dither synthesise patients.csv --rows 10000 -o synthetic.csv
  dither synthesise patients.csv --like "region=North and age>=65" --rows 500 -o north.csv
  dither synthesise patients.csv --method copulasynthesis -o synthetic.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.set = append(f.set, d.settings()...)
			return a.runProtect(c.Context(), args[0], f)
		},
	}
	f.declare(c)
	fl := c.Flags()
	fl.Lookup("method").Usage = "the technique (default " + desk.DefaultSynthesis + "); \"dither methods\" lists those " +
		"that draw new records"
	fl.IntVarP(&d.rows, "rows", "n", 0, "number of `records` to draw (default: as many as the table has)")
	fl.StringVar(&d.like, "like", "", "draw only records that are like this: `conditions` such as \"region=North\" or "+
		"\"age>=65 and sex=f\"")
	fl.StringVar(&d.epsilon, "epsilon", "", "bound of what is learned of anybody (differential privacy), for techniques "+
		"that have one: a `number`")
	fl.StringVar(&d.delta, "delta", "", "how likely the bound may fail, for techniques that have one: a `number`")
	return c
}

// settings are the flags as parameters of the technique.
func (d *drawn) settings() (out []string) {
	if d.rows != 0 {
		out = append(out, "rows="+strconv.Itoa(d.rows))
	}
	for _, s := range []struct{ name, value string }{{"like", d.like}, {"epsilon", d.epsilon}, {"delta", d.delta}} {
		if s.value != "" {
			out = append(out, s.name+"="+s.value)
		}
	}
	return out
}
