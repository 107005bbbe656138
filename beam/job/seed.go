package job

import (
	"context"
	"fmt"
	"os"
	"regexp"

	"github.com/dither-data/dither/beam/store"
	"github.com/dither-data/dither/rng"
)

// The secret seed comes to a machine outside of the job: in a file that it mounts, or in an environment variable. What
// the job knows is the path or the name, and the seed's commitment, which every stage that draws holds against what it
// finds.

// variable is the name of an environment variable.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// jobOf reads the job, for a stage. One that is to draw, or whose followers are, begins on no machine that lacks the
// seed.
func jobOf(folder string) (Job, error) {
	q, err := read[Job](folder, jobFile)
	if err == nil && !q.Inspect {
		_, err = q.source()
	}
	return q, err
}

// begunBy reads the seed, which must be the one that the job began with.
func (q *Job) begunBy() (rng.Seed, error) {
	seed, err := q.seed()
	if err == nil && rng.Commitment(seed) != q.Commitment {
		err = fmt.Errorf("%s is not the seed that the job began with: every machine must find the same one there",
			q.seedPlace())
	}
	return seed, err
}

// source is what the job draws from.
func (q *Job) source() (rng.Source, error) {
	seed, err := q.begunBy()
	if err != nil {
		return rng.Source{}, err
	}
	return rng.New(seed), nil
}

// seedPlace says where the seed is looked for.
func (q *Job) seedPlace() string {
	if q.SeedEnv != "" {
		return "environment variable " + q.SeedEnv
	}
	return q.SeedFile
}

// short reports whether the seed is the short one that the job or its policy names, which is no secret.
func (q *Job) short() bool { return q.SeedFile == "" && q.SeedEnv == "" && q.Said.Seed != "" }

// seed reads the seed.
func (q *Job) seed() (s rng.Seed, err error) {
	var text string
	if _, err := rng.ParseSeed(q.SeedEnv); q.SeedEnv != "" && (err == nil || !variable.MatchString(q.SeedEnv)) {
		return s, usage("--seed-env: name the variable that holds the seed, not the seed itself; one that was typed here " +
			"is in the history of your shell: take another")
	}
	if _, err := rng.ParseSeed(store.Base(q.SeedFile)); q.SeedFile != "" && err == nil {
		return s, usage("--seed-file: name the file that holds the seed, not the seed itself; one that was typed here is " +
			"in the history of your shell: take another")
	}
	switch {
	case q.short():
		if s, err = rng.ShortSeed(string(q.Said.Seed)); err != nil {
			err = usage("--seed: %w", err)
		}
		return s, err
	case (q.SeedFile == "") == (q.SeedEnv == ""):
		return s, usage("name the file of the secret seed (--seed-file), or an environment variable that holds it " +
			"(--seed-env): every worker reads it")
	case q.SeedEnv != "":
		if text = os.Getenv(q.SeedEnv); text == "" {
			return s, fmt.Errorf("%s is not set on this machine: give every worker the secret seed in it, or in a file that "+
				"all of them mount (--seed-file)", q.seedPlace())
		}
	case !store.Local(q.SeedFile):
		return s, usage("%s: the seed is no object of a store, next to what it protects: name a file that every worker "+
			"mounts, or an environment variable (--seed-env)", q.SeedFile)
	default:
		data, err := store.Read(context.Background(), q.SeedFile)
		if err != nil {
			return s, fmt.Errorf("this machine does not find the secret seed: mount its file on every worker, or give it in an "+
				"environment variable (--seed-env): %w", err)
		}
		text = string(data)
	}
	if s, err = rng.ParseSeed(text); err != nil {
		return s, fmt.Errorf("%s: %w", q.seedPlace(), err)
	}
	return s, nil
}
