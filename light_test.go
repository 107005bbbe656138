package dither_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/dither-data/dither/internal/testkit/long"
	"github.com/dither-data/dither/internal/testkit/must"
)

// A program that reads CSV does not carry Parquet, Excel, databases, pages and keys.
func TestTheDoorIsLight(t *testing.T) {
	out := must.Get(exec.Command("go", "list", "-deps", ".").Output())(t)
	for _, heavy := range []string{"parquet", "xlsx", "format/fixed", "pgx", "x/crypto", "html/template", "dither/report",
		"dither/workbench", "dither/desk", "zstd", "htmlindex"} {
		if strings.Contains(string(out), heavy) {
			t.Errorf("it links %s", heavy)
		}
	}
	if !long.Enabled() || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" { // whose size it is
		return
	}
	main := filepath.Join(t.TempDir(), "main.go")
	code := "package main\n\nimport (\n\t\"context\"\n\n\t\"github.com/dither-data/dither\"\n)\n\nfunc main() {\n\tctx " +
		":= context.Background()\n" +
		"\td, _ := dither.Open(ctx, dither.File(\"in.csv\"), nil)\n\tr, _ := dither.Protect(ctx, d)\n\tdither.Write(ctx, " +
		"r, \"out.csv\")\n}\n"
	must.NoError(t, os.WriteFile(main, []byte(code), 0o600))
	program := filepath.Join(t.TempDir(), "program")
	if said, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program,
		main).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if st, err := os.Stat(program); err != nil || st.Size() >= 15_000_000 { // 26 MB once
		t.Errorf("%v: the program has %d bytes", err, st.Size())
	}
}
