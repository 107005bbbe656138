// Package job is the protection of a table that lies in several files, its shards, as stages that a cluster can run: a
// shard, or a column, is a stage's element, and inside it works what works on one machine. It knows nothing of Beam;
// package pipeline puts the stages together.
//
//	Read(shard)    counts the records and profiles them
//	Merge          adds the profiles up
//	Pack(shard)    writes the shard's values by column, for the stages after it
//	Units          refuses a table in which a dropped column tells which records are one person's
//	Ask(pass)      runs the fit with the answers of the passes before, up to what it asks next, or to the plan
//	Take(shard)    answers what was asked for a shard
//	Sum(group)     adds up the answers of a group of shards; then Ask again, for as many passes as a plan may take
//	Fit            fits a technique that does not ask in this way, to the columns of all shards
//	Hash(column)   hashes a column's values in the order of the records
//	Meet(shard)    routes the records that must meet others, and writes them part by part
//	Deal(part)     applies what needs records to meet to those of a part
//	Apply(shard)   applies the plan, certifies the shard's release, counts what became of it, and parts it at random
//	Judge          judges the release as dither protect does, and decides whether it goes out
//	Measure        takes the measures that are asked for
//	Shuffle(part)  writes the records of a part of the release, in a random order, unless it is withheld
//	Finish         adds certificates and counts up
//
// A job that looks at a table, and does nothing else, ends with Inspect after Pack.
//
// What one stage leaves for the next is in files of one folder, the working folder, which only its owner can read:
// profiles, counts, the plan where it is fitted here, and copies of the values. So whatever runs the stages sees
// numbers of shards and columns, and the name of that folder, and nothing of the data. A stage may run again, on any
// machine: it writes the same files, each whole or not at all.
//
// The release is that of one machine, whatever the shards: noise is keyed by the position of a record in the whole
// table, by the plan, and by a hash of all values in their order, which is why columns are hashed before the plan is
// applied. Its random order is keyed by the same, so the parts of the release, one after the other, are that of one
// machine.
package job

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/catalog"
	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/format/csv"
	"github.com/dither-data/dither/format/parquet"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/protect"
	"github.com/dither-data/dither/rng"
)

// Job says what is to be done. It is a file of the working folder.
type Job struct {
	Shards   []string          // addresses, in the order of the records
	Plan     string            // address of a plan file; empty to fit Method
	SeedFile string            // path of the secret seed on every machine; never the seed
	SeedEnv  string            // instead: environment variable of every machine that holds the seed
	Work     string            // where the working folder is made; empty for beside the output
	Method   string            // of a plan that is fitted here: the technique by any of its names
	Set      map[string]string // its parameters that differ from their defaults
	Class    string            // the column that decision rules predict, of a plan that is fitted here
	Roles    map[string]string // of columns of a plan that is fitted here; the others have what names and values suggest
	Drop     []string          // columns that are not released: identifiers
	Measures []string          // to be taken, by any of their names, or AllMeasures; none takes none
	Memory   int64             // bytes that Fit, Judge, Measure and Inspect take at most, about; 0 for 2 GiB
	Policy   string            // path of a policy file, which this machine reads; empty for none
	Said     policy.Policy     // by what the release is judged: limits, intruders and so on
	Report   bool              // a report is made, for which every measure is taken
	Verbose  bool              // all that is said of the release, not a screen of it
	Version  string            // of the program
	Output   string            // what the release is called
	// the table is looked at, and nothing else: of all above Shards, Class, Roles, Drop and Memory alone count
	Inspect bool

	Delimiter   string   // of delimited text, a character or its name (policy.ParseDelimiter); empty detects it
	Encoding    string   // of delimited text; empty detects it
	Missing     []string // texts that mean missing; nil takes those of the plan, or the usual ones
	Categorical []string // columns that hold categories although they look like numbers

	Commitment string // of the seed

	// what is kept of the plan file in the working folder, whose other parts (who is who, say) may be as long as the table
	plan []byte
}

// ErrUsage marks an error of the call, which says what to do instead.
var ErrUsage = errors.New("wrong call")

func usage(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrUsage}, args...)...)
}

// Check refuses what can be seen to be wrong before anything is read but the plan, and notes the plan, and the seed
// that all stages must find.
func (q *Job) Check() error {
	if len(q.Shards) == 0 {
		return usage("no file fits the input; quote its pattern, such as 'shards/*.parquet'")
	}
	names := map[string]bool{}
	for _, address := range q.Shards {
		name := store.Base(address)
		if names[name] {
			return usage(
				"two shards are called %s, and so would be two files of the release: give them names of their own",
				name,
			)
		}
		names[name] = true
		if ext := extension(name); ext != extension(store.Base(q.Shards[0])) ||
			!slices.Contains(slices.Concat(csv.Format.Extensions, parquet.Format.Extensions), ext) {
			return usage("%s: shards are files of delimited text, or Parquet files, all of one extension: write the table so, "+
				"or protect it on one machine", name)
		}
	}
	if q.Memory < 0 {
		return usage("the memory is below 0: name a size, such as 2GiB")
	}
	q.Memory = cmp.Or(q.Memory, 2<<30)
	if err := q.readPolicy(); err != nil || q.Inspect {
		return err
	}
	if (q.Plan == "") == (q.Method == "") {
		return usage("name a plan (--plan), or a technique to fit (--method)")
	}
	if err := q.checkMeasures(); err != nil {
		return err
	}
	seed, err := q.seed()
	if err != nil {
		return err
	}
	q.Commitment = rng.Commitment(seed)
	if q.Plan == "" {
		return q.checkMethod()
	}
	if len(q.Set) > 0 {
		return usage("a plan brings its technique and parameters")
	}
	data, err := store.Read(context.Background(), q.Plan)
	if err != nil {
		return err
	}
	f, p, err := decode(q.Plan, data)
	if err != nil {
		return err
	}
	if err := cmp.Or(q.recall(f), Local(f.Method, p), q.measurable(f.Method, p)); err != nil {
		return err
	}
	q.plan, err = protect.EncodeFile(protect.File{Method: f.Method, Params: f.Params, Reading: f.Reading,
		Baseline: f.Baseline, Units: f.Units, ShortSeed: f.ShortSeed}, p)
	return err
}

// readPolicy lays what the job says over its policy file.
func (q *Job) readPolicy() (err error) {
	var data []byte
	if q.Policy != "" {
		if data, err = store.Read(context.Background(), q.Policy); err != nil {
			return err
		}
	}
	if err := q.say(q.Policy, data); err != nil {
		return err
	}
	if _, err := policy.ParseDelimiter(q.Delimiter); err != nil {
		return usage("--delimiter: %w", err)
	}
	return nil
}

// extension is that of a name, in small letters.
func extension(name string) string { return strings.ToLower(path.Ext(name)) }

// checkMethod refuses techniques that are fitted to records that are all in memory, and parameters that are out of
// range.
func (q *Job) checkMethod() error {
	m, err := catalog.Method(q.Method)
	if err != nil {
		return usage("%w", err)
	}
	if m.Shards == "" {
		var can []string
		for _, o := range catalog.Methods() {
			if o.Shards != "" {
				can = append(can, o.Name)
			}
		}
		return usage("%s is fitted to records that are all in memory: fit it to the table, or to a part that has all its "+
			"categories and ranges, with dither protect --plan-out plan.json, and give the plan with --plan; here are fitted %s",
			m.Name, strings.Join(can, ", "))
	}
	q.Method = m.Name
	if err := m.New().Params().Apply(q.Set); err != nil {
		return usage("%s: %w", m.Name, err)
	}
	return nil
}

// inPart reports whether a file was read otherwise than all of it, record by record.
func inPart(f *policy.File) bool {
	return len(f.Items) > 0 || f.Merge || f.Sheet != "" || f.Header != nil || f.Skip > 0 || len(f.LeaveOut) > 0
}

// recall takes over how the original of a plan was read, and refuses what is not done here.
func (q *Job) recall(f *protect.File) error {
	r := f.Reading
	switch {
	case f.Recurs != "":
		return usage("the plan is for recurring people and keeps draws by person: apply it with dither protect " +
			"--plan on one machine")
	case f.Restated != nil:
		return usage("the plan keeps what holds between columns, which is not done here: apply it with dither protect " +
			"--plan on one machine, or fit it with --relations none")
	case f.Imputed != nil:
		return usage("the plan imputes missing values, which is not done here: apply it with dither protect --plan on one " +
			"machine, or fit it without --impute")
	case r == nil:
		return nil
	case inPart(&r.File):
		return usage("the plan's table was read with sets of items, merged variants, without its first lines or columns, " +
			"or from a sheet: write it as it was read, and make a plan of that")
	}
	for name, c := range r.Columns {
		if c.Missing != nil || c.Outside != "" || c.Numbers != "" || c.Cut != "" {
			return usage("the plan's column %q was changed after it was read (codes of missing values, ends of a domain, "+
				"another notation of numbers): "+
				"write the table so, and make a plan of that", name)
		}
		if c.Kind != "" && c.Kind != "numeric" {
			q.Categorical = append(q.Categorical, name)
		}
	}
	q.reads(&r.File)
	return nil
}

// Local refuses a plan that draws new records, or for which all records of the table would have to meet, not just
// those of a leaf.
func Local(method string, p protect.Plan) error {
	if protect.Synthetic(p) {
		return usage("%s: the plan draws new records, which stand for none of those in shards: draw them on one machine "+
			"(dither protect --plan)", method)
	}
	apart := without(p, rng.Source{}, func(e meeting) protect.Plan { return &given{Plan: e.step} })
	if _, met := protect.Alone(apart); len(met) > 0 {
		return usage("%s: in columns %s all records of the table must meet, which shards do not: apply the plan on one "+
			"machine (dither protect --plan), or make one that leaves them alone (parameter except), or of a technique that "+
			"works inside leaves or record by record",
			method, strings.Join(met, ", "))
	}
	if rare := protect.TakesOriginals(p); len(rare) > 0 {
		return usage("%s: in columns %s numbers that few people have are released between those of all records, which "+
			"shards do not see: apply the plan on one machine (dither protect --plan), or make one that releases them as they "+
			"are (parameter exact)", method, strings.Join(rare, ", "))
	}
	if len(p.Changes()) == 0 {
		return usage("%s changes no column: there is nothing it could protect", method)
	}
	for _, a := range p.Schema() {
		if !a.Kind.Scalar() {
			return usage("column %q holds sets of items: apply the plan on one machine (dither protect --plan)", a.Name)
		}
	}
	return nil
}

// decode reads a plan file.
func decode(path string, data []byte) (*protect.File, protect.Plan, error) {
	f, p, err := protect.Decode(data, func(name string) (protect.Method, bool) {
		m, err := catalog.Method(name)
		return m, err == nil
	})
	if err != nil {
		// its own error may quote a number
		return nil, nil, fmt.Errorf("%s: not a sound plan file: dither protect --plan says what is wrong with it", path)
	}
	return f, p, nil
}
