// Command dither-beam protects a table that lies in several files, on a cluster: it applies a plan of dither to each
// file by Apache Beam. It is a program of its own because Beam is a large library; dither itself needs none of it.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	// Where addresses may lie: gs:// and s3://.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	// The flag --runner, and the runners that it names. Prism runs in this process.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/dither-data/dither/beam/job"
	"github.com/dither-data/dither/beam/pipeline"
	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/bytesize"
	"github.com/dither-data/dither/limit"
	"github.com/dither-data/dither/report"
	"github.com/dither-data/dither/rng"
)

func main() {
	args, err := asWorker(context.Background(), os.Args[1:])
	if args != nil && err == nil {
		err = serve(args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dither-beam: worker:", err)
		os.Exit(1)
	}
	log.LogLevel = "warn"
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := root().ExecuteContext(ctx); errors.Is(err, errDry) {
		fmt.Println(err)
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "dither-beam:", oneLine(err))
		os.Exit(exitCode(err))
	}
}

// exitCode is that of dither for the same failure: of a call that is wrong 2, of a limit that is broken 3, of one that
// is not shown to be kept 4.
func exitCode(err error) int {
	var broken *desk.Broken
	switch {
	case errors.Is(err, job.ErrUsage):
		return 2
	case errors.As(err, &broken) && broken.Unproven:
		return 4
	case broken != nil:
		return 3
	}
	return 1
}

// errDry is what becomes of a dry run.
var errDry = errors.New("the job can be made for Dataflow; it was not run, and nothing was written")

// oneLine is what went wrong without what Beam wraps around it.
func oneLine(err error) string {
	if errors.Is(err, context.Canceled) {
		_, more, _ := strings.Cut(err.Error(), context.Canceled.Error())
		return "interrupted; nothing was written" + more
	}
	head, reasons, _ := strings.Cut(strings.TrimPrefix(err.Error(), job.ErrUsage.Error()+": "), "\n")
	if strings.HasSuffix(head, ":") { // the runner's own words follow
		if why := innermost(reasons); why != "" {
			return head + " " + why
		}
		return head + " the runner gives no reason: its log may"
	}
	return head
}

// innermost is the last cause in what a runner says of a job that failed, or its first line.
func innermost(said string) (why string) {
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if cause, ok := strings.CutPrefix(line, "Caused by: "); ok {
			why = cause
		} else if why == "" {
			why = line
		}
	}
	return why
}

func root() *cobra.Command {
	root := &cobra.Command{
		Use:   "dither-beam",
		Short: "plans of dither on tables in many files, by Apache Beam",
		Long: `dither-beam applies a plan of dither to a table that lies in many files, its shards, on the machines
of a cluster. The release is that of one machine, byte by byte, in a random order that does not
depend on the shards:

  dither protect sample.parquet --class readmitted --method pram --plan-out plan.json --seed-file seed -o sample-release.parquet
  dither-beam protect --plan plan.json --seed-file seed --input 'shards/*.parquet' --output release/`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(inspect(), protect(), workers())
	return root
}

// call is a call of a verb.
type call struct {
	job.Job
	input, output, planOut string
	report                 string
	set, roles             []string
	memory                 bytesize.Size
	json                   bool
}

func protect() *cobra.Command {
	q := &call{}
	c := &cobra.Command{
		Use:   "protect --plan FILE --seed-file FILE --input PATTERN --output FOLDER",
		Short: "apply a plan to every shard, or fit a technique to all of them first",
		Example: `  dither-beam protect --plan plan.json --seed-file seed --input 'shards/*.parquet' --output release/
  dither-beam protect --method framework --class readmitted --drop patient --plan-out plan.json --measure all --seed-file seed --input 'shards/*.csv' --output release/
  dither-beam protect --plan plan.json --seed-file seed --input '/mnt/shards/*.csv' --output /mnt/release --runner flink --endpoint localhost:8099`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return q.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr()) },
	}
	f := c.Flags()
	q.reads(f)
	f.StringVar(&q.output, "output", "", "`folder` of the release, which must not be there: as many files as there are "+
		"shards, in random order; as all that is named here a path, or an address of gs:// or s3://")
	f.StringVar(&q.Plan, "plan", "", "plan `file` of dither protect --plan-out, confidential")
	f.StringVar(&q.SeedFile, "seed-file", "", "`file` of the secret seed, which every worker reads; one that does not "+
		"exist is written")
	f.StringVar(&q.SeedEnv, "seed-env", "", "instead of the file: environment `variable` of every worker that holds the "+
		"seed")
	f.StringVar(&q.planOut, "plan-out", "", "`file` for the plan where it is fitted here, confidential")
	f.StringVar((*string)(&q.Said.Seed), "seed", "", "instead of a secret seed a `short` one such as 42, which anyone "+
		"can guess: the release is withheld unless --accept seed says that this does no harm")
	for _, secret := range []string{"seed-file", "seed-env"} {
		c.MarkFlagsMutuallyExclusive("seed", secret)
	}
	f.StringVar(&q.Method, "method", "", "`technique` to fit if no plan is given: one that can be fitted to tables "+
		"larger than memory, as its card says")
	f.StringArrayVar(&q.set, "set", nil, "parameter of the technique, as `name=value`; several times")
	f.StringSliceVar(&q.Measures, "measure", nil, "`measures` to take of the whole release, of those that walk over the "+
		"records, or all of these (\"all\")")
	f.StringVar(&q.Said.Limits, "limits", "", "limits that the release must meet: "+strings.Join(limit.Names(), ", ")+
		", or a `file` of limits (YAML), which every worker reads")
	f.StringArrayVar(&q.Said.Accept, "accept", nil, "override one limit: `limit=value`, as of dither protect; several "+
		"times")
	f.IntVar(&q.Said.SampledFrom, "sampled-from", 0, "the table is a sample of a population of so many `people`")
	f.StringVar(&q.report, "report", "", "`file` for a report in HTML, which must not be there; confidential")
	f.BoolVar(&q.json, "json", false, "print one JSON document")
	f.BoolVarP(&q.Verbose, "verbose", "v", false, "print the full report")
	return c
}

func inspect() *cobra.Command {
	q := &call{}
	q.Inspect = true
	c := &cobra.Command{
		Use:     "inspect --input PATTERN --output FILE",
		Short:   "look at the table before anything is done: columns, roles, and how exposed its records are",
		Example: "  dither-beam inspect --input 'shards/*.csv' --class readmitted --output inspection.json",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return q.look(c.Context(), c.OutOrStdout(), c.ErrOrStderr()) },
	}
	q.reads(c.Flags())
	c.Flags().StringVar(&q.output, "output", "", "`file` for the document of dither inspect --json, confidential; it "+
		"must not be there, and workers must see its folder")
	return c
}

// reads declares how a table is read, and what its columns are.
func (q *call) reads(f *pflag.FlagSet) {
	f.StringVar(&q.input, "input", "", "`pattern` of the shards, files of delimited text or Parquet; their order is "+
		"that of their names")
	f.StringVar(&q.Work, "work", "", "`folder` in which the working folder is made, which is as confidential as the "+
		"table; else it is made beside the output")
	f.StringVar(&q.Policy, "policy", "", "policy `file` (YAML): roles, technique, intruders and limits, as far as they "+
		"count for shards")
	f.StringVar(&q.Class, "class", "", "`column` that decision rules predict")
	f.StringArrayVar(&q.roles, "role", nil, "role of a column, as `column=role`; the others have those that their names "+
		"and values suggest; several times")
	f.StringSliceVar(&q.Drop, "drop", nil, "`columns` that are left out: identifiers")
	f.Var(&q.memory, "memory", "about how much memory looking, fitting and measuring take at most (`size`, such as "+
		"500MB; default 2GiB): the columns of a table that takes more are in files of the working folder, under Linux")
	f.StringSliceVar(&q.Categorical, "categorical", nil, "`columns` that hold categories although they look like numbers")
	f.StringVar(&q.Delimiter, "delimiter", "", "delimiter of the text: comma, semicolon, tab, pipe, blank or "+
		"one `character` (default: detected)")
	f.StringVar(&q.Encoding, "encoding", "", "`encoding` of the text (default: detected)")
	f.StringArrayVar(&q.Missing, "missing", nil, "`text` that means missing, instead of the usual ones; several times")
	f.AddGoFlagSet(flag.CommandLine) // those of Beam: --runner, --endpoint and so on
}

// look runs a call of inspect.
func (q *call) look(ctx context.Context, out, errs io.Writer) (err error) {
	folder, err := q.work(ctx, errs, pipeline.Inspect)
	if folder != "" {
		defer func() { err = store.Both(err, job.End(folder)) }()
	}
	if err != nil {
		return err
	}
	notes, text, err := job.Inspected(folder, q.output)
	if err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintln(errs, "note:", report.Printable(n))
	}
	_, err = io.WriteString(out, text)
	return err
}

// work runs a pipeline in a new working folder, which is to be removed.
func (q *call) work(
	ctx context.Context,
	errs io.Writer,
	build func(s beam.Scope, folder string, shards []int),
) (folder string, err error) {
	if err := q.prepare(ctx, errs); err != nil {
		return "", err
	}
	if err := cmp.Or(ownProgram(), reached(ctx)); err != nil {
		return "", err
	}
	if folder, err = job.Begin(&q.Job, q.output); err != nil {
		return folder, err
	}
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // all that goes wrong is returned, or in the runner's log
	p, s := beam.NewPipelineWithRoot()
	order := make([]int, len(q.Shards))
	for k := range order {
		order[k] = k
	}
	build(s, folder, order)
	if _, err := beam.Run(ctx, runner(), p); err != nil {
		if ctx.Err() != nil {
			return folder, ctx.Err() // what the runner says then is about itself
		}
		return folder, cmp.Or(job.Failure(folder), err)
	}
	if f := flag.Lookup("dry_run"); runner() == "dataflow" && f != nil && f.Value.String() == "true" {
		return folder, errDry
	}
	return folder, nil
}

// run runs a call of protect: in the end the output is there as a whole, or not at all.
func (q *call) run(ctx context.Context, out, errs io.Writer) (err error) {
	folder, err := q.work(ctx, errs, func(s beam.Scope, folder string, shards []int) {
		pipeline.Build(s, folder, shards, q.Passes())
	})
	if folder != "" {
		defer func() { err = store.Both(err, job.End(folder)) }()
	}
	if err != nil {
		return err
	}
	r, err := job.Outcome(folder)
	var broken *desk.Broken
	if err != nil && !errors.As(err, &broken) {
		return err
	}
	for _, n := range r.Notes {
		fmt.Fprintln(errs, "note:", report.Printable(n))
	}
	if broken != nil { // the verdict first: whatever fails after it cannot hide it
		return store.Both(store.Both(broken, q.tell(out, r)), q.keepReport(ctx, r))
	}
	if err := job.Place(folder, q.output); err != nil {
		return err
	}
	if q.planOut != "" {
		err = job.KeepPlan(folder, q.planOut)
	}
	return store.Both(store.Both(err, q.keepReport(ctx, r)), q.tell(out, r))
}

// keepReport writes the report that was asked for, also of a call that is interrupted by now: its release was judged,
// and may be in its place.
func (q *call) keepReport(ctx context.Context, r *job.Result) error {
	if q.report == "" || r.Report == nil {
		return nil
	}
	return store.New(context.WithoutCancel(ctx), q.report, store.Bytes(r.Report))
}

// prism is the runner in this process.
const prism = "prism"

// runner is the one that was asked for, or Prism.
func runner() string {
	if f := flag.Lookup("runner"); f != nil && f.Value.String() != "" {
		return f.Value.String()
	}
	return prism
}

// prepare finds the shards, the settings and the seed, and refuses what can be seen to be wrong.
func (q *call) prepare(ctx context.Context, errs io.Writer) (err error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{job.ErrUsage}, args...)...)
	}
	if q.input == "" || q.output == "" {
		return wrong("name the shards with --input, and what is new with --output")
	}
	if q.Shards, err = store.List(ctx, q.input); err != nil {
		return wrong("--input: %w", err)
	}
	if q.Set, err = pairs("--set", q.set); err == nil {
		q.Roles, err = pairs("--role", q.roles)
	}
	if err != nil {
		return wrong("%w", err)
	}
	q.Memory = int64(q.memory)
	if q.planOut != "" {
		if there, err := store.Exists(ctx, q.planOut); err != nil || there || q.Plan != "" {
			return wrong("--plan-out names a new file, for a plan that is fitted here")
		}
	}
	if q.Report = q.report != ""; q.Report {
		if there, err := store.Exists(ctx, q.report); err != nil || there {
			return wrong("--report names a new file")
		}
	}
	if there, err := store.Exists(ctx, q.SeedFile); q.SeedFile != "" && store.Local(q.SeedFile) && err == nil && !there {
		secret := store.Bytes([]byte(rng.Fresh().Reveal() + "\n"))
		if err := store.New(ctx, q.SeedFile, secret); err != nil {
			return err
		}
		fmt.Fprintf(
			errs,
			"dither-beam: a fresh seed was written to %s: every worker must find it there, and nobody else\n",
			q.SeedFile,
		)
	}
	return q.Check()
}

// pairs reads name=value.
func pairs(flag string, list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range list {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("%s expects name=value", flag)
		}
		out[name] = value
	}
	return out, nil
}

// tell says what was done.
func (q *call) tell(out io.Writer, r *job.Result) error {
	if q.json {
		e := json.NewEncoder(out)
		e.SetIndent("", " ")
		return e.Encode(r)
	}
	_, err := io.WriteString(out, r.Text+r.Measured+r.Line+"\n")
	return err
}
