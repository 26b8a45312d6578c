package page

import (
	"regexp"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/report"
)

// ServiceNames are services in words: the first two, and how many more.
func ServiceNames(services []lead.Service) string {
	const most = 2
	if all := report.Services(services); all == "all" {
		return all
	}
	names := make([]string, len(services))
	for i, s := range services {
		names[i] = ServiceName(s)
	}
	if len(names) > most+1 {
		return strings.Join(names[:most], ", ") + " and " + Count(int64(len(names)-most)).Text + " more"
	}
	return strings.Join(names, ", ")
}

// YesNo is what a box says.
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// CodeName is a code in words: why a lead was declined, or came back.
func CodeName[T ~string](code T) string {
	if code == "" {
		return ""
	}
	return strings.ToUpper(string(code[:1])) + strings.ReplaceAll(string(code[1:]), "_", " ")
}

// knownCodes are the words with which leads are declined, come back, and stand somewhere.
var knownCodes = func() map[string]bool {
	known := map[string]bool{string(lead.CallToConnect): true}
	for _, code := range buyer.Codes {
		known[string(code)] = true
	}
	for _, code := range lead.ReturnCodes {
		known[string(code)] = true
	}
	return known
}()

// storedWord is a word that nobody would say: what is stored as other, closed or weekly is one as it is.
var storedWord = regexp.MustCompile(`\b(?:[a-z]+_)+[a-z]+\b|\bhvac\b`)

// InWords writes the stored words of a sentence that this service made as people read them.
func InWords(text string) string {
	return storedWord.ReplaceAllStringFunc(text, func(word string) string {
		if label := catalog.Label(lead.Service(word)); label != "" {
			return strings.ToLower(label)
		}
		for _, f := range lead.Fields {
			if label := catalog.ChoiceLabel(f.Name, word); label != word {
				return strings.ToLower(label)
			}
		}
		if knownCodes[word] {
			return strings.ReplaceAll(word, "_", " ")
		}
		return word
	})
}

// valueInWords is the value of a field of a lead or a buyer in words.
func valueInWords(field, value string) string {
	switch field {
	case "service_type":
		return ServiceName(lead.Service(value))
	case "status", "code":
		return strings.ReplaceAll(value, "_", " ")
	case "door":
		return report.ViaDoor(lead.Channel(value))
	case "services":
		return servicesInWords(value)
	case "prices", "why", "returns":
		return InWords(value)
	}
	return catalog.ChoiceLabel(field, value)
}

// servicesInWords are the services of a list that is written with commas.
func servicesInWords(list string) string {
	words := listed(list)
	for i, word := range words {
		words[i] = ServiceName(lead.Service(word))
	}
	return strings.Join(words, ", ")
}
