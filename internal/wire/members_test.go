package wire_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"foyer/internal/wire"
)

func TestMembers(t *testing.T) {
	var got []string
	err := wire.Members([]byte(` {"b": 1.50, "a" :{"x" : [1, 2],"x":0}, "c":"\u0041" } `), func(name string, value jsontext.Value) {
		got = append(got, name+"="+string(value))
	})
	if diff := cmp.Diff([]string{"b=1.50", `a={"x" : [1, 2],"x":0}`, `c="\u0041"`}, got); diff != "" || err != nil {
		t.Errorf("error %v, (-want +got):\n%s", err, diff)
	}
}

func TestMembersRefused(t *testing.T) {
	for name, body := range map[string]string{
		"empty": "", "a list": "[]", "null": "null", "a name twice": `{"a":1,"a":1}`, "an escaped name twice": `{"a":1,"\u0061":1}`,
		"something behind": `{}{}`, "cut off": `{"a":1`, "no value": `{"a"}`, "bad UTF-8": "{\"a\":\"\xff\"}",
	} {
		if err := wire.Members([]byte(body), func(string, jsontext.Value) {}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestElements(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
		bad  bool
	}{
		"none":               {body: `[]`},
		"some":               {body: ` [1, {"a" : 2} ,"x"] `, want: []string{"1", `{"a" : 2}`, `"x"`}},
		"a name twice":       {body: `[{"a":1,"a":2}]`, want: []string{`{"a":1,"a":2}`}},
		"something behind":   {body: `[1]2`, bad: true},
		"cut off":            {body: `[1,`, bad: true},
		"empty":              {body: ``, bad: true},
		"a bad second value": {body: `[1,x]`, bad: true},
	} {
		t.Run(name, func(t *testing.T) {
			elements, err := wire.Elements([]byte(c.body))
			if (err != nil) != c.bad {
				t.Fatal(err)
			}
			var got []string
			for _, v := range elements {
				got = append(got, string(v))
			}
			if diff := cmp.Diff(c.want, got); diff != "" && !c.bad {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestText(t *testing.T) {
	for value, want := range map[string]string{`"a"`: "a", `"\u0041\n"`: "A\n", `""`: ""} {
		if got, ok := wire.Text(jsontext.Value(value)); !ok || got != want {
			t.Errorf("%s: %q, %t", value, got, ok)
		}
	}
	for _, value := range []string{"", "1", "null", "true", "{}", `"`, `"\ud800"`, "\"\xff\"", strings.Repeat(" ", 3)} {
		if _, ok := wire.Text(jsontext.Value(value)); ok {
			t.Errorf("%q is taken for a text", value)
		}
	}
}

// TestMembersLimit checks that the number of members is bounded, because each name is compared with all earlier ones.
func TestMembersLimit(t *testing.T) {
	countMembers := func(n int) (members int, err error) {
		var body strings.Builder
		for i := range n {
			fmt.Fprintf(&body, `,"%04x":1`, i)
		}
		err = wire.Members([]byte("{"+body.String()[1:]+"}"), func(string, jsontext.Value) { members++ })
		return members, err
	}
	if members, err := countMembers(200); err != nil || members != 200 {
		t.Errorf("%d members, %v", members, err)
	}
	if _, err := countMembers(201); err == nil || wire.Broken(err) {
		t.Errorf("201 members: %v", err)
	}
}
