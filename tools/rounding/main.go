// Command rounding finds what makes another processor compute another number from the same input:
//
//   - products of floats that the compiler may fuse with a sum, as it does on arm64, s390x and others: float64(x*y)
//     keeps it from that, while assigning the product to a variable does not, nor does returning it;
//   - functions of package math that have assembly on some processor, or whose body is fused there;
//   - what gonum computes: it has assembly on amd64, with another order of sums, and is fused elsewhere;
//   - complex numbers, whose products nothing keeps from being fused.
//
// With -compiled it asks the compiler instead, which knows what it fuses but not how to mend it.
//
// Tests are left out, and what only draws (see exempt). With -fix it rewrites products, and calls for which
// internal/portable has a function; the second run finds what is left. It must run in the folder of the module:
//
//	go build -C tools -o /tmp/rounding ./rounding && /tmp/rounding -fix ./...
//
// A product with a constant power of two is exact, and fusing it changes nothing: it is left as it is, and so are
// quotients by one, of which the compiler makes products (-compiled names those, as it knows no difference). A product
// that is an operand of a product, a quotient or a comparison, or an argument of package math or of max and min, is
// rounded in any case.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// exempt are folders whose numbers enter no plan, key, tie or figure: pictures, the workbench, what only tests and
// benchmarks import. What they show was computed elsewhere, or is a position on a screen.
var exempt = regexp.MustCompile(`^(report/chart|workbench|internal/testkit/.*|.*/?[a-z]+test|tools(/.*)?)$`)

func main() {
	fix := flag.Bool("fix", false, "rewrite what can be")
	compiler := flag.Bool("compiled", false, "ask the compiler which sums it fuses on arm64")
	flag.Parse()
	look := func() (bool, error) { return run(*fix, flag.Args()) }
	if *compiler {
		look = func() (bool, error) {
			places, err := compiled(flag.Args())
			for _, p := range places {
				fmt.Printf("%s: the compiler fuses this sum with a product on arm64\n", p)
			}
			return len(places) > 0, err
		}
	}
	found, err := look()
	if err != nil {
		fmt.Fprintln(os.Stderr, "rounding:", err)
		os.Exit(2)
	}
	if found {
		os.Exit(1)
	}
}

const mode = packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
	packages.NeedTypesInfo | packages.NeedImports | packages.NeedModule

// run looks at packages and prints, or mends, what it finds.
func run(fix bool, patterns []string) (found bool, err error) {
	all, err := packages.Load(&packages.Config{Mode: mode}, patterns...)
	if err != nil {
		return false, err
	}
	if packages.PrintErrors(all) > 0 {
		return false, fmt.Errorf("the packages do not build")
	}
	for _, p := range all {
		dir := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, p.Module.Path), "/")
		if exempt.MatchString(dir) {
			continue
		}
		for _, f := range p.Syntax {
			name := p.Fset.Position(f.Pos()).Filename
			findings := inspect(p.Types, p.TypesInfo, f, dir)
			if fix && slices.ContainsFunc(findings, func(f finding) bool { return len(f.edits) > 0 }) {
				if err := mend(name, p.Fset, f, findings); err != nil {
					return found, err
				}
				findings = slices.DeleteFunc(findings, func(f finding) bool { return len(f.edits) > 0 })
			}
			for _, x := range findings {
				found = true
				at := p.Fset.Position(x.pos)
				if short, err := filepath.Rel(p.Module.Dir, at.Filename); err == nil {
					at.Filename = short
				}
				fmt.Printf("%s: %s\n", at, x.says)
			}
		}
	}
	return found, nil
}
