package main

import (
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/chance"
	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/crypto/ssh"
)

// commands are what this binary is under other names.
var commands = map[string]func(){"dither": func() {
	args := make([]string, len(os.Args)) // without the folder of the test, which has another name in every run
	for i, a := range os.Args {
		args[i] = filepath.Base(a)
	}
	chance.Fix(args...)
	main()
}}

func TestMain(m *testing.M) {
	chance.Fix()
	testscript.Main(m, commands)
}

// process is the command in a process of its own: this binary under the name of the program.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe := must.Get(os.Executable())(t)
	return &exec.Cmd{Path: exe, Args: append([]string{"dither"}, args...), Env: append(os.Environ(), chance.Env(t))}
}

// quick are the scripts of a quick run. Each verb is in one of them, but for the demo, which takes seconds.
var quick = []string{"catalogue", "hidden", "hierarchy", "import", "man", "masked", "policy", "record2",
	"suppressed", "verbs", "workbench"}

// TestQuickScripts: a quick run calls every verb.
func TestQuickScripts(t *testing.T) {
	called := map[string]bool{"demo": true}
	for _, name := range quick {
		for line := range strings.Lines(content(t, filepath.Join("testdata", "script", name+".txtar"))) {
			if _, call, ok := strings.Cut(" "+line, " dither "); ok && !strings.HasPrefix(line, "#") {
				called[strings.Fields(call)[0]] = true
			}
		}
	}
	for _, v := range (&app{out: &strings.Builder{}, err: &strings.Builder{}}).verbs(nil) {
		if !called[v.name] {
			t.Errorf("no script of a quick run calls dither %s", v.name)
		}
	}
}

// TestScripts runs the command as a user does, exit codes and error lines included: all scripts in a long run.
func TestScripts(t *testing.T) {
	dir := filepath.Join("testdata", "script")
	var files []string
	for _, name := range quick {
		files = append(files, filepath.Join(dir, name+".txtar"))
	}
	if long.Enabled() {
		var err error
		if files, err = filepath.Glob(filepath.Join(dir, "*.txtar")); err != nil {
			t.Fatal(err)
		}
	}
	formats := must.Get(filepath.Abs(filepath.Join("..", "..", "format")))(t)
	samples := func(env *testscript.Env) error { // $FORMATS/NAME/testdata has files of other programs
		env.Setenv("FORMATS", formats)
		return nil
	}
	testscript.Run(
		t,
		testscript.Params{
			Files: files,
			Setup: samples,
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"status": status, "sshkey": sshkey, "made": made, "told": told},
			Condition: func(name string) (bool, error) {
				if name != "long" {
					return false, fmt.Errorf("unknown condition %q", name)
				}
				return long.Enabled(), nil
			},
		},
	)
}

// status runs a command that must end with an exit status: status 3 dither attack ...
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND...")
	}
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if want, err := strconv.Atoi(args[0]); err != nil || got != want {
		ts.Fatalf("exit status %d, expected %s", got, args[0])
	}
}

// sshkey writes a key and its public key as ssh-keygen does: sshkey FILE [PASSPHRASE].
func sshkey(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(writeKey(ts.MkAbs(args[0]), args[1:]...))
}

// writeKey writes an SSH key, with a passphrase if there is one, and its public half beside it.
func writeKey(path string, passphrase ...string) error {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if len(passphrase) > 0 {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "", []byte(passphrase[0]))
	}
	if err != nil {
		return err
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(path, pem.EncodeToMemory(block), 0o600),
		os.WriteFile(path+".pub", ssh.MarshalAuthorizedKey(key), 0o644))
}
