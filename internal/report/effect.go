package report

import (
	"time"

	"foyer/internal/operator/query"
	"foyer/internal/wire"
)

// Effect is what terms would do as JSON.
func Effect(e query.Effect) wire.Object {
	services := make([]wire.Object, 0, len(e.Services))
	for _, r := range e.Services {
		services = append(services, append(wire.Object{{"service_type", r.Service}}, effectCounts(r)...))
	}
	var zips *int
	if !e.Everywhere {
		zips = &e.ZIPs
	}
	zone := ""
	if e.Zone != nil {
		zone = e.Zone.String()
	}
	o := wire.Object{{"says", e.Sentence()}, {"counted", e.Counted}, {"covers_zips", zips}, {"from", wire.OrNull(e.From)}, {"to", wire.OrNull(e.To)}, {"time_zone", wire.OrNull(zone)}, {"counted_to", wire.TimeOrNull(e.CountedTo.In(time.UTC))}}
	return append(append(o, effectCounts(e.EffectRow)...), wire.Member{"services", services}, wire.Member{"left_out", append([]string{}, e.LeftOut...)})
}

func effectCounts(r query.EffectRow) wire.Object {
	return wire.Object{{"leads_covered", r.Covered}, {"leads_here", r.Here}, {"money_cents", r.Money}}
}
