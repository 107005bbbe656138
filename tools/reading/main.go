// Command reading counts how much there is to read in the code, and how far a reader has to go who follows a value from
// the command down to the techniques and measures. It runs on the folder of the module, from which it takes the layers
// (arch_test.go), too:
//
//	go run -C tools ./reading ..
//
// It prints the lines of Go without tests and without what a program wrote, the exported names (of packages that are
// not internal, and the methods of their exported types; not fields), and the packages. Then, for evaluate and for
// protect:
//
//   - functions: those on some way of calls from the verb to a technique or a measure;
//   - files: where they stand;
//   - visits: how often the reading enters another file. Functions are read depth first, in the order of their calls,
//     each once, at its first call. To go on in a caller, behind a call, is a visit of its file, too;
//   - climbs: the visits of a file in a higher layer than that of the file before. Layers are those of arch_test.go;
//     the lines in them do not count.
//
// Below a verb stand the files that call one of a higher layer, by an interface or a function value: imports point down
// only, so that no plain call does.
//
// A way ends at the first function of a technique or a measure: it is not read, and to call it through its contract is
// no climb. Functions of the two layers at the bottom are not read either; they are loops, readers and arithmetic. A
// function literal is read where it is written. Which functions a call through an interface or a function value may
// reach is what variable type analysis says (Sundaresan et al. 2000), over the module alone: what other modules call
// back is not seen, and what is seen may be more than what happens.
package main

import (
	"fmt"
	"os"
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	if err := run(dir, "cmd/dither.runEvaluate", "cmd/dither.runProtect"); err != nil {
		fmt.Fprintln(os.Stderr, "reading:", err)
		os.Exit(1)
	}
}

func run(dir string, verbs ...string) error {
	layers, err := layersOf(dir)
	if err != nil {
		return err
	}
	c, err := load(dir, layers)
	if err != nil {
		return err
	}
	s := c.size()
	fmt.Printf("%d lines, %d exported names, %d packages\n", s.lines, s.names, s.packages)
	for _, verb := range verbs {
		f, err := c.follow(verb)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d functions in %d files, %d visits, %d climbs\n", verb, f.functions, f.files, f.visits,
			f.climbs)
		for _, call := range f.back {
			fmt.Println("\t" + call)
		}
	}
	return nil
}
