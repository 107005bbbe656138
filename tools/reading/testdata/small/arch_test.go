package small

type layer struct {
	name    string
	folders []string
	strict  bool
}

var layers = []layer{
	{"data", []string{"loop"}, false},
	{"algorithms", []string{"internal/*"}, false},
	{"contracts", []string{"contract"}, false},
	{"methods", []string{"protect/*"}, true},
	{"study", []string{"study"}, false},
	{"interfaces", []string{"desk", "cmd/tool"}, false},
}
