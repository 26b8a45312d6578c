package buyer

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"foyer/internal/lead"
)

// Cents is an amount of money in US cents.
type Cents int64

// MaxAmount bounds every amount that an operator can enter, so that sums of many never overflow.
const MaxAmount Cents = 1_000_000_000_00

// String writes an amount for people, such as $1,045.00 or -$3.50.
func (c Cents) String() string {
	text, sign := "$"+c.Decimal(), ""
	if c < 0 {
		text, sign = "$"+(-c).Decimal(), "-"
	}
	for i := len(text) - len("000.00"); i > len("$"); i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return sign + text
}

// Decimal writes an amount for programs, and as it can be typed: 1045.00.
func (c Cents) Decimal() string {
	if c < 0 {
		return "-" + (-c).Decimal()
	}
	return fmt.Sprintf("%d.%02d", c/100, c%100)
}

// ParseCents reads an amount in dollars, with or without cents: 45, 45.00, $1,045.00. Nothing is rounded.
func ParseCents(text string) (Cents, error) {
	wrong := fmt.Errorf("%.40q is not an amount: write dollars and cents such as 45.00", text)
	number := strings.TrimSpace(text)
	number, negative := strings.CutPrefix(number, "-")
	number = strings.TrimPrefix(number, "$")
	dollars, cents, hasCents := strings.Cut(number, ".")
	if hasCents && len(cents) != 2 || dollars == "" || strings.Contains(dollars, ",") && !thousands.MatchString(dollars) {
		return 0, wrong
	}
	dollars = strings.ReplaceAll(dollars, ",", "")
	n, err := strconv.ParseUint(dollars+cents, 10, 63)
	if errors.Is(err, strconv.ErrSyntax) {
		return 0, wrong
	}
	amount := Cents(n)
	if !hasCents {
		amount = min(amount, MaxAmount) * 100
	}
	if err != nil || amount > MaxAmount {
		return 0, fmt.Errorf("%.40q is too much: write at most %s", text, MaxAmount)
	}
	if negative {
		amount = -amount
	}
	return amount, nil
}

// thousands is a number with separators, each in its place: 45,00 is no amount.
var thousands = regexp.MustCompile(`^\d{1,3}(,\d{3})+$`)

// Price is what a buyer pays for a lead of a service; 0 if none was agreed.
func (t Terms) Price(s lead.Service) Cents { return t.Prices[s] }

// LowestPrice is the price of the cheapest service that the buyer takes.
func (t Terms) LowestPrice() Cents {
	lowest := Cents(math.MaxInt64)
	for _, s := range t.Services {
		if t.Takes(s) {
			lowest = min(lowest, t.Price(s))
		}
	}
	return lowest
}

// Limited reports whether the buyer has a cap, or can run out of money.
func (t Terms) Limited() bool { return t.Caps != (Caps{}) || t.CreditLimit != nil }

// Usage is how many leads count toward a buyer's caps in a period, and what they cost: those that it took, at the price of the offer,
// and those that it was offered and has not answered yet, for which the money is reserved.
type Usage struct {
	Leads int
	Money Cents
}

// Room is what a buyer can take now.
type Room struct {
	Leads int
	Money Cents
	tight Exclusion // why a lead that costs more than Money is too dear
}

// Affords reports whether there is room for a lead at a price. A lead without a price is never too dear.
func (r Room) Affords(price Cents) bool { return price <= 0 || price <= r.Money }

// TooDear returns the rule that excludes a buyer from a lead that it cannot afford.
func (r Room) TooDear(price Cents) Exclusion {
	excl := r.tight
	excl.Reason += ", and this lead costs " + price.String()
	return excl
}

// Take returns what is left after one more lead.
func (r Room) Take(price Cents) Room {
	r.Leads--
	r.Money -= price
	return r
}

// limitMoney lowers the money of a room to what a limit leaves.
func (r *Room) limitMoney(left Cents, excl Exclusion) {
	if left < r.Money {
		r.Money, r.tight = left, excl
	}
}
