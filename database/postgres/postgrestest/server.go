//go:build unix

// Package postgrestest starts a PostgreSQL server of its own for tests, in a temporary folder, which nobody else
// reaches.
package postgrestest

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Start starts a server and returns the address of its database, to which ?table=NAME or &table=NAME is added. Where
// PostgreSQL is not installed the test is skipped, and fails with CI=true.
func Start(t testing.TB) string {
	t.Helper()
	initdb, ctl := program("initdb"), program("pg_ctl")
	if initdb == "" || ctl == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("PostgreSQL is not installed")
		}
		t.Skip("PostgreSQL is not installed")
	}
	dir, err := os.MkdirTemp("", "pg") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	who := owner(t, dir)
	data, log := filepath.Join(dir, "data"), filepath.Join(dir, "log")
	command(t, who, initdb, "-D", data, "-U", "custodian", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
	command(t, who, ctl, "-D", data, "-l", log, "-w", "-o", fmt.Sprintf("-c listen_addresses='' -c "+
		"unix_socket_directories='%s' -c fsync=off", dir), "start")
	t.Cleanup(func() { command(t, who, ctl, "-D", data, "-m", "immediate", "stop") })
	return "postgres://custodian@/postgres?host=" + url.QueryEscape(dir)
}

// program finds one of PostgreSQL's programs: Debian keeps most of them out of the path.
func program(name string) string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if path, err := exec.LookPath(name); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return ""
	}
	return found[0]
}

// owner returns who runs the server: root may not, so it is Debian's user there, who gets the folder.
func owner(t testing.TB, dir string) *syscall.Credential {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // the socket is for the test, too
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func command(t testing.TB, who *syscall.Credential, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = "/"
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: who}
	// What the server writes later goes to its log; its output is not held here, or this would wait for its end.
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c.Stdout, c.Stderr = out, out
	if err := c.Run(); err != nil {
		text, _ := os.ReadFile(out.Name())
		t.Fatalf("%s: %v\n%s", filepath.Base(name), err, strings.TrimSpace(string(text)))
	}
}
