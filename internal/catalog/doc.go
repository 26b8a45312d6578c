// Package catalog holds the nine services, their modes, the rules for clients, and every text that a person or an
// assistant reads.
//
// The texts promise no callback, no arrival time, no company, no price and no booking; a test checks all of them. The
// package knows nothing of HTTP, storage or time.
package catalog

// Version is the version of the interface: catalog, OpenAPI document and MCP server all report it.
const Version = "0.2.0"

// Protocols are the versions of the Model Context Protocol that the server speaks, newest first.
var Protocols = []string{"2025-11-25", "2025-06-18", "2025-03-26"}
