package torture

import "testing"

// TestOneLimitForAll counts what a client may do over three processes, one of which is killed meanwhile.
func TestOneLimitForAll(t *testing.T) {
	t.Parallel()
	const limit = 90
	g := newGround(t)
	all := openBranches(t, g.fresh(), 3, "--rate-limit", "1/hour burst 90")
	answers := make([]int, 4*limit)
	atOnce(len(answers), func(i int) {
		if i == limit/2 {
			all[0].Kill()
		}
		_, text := letter(marks.Add(1))
		if res, _, err := post(visitor, all[i%3].URL, text, ""); err == nil {
			answers[i] = res.StatusCode
		}
	})
	count := make(map[int]int)
	for _, status := range answers {
		count[status]++
	}
	kept := len(leadsIn(t, g.url))
	if count[202]+count[429]+count[0] != len(answers) || count[202] > limit || kept > limit || kept < count[202] || count[202] < limit-clients*3 {
		t.Errorf("by status: %v; %d kept", count, kept)
	}
	tell(t, "a limit holds for all processes together", "of %d leads sent to 3 processes at once, 1 kill, %d were accepted and %d kept, with a limit of %d", len(answers), count[202], kept, limit)
}
