package job

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/table"
)

// What a job says of a table and its release is a policy (Job.Said): what is called for in the job's own fields is laid
// over that of a policy file.

// sayable are the keys of a policy that count here: by which a release is judged, and by which it is made or its table
// read. The others change a table after it was read, or need all its records in one place.
var sayable = map[string][]string{
	"": {"version", "class", "limits", "at-most", "accept", "measures", "intruders", "intruder-files", "sampled-from",
		"public", "relations", "method", "file", "columns"},
	"file":    {"delimiter", "encoding", "missing"},
	"method":  {"name", "set"},
	"columns": {"role", "kind", "keep-text", "identifier"},
}

// say lays what the job says over a policy file, and takes over what that says of the technique and the reading.
func (q *Job) say(path string, data []byte) error {
	file := &policy.Policy{}
	if path != "" {
		var err error
		if file, err = policy.Parse(path, data); err != nil {
			return usage("%w", err)
		}
		if err := unsaid(path, file); err != nil {
			return err
		}
		file = file.Beside(path)
	}
	said := q.Said
	said.Class, said.Columns = q.Class, maps.Clone(said.Columns)
	for name, role := range q.Roles {
		if _, err := table.ParseRole(role); err != nil {
			return usage("%w", err)
		}
		if said.Columns == nil {
			said.Columns = map[string]policy.Column{}
		}
		own := said.Columns[name]
		own.Role = policy.Roles{role}
		said.Columns[name] = own
	}
	q.Said = *file.With(&said)
	q.Said.Version = 1
	q.Class = q.Said.Class
	if q.Plan == "" && q.Method == "" && !q.Inspect {
		q.Method = q.Said.Technique()
	}
	if q.Plan == "" && q.Set == nil {
		q.Set = q.Said.Settings()
	}
	q.reads(&q.Said.File)
	return q.sayColumns()
}

// kept is what is said without what is of dropped columns.
func (q *Job) kept() policy.Policy {
	said := q.Said
	said.Columns = maps.Clone(said.Columns)
	for _, name := range q.Drop {
		delete(said.Columns, name)
	}
	return said
}

// reads takes over how a policy, or the plan, says that the table is read, where the job does not say.
func (q *Job) reads(f *policy.File) {
	q.Delimiter = cmp.Or(q.Delimiter, f.Delimiter)
	q.Encoding = cmp.Or(q.Encoding, f.Encoding)
	if q.Missing == nil {
		for _, m := range f.Missing {
			q.Missing = append(q.Missing, string(m))
		}
	}
}

// sayColumns takes over what the policy says of columns: identifiers are left out, and categories read as such.
func (q *Job) sayColumns() error {
	roles := q.Said.Roles()
	for _, name := range slices.Sorted(maps.Keys(q.Said.Columns)) {
		c := q.Said.Columns[name]
		switch role := roles[name]; {
		case role&(table.Person|table.Household) != 0:
			return usage("column %q tells which records are one person's, or one household's: these must meet, which shards do "+
				"not: protect the table on one machine", name)
		case c.Identifier == "pseudonymise":
			return usage("column %q is to get a pseudonym, which is not done in shards: drop it, or protect the table on one "+
				"machine", name)
		case role&table.Identifier != 0 && !slices.Contains(q.Drop, name):
			q.Drop = append(q.Drop, name)
		}
		if c.Kind == table.Categorical.String() && !slices.Contains(q.Categorical, name) {
			q.Categorical = append(q.Categorical, name)
		}
	}
	return nil
}

// unsaid refuses a policy file that says what is not done here.
func unsaid(path string, p *policy.Policy) error {
	var not []string
	type part struct {
		under, of string
		v         any
	}
	parts := []part{{"", "", p}, {"file.", "file", p.File}, {"method.", "method", p.Method}}
	for _, name := range slices.Sorted(maps.Keys(p.Columns)) {
		parts = append(parts, part{fmt.Sprintf("columns.%s.", name), "columns", p.Columns[name]})
	}
	for _, part := range parts {
		data, err := json.Marshal(part.v)
		if err != nil {
			return err
		}
		var said map[string]json.RawMessage
		if err := json.Unmarshal(data, &said); err != nil {
			return err
		}
		for _, key := range slices.Sorted(maps.Keys(said)) {
			if !slices.Contains(sayable[part.of], key) {
				not = append(not, part.under+key)
			}
		}
	}
	if len(p.Relations) > 0 && !slices.Equal(p.Relations, policy.Words{policy.NoRelations}) {
		not = append(not, "relations")
	}
	if not != nil {
		return usage("%s says what is not done in shards (%s): leave it out, prepare the files so that it is not needed, or "+
			"protect the table on one machine", store.Base(path), strings.Join(not, ", "))
	}
	return nil
}
