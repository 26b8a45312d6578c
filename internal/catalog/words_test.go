package catalog_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// forbidden matches the words of a promise, which no text may contain, negated or not, and superlatives.
var forbidden = regexp.MustCompile(`(?i)will call you|will contact you|someone will|will arrive|is booked|guarantee|\b(best|fastest|cheapest|leading|top-rated)\b|#1`)

// everything returns all texts that a person or an assistant can see, by kind. Add new texts of the package here;
// TestWordsInTheSource catches a promise in a text that is missing here.
func everything(t *testing.T) map[string]any {
	return map[string]any{
		"catalog":      []catalog.Catalog{brand.Catalog(), brand.Catalog(lead.Services...)},
		"instructions": brand.Instructions(),
		"tools": []any{
			catalog.ToolPlumbing, catalog.ToolRequest, catalog.ToolCleaning, brand.StatusTool(), catalog.ToolServices,
			catalog.ToolZIPHelp, catalog.ToolLeadIDHelp, catalog.ToolResultHelp, catalog.ToolZIPDropped,
		},
		"consent":  []lead.ConsentText{brand.ConsentShown(), brand.ConsentStated()},
		"fields":   fieldTexts(),
		"problems": problemTexts(t),
		"answers":  answers(),
		"refusals": refusals(),
		"pages":    pages(),
	}
}

func fieldTexts() []string {
	var texts []string
	for _, f := range lead.Fields {
		texts = append(texts, f.Label, f.Help, f.Wants, f.Example, f.Hint)
		for _, c := range f.Choices {
			texts = append(texts, catalog.ChoiceLabel(f.Name, c))
		}
	}
	return texts
}

// problemTexts returns the messages about wrong values of every field.
func problemTexts(t *testing.T) []string {
	var texts []string
	for _, v := range []lead.Value{
		lead.Null(), lead.Structure(), lead.Bool(false), lead.Number("1e9"), lead.Number("2.5"), lead.Quoted("x\x00"), lead.Quoted("33139-1234"), lead.Typed("?"),
	} {
		raw := lead.IntakeInput.New()
		for _, f := range lead.Fields {
			raw.Set(f.Name, v)
		}
		raw.Set("dryRun", v)
		_, refusal := lead.Parse(raw)
		if refusal == nil {
			t.Fatal("accepted")
		}
		texts = append(texts, refusal.Message)
	}
	return texts
}

func answers() []any {
	var all []any
	for _, s := range lead.Services {
		for _, status := range lead.Statuses {
			all = append(all, brand.LeadStatus(lead.Lead{Status: status, Request: *request(s, false)}))
			for _, dry := range []bool{false, true} {
				all = append(all, brand.Receipt("lead_1", request(s, dry), lead.Decision{Status: status, Offered: dry, Marks: []lead.Mark{lead.PastDate, lead.ImplausiblePhone}}))
			}
		}
	}
	return all
}

func refusals() []*lead.Error {
	unavailable := &lead.Error{Kind: lead.Unavailable}
	return []*lead.Error{
		brand.Suppressed(), catalog.UnknownLead, catalog.KeyReused, catalog.BadKey, brand.TooMany(lead.HVAC, lead.Allowance{}), brand.TooMany(lead.Plumbing, lead.Allowance{}), catalog.TooManyLookUps(lead.Allowance{}), catalog.Busy,
		catalog.NotNow(unavailable), catalog.Bug("req_x"), catalog.TooLarge, catalog.Compressed, catalog.BrokenBody, catalog.NotThisWay([]string{"GET", "HEAD"}), catalog.NeitherJSONNorForm, brand.NoOperation(),
		catalog.TooManyReturns(lead.Allowance{}), catalog.NotSigned, brand.NotReturnable(), catalog.NotNoted(unavailable), catalog.MessageReused, catalog.NotJSON,
		brand.NotKept(lead.Plumbing, unavailable), brand.NotKept(lead.HVAC, unavailable), brand.NoPage(), catalog.UnknownPlace,
	}
}

func docsText() string {
	text, err := brand.DocsText(func(lead.Kind) int { return 422 }, func(*lead.Field) (string, error) { return "", nil }, "", "")
	if err != nil {
		panic(err)
	}
	return text
}

func pages() []any {
	all := []any{
		catalog.PageWords, brand.HomePage(), brand.PlumbingPage(), brand.ThanksPage(), brand.DryThanksPage(), brand.LLMsPage(), brand.LLMsPage(lead.Services...),
		brand.PrivacyPage(1), brand.PrivacyPage(30), brand.DocsPage(), docsText(),
	}
	all = append(all, brand.LookUpPage(), brand.NoReferencePage(), brand.Nav(), brand.Footer())
	for _, status := range lead.Statuses {
		label := catalog.StatusTextOf(lead.StatusAnswer{Status: status}).Label
		all = append(all, label, brand.StatusPage(lead.StatusAnswer{Status: status, Service: lead.HVAC}))
	}
	for _, g := range catalog.Groups {
		all = append(all, g, brand.GroupPage(g))
	}
	for _, k := range lead.PrivacyKinds {
		all = append(all, brand.PrivacyRequestPage(lead.PrivacyRequest{Kind: k, Phone: "+13055550123"}, ""), catalog.PrivacyReason(k))
		for _, status := range lead.Statuses {
			all = append(all, brand.PrivacyRequestPage(lead.PrivacyRequest{Kind: k, LeadID: "lead_1"}, status))
		}
	}
	hiddenLead := lead.Lead{Status: lead.Collected, PrivacyAt: time.Unix(1, 0)}
	hiddenLead.Request.Service = lead.HVAC
	named := brand.LeadStatus(hiddenLead)
	all = append(all, brand.GuidePage(1), brand.GuidePage(30), brand.PrivacyFormAgainPage(), brand.Robots(), brand.CardAlt(),
		brand.ConsentPage(brand.ConsentShown(), time.Time{}), brand.ConsentPage(brand.ConsentStated(), time.Time{}), brand.ConsentPage(lead.ConsentText{Version: "shown-old"}, time.Time{}),
		catalog.MissingPrivacyKind, catalog.InvalidPrivacyPhone, catalog.UnknownPrivacyReference, catalog.NotAForm, catalog.NoConsentText, catalog.NoConsentTextNow(nil),
		brand.PrivacyRequestNotSaved(nil), brand.TooManyPrivacyRequests(lead.Allowance{}), brand.NamedTooOften(time.Hour),
		brand.StatusPage(named), brand.LeadStatus(hiddenLead), named.Message)
	for _, kind := range []lead.Kind{lead.NotFound, lead.MethodNotAllowed, lead.RateLimited, lead.Unavailable, lead.TooLarge, lead.Internal, lead.Invalid} {
		all = append(all, brand.ErrorPage(kind, "Message."))
	}
	return all
}

func TestWords(t *testing.T) {
	for where, v := range everything(t) {
		texts := textsIn(reflect.ValueOf(v))
		if len(texts) == 0 {
			t.Errorf("%s has no texts: the gathering is broken", where)
		}
		for _, text := range texts {
			wantNoPromise(t, where, text)
		}
	}
}

func wantNoPromise(t *testing.T, where, text string) {
	t.Helper()
	if found := forbidden.FindString(text); found != "" {
		t.Errorf("%s says %q in: %s", where, found, text)
	}
}

// textsIn returns every string inside a value.
func textsIn(v reflect.Value) []string {
	var texts []string
	switch v.Kind() {
	case reflect.String:
		return []string{v.String()}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return textsIn(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			texts = append(texts, textsIn(v.Index(i))...)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			texts = append(texts, textsIn(v.MapIndex(key))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			texts = append(texts, textsIn(v.Field(i))...)
		}
	}
	return texts
}

// Other packages have texts of their own. Every string literal of the program and every template must pass the same
// check.
func TestWordsInTheSource(t *testing.T) {
	code, err := filepath.Glob("../*/*.go")
	if err != nil || len(code) == 0 {
		t.Fatal("no source found", err)
	}
	for _, file := range code {
		if !strings.HasSuffix(file, "_test.go") {
			for _, text := range literals(t, file) {
				wantNoPromise(t, file, text)
			}
		}
	}
	pages, _ := filepath.Glob("../*/*/*.html")
	docs, _ := filepath.Glob("../*/*.md")
	if len(pages) == 0 || len(docs) == 0 {
		t.Fatal("no templates found")
	}
	for _, file := range append(pages, docs...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		wantNoPromise(t, file, string(text))
	}
}

// literals returns the string literals of a file; those joined by + count as one.
func literals(t *testing.T, file string) []string {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	ast.Inspect(tree, func(n ast.Node) bool {
		expr, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if text := joined(expr); text != "" {
			texts = append(texts, text)
		}
		return true
	})
	return texts
}

func joined(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return joined(e.X) + joined(e.Y)
	}
	return ""
}

func TestForbiddenWordsAreFound(t *testing.T) {
	for _, text := range []string{
		"We WILL CALL YOU", "no one will contact you", "Someone will come", "they will arrive", "Nothing is booked", "not guaranteed",
		"The best plumbers", "Fastest", "cheapest", "#1 in town", "a leading company", "top-rated",
	} {
		if !forbidden.MatchString(text) {
			t.Errorf("%q is not found", text)
		}
	}
	for _, text := range []string{"no callback is promised", "not a booking", "misleading", "bestow"} {
		if forbidden.MatchString(text) {
			t.Errorf("%q is found", text)
		}
	}
}

func TestEveryAnswerHasWords(t *testing.T) {
	for _, s := range lead.Services {
		if catalog.Label(s) == "" {
			t.Errorf("%s has no label", s)
		}
		for _, status := range lead.Statuses {
			t.Run(fmt.Sprint(s, " ", status), func(t *testing.T) {
				r := brand.Receipt("lead_1", request(s, false), lead.Decision{Status: status})
				if r.Message == "" || len(r.NextSteps) == 0 || slices.Contains(r.NextSteps, "") {
					t.Errorf("got %+v", r)
				}
			})
		}
	}
}
