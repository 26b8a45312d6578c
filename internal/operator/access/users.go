package access

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// The ids of users, sessions and passkeys are no secrets, like those of tokens.
const (
	userIDPrefix    = "usr_"
	sessionIDPrefix = "ses_"
	passkeyIDPrefix = "key_"
)

// shortID makes an id that is no secret.
func (ac *Access) shortID(prefix string) string {
	id := ac.NewID(prefix)
	return id[:min(len(id), len(prefix)+10)]
}

// A link is passed on by hand, and opened soon.
const (
	linkPrefix = "fl_"
	linkValid  = 30 * time.Minute
)

// MaxUserName is how long a name may be.
const MaxUserName = 64

// userName fits into the audit trail as it is.
var userName = regexp.MustCompile(`^[a-z0-9._@-]{1,` + strconv.Itoa(MaxUserName) + `}$`)

func parseUserName(text string) (string, error) {
	name := strings.ToLower(strings.TrimSpace(text))
	if !userName.MatchString(name) {
		return "", errors.New("the name cannot be used: write 1 to " + strconv.Itoa(MaxUserName) + " letters from a to z, digits, or . _ @ -" + wrongCharacter(name))
	}
	return name, nil
}

// wrongCharacter says which character a name cannot have, if there is one.
func wrongCharacter(name string) string {
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			return "; it cannot have a space"
		case !userName.MatchString(string(r)):
			return fmt.Sprintf("; it cannot have %q", r)
		}
	}
	return ""
}

func parseRole(role store.Role) (store.Role, error) {
	if !slices.Contains([]store.Role{store.RoleViewer, store.RoleOperator, store.RoleOwner}, role) {
		return "", fmt.Errorf("%.40q is no role: write viewer, operator or owner", role)
	}
	return role, nil
}

// AddUser adds a user without a password. Its link sets one; the text of the link is returned only this once.
func (ac *Access) AddUser(ctx context.Context, by audit.Actor, name string, role store.Role) (a store.User, link string, err error) {
	var problems entered.Problems
	entered.ParseField(&problems, "", &name, &a.Name, parseUserName) // an argument, and no flag
	entered.ParseField(&problems, "role", &role, &a.Role, parseRole)
	if err := problems.OrNil(); err != nil {
		return a, "", err
	}
	a.ID, a.CreatedAt, a.CreatedBy = ac.shortID(userIDPrefix), ac.Now(), string(by)
	link = ac.NewID(linkPrefix)
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		if _, found, err := tx.Users().FindName(a.Name); err != nil {
			return err
		} else if found {
			return entered.Refuse("%q is the name of a user already: write another", a.Name)
		}
		if err := tx.Users().RemoveLinks(""); err != nil { // there is a user now
			return err
		}
		if err := errors.Join(tx.Users().Add(a), ac.addLink(tx, a.ID, link)); err != nil {
			return err
		}
		return ac.Record(tx, by, audit.UserAdd, a.ID, audit.Detail{"role": a.Role})
	})
	return a, link, err
}

// addLink adds a link. Earlier ones of the same user do not work any more.
func (ac *Access) addLink(tx *store.Tx, userID, text string) error {
	if err := tx.Users().RemoveLinks(userID); err != nil {
		return err
	}
	now := ac.Now()
	return tx.Users().AddLink(store.UserLink{Hash: hashToken(text), UserID: userID, CreatedAt: now, ExpiresAt: now.Add(linkValid)})
}

// Users lists the people who may sign in to the console, by name. They are operators, not buyers.
func (ac *Access) Users(ctx context.Context) (list []store.User, err error) {
	err = ac.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Users().List(); return err })
	return list, err
}

// LinkUser makes another link for a user. Without a name it makes the first owner, if there is no user yet.
func (ac *Access) LinkUser(ctx context.Context, by audit.Actor, name string) (a store.User, link string, err error) {
	link = ac.NewID(linkPrefix)
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		if name == "" {
			return ac.linkFirst(tx, by, link)
		}
		if a, err = findUser(tx, name); err != nil {
			return err
		}
		if err := ac.addLink(tx, a.ID, link); err != nil {
			return err
		}
		return ac.Record(tx, by, audit.UserLink, a.ID, nil)
	})
	return a, link, err
}

// linkFirst makes the link of the first owner.
func (ac *Access) linkFirst(tx *store.Tx, by audit.Actor, link string) error {
	all, err := tx.Users().List()
	if err != nil {
		return err
	}
	if len(all) > 0 {
		names := make([]string, len(all))
		for i, a := range all {
			names[i] = a.Name
		}
		return entered.Refuse("there are users already: write the name of one of them: %s", strings.Join(names, ", "))
	}
	if err := ac.addLink(tx, "", link); err != nil {
		return err
	}
	return ac.Record(tx, by, audit.UserLink, "", audit.Detail{"role": store.RoleOwner})
}

// FirstLink makes the link of the first owner, in place of earlier ones. It returns "" if there is a user.
func (ac *Access) FirstLink(ctx context.Context) (link string, err error) {
	made := ac.NewID(linkPrefix)
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		link = ""
		if any, err := tx.Users().Any(); err != nil || any {
			return err
		}
		link = made
		return ac.linkFirst(tx, audit.System, link)
	})
	return link, err
}

// ResetUser takes the password and the passkeys of a user away, ends its sessions, and makes a link.
func (ac *Access) ResetUser(ctx context.Context, by audit.Actor, name string) (a store.User, link string, err error) {
	link = ac.NewID(linkPrefix)
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		if a, err = findUser(tx, name); err != nil {
			return err
		}
		a.Password = ""
		if err := errors.Join(tx.Users().Clear(a.ID), tx.Users().SetPassword(a.ID, ""), ac.addLink(tx, a.ID, link)); err != nil {
			return err
		}
		return ac.Record(tx, by, audit.UserReset, a.ID, nil)
	})
	return a, link, err
}

// RemoveUser removes a user and ends its sessions.
func (ac *Access) RemoveUser(ctx context.Context, by audit.Actor, name string) (a store.User, err error) {
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		if a, err = findUser(tx, name); err != nil {
			return err
		}
		if err := refuseOnlyOwner(tx, a); err != nil {
			return err
		}
		if err := tx.Users().Remove(a.ID); err != nil {
			return err
		}
		return ac.Record(tx, by, audit.UserRemove, a.ID, audit.Detail{"role": a.Role})
	})
	return a, err
}

// SetRole changes what an operator may do. Sessions go on with the new role.
func (ac *Access) SetRole(ctx context.Context, by audit.Actor, name string, role store.Role) (a store.User, err error) {
	var problems entered.Problems
	entered.ParseField(&problems, "role", &role, &role, parseRole)
	if err := problems.OrNil(); err != nil {
		return a, err
	}
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		if a, err = findUser(tx, name); err != nil {
			return err
		}
		before := a.Role
		if before == role {
			return entered.Refuse("%s is %s already", a.Name, role)
		}
		if err := refuseOnlyOwner(tx, a); err != nil {
			return err
		}
		a.Role = role
		if err := tx.Users().SetRole(a.ID, role); err != nil {
			return err
		}
		return ac.Record(tx, by, audit.UserRole, a.ID, audit.Detail{"role": []store.Role{before, role}})
	})
	return a, err
}

// refuseOnlyOwner refuses to take the only owner away: nobody could manage the others.
func refuseOnlyOwner(tx *store.Tx, a store.User) error {
	all, err := tx.Users().List()
	if err != nil || a.Role != store.RoleOwner || slices.ContainsFunc(all, func(other store.User) bool { return other.ID != a.ID && other.Role == store.RoleOwner }) {
		return err
	}
	return entered.Refuse("%s is the only owner: make another user an owner first", a.Name)
}

// findUser finds a user by its name.
func findUser(tx *store.Tx, name string) (store.User, error) {
	a, found, err := tx.Users().FindName(strings.ToLower(strings.TrimSpace(name)))
	if err == nil && !found {
		err = &lead.Error{Kind: lead.NotFound, Message: "There is no user with this name. List the users to see their names."}
	}
	return a, err
}
