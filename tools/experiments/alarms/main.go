// Command alarms writes the page docs/alarms.md: what becomes of twenty public tables that everybody publishes, by the
// default technique and by the one before it, under the default limits:
//
//	go run -C tools ./experiments/alarms -r FOLDER -write ../docs
//
// The folder holds four tables of R's package datasets as CSV files; the page says how to write them.
package main

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	_ "github.com/dither-data/dither/catalog/all"
	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/testkit/dataset"
	"github.com/dither-data/dither/policy"
	"github.com/dither-data/dither/study"
	"github.com/dither-data/dither/tools/internal/rerun"
)

var fromR = flag.String("r", "", "the `folder` with the tables of R's package datasets")

func main() {
	rerun.Program{
		Name:    "alarms",
		Times:   "seeds",
		Default: 2,
		Help:    "how many releases are made of each table by each technique",
		Print:   write,
	}.Main()
}

// set is a table that everybody publishes.
type set struct {
	name, file, class string
	rows              string // what a row is
	people            bool
}

// sets are all tables of records of the public data sets, and four of R.
var sets = []set{
	{"abalone", "abalone/abalone.csv", "rings", "a shellfish", false},
	{"adult", "adult/adult.csv", "income", "a person", true},
	{"airquality", "", "Month", "a day", false},
	{"bhp", "bhp/bhp.csv", "chas", "a district", false},
	{"breast-cancer", "breast-cancer/breast-cancer.csv", "class", "a patient", true},
	{"bupa", "bupa/bupa.csv", "selector", "a patient", true},
	{"cmc", "cmc/cmc.csv", "contraceptive_method", "a woman", true},
	{"crx", "crx/crx.csv", "class", "an applicant", true},
	{"heart-c", "heart-c/heart-c.csv", "num", "a patient", true},
	{"infert", "", "case", "a patient", true},
	{"iris", "iris/iris.csv", "class", "a flower", false},
	{"mammography", "mammography/mammography.csv", "severity", "a patient", true},
	{"mtcars", "", "cyl", "a car", false},
	{"mushroom", "mushroom/mushroom.csv", "class", "a mushroom", false},
	{"soybean-large", "soybean-large/soybean-large.csv", "class", "a plant", false},
	{"swiss", "", "Education", "a district", false},
	{"vote", "vote/vote.csv", "class", "a congressman", true},
	{"wages", "wages/wages.csv", "union", "a worker", true},
	{"wbc", "wbc/wbc.csv", "class", "a patient", true},
	{"wine", "wine/wine.csv", "class", "a wine", false},
}

// path is that of the table.
func (s *set) path() (string, error) {
	if s.file != "" {
		return dataset.Path(s.file)
	}
	path := filepath.Join(*fromR, s.name+".csv")
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s of R: -r FOLDER, with the tables that the page says how to write: %w", s.name, err)
	}
	return path, nil
}

// techniques are the default, which goes without a name, and the one before it.
var techniques = []string{"", "extframework"}

// outcome is what became of the releases of a table by a technique, over the seeds.
type outcome struct {
	records  int
	states   map[study.State]int
	against  []*against // demands not kept, in the order in which they came up
	dropped  []string   // columns
	withheld int
}

// against is a demand that withheld a release.
type against struct {
	measure  string
	releases int
	most     float64 // the largest figure
	unproven int     // releases of which it was not shown, rather than broken
}

// judged makes one release of a table for every seed.
func judged(ctx context.Context, s *set, technique string, seeds int) (*outcome, error) {
	path, err := s.path()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "alarms")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	out := &outcome{states: map[study.State]int{}}
	for n := range seeds {
		seed := filepath.Join(folder, fmt.Sprint("seed", n))
		secret := hex.EncodeToString(append(make([]byte, 31), byte(1+n))) + "\n"
		if err := os.WriteFile(seed, []byte(secret), 0o600); err != nil {
			return nil, err
		}
		p, err := (&desk.Desk{}).Protect(ctx, desk.ProtectRequest{
			Source: desk.Source{
				Path: path,
				Said: policy.Policy{Class: s.class, Method: policy.Method{Name: technique}},
			},
			SeedFile:  seed,
			Release:   filepath.Join(folder, "release.csv"),
			Overwrite: true,
		})
		if p == nil { // one that is withheld is an error, too, and comes with its verdict
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		out.add(p.Outcome)
		if err := p.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
