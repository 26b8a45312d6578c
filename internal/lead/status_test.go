package lead_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"foyer/internal/lead"
)

// TestEveryPairOfStatuses compares the code with the table in docs/statuses.md: each pair of statuses is either a
// transition in the table, by the actor it names, or not allowed.
func TestEveryPairOfStatuses(t *testing.T) {
	drawn := documentedMoves(t)
	for _, from := range lead.Statuses {
		for _, to := range lead.Statuses {
			for _, actor := range []string{lead.ByService, lead.ByOperator} {
				who := drawn[fmt.Sprintf("%s %s", from, to)]
				want := who == lead.ByService || who != "" && actor == lead.ByOperator
				if got := from.MayBecome(to, actor); got != want {
					t.Errorf("%s to %s by the %s: %v, but the table says %v", from, to, actor, got, want)
				}
			}
		}
	}
}

// documentedMoves reads the rows of the table: from, to, by whom.
func documentedMoves(t *testing.T) map[string]string {
	text, err := os.ReadFile("../../docs/statuses.md")
	if err != nil {
		t.Fatal(err)
	}
	moves := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		from, to := strings.Trim(cells[1], " `"), strings.Trim(cells[2], " `")
		moves[from+" "+to] = strings.TrimSpace(cells[3])
	}
	if len(moves) == 0 {
		t.Fatal("no move is drawn")
	}
	return moves
}
