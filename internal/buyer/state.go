package buyer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// stateTable maps the first three digits of a ZIP code to its state: each entry applies up to the next one, and - is no state. A few
// single ZIP codes lie across a border; a buyer that cares about those lists ZIP codes instead of states.
const stateTable = `
000:- 005:NY 006:PR 008:VI 009:PR 010:MA 028:RI 030:NH 039:ME 050:VT 055:MA 056:VT 060:CT 070:NJ 090:AE 099:-
100:NY 150:PA 197:DE 200:DC 201:VA 202:DC 206:MD 220:VA 247:WV 269:- 270:NC 290:SC 300:GA 320:FL 340:AA 341:FL
350:AL 370:TN 386:MS 398:GA 400:KY 428:- 430:OH 460:IN 480:MI 500:IA 529:- 530:WI 550:MN 568:- 569:DC 570:SD
578:- 580:ND 589:- 590:MT 600:IL 630:MO 659:- 660:KS 680:NE 694:- 700:LA 715:- 716:AR 730:OK 733:TX 734:OK
750:TX 800:CO 817:- 820:WY 832:ID 839:- 840:UT 848:- 850:AZ 866:- 870:NM 885:TX 886:- 889:NV 899:- 900:CA
962:AP 967:HI 969:GU 970:OR 980:WA 995:AK`

// states holds the state of each three digits, or "".
var states = func() (all [1000]string) {
	for entry := range strings.FieldsSeq(stateTable) {
		from, state, _ := strings.Cut(entry, ":")
		first, err := strconv.Atoi(from)
		if err != nil {
			panic(err) // a test reads the table
		}
		for i := first; i < len(all); i++ {
			all[i] = strings.Trim(state, "-")
		}
	}
	return all
}()

// pacificZIPs are ZIP codes in the Pacific that share their first three digits with another state or territory.
var pacificZIPs = []zipInterval{{96799, 96800, "AS"}, {96939, 96941, "PW"}, {96941, 96945, "FM"}, {96950, 96953, "MP"}, {96960, 96961, "MH"}, {96970, 96971, "MH"}}

// zipInterval are ZIP codes from one up to another.
type zipInterval struct {
	from, to int
	state    string
}

// StateOf returns the state of a ZIP code, or "".
func StateOf(zip string) string {
	n := zipNumber(zip)
	if n < 0 {
		return ""
	}
	for _, i := range pacificZIPs {
		if i.from <= n && n < i.to {
			return i.state
		}
	}
	return states[n/100]
}

// ZIPRanges returns the ranges of ZIP codes in which those of a state are, without their ends. Some codes in them may be of another state.
func ZIPRanges(state string) (ranges [][2]string) {
	for n := 0; n < len(states); n++ {
		first := n
		for n < len(states) && hasState(n, state) {
			n++
		}
		if n > first {
			ranges = append(ranges, [2]string{fmt.Sprintf("%03d", first), fmt.Sprintf("%03d:", n-1)}) // the character after 9
		}
	}
	return ranges
}

// hasState reports whether some ZIP codes that begin with three digits are of a state.
func hasState(digits int, state string) bool {
	return states[digits] == state || slices.ContainsFunc(pacificZIPs, func(i zipInterval) bool {
		return i.state == state && i.from/100 <= digits && digits <= (i.to-1)/100
	})
}

// HasZIPs reports whether a state has ZIP codes.
func HasZIPs(state string) bool { return state != "" && *statesSet([]string{state}) != zipSet{} }
