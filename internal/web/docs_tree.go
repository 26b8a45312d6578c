package web

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// node is a value of a JSON document that keeps its order, because people read what is drawn from it.
type node struct {
	names []string         // of an object's members
	under map[string]*node // an object's members
	items []*node          // of a list
	plain any              // anything else
}

func readTree(document []byte) (*node, error) {
	tokens := json.NewDecoder(bytes.NewReader(document))
	tokens.UseNumber()
	return readNode(tokens)
}

func readNode(tokens *json.Decoder) (*node, error) {
	token, err := tokens.Token()
	if err != nil {
		return nil, err
	}
	n := &node{}
	switch token {
	case json.Delim('{'):
		n.under = map[string]*node{}
		for tokens.More() {
			name, err := tokens.Token()
			if err != nil {
				return nil, err
			}
			n.names = append(n.names, name.(string))
			if n.under[name.(string)], err = readNode(tokens); err != nil {
				return nil, err
			}
		}
	case json.Delim('['):
		for tokens.More() {
			item, err := readNode(tokens)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
	default:
		n.plain = token
		return n, nil
	}
	_, err = tokens.Token() // the bracket that closes it
	return n, err
}

// at follows a path of names. What is not there is an empty node, which has nothing in it.
func (n *node) at(path ...string) *node {
	for _, name := range path {
		if n.under[name] == nil {
			return &node{}
		}
		n = n.under[name]
	}
	return n
}

func (n *node) has(name string) bool { return n.under[name] != nil }

// text is the value as it would be said, or "" where there is none.
func (n *node) text() string {
	if n.plain == nil {
		return ""
	}
	return fmt.Sprint(n.plain)
}

func (n *node) texts() []string {
	var all []string
	for _, item := range n.items {
		all = append(all, item.text())
	}
	return all
}

// first is the first item of a list that is a member.
func (n *node) first(name string) *node {
	if len(n.at(name).items) == 0 {
		return &node{}
	}
	return n.at(name).items[0]
}
