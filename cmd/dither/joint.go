package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/joint"
	"github.com/dither-data/dither/report"
)

// joint is the verb of all that several parties do together, for these arguments behind it.
func (a *app) joint(args []string) *cobra.Command {
	c := &cobra.Command{
		Use:   "joint",
		Short: "compute with other custodians, without showing each other the records",
		Long: `joint lets two or more custodians compute one result of the records of all, and learn nothing else
of each other's. All keep one plan; each makes a key, whose fingerprint goes into the plan; then
each runs one command. There is no server between them.`,
		Example: `  dither joint plan --protocol sharedsum --party a --party b --party c --data a.csv -o plan.yaml
  dither joint keys --party a -o a.pem
  dither joint try plan.yaml --data a.csv --data b.csv --data c.csv
  dither joint run plan.yaml --party a --data a.csv --key a.pem`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, v := range called([]verb{{"", "plan", a.jointPlan}, {"", "keys", a.jointKeys}, {"", "try", a.jointTry},
		{"", "run", a.jointRun}, {"", "protocols", a.jointProtocols}}, args) {
		c.AddCommand(v.make())
	}
	return c
}

type jointPlanFlags struct {
	said
	desk.JointPlanRequest
	data                                        string
	parties, addresses, certificates, own, sets []string
}

func (a *app) jointPlan() *cobra.Command {
	f := &jointPlanFlags{}
	c := &cobra.Command{
		Use:   "plan --protocol PROTOCOL --party NAME --party NAME",
		Short: "write the plan that all parties keep, with what it means",
		Long: `plan writes a plan: a YAML file that says which protocol is run, who takes part, what the columns
hold and what is shown at least. Comments explain it. Every party keeps the same file: joint run
compares them first, and names the field in which two differ.

--data describes the columns of a table: the range and decimals of numbers, and the categories.
Look at them before you pass the plan on, for the other parties read them.`,
		Example: `  dither joint plan --protocol sharedsum --party a --party b --party c --data a.csv -o plan.yaml
  dither joint plan --protocol ringsum --party a --party b --party c --address a=a.example:7001`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.runJointPlan(c.Context(), f) },
	}
	f.declare(c)
	fl := c.Flags()
	fl.StringVar(&f.Protocol, "protocol", "", "the `protocol` (\"dither joint protocols\" lists them)")
	fl.StringArrayVar(&f.parties, "party", nil, "a party: its `name`, or name=role; once for each, in their order")
	fl.StringArrayVar(&f.addresses, "address", nil, "where others reach a party: `name=host:port`; may be repeated")
	fl.StringArrayVar(&f.certificates, "certificate", nil, "the fingerprint that joint keys printed: "+
		"`name=fingerprint`; may be repeated")
	fl.StringVar(&f.data, "data", "", "describe the columns of this `table`")
	fl.StringArrayVar(&f.Columns, "column", nil, "take only this `column` of the table; may be repeated")
	fl.StringArrayVar(&f.Keys, "key", nil, "a `column` by which records of the same person are put together; may be "+
		"repeated")
	fl.StringArrayVar(&f.own, "owner", nil, "a column that one party has: `column=name`; may be repeated (default: "+
		"every party has every column)")
	fl.StringArrayVar(&f.sets, "set", nil, "set a parameter of the protocol: `name=value`; may be repeated")
	fl.IntVar(&f.Least.Cell, "cell", 0, "the smallest `count` that is shown (default 5)")
	fl.IntVar(&f.Least.Contributors, "contributors", 0, "how many `parties` must have contributed to a total (default 3, "+
		"or both of two)")
	fl.StringVar(&f.Noise, "noise", "", "add noise to all totals that makes them differentially private, with this "+
		"`epsilon` of all together, such as 0.5 or 1/3")
	fl.IntVar(&f.Limits.Silence, "silence", 0, "after how many `seconds` without a sign of life a party counts as gone "+
		"(default 30)")
	fl.IntVar(&f.Limits.Total, "total", 0, "how many `seconds` a run may take (default 3600)")
	fl.StringVarP(&f.Output, "output", "o", "", "write to this `file` (default: print)")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runJointPlan(ctx context.Context, f *jointPlanFlags) (err error) {
	q := f.JointPlanRequest
	if q.Protocol == "" || len(f.parties) < 2 {
		return wrong("plan: name a protocol (--protocol) and two or more parties (--party)")
	}
	for _, p := range f.parties {
		name, role, _ := strings.Cut(p, "=")
		q.Parties = append(q.Parties, joint.Member{Name: name, Role: role})
	}
	for _, given := range []struct {
		flag   string
		values []string
		put    func(m *joint.Member, value string)
	}{
		{"address", f.addresses, func(m *joint.Member, v string) { m.Address = v }},
		{"certificate", f.certificates, func(m *joint.Member, v string) { m.Certificate = strings.ToLower(v) }},
	} {
		for _, v := range given.values {
			if err := tellOf(q.Parties, given.flag, v, given.put); err != nil {
				return err
			}
		}
	}
	q.Owned = map[string][]string{}
	for _, o := range f.own {
		k := strings.LastIndex(o, "=")
		if k < 0 {
			return wrong("plan: --owner %s: expected column=name", o)
		}
		q.Owned[o[k+1:]] = append(q.Owned[o[k+1:]], o[:k])
	}
	if q.Set, err = sets(f.sets); err != nil {
		return err
	}
	if q.Source, err = f.source(f.data); err != nil {
		return err
	}
	text, p, err := a.desk().JointPlan(ctx, q)
	if err != nil {
		return err
	}
	defer a.lacking(p)
	if q.Output == "" {
		_, err = a.out.Write(text)
		return err
	}
	say(a.out, "%s: the plan of %s for %d parties; look at it, and give the same file to all", q.Output, q.Protocol,
		len(q.Parties))
	return nil
}

// lacking says what a run needs that the plan does not have yet.
func (a *app) lacking(p *joint.Plan) {
	var unknown, away []string
	for _, m := range p.Parties {
		if m.Certificate == "" {
			unknown = append(unknown, m.Name)
		}
		if m.Address == "" {
			away = append(away, m.Name)
		}
	}
	if len(unknown) > 0 {
		say(a.err, "note: before a run the plan needs the certificate of %s: dither joint keys prints its fingerprint",
			strings.Join(unknown, ", "))
	}
	if len(away) > 1 {
		say(a.err, "note: before a run it needs an address (host:port) of all but one of %s", strings.Join(away, ", "))
	}
	if len(p.Columns) == 0 {
		say(a.err, "note: it has no columns yet; --data TABLE describes those of a table")
	}
}

// tellOf gives a party what a flag says of it, as name=value.
func tellOf(parties []joint.Member, flag, given string, set func(m *joint.Member, value string)) error {
	name, value, ok := strings.Cut(given, "=")
	for k := range parties {
		if ok && parties[k].Name == name {
			set(&parties[k], value)
			return nil
		}
	}
	return wrong("plan: --%s %s: expected name=value, with the name of a --party", flag, given)
}

func (a *app) jointKeys() *cobra.Command {
	var party, output string
	overwrite := false
	c := &cobra.Command{
		Use:   "keys --party NAME -o FILE",
		Short: "make the key of a party, and print the fingerprint for the plan",
		Long: `keys makes a key (Ed25519) and a certificate that it signs itself, and writes both into a file that
only its owner can read. It prints the fingerprint of the certificate, which goes into the plan: the
other parties know yours by it. Tell it to them over a way they trust, such as by telephone.`,
		Example: "  dither joint keys --party north -o north.pem",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if party == "" {
				return wrong("keys: name the party (--party)")
			}
			fingerprint, err := a.desk().JointKey(party, output, overwrite)
			if err == nil {
				say(a.out, "%s", fingerprint)
			}
			return err
		},
	}
	c.Flags().StringVar(&party, "party", "", "the `name` of the party")
	c.Flags().StringVarP(&output, "output", "o", "", "write the key to this `file`")
	c.Flags().BoolVar(&overwrite, "force", false, "overwrite a file that exists: the plan needs the new fingerprint then")
	return c
}

type jointRunFlags struct {
	said
	desk.JointRunRequest
	data string
	json bool
}

func (a *app) jointRun() *cobra.Command {
	f := &jointRunFlags{}
	c := &cobra.Command{
		Use:   "run PLAN --party NAME --data TABLE --key FILE",
		Short: "take part in a run: one command for each party",
		Long: `run connects with the other parties of the plan (TLS 1.3, with the certificates that the plan
names), compares the plans, and runs the protocol. Nothing is read of the table before all have the
same plan. Whatever goes wrong ends the run at all parties, with a line that names the party, the
round and the cause; nothing is written then, and no message is ever sent again.

The history keeps keyed hashes of the records of every run. A run whose records differ from those of
an earlier run over the same columns by fewer than the plan's smallest count is refused (exit status
3): the two results together would show what these few are.

Where the protocol protects the records, each party's release is judged as protect judges it, with
the same limits and exit status: one that does not keep them is withheld at that party.`,
		Example: `  dither joint run plan.yaml --party north --data north.csv --key north.pem
  dither joint run plan.yaml --party north --data north.csv --key north.pem --json --record run.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.runJointRun(c.Context(), args[0], f) },
	}
	f.declare(c)
	f.limitFlags(c)
	f.modelFlag(c)
	f.blankFlag(c)
	fl := c.Flags()
	fl.StringVar(&f.Party, "party", "", "which `party` of the plan you are")
	fl.StringVar(&f.data, "data", "", "your `table`")
	fl.StringVar(&f.Key, "key", "", "your key: a `file` that joint keys made")
	fl.StringVar(&f.History, "history", "", "`file` of the runs you took part in (default: that of the key, with "+
		".history)")
	fl.StringVar(&f.Ledger, "ledger", "", "charge the epsilon of a plan with noise to the ledger in this `file` before "+
		"noise is drawn")
	fl.StringVar(&f.Purpose, "purpose", "", "what the run is for, as the ledger keeps it: a `text`")
	fl.StringVar(&f.Listen, "listen", "", "answer calls of the others at this `host:port` (default: your address in the "+
		"plan)")
	fl.DurationVar(&f.Wait, "wait", desk.DefaultWait, "how long to wait for the others, such as `30m`")
	fl.StringVarP(&f.Output, "output", "o", "", "write the result to this `file`, as JSON")
	fl.StringVar(&f.Release, "release", "", "write the table that you get, or your release, to this `file`, where the "+
		"protocol makes one")
	fl.StringVar(&f.SeedFile, "seed-file", "", "read the secret seed of your release from this `file`, or write a new "+
		"one there: another run of the plan on the same records makes the same release")
	fl.StringVar(&f.Report, "report", "", "write a report on your release to this HTML `file`")
	fl.StringVar(&f.PlanOut, "plan-out", "", "write the plan of your release, and which of its rows came from which "+
		"record, to this `file`; confidential")
	fl.BoolVar(&f.said.Public, "public", false, "make the report publishable")
	fl.StringVar(&f.Record, "record", "", "write what the run was and took to this `file`; it contains nothing of the "+
		"result")
	fl.BoolVar(&f.json, "json", false, "print one JSON document")
	fl.BoolVar(&f.Overwrite, "force", false, "overwrite an output that exists")
	return c
}

func (a *app) runJointRun(ctx context.Context, plan string, f *jointRunFlags) (err error) {
	q := f.JointRunRequest
	if q.Plan = plan; q.Party == "" || q.Key == "" {
		return wrong("run: say which party you are (--party), and name its key (--key)")
	}
	if q.Source, err = f.source(f.data); err != nil {
		return err
	}
	a.aside(q.Output, false)
	j, broken := a.desk().JointRun(ctx, q)
	if j == nil {
		return broken
	}
	if p := j.Protection; p != nil {
		defer p.Close()
	} else if q.Release != "" {
		say(a.err, "note: %s is not judged, so it is confidential: dither evaluate %s %s says whether it may go out",
			q.Release, f.data, q.Release)
	}
	if f.json {
		return verdict(desk.WriteJSON(a.out, desk.JointDocumentOf(j)), broken)
	}
	return verdict(a.jointText(j), broken)
}

func (a *app) jointTry() *cobra.Command {
	f, data, asJSON, q := &said{}, []string(nil), false, desk.JointTryRequest{}
	c := &cobra.Command{
		Use:   "try PLAN --data TABLE --data TABLE",
		Short: "rehearse a run: all parties in one process",
		Long: `try runs all parties of a plan in this process, with the tables of those that bring one, in the
order of the plan, and prints what each learns. It looks at no keys, addresses and certificates,
keeps no history and charges no ledger: rehearse on invented tables.`,
		Example: "  dither joint try plan.yaml --data north.csv --data south.csv --data west.csv",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			q.Plan = args[0]
			for _, path := range data {
				s, err := f.source(path)
				if err != nil {
					return err
				}
				q.Sources = append(q.Sources, s)
			}
			all, err := a.desk().JointTry(c.Context(), q)
			if err != nil {
				return err
			}
			if asJSON {
				return desk.WriteJSON(a.out, desk.JointDocumentOf(all...))
			}
			return a.triedText(all)
		},
	}
	f.declare(c)
	c.Flags().StringArrayVar(&data, "data", nil, "the `table` of a party; once for each that brings one, in the order of "+
		"the plan")
	c.Flags().StringVar(&q.Record, "record", "", "write what the run took at each party to this `file`")
	c.Flags().BoolVar(&q.Overwrite, "force", false, "overwrite an output that exists")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// triedText prints what parties learned; once where all learned the same.
func (a *app) triedText(all []*desk.Joint) error {
	same := true
	for _, j := range all[1:] {
		same = same && fmt.Sprint(j.Result) == fmt.Sprint(all[0].Result)
	}
	if same {
		say(a.out, "every party learns")
		if err := a.resultText(all[0].Result); err != nil {
			return err
		}
	}
	for _, j := range all {
		if !same {
			say(a.out, "%s learns", j.Run.Party)
			if err := a.resultText(j.Result); err != nil {
				return err
			}
		}
		say(a.out, "%s: %s", j.Run.Party, tookText(&j.Run))
	}
	return nil
}

func (a *app) jointText(j *desk.Joint) error {
	if err := a.resultText(j.Result); err != nil {
		return err
	}
	say(a.out, "%s", tookText(&j.Run))
	p := j.Protection
	if p == nil {
		return nil
	}
	s := a.screen(false, protectedFiles(p, "")...)
	if err := report.Text(a.out, p.Outcome, s); err != nil {
		return err
	}
	a.verdict(p.Outcome, s)
	return nil
}

// tookText says what a run took at a party.
func tookText(r *desk.JointRun) string {
	return fmt.Sprintf("%s messages and %s bytes sent, %s and %s received, %d rounds, %.2f s of the processor",
		thousands(r.Sent), thousands(r.BytesSent), thousands(r.Received), thousands(r.BytesGot), r.Rounds, r.CPUSeconds)
}

func (a *app) resultText(r *joint.Result) error {
	for _, f := range r.Figures {
		say(a.out, "%s: %s", f.Name, cellText(f.Value))
	}
	for _, t := range r.Tables {
		if err := tableText(a.out, &t); err != nil {
			return err
		}
	}
	return nil
}

// tableText prints a table of a result in columns.
func tableText(out io.Writer, t *joint.ResultTable) error {
	say(out, "%s", t.Name)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(cells []string) { fmt.Fprintln(w, "  "+strings.Join(cells, "\t")) }
	head := make([]string, len(t.Columns))
	for k, c := range t.Columns {
		head[k] = report.Printable(c)
	}
	line(head)
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for k, v := range row {
			cells[k] = report.Printable(cellText(v))
		}
		line(cells)
	}
	return w.Flush()
}

func cellText(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', 10, 64)
	}
	return fmt.Sprint(v)
}

func (a *app) jointProtocols() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "protocols [NAME]",
		Short: "list the protocols between parties, or show one: what it resists and what it leaks",
		Example: "  dither joint protocols\n" +
			"  dither joint protocols sharedsum",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := desk.FindProtocols(strings.Join(args, ""))
			switch {
			case err != nil:
				return err
			case asJSON:
				return desk.WriteJSON(a.out, desk.ProtocolsDocument(all))
			case len(args) == 1:
				return a.protocolText(&all[0])
			}
			var out []report.Listed
			for k := range all {
				out = append(out, report.Listed{Card: all[k].Card.Card})
			}
			return report.CatalogueText(a.out, "protocol", out, a.screen(false))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// protocolText shows a protocol: its card, and what the others have no field for.
func (a *app) protocolText(q *joint.Protocol) error {
	if err := report.EntryText(a.out, q.Card.Card, "", "", "", q.New().Params()); err != nil {
		return err
	}
	say(a.out, "safe against: %s parties", string(q.Threat))
	say(a.out, "parties that may pool what they saw: %s", q.Survives)
	say(a.out, "leaks besides the result: %s", q.Leaks)
	for _, r := range q.Roles {
		many := "any number"
		if r.Most > 0 {
			many = strconv.Itoa(r.Most)
		}
		say(a.out, "role %s: %s; %d to %s", r.Name, r.Help, r.Least, many)
	}
	return nil
}
