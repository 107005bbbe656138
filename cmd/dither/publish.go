package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
)

// fewFlags say that something is handed out in the place of the table, and how many people are few.
type fewFlags struct {
	publish bool
	people  int
}

func (f *fewFlags) offer(c *cobra.Command, what string) {
	c.Flags().BoolVar(&f.publish, "publish", false, what)
	c.Flags().IntVar(&f.people, "minimum", 5, "with --publish, fewer `people` than these are few")
}

// publishFlags say that a model is handed out.
type publishFlags struct {
	fewFlags
	counts bool
}

func (f *publishFlags) offer(c *cobra.Command, limits *string) {
	fl := c.Flags()
	f.fewFlags.offer(c, "hand the model out: leaves and values of few people go, counts are left out, and what "+
		"still tells of them withholds it, as do counts of other models; with --read and IN, judge a saved tree")
	fl.BoolVar(&f.counts, "counts", false, "with --publish, hand out the counts of the nodes, too")
	fl.StringVar(limits, "limits", "", "with --publish, `none` lets out a model of a kind that nothing judges")
}

// runPublish writes a model, or says why it is withheld.
func (a *app) runPublish(ctx context.Context, f *publishFlags, q desk.PublishRequest) error {
	q.People, q.Counts = f.people, f.counts
	if q.Saved == "" && q.Miner == "" {
		q.Miner = "c45"
	}
	out, err := a.desk().Publish(ctx, q)
	if out == nil {
		return err
	}
	for _, s := range out.Says {
		say(a.out, "%s", s.Whole())
	}
	if err == nil {
		say(a.out, "wrote %s", q.Output)
	}
	return err
}
