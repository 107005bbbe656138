package job

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// panel is a table of people with several records each, whom a column tells apart, in as many shards: each has one
// record of everybody.
func panel(t *testing.T, people, each int) (shards []string) {
	t.Helper()
	dir := t.TempDir()
	for k := range each {
		r, noise := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(5, uint64(k)))
		text := "patient,born,sex,origin,glucose,class\n"
		for i := range people {
			text += fmt.Sprintf("P%04d,%d,%s,%s,%.1f,%s\n", i, 1930+r.IntN(70), []string{"f", "m"}[r.IntN(2)],
				[]string{"n", "e", "s", "w"}[r.IntN(4)], 60+80*noise.Float64(), []string{"yes", "no"}[noise.IntN(2)])
		}
		shards = append(shards, filepath.Join(dir, fmt.Sprintf("visit-%d.csv", k)))
		save(t, shards[k], text)
	}
	return shards
}

// A dropped column that tells which records are one person's is noticed, in whichever shards these are: noise would
// average out over them. Who says that it tells no such thing goes on, and so does one whose values do not repeat.
func TestUnits(t *testing.T) {
	dir := t.TempDir()
	named := panel(t, 60, 5)
	for _, path := range named { // first and last names tell persons together
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		for k, line := range lines {
			id, rest, _ := strings.Cut(line, ",")
			if first, last := "first", "last"; k > 0 {
				n, err := strconv.Atoi(id[1:])
				if err != nil {
					t.Fatal(err)
				}
				first, last = "f"+strconv.Itoa(n%8), "l"+strconv.Itoa(n/8)
				lines[k] = first + "," + last + "," + rest
			} else {
				lines[k] = first + "," + last + "," + rest
			}
		}
		save(t, path, strings.Join(lines, "\n")+"\n")
	}
	q := &Job{Shards: named, Method: "pram", Class: "class", SeedFile: filepath.Join(dir, "other"), Said: unlimited,
		Drop: []string{"first", "last"}}
	save(t, q.SeedFile, seed)
	if _, err := run(t.Context(), q, filepath.Join(dir, "names"), "", rand.New(rand.NewPCG(1, 1))); !errors.Is(err,
		ErrUsage) || !strings.Contains(err.Error(), "first, last") {
		t.Errorf("first and last names: %v", err)
	}
	seedFile := filepath.Join(dir, "seed")
	save(t, seedFile, seed)
	for _, c := range []struct {
		name         string
		people, each int
		roles        map[string]string
		refused      bool
	}{
		{"several records each", 60, 5, nil, true},
		{"declared", 60, 5, map[string]string{"patient": "identifier"}, false},
		{"one record each", 300, 1, nil, false},
	} {
		q := &Job{Shards: panel(t, c.people, c.each), Method: "pram", Class: "class", SeedFile: seedFile,
			Drop: []string{"patient"}, Roles: c.roles, Said: unlimited}
		_, err := run(t.Context(), q, filepath.Join(dir, c.name), "", rand.New(rand.NewPCG(1, 1)))
		if refused := errors.Is(err, ErrUsage) && strings.Contains(err.Error(), "--role patient=identifier"); refused !=
			c.refused || !refused && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
