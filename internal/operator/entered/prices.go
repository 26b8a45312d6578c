package entered

import (
	"errors"
	"fmt"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const pricesHint = "write one amount in dollars for every service that it takes, such as 45.00, or services and their prices, such as hvac=45.00,handyman=1200.00, or none"

// parsePrices parses one price for all services that a buyer takes, or a list of prices. It replaces the one before.
func parsePrices(taken []lead.Service) func(string) (map[lead.Service]buyer.Cents, error) {
	return func(text string) (map[lead.Service]buyer.Cents, error) {
		if strings.TrimSpace(text) == "none" {
			return nil, nil
		}
		if price, err := buyer.ParseCents(text); err == nil && price >= 0 {
			return onePrice(taken, price), nil
		}
		return parsePriceList(text)
	}
}

// onePrice is the same price for each service. Nothing is known about services that were not read, so that all have it.
func onePrice(services []lead.Service, price buyer.Cents) map[lead.Service]buyer.Cents {
	if len(services) == 0 {
		services = Forwardable
	}
	prices := make(map[lead.Service]buyer.Cents)
	for _, s := range services {
		prices[s] = price
	}
	return prices
}

func parsePriceList(text string) (map[lead.Service]buyer.Cents, error) {
	prices := make(map[lead.Service]buyer.Cents)
	for word := range strings.FieldsFuncSeq(text, isSeparator) {
		name, amount, both := strings.Cut(word, "=")
		if !both {
			return nil, fmt.Errorf("%.40q is not a price: %s", word, pricesHint)
		}
		services, err := Services(name)
		if err != nil {
			return nil, err
		}
		price, err := parseLimit(amount)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, s := range services {
			if _, twice := prices[s]; twice {
				return nil, fmt.Errorf("%s has two prices: write one", s)
			}
			prices[s] = price
		}
	}
	if len(prices) == 0 {
		return nil, fmt.Errorf("%.40q has no price: %s", text, pricesHint)
	}
	return prices, nil
}

// parseMoneyCap parses the amount of a cap, 0 for none.
func parseMoneyCap(text string) (buyer.Cents, error) {
	if strings.TrimSpace(text) == "none" {
		return 0, nil
	}
	limit, err := parseLimit(text)
	if err != nil {
		err = fmt.Errorf("%w; none for no cap", err)
	}
	return limit, err
}

// parseLimit parses an amount that is not negative.
func parseLimit(text string) (buyer.Cents, error) {
	amount, err := buyer.ParseCents(text)
	if err == nil && amount < 0 {
		err = errors.New("an amount below zero cannot be used: write 0 or more")
	}
	return amount, err
}

// parseCreditLimit returns nil for none.
func parseCreditLimit(text string) (*buyer.Cents, error) {
	if strings.TrimSpace(text) == "none" {
		return nil, nil
	}
	limit, err := parseLimit(text)
	if err != nil {
		return nil, fmt.Errorf("%w; none for no limit", err)
	}
	return &limit, nil
}
