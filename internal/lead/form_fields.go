package lead

// prompts says which services a person is asked a field for, where it is not all of them. Every service takes every field,
// from a program as from a form; this is about not bothering people with what nobody needs to know.
var prompts = map[string][]Service{
	"home_type":   {HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning, PestControl, HVAC},
	"bedrooms":    {HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning},
	"bathrooms":   {HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning},
	"square_feet": {HouseCleaning, DeepCleaning, MoveCleaning, RecurringCleaning, HVAC},
	"frequency":   {HouseCleaning, RecurringCleaning, PestControl},
}

// Prompt are the services a person is asked a field for. None named means that it is asked for every service.
func (f *Field) Prompt() []Service { return prompts[f.Name] }
