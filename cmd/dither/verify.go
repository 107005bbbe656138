package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/dither-data/dither/desk"
	"github.com/dither-data/dither/internal/text/numfmt"
)

func (a *app) verify() *cobra.Command {
	q, asJSON := desk.VerifyRequest{}, false
	var moved []string
	c := &cobra.Command{
		Use:   "verify RECORD",
		Short: "check the record of a run and the files it names",
		Long: `verify checks a record that protect, evaluate or attack wrote with --record: that no byte was
changed, that its steps are chained and, if it is signed, the signature. Files that you name are
compared with the digests in the record. Digests of confidential files are keyed, so that nobody
can test guesses; the key is in the plan that was written with the record, and follows from the
seed. With the original, the release, the plan and the seed, the release is made again and
compared byte for byte. Everything that was not checked is listed, with what it would take.

Other inputs of the run, such as the policy and hierarchies, are looked for where the plan says
they were, then under the same name next to the record and the plan; --file NAME=FILE says where
one is now, by the name that verify prints.

The exit status is 0 if everything that was checked holds, and 3 if something does not.`,
		Example: `  dither verify run.json --release release.csv --key custodian.pub
  dither verify run.json --original patients.csv --release release.csv --plan plan.json
  dither verify run.json --plan plan.json --file policy=archive/policy.yaml`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var err error
			if q.Record = args[0]; len(moved) > 0 {
				if q.Files, err = movedFiles(moved); err != nil {
					return err
				}
			}
			return a.runVerify(c.Context(), q, asJSON)
		},
	}
	fl := c.Flags()
	fl.StringVar(&q.Original, "original", "", "the original `file`")
	fl.StringVar(&q.Release, "release", "", "the released `file`")
	fl.StringVar(&q.Plan, "plan", "", "the plan `file` that was written with the record")
	fl.StringVar(&q.SeedFile, "seed-file", "", "the `file` of the secret seed")
	fl.StringVar(&q.Seed, "seed", "", "in place of the file: the `short` seed of the run, such as 42")
	fl.StringVar(&q.Key, "key", "", "the public key of the expected signer: a `file` written by ssh-keygen (.pub)")
	fl.StringArrayVar(&moved, "file", nil, "where another input of the run is now: `name=file`, by the name that verify "+
		"prints, such as policy=archive/p.yaml; may be repeated")
	fl.BoolVar(&asJSON, "json", false, "print one JSON document")
	return c
}

// movedFiles reads name=file.
func movedFiles(moved []string) (map[string]string, error) {
	out := map[string]string{}
	for _, m := range moved {
		name, path, ok := strings.Cut(m, "=")
		if name = strings.TrimSpace(name); !ok || name == "" || path == "" || out[name] != "" {
			return nil, wrong("verify: --file %s: expected name=file, each name once, such as policy=archive/policy.yaml", m)
		}
		out[name] = path
	}
	return out, nil
}

func (a *app) runVerify(ctx context.Context, q desk.VerifyRequest, asJSON bool) error {
	d := a.desk()
	v, err := d.Verify(ctx, q)
	if err != nil {
		return err
	}
	if asJSON {
		if err := desk.WriteJSON(a.out, v.Document(d.Version)); err != nil {
			return err
		}
		return v.Err()
	}
	verifiedText(a.out, v)
	return v.Err()
}

// marks are what a check came to, at a glance.
var marks = map[string]string{desk.Holds: "✓", desk.Fails: "✗", desk.NotChecked: "-"}

func verifiedText(w io.Writer, v *desk.Verification) {
	if r := v.Record; r != nil {
		say(w, "record of dither %s, version %s: %s", r.Command, r.Program, numfmt.Counted(len(r.Steps), "step"))
	}
	for _, c := range v.Checks {
		s := fmt.Sprintf("%s %-20s %s", marks[c.Result], c.What, c.Result)
		if !c.Why.Empty() {
			s += ": " + c.Why.String()
		}
		say(w, "%s", s)
	}
	n := v.Count(desk.Holds)
	if v.Result() == "FAIL" {
		n = v.Count(desk.Fails)
	}
	end := fmt.Sprintf("verify: %s (%d of %s", v.Result(), n, numfmt.Counted(len(v.Checks), "check"))
	if k := v.Count(desk.NotChecked); k > 0 {
		end += fmt.Sprintf("; %d not checked", k)
	}
	say(w, "%s)", end)
}

// recordFlags declares the flags of the verbs that leave a record.
func recordFlags(c *cobra.Command, record, key *string) {
	c.Flags().StringVar(record, "record", "", "write a record of the run to this `file`, for dither verify; it contains "+
		"nothing confidential")
	c.Flags().StringVar(key, "sign-key", "", "sign the record with this SSH key (Ed25519), a `file` such as "+
		"~/.ssh/id_ed25519")
}

// passphrase asks for that of a key on the terminal; nil where there is none to ask at.
func (a *app) passphrase() func(path string) ([]byte, error) {
	in, ok := a.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return nil
	}
	return func(path string) ([]byte, error) {
		fmt.Fprintf(a.err, "passphrase of %q: ", path)
		defer fmt.Fprintln(a.err)
		return term.ReadPassword(int(in.Fd()))
	}
}
