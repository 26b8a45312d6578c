// Package docs holds the pages of this folder that the service shows itself. It holds texts only.
package docs

import _ "embed"

// Buyers is the contract for the engineers of buyers, in Markdown.
//
//go:embed buyers.md
var Buyers string
