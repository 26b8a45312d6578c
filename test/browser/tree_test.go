package browser

import (
	"context"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// node is something on a page as assistive technology sees it. It is decoded with our own types, because the library
// refuses a whole page for one property that it does not know yet.
type node struct {
	Ignored     bool       `json:"ignored"`
	Role        value      `json:"role"`
	Name        value      `json:"name"`
	Description value      `json:"description"`
	Value       value      `json:"value"`
	Properties  []property `json:"properties"`
}

type property struct {
	Name  string `json:"name"`
	Value value  `json:"value"`
}

type value struct {
	Value any `json:"value"`
}

func (v value) String() string {
	text, _ := v.Value.(string)
	return strings.Join(strings.Fields(text), " ")
}

// property returns the value of a property as text: "true", "false", "mixed", or "" if the node does not have it.
func (n node) property(name string) string {
	for _, p := range n.Properties {
		if yes, is := p.Value.Value.(bool); p.Name == name && is {
			return map[bool]string{true: "true", false: "false"}[yes]
		}
		if p.Name == name {
			return p.Value.String()
		}
	}
	return ""
}

// inputs are the roles of what a person fills in.
var inputs = []string{"textbox", "searchbox", "combobox", "listbox", "spinbutton", "checkbox", "radio", "radiogroup", "switch", "Date", "DateTime"}

// isInput reports whether the node is the input with this label. "(optional)" may follow the label.
func (n node) isInput(label string) bool {
	name := n.Name.String()
	return slices.Contains(inputs, n.Role.String()) && (name == label || strings.HasPrefix(name, label+" ("))
}

// tree returns everything on the page that is not hidden, in order. A page that is being replaced by the next has nothing
// on it.
func (b *tab) tree() []node {
	found, _ := b.nodes("Accessibility.getFullAXTree", nil)
	return found
}

// focused returns the node with the keyboard focus.
func (b *tab) focused() node {
	b.t.Helper()
	var object *runtime.RemoteObject
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		object, _, err = runtime.Evaluate(`document.activeElement || document.documentElement`).Do(ctx)
		return err
	}))
	found, err := b.nodes("Accessibility.getPartialAXTree", map[string]any{"objectId": object.ObjectID, "fetchRelatives": false})
	if err != nil || len(found) == 0 {
		return node{}
	}
	return found[0]
}

func (b *tab) nodes(method string, params any) ([]node, error) {
	var answer struct {
		Nodes []node `json:"nodes"`
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	err := chromedp.Run(ctx, chromedp.ActionFunc(func(ctx context.Context) error { return cdp.Execute(ctx, method, params, &answer) }))
	return slices.DeleteFunc(answer.Nodes, func(n node) bool { return n.Ignored }), err
}

// find returns the first node of the page that matches, if any.
func (b *tab) find(is func(node) bool) (node, bool) {
	all := b.tree()
	i := slices.IndexFunc(all, is)
	if i < 0 {
		return node{}, false
	}
	return all[i], true
}

// input returns the input with a label, or ends the test.
func (b *tab) input(label string) node {
	b.t.Helper()
	n, there := b.find(func(n node) bool { return n.isInput(label) })
	if !there {
		b.t.Fatalf("nothing on the page is labelled %q", label)
	}
	return n
}

// shows reports whether a heading is on the page.
func (b *tab) shows(heading string) bool {
	_, there := b.find(func(n node) bool { return n.Role.String() == "heading" && n.Name.String() == heading })
	return there
}
