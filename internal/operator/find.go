package operator

import (
	"context"
	"fmt"
	"strings"

	"foyer/internal/buyer"
)

// Find is the id of the buyer that an operator means by an id or a name. Names are compared as a whole, and capitals do not
// count. Where several buyers have the name, the error lists them.
func (d *Operator) Find(ctx context.Context, word string) (string, error) {
	buyers, _, err := d.Store.Buyers(ctx)
	if err != nil {
		return "", err
	}
	var namesakes []string
	for _, b := range buyers {
		switch {
		case b.State == buyer.Removed:
		case b.ID == word:
			return b.ID, nil
		case strings.EqualFold(b.Terms.Name, strings.TrimSpace(word)):
			namesakes = append(namesakes, b.ID)
		}
	}
	switch len(namesakes) {
	case 0:
		return "", noBuyer()
	case 1:
		return namesakes[0], nil
	}
	return "", fmt.Errorf("%d buyers have this name: give the id instead, one of %s", len(namesakes), strings.Join(namesakes, ", "))
}
