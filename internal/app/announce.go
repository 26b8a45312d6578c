package app

import "context"

// Addresses are where the service is reached, for whoever started it.
type Addresses struct {
	Form      string
	Console   string // "" if there is none
	FirstLink string // makes the first operator; "" if there is one already
}

// announce says where the service is reached, and helps the first operator in.
func (a *App) announce(ctx context.Context) {
	shown := Addresses{Form: a.brand.BaseURL}
	if a.hasPages {
		shown.Console = a.consoleURL + "/console"
		shown.FirstLink = a.firstLink(ctx)
	}
	if a.Announce != nil && ctx.Err() == nil {
		a.Announce(shown)
	}
}

// firstLink makes a link for the first operator, where there is no user yet. A link is a secret: without somebody to show it to, the log says what to do.
func (a *App) firstLink(ctx context.Context) string {
	list, err := a.operator.Access().Users(ctx)
	if err == nil && len(list) == 0 {
		if a.Announce == nil {
			a.log.Info("no operator yet: run foyer operators link")
			return ""
		}
		var link string
		if link, err = a.operator.Access().FirstLink(ctx); err == nil && link != "" { // another process may have added a user
			return LinkURL(a.consoleURL, link)
		}
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("cannot tell whether there is an operator who can sign in", "cause", err)
	}
	return ""
}

// LinkURL is the address of a one-time link.
func LinkURL(console, link string) string { return console + "/console/link/" + link }
