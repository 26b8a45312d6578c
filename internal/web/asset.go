package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"

	"foyer/internal/edge"
)

var (
	//go:embed static/foyer.css
	styleSheet []byte
	//go:embed static/foyer.js
	script []byte
)

// asset is a file whose address names its content, so that it may be kept forever.
type asset struct {
	path string
	body []byte
}

func newAsset(name, ext string, body []byte) asset {
	sum := sha256.Sum256(body)
	return asset{path: "/assets/" + name + "-" + hex.EncodeToString(sum[:6]) + "." + ext, body: body}
}

func (a asset) document(contentType string) *edge.Document {
	return edge.NewDocument(contentType, "public, max-age=31536000, immutable", a.body)
}
