// Package words has the languages besides English of what the guided path of the workbench says: of all keys that
// TestEveryLanguage names, and of no others. A sentence that a language lacks is said in English.
package words

import (
	"embed"
	"sync"

	"github.com/dither-data/dither/message"
)

//go:embed de.yaml fr.yaml
var files embed.FS

// Languages are all that the guided path is in, English first.
var Languages = sync.OnceValue(func() []*message.Language {
	all := []*message.Language{message.English()}
	for _, tag := range []string{"de", "fr"} {
		data, err := files.ReadFile(tag + ".yaml")
		if err != nil {
			panic(err) // the file is part of the program
		}
		l, err := message.Read(tag, data)
		if err != nil {
			panic(err) // and a test reads it
		}
		all = append(all, l)
	}
	return all
})
