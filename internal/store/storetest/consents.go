package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

var (
	oldText = lead.ConsentText{Version: "shown-1", Text: "You may call me.\n— Pat’s words"}
	newText = lead.ConsentText{Version: "shown-2", Text: "You may call or text me."}
)

func (c Contract) consentTexts(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	for i, texts := range [][]lead.ConsentText{{oldText}, {oldText, newText}, {newText}} {
		if err := s.KeepConsentTexts(t.Context(), Noon.Add(time.Duration(i)*time.Hour), texts...); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("all are there, each once, with the time of its first use", func(t *testing.T) {
		got, err := s.ConsentTexts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		first, second := oldText, newText
		first.FirstUsed, second.FirstUsed = Noon, Noon.Add(time.Hour)
		want := map[string]lead.ConsentText{oldText.Ref().Hash: first, newText.Ref().Hash: second}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the texts differ (-want +got):\n%s", diff)
		}
	})
	t.Run("the words are readable by their hash", func(t *testing.T) {
		if text, err := r.ConsentText(t.Context(), oldText.Ref().Hash); err != nil || text != oldText.Text {
			t.Errorf("got %q, %v", text, err)
		}
	})
	t.Run("an unknown hash is not found", func(t *testing.T) {
		if _, err := r.ConsentText(t.Context(), "0000"); KindOf(err) != lead.NotFound {
			t.Errorf("got %v, want kind %s", err, lead.NotFound)
		}
	})
}
