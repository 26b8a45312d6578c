package catalog

import (
	"strconv"

	"foyer/internal/lead"
)

// PrivacyPage says what is stored of a request, and how to have it erased. holdDays is how long a request that no buyer
// covers is held.
func (b Brand) PrivacyPage(holdDays int) Page {
	return Page{
		Path: "/privacy", Title: "Privacy - " + b.Name,
		Description: "What is kept when you send a request, why, for how long, who gets it, and how to withdraw your consent or have it erased.",
		Heading:     "Privacy",
		Opening: []string{
			"Here is what " + b.Name + " keeps when you send a request, and what you can do about it.",
			"These pages set no cookies, load nothing from other sites and don't track you. You can read them and get the plumbing number without giving a name, phone number or consent.",
		},
		Sections: []Section{
			{Links: []Link{{toWithdraw, b.URL("/privacy#wish")}}},
			{
				Heading: "What we keep",
				Items: []string{
					"What you entered in the form, or what an assistant sent for you: the service, the place, facts about the home, and your name, phone number, email address, street and notes, if you gave them.",
					"The exact words you agreed to, and when.",
					"What a contractor network answered when we asked whether it takes your request.",
					"How the request arrived: the time, the network address, the name of the browser or program, the page the form was on, and how long that page was open.",
					"If you followed an advertisement or a partner's link: what the link says about it, such as the name of the campaign, and the number that the advertising network gave your click. It goes with the rest when we erase your data.",
					"What you send with the form at the end of this page, and how it arrived. We remove your phone number from it once it's settled.",
				},
				Links: []Link{{"The words people agree to today", b.URL(b.ConsentPath())}},
			},
			{
				Heading: "What we don't keep",
				Items: []string{
					"Requests without consent: we refuse them and keep nothing. Only plumbing needs no consent; without it, we don't keep your name, phone number, email, street or notes, nor the number of your click on an advertisement.",
					"Dry runs: we check them and keep nothing.",
					"Names, phone numbers, addresses or notes in the server's log.",
				},
			},
			{
				Heading: "Why we keep it",
				Items: []string{
					"To pass the request to a contractor network that covers the service in your area.",
					"To be able to show later what you agreed to.",
					"To recognize repeated requests and slow down abuse.",
				},
			},
			{
				Heading: "How long we keep it",
				Text: []string{
					"If no contractor network takes a request, it is held for " + days(holdDays) + ". Then it is closed and not passed to anyone.",
					"A request that is closed or was passed along stays on record to show what was agreed to, until you ask us to erase it or " + b.Name + " erases it.",
					"If a law or a legal claim obliges us to keep a request, we keep it until that is over, even if you ask us to erase it. You can still stop it from being passed on.",
				},
			},
			{
				Heading: "Who gets it",
				Text: []string{
					"An independent contractor or contractor network that covers the service and the ZIP code, and no one else. It may pay " + b.Name + " for the request. What it keeps after that is under its own rules.",
					"We ask one at a time. It learns the service, the place and facts about the home, and who you are only if it takes the request. A network whose system can't be asked first gets all of it right away.",
					"Plumbing requests aren't passed to anyone: you call the number yourself.",
					"Anyone who has a request's reference (its lead_id) can look up its status, service and ZIP code, but nothing about you. We don't tell contractor networks the reference.",
				},
			},
			{
				Heading: "How to withdraw consent or have your data erased",
				Text: []string{
					"Use the form below, or write to " + b.Contact + " and give the phone number from the request and, if you have it, its reference.",
					"If you give both the phone number and the reference, and no network has taken the request yet, it is closed right away and not passed to anyone. A person at " + b.Name + " handles everything else.",
					"Once the form has named a reference, we no longer show the status of that request. Otherwise anyone with the reference could find out whose phone number it is. The form can name the same reference at most " + strconv.Itoa(lead.MaxPrivacyRequests) + " times a day.",
					"If you don't want to be contacted anymore, we keep your phone number on a list for that one purpose: requests on hold with it are closed, and new ones are refused. You can still get the plumbing number.",
					"If a contractor already has your details, please ask that contractor to erase them, too.",
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
