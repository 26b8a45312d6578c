package demo

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"foyer/internal/lead"
	"foyer/internal/place"
)

// people makes up who asks. Phone numbers are handed out in turn, so that nobody is taken for somebody else.
type people struct {
	random *rand.Rand
	asked  map[string]int // people of each state so far
}

func newPeople(random *rand.Rand) *people { return &people{random, make(map[string]int)} }

// region is a state where people ask: its area codes, and the first digits of the ZIP codes of its cities.
type region struct {
	state     string
	areaCodes []int
	zips      []string
}

var regions = []weighted[region]{
	{18, region{"FL", []int{305, 407, 813, 904, 786, 561}, []string{"331", "328", "336", "322"}}},
	{18, region{"TX", []int{214, 713, 512, 210, 817, 832}, []string{"752", "770", "787", "782"}}},
	{13, region{"GA", []int{404, 770, 678, 912}, []string{"303", "300", "314"}}},
	{12, region{"CA", []int{213, 310, 415, 619, 916, 818}, []string{"900", "921", "941", "958"}}},
	{9, region{"NY", []int{212, 718, 917, 516, 845}, []string{"100", "112", "117"}}},
	{8, region{"NC", []int{704, 919, 336}, []string{"282", "276", "274"}}},
	{7, region{"AZ", []int{602, 480, 520}, []string{"850", "852", "857"}}},
	{6, region{"IL", []int{312, 773, 630, 847}, []string{"606", "605"}}},
	{4, region{"TN", []int{615, 901, 423}, []string{"372", "381"}}},
	{4, region{"CO", []int{303, 720, 719}, []string{"802", "809"}}},
	{2, region{"NV", []int{702, 775}, []string{"891", "895"}}},
}

// job is a service, and what people write about it.
type job struct {
	service lead.Service
	notes   []string
}

var jobs = []weighted[job]{
	{20, job{lead.HouseCleaning, []string{"Two cats in the house.", "Mostly kitchen and bathrooms.", "The key is with the neighbor.", ""}}},
	{8, job{lead.DeepCleaning, []string{"The oven and the refrigerator, too, please.", "After a renovation.", ""}}},
	{7, job{lead.MoveCleaning, []string{"Empty from the first of the month.", "Carpets need a wash.", ""}}},
	{12, job{lead.RecurringCleaning, []string{"Every other Friday, please.", "Mornings only, please.", ""}}},
	{14, job{lead.PestControl, []string{"Ants in the kitchen.", "Something lives under the porch.", "Wasps near the garage door.", ""}}},
	{12, job{lead.Plumbing, []string{""}}},
	{14, job{lead.HVAC, []string{"It runs, but it does not cool.", "Makes a loud noise when it starts.", "About 15 years old.", ""}}},
	{11, job{lead.Handyman, []string{"Three shelves and a door that sticks.", "A fence panel came down.", "TV on the wall.", ""}}},
	{2, job{lead.Other, []string{"Clearing out a garage.", "A piano has to go one floor up."}}},
}

var (
	givenNames = []string{
		"Alex", "Bailey", "Cameron", "Dana", "Eden", "Frankie", "Gale", "Harper", "Indigo", "Jamie", "Kelly", "Lee", "Morgan", "Noel", "Oakley",
		"Pat", "Quinn", "Riley", "Sam", "Taylor", "Umber", "Val", "Winter", "Yael", "Zion",
	}
	familyNames = []string{"Example", "Sample", "Specimen", "Placeholder", "Instance"} // so that everybody sees that nobody is meant
	streets     = []string{"Example Street", "Sample Avenue", "Specimen Road", "Placeholder Lane"}
	browsers    = []string{
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0",
	}
	assistants = []string{"example-assistant/2.3", "kitchen-speaker/1.0", "home-helper/0.9"}
	campaigns  = []string{"spring-cleaning", "ac-repair", "new-movers"}
)

// ask makes up one request.
func (p *people) ask(at time.Time) request {
	where, what := pick(p.random, regions), pick(p.random, jobs)
	r := request{At: at, Client: p.address()}
	r.describe(p, where, what)
	switch weights([]int{62, 18, 20}).pick(p.random) {
	case 0:
		r.byForm(p.random)
	case 1:
		r.byPartner(p.random)
	default:
		r.Channel, r.MCPClient = lead.ChannelMCP, oneOf(p.random, assistants)
		agent, _, _ := strings.Cut(r.MCPClient, "/")
		r.Fields["source_agent"] = lead.Quoted(agent)
	}
	return r
}

// describe fills in the fields. People leave out most of what is not required.
func (r *request) describe(p *people, where region, what job) {
	zip, city := p.home(where)
	name, family := oneOf(p.random, givenNames), oneOf(p.random, familyNames)
	r.Phone = p.phone(where)
	r.Fields = map[string]lead.Value{
		"service_type": lead.Quoted(string(what.service)), "zip_code": lead.Quoted(zip), "city": lead.Quoted(city), "state": lead.Quoted(where.state),
		"customer_name": lead.Quoted(name + " " + family), "customer_phone": lead.Quoted(r.Phone), "consent_to_contact": lead.Bool(what.service.NeedsConsent()),
	}
	text := func(share float64, field, value string) {
		if chance(p.random, share) && value != "" {
			r.Fields[field] = lead.Quoted(value)
		}
	}
	text(0.7, "customer_email", strings.ToLower(name+"."+family)+strconv.Itoa(p.random.IntN(900)+100)+"@example.com")
	text(0.5, "address_line", strconv.Itoa(p.random.IntN(980)+10)+" "+oneOf(p.random, streets))
	text(0.8, "notes", oneOf(p.random, what.notes))
	text(0.4, "preferred_date", r.At.AddDate(0, 0, 2+p.random.IntN(12)).Format(time.DateOnly))
	text(0.6, "home_type", oneOf(p.random, []string{"apartment", "condo", "townhouse", "single_family"}))
	if strings.HasSuffix(string(what.service), "cleaning") && chance(p.random, 0.7) {
		r.Fields["bedrooms"], r.Fields["bathrooms"] = lead.Number(strconv.Itoa(1+p.random.IntN(4))), lead.Number(oneOf(p.random, []string{"1", "1.5", "2", "2.5"}))
	}
}

// home picks a ZIP code of a region that has a city.
func (p *people) home(where region) (zip, city string) {
	for {
		zip = fmt.Sprintf("%s%02d", oneOf(p.random, where.zips), p.random.IntN(100))
		if at, known := place.Of(zip); known && at.State == where.state {
			return zip, at.City
		}
	}
}

// phone hands out the numbers of a region that are reserved for fiction, 100 for each area code.
func (p *people) phone(where region) string {
	n := p.asked[where.state]
	p.asked[where.state]++
	return fmt.Sprintf("+1%d55501%02d", where.areaCodes[n/100%len(where.areaCodes)], n*37%100) // 37 and 100 have no common divisor
}

// address is one of those for documentation.
func (p *people) address() netip.Addr {
	if chance(p.random, 0.4) {
		return netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, byte(p.random.IntN(256)), byte(p.random.IntN(256)), 0, 1, 15: 1})
	}
	return oneOf(p.random, []netip.Addr{netip.AddrFrom4([4]byte{192, 0, 2, byte(p.random.IntN(256))}), netip.AddrFrom4([4]byte{198, 51, 100, byte(p.random.IntN(256))}), netip.AddrFrom4([4]byte{203, 0, 113, byte(p.random.IntN(256))})})
}

// byForm makes it a request that somebody typed into the form, half of them after an advertisement.
func (r *request) byForm(random *rand.Rand) {
	r.Channel, r.UserAgent, r.OnPage = lead.ChannelForm, oneOf(random, browsers), 20*time.Second+around(random, 70*time.Second)
	switch weights([]int{50, 36, 8, 6}).pick(random) {
	case 1:
		r.Source = searchAds
		r.Campaign = lead.Campaign{Source: "google", Medium: "cpc", Name: oneOf(random, campaigns)}
		r.Google = fmt.Sprintf("example-click-%08x", random.Uint32())
	case 2:
		r.Source, r.Campaign = newsletter, lead.Campaign{Source: "newsletter", Medium: "email", Name: oneOf(random, campaigns)}
	case 3:
		r.Source = comparison
	}
}

// byPartner makes it a request that a partner's program sends.
func (r *request) byPartner(random *rand.Rand) {
	r.Channel, r.UserAgent = lead.ChannelJSON, "partner-forms/3.1"
	if chance(random, 0.75) {
		r.Source = partner
	}
}
