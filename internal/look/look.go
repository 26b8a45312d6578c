// Package look is what the public pages and the console have in common for the eye: colors and sizes, the operator's branding, and files
// with a hash of their content in the address. It knows no page.
package look

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/edge"
)

//go:embed tokens.css
var tokens []byte

// WithTokens returns a style sheet that begins with the shared colors and sizes, so that a page loads one file.
func WithTokens(sheet ...[]byte) []byte {
	all := append([]byte(nil), tokens...)
	for _, part := range sheet {
		all = append(append(all, '\n'), part...)
	}
	return all
}

// BrandCSS sets the operator's colors and adds their rules. Print stays black on white. Buttons have white text, or
// black in dark mode: both are readable, because the accent is checked for contrast with pages of about that color.
func BrandCSS(l catalog.Look) string {
	var css strings.Builder
	css.WriteString(AccentCSS(l))
	if l.Logo != "" { // most logos are made for a light background
		css.WriteString("@media screen and (prefers-color-scheme: dark) { .brand img { box-sizing: content-box; padding: .3rem .5rem; border-radius: .4rem; background: #faf8f4; } }\n")
	}
	css.WriteString(l.Style)
	return css.String()
}

// AccentCSS sets the operator's colors alone.
func AccentCSS(l catalog.Look) string {
	if l.Accent == "" {
		return ""
	}
	return "@media screen { :root { --accent: " + l.Accent + "; --accent-ink: #fff; } }\n" +
		"@media screen and (prefers-color-scheme: dark) { :root { --accent: " + l.AccentDark + "; --accent-ink: #000; } }\n"
}

// Asset is a file with a hash of its content in its address, so that it can be cached forever.
type Asset struct {
	Path, contentType string
	body              []byte
}

var assetTypes = map[string]string{
	"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "png": "image/png", "svg": "image/svg+xml",
}

// NewAsset returns the asset of a file.
func NewAsset(file string, body []byte) Asset {
	name, ext, _ := strings.Cut(file, ".")
	sum := sha256.Sum256(body)
	return Asset{"/assets/" + name + "-" + hex.EncodeToString(sum[:6]) + "." + ext, assetTypes[ext], body}
}

// Document is the response with the file.
func (a Asset) Document() *edge.Document {
	return edge.NewDocument(a.contentType, "public, max-age=31536000, immutable", a.body)
}

// Route serves the file.
func (a Asset) Route() edge.Resource { return edge.Resource{Path: a.Path, Get: a.Document().Get} }
