package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
)

// fused is a line of the compiler's about a sum that it fuses with a product; what follows a semicolon is where the
// function was inlined.
var fused = regexp.MustCompile(`^fmahash triggered ` + regexp.QuoteMeta(modulePath) + `(\S+?\.go:\d+:\d+)[ ;]`)

// compiled builds packages for arm64 and returns what the compiler itself says that it fuses there, wherever it comes
// from: products that were inlined, too. It is the last word, but its positions are those of the sums.
func compiled(patterns []string) (places []string, err error) {
	build := exec.Command("go", append([]string{"build", "-trimpath", "-buildvcs=false", "-o", os.DevNull,
		"-gcflags=" + modulePath + "...=-d=fmahash=vy"}, patterns...)...)
	build.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("build for arm64: %w\n%s", err, out)
	}
	return sums(out), nil
}

// sums reads the compiler's output.
func sums(out []byte) []string {
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		m := fused.FindStringSubmatch(lines.Text())
		if m != nil && !exempt.MatchString(path.Dir(m[1])) {
			seen[m[1]] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), strings.Compare)
}
