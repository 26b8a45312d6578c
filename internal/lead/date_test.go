package lead_test

import (
	"testing"

	"foyer/internal/lead"
)

func TestPreferredDate(t *testing.T) {
	const no = "not a date"
	judge(t, "preferred_date", []verdict{
		{name: "a day", value: lead.Quoted("2027-03-15"), want: "2027-03-15"},
		{name: "in a form", value: lead.Typed("2027-03-15"), want: "2027-03-15"},
		{name: "blanks around", value: lead.Quoted(" 2027-03-15 "), want: "2027-03-15"},
		{name: "a day long past is accepted", value: lead.Quoted("1999-12-31"), want: "1999-12-31"},
		{name: "February 29 of a leap year", value: lead.Quoted("2028-02-29"), want: "2028-02-29"},
		{name: "February 29 of 2000", value: lead.Quoted("2000-02-29"), want: "2000-02-29"},
		{name: "February 29 of no leap year", value: lead.Quoted("2027-02-29"), wrong: no},
		{name: "February 29 of 2100", value: lead.Quoted("2100-02-29"), wrong: no},
		{name: "February 30", value: lead.Quoted("2028-02-30"), wrong: no},
		{name: "April 31", value: lead.Quoted("2027-04-31"), wrong: no},
		{name: "month 13", value: lead.Quoted("2027-13-01"), wrong: no},
		{name: "month 0", value: lead.Quoted("2027-00-10"), wrong: no},
		{name: "day 0", value: lead.Quoted("2027-03-00"), wrong: no},
		{name: "one digit", value: lead.Quoted("2027-3-15"), wrong: no},
		{name: "the American way", value: lead.Typed("03/15/2027"), wrong: no},
		{name: "with a time", value: lead.Quoted("2027-03-15T10:00:00Z"), wrong: no},
		{name: "a word", value: lead.Quoted("tomorrow"), wrong: no},
		{name: "a year of two digits", value: lead.Quoted("27-03-15"), wrong: no},
		{name: "blank in JSON", value: lead.Quoted(""), wrong: no},
		{name: "blanks in JSON", value: lead.Quoted("  "), wrong: no},
		{name: "blank in a form", value: lead.Typed("  "), want: ""},
		{name: "a number", value: lead.Number("20270315"), wrong: "a number where a date in quotes belongs"},
	})
}
