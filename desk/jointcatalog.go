package desk

import (
	"github.com/dither-data/dither/internal/text/filled"
	"github.com/dither-data/dither/joint"
	jointcatalog "github.com/dither-data/dither/joint/catalog"
	"github.com/dither-data/dither/param"
)

// JointProtocols are protocols between parties, as a document.
type JointProtocols struct {
	Schema  string          `json:"schema"`
	Entries []JointProtocol `json:"protocols"`
}

// JointProtocol is a protocol between parties.
type JointProtocol struct {
	joint.Card
	Roles      []joint.Role `json:"roles"` // of parties
	Parameters param.Set    `json:"parameters"`
}

// FindProtocols returns all protocols between parties, or the one of a name.
func FindProtocols(name string) ([]joint.Protocol, error) {
	if name == "" {
		return jointcatalog.Protocols(), nil
	}
	q, err := jointcatalog.Protocol(name)
	if err != nil {
		return nil, usage(err)
	}
	return []joint.Protocol{*q}, nil
}

// ProtocolsDocument is the document of protocols.
func ProtocolsDocument(protocols []joint.Protocol) JointProtocols {
	out := JointProtocols{Schema: schemaOf("protocols")}
	for k := range protocols {
		q := &protocols[k]
		out.Entries = append(out.Entries, JointProtocol{q.Card, q.Roles, q.New().Params()})
	}
	return filled.Copy(out, false)
}
