package main

import (
	"debug/buildinfo"
	"io"
	"maps"
	"slices"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// materials writes the bill of materials: the modules that the linker put into any of the programs, as the programs
// themselves say, and the Go that built them.
func materials(file string, programs []string, c commit) error {
	parts := map[string]cdx.Component{}
	var subject cdx.Component
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return err
		}
		subject = component(cdx.ComponentTypeApplication, info.Main.Path, info.Main.Version, "")
		std := component(cdx.ComponentTypeLibrary, "std", info.GoVersion, "")
		parts[std.BOMRef] = std
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			p := component(cdx.ComponentTypeLibrary, m.Path, m.Version, m.Sum)
			parts[p.BOMRef] = p
		}
	}
	refs := slices.Sorted(maps.Keys(parts))
	var list []cdx.Component
	for _, r := range refs {
		list = append(list, parts[r])
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: c.time.Format(time.RFC3339), Component: &subject}
	bom.Components = &list
	bom.Dependencies = &[]cdx.Dependency{{Ref: subject.BOMRef, Dependencies: &refs}}
	return into(file, func(w io.Writer) error {
		return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	})
}

// component names a module by its package URL. Its sum is that of go.sum, which covers all files of the module.
func component(kind cdx.ComponentType, path, version, sum string) cdx.Component {
	url := "pkg:golang/" + path + "@" + version
	p := cdx.Component{BOMRef: url, Type: kind, Name: path, Version: version, PackageURL: url}
	if sum != "" {
		p.Properties = &[]cdx.Property{{Name: "go.sum", Value: sum}}
	}
	return p
}
