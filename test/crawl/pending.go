package crawl

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"
)

// Feature is something that the pages are to have, and that tests wait for.
type Feature string

// Features that tests of this package and of test/browser refer to.
const (
	BigNumber       Feature = "a number that a thumb hits"
	OwnMessages     Feature = "our own messages in place of the browser's"
	IdempotencyKey  Feature = "a retry makes no second lead"
	SendInPlace     Feature = "sending without leaving the page"
	FieldsByService Feature = "fields that follow the service"
	CheckAsTyped    Feature = "checks as one types"
	PhoneFormat     Feature = "a phone number that is set in groups"
	PlaceOfZIP      Feature = "city and state of a ZIP code"
	NotesCounter    Feature = "a count of the characters of the notes"
	StatusPage      Feature = "a page that tells where a request stands"
	ErasureForm     Feature = "a form to have data erased"
	HowItWorks      Feature = "a page that tells how it works"
	ServicePages    Feature = "a page for each group of services"
	BuyersPage      Feature = "a page for the engineers of buyers"
	Sitemap         Feature = "a sitemap"
	Robots          Feature = "a robots.txt"
	Manifest        Feature = "a web manifest"
	SocialCard      Feature = "a card for social networks"
	StructuredData  Feature = "structured data"
)

// pending are the features that the pages do not have yet, each with what its tests will want. Delete a line to run its
// tests.
var pending = map[Feature]string{}

// Lacks reports whether a feature is still pending, for a test that can do without it.
func Lacks(f Feature) bool {
	_, lacking := pending[f]
	return lacking
}

// Await skips a test while its feature is pending.
func Await(t testing.TB, f Feature) {
	t.Helper()
	if Lacks(f) {
		t.Skipf("PENDING: %s: %s", f, pending[f])
	}
}

// PrintPending prints what is not tested, so that a green run is not taken for finished pages.
func PrintPending(w io.Writer) {
	for _, f := range slices.Sorted(maps.Keys(pending)) {
		fmt.Fprintf(w, "PENDING, NOT TESTED: %s: %s\n", f, pending[f])
	}
}
