package web

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// node is a value of a JSON document. It keeps the order of members, because people read the tables generated from it.
type node struct {
	names   []string         // an object's member names, in order
	members map[string]*node // an object's members
	items   []*node          // a list's items
	scalar  any              // anything else
}

func parseTree(document []byte) (*node, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	return parseNode(decoder)
}

func parseNode(decoder *json.Decoder) (*node, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	n := &node{}
	switch token {
	case json.Delim('{'):
		n.members = map[string]*node{}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, name.(string))
			if n.members[name.(string)], err = parseNode(decoder); err != nil {
				return nil, err
			}
		}
	case json.Delim('['):
		for decoder.More() {
			item, err := parseNode(decoder)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
	default:
		n.scalar = token
		return n, nil
	}
	_, err = decoder.Token() // the closing bracket
	return n, err
}

// at follows a path of member names. It returns an empty node if the path does not exist.
func (n *node) at(path ...string) *node {
	for _, name := range path {
		if n.members[name] == nil {
			return &node{}
		}
		n = n.members[name]
	}
	return n
}

func (n *node) has(name string) bool { return n.members[name] != nil }

// text is the scalar value as text, or "".
func (n *node) text() string {
	if n.scalar == nil {
		return ""
	}
	return fmt.Sprint(n.scalar)
}

func (n *node) texts() []string {
	var all []string
	for _, item := range n.items {
		all = append(all, item.text())
	}
	return all
}

// first is the first item of the list in the named member.
func (n *node) first(name string) *node {
	if len(n.at(name).items) == 0 {
		return &node{}
	}
	return n.at(name).items[0]
}
