package transactions

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dither-data/dither/format/dialect"
	"github.com/dither-data/dither/format/formattest"
	"github.com/dither-data/dither/internal/testkit/must"
)

var (
	numbers = formattest.Files{
		Items:   []string{"39", "0", "7", "2147483647", "100", "10"},
		NoItems: []string{"bread", "-1", "007", "2147483648", "", "1.5", "?1"},
		More:    [][]byte{[]byte("1 2 3 \n\n3\t2\r\n?\n?7 1 1\n39")},
	}
	odd = []string{"bread", "a,b", "a;b", "a|b", "a\tb", `"`, `say "hi"`, "it's", " leading", "trailing ", "?", "?x",
		"1", "\u00e9", "#", "@", "%x", "=1+1", "\ufeff", `""`}
	words = formattest.Files{
		Items:   append(odd, ""),
		NoItems: []string{"two\nlines", "a\rb", "a\x00b"},
		More:    [][]byte{[]byte("bread, milk ,\"a,b\",bread\n\n?\n? jam,?\"x,y\"\r\neggs")},
	}
	declared = formattest.Files{
		Items:   odd,
		NoItems: []string{"two\nlines", "a\rb", "", "a\x00b"},
		More:    [][]byte{[]byte("@CONVERTED_FROM_TEXT\n@ITEM=1=bread\n@ITEM=2=say \"hi\"\n# words\n1 2\n\n2 3 ?1\n?\n")},
	}
)

func TestFIMI(t *testing.T)   { formattest.Run(t, Format, numbers) }
func TestBasket(t *testing.T) { formattest.Run(t, FormatBasket, words) }
func TestSPMF(t *testing.T)   { formattest.Run(t, FormatSPMF, declared) }

// TestBlanks: names with blanks between them, which hold commas.
func TestBlanks(t *testing.T) {
	with := words
	with.Options = dialect.Options{Delimiter: ' '}
	with.More = [][]byte{[]byte("bread  milk\n\n? \n?jam  \"a b\" \n")}
	formattest.Run(t, FormatBasket, with)
}

// TestRoom: parts that need less room than was counted, or more, are joined to what stands in the file.
func TestRoom(t *testing.T) {
	for name, line := range map[string]string{"as counted": "1 2 3\n", "repeated": "3 2 2 1 3 \n",
		"carriage returns": "1\r2\r3\r3\n"} {
		n := 3*leastChunk/len(line) + 1
		tab, _, err := Format.Read(context.Background(), []byte(strings.Repeat(line+"7 9\n", n)), dialect.Options{})
		must.NoError(t, err)
		s := tab.Sets(0)
		for i := range 2 * n {
			if want := [][]int32{{0, 1, 2}, {3, 4}}[i%2]; !slices.Equal(s.Present.Row(i), want) {
				t.Fatalf("%s: row %d is %v, expected %v", name, i, s.Present.Row(i), want)
			}
		}
	}
}

// Names have blanks between them where nothing else can stand between them, and else hold them.
func TestSeparatorsFoundOut(t *testing.T) {
	for text, items := range map[string][]string{
		"bread milk\neggs\n":                             {"bread", "eggs", "milk"},
		"whole milk,eggs\nrye bread\n":                   {"eggs", "rye bread", "whole milk"},
		"whole milk;eggs\nrye bread\n":                   {"eggs", "rye bread", "whole milk"},
		"\"whole milk\"\nrye\n":                          {"rye", "whole milk"},
		"\"a,b\" c\n":                                    {"a,b", "c"},
		"bread\neggs\n":                                  {"bread", "eggs"},
		strings.Repeat("rye bread\n", 1<<13) + "a b,c\n": {"a b", "c", "rye bread"},
	} {
		tab, _, err := FormatBasket.Read(context.Background(), []byte(text), dialect.Options{})
		must.NoError(t, err)
		if got := slices.Sorted(slices.Values(tab.Attr(0).Labels)); !slices.Equal(got, items) {
			t.Errorf("%.40q is read as %q, want %q", text, got, items)
		}
	}
}

func FuzzFIMI(f *testing.F)   { formattest.Fuzz(f, Format, numbers.More[0]) }
func FuzzBasket(f *testing.F) { formattest.Fuzz(f, FormatBasket, words.More[0], []byte("a;b;?c\n")) }
func FuzzSPMF(f *testing.F)   { formattest.Fuzz(f, FormatSPMF, declared.More[0]) }
