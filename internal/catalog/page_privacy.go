package catalog

import (
	"strconv"

	"foyer/internal/lead"
)

// PrivacyPage tells what is kept of a request, and how to have it erased. holdDays is how long a request that
// nobody covers is held.
func (b Brand) PrivacyPage(holdDays int) Page {
	return Page{
		Path: "/privacy", Title: "Privacy - " + b.Name,
		Description: "What is kept of a request, why, how long, who receives it, and how to take consent back or have it erased.",
		Heading:     "Privacy",
		Opening: []string{
			"This page tells what " + b.Name + " keeps when you send a request, and what you can do about it.",
			"These pages set no cookies, load nothing from elsewhere and follow nobody. Looking at them, or getting the plumbing number, needs no name, phone number or consent.",
		},
		Sections: []Section{
			{Links: []Link{{Wishes.Heading, b.URL("/privacy#wish")}}},
			{
				Heading: "What is kept",
				Items: []string{
					"What you typed into the form, or what an assistant sent for you: the service, the place, facts about the home, your name, phone number, e-mail address, street and notes, as far as you gave them.",
					"The exact words of the consent that was given, and when.",
					"What a contractor network answered when it was asked whether it takes the request.",
					"How the request arrived: its time, the network address it came from, the name of the browser or program, and the page the form stood on.",
					"What you send with the form at the end of this page, and how it arrived. Your phone number is removed from it when it is settled.",
				},
				Links: []Link{{"The words people agree to now", b.URL(b.ConsentPath())}},
			},
			{
				Heading: "What is not kept",
				Items: []string{
					"A request without consent: it is refused, and nothing of it is kept. Plumbing alone needs no consent; without it your name, phone number, e-mail, street and notes are not kept.",
					"A dry run: it is checked, and nothing of it is kept.",
					"Names, phone numbers, addresses or notes in the log of the server.",
				},
			},
			{
				Heading: "Why it is kept",
				Items: []string{
					"To pass the request to a contractor network that covers the service in your area.",
					"To be able to show later what was agreed to.",
					"To recognize repeated requests and to slow down abuse.",
				},
			},
			{
				Heading: "How long it is kept",
				Text: []string{
					"A request that nobody covers is held for " + days(holdDays) + ". It is then closed and goes to nobody.",
					"A request that is closed, or was passed along, stays on record to show what was agreed to, until you ask for it to be erased or " + b.Name + " erases it.",
				},
			},
			{
				Heading: "Who receives it",
				Text: []string{
					"An independent contractor or contractor network that covers the service and the ZIP code, and nobody before one does. It may pay " + b.Name + " for the request. What it then keeps is under its own rules.",
					"One is asked at a time. It is told the service, the place and facts about the home, and who you are only when it takes the request. One whose system cannot be asked first is told all of it at once.",
					"A plumbing request is passed to nobody: you dial the number yourself.",
					"Anybody who knows the reference of a request (its lead_id) can look up its status, its service and its ZIP code, but nothing about you. Contractor networks are not told the reference.",
				},
			},
			{
				Heading: "How to take consent back or have data erased",
				Text: []string{
					"Use the form below, or write to " + b.Contact + " and give the phone number of the request and, if you have it, its reference.",
					"With the phone number and the reference of the same request, a request that nobody has taken yet is closed at once and goes to nobody. Everything else is settled by a person at " + b.Name + ".",
					"Once the form has named a reference, the status of that request is no longer shown. Otherwise anybody who has the reference could find out whose phone number it is. At most " + strconv.Itoa(lead.MostWishes) + " times a day the form can name the same reference.",
					"If you want no more contact, your phone number is kept on a list for that one purpose, so that held requests with it are closed and later ones are refused. The plumbing number is handed out all the same.",
					"What a contractor received before is with that contractor. Ask them to erase it, too.",
				},
			},
		},
	}
}

func days(n int) string {
	if n == 1 {
		return "one day"
	}
	return strconv.Itoa(n) + " days"
}
