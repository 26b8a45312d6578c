package main

import (
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serveNoop is the server that does nothing: it reads the request and answers with as many bytes as asked for. The
// difference between its throughput and Foyer's is the cost of the work.
func serveNoop(address string) error {
	http.HandleFunc("GET /health", answer("{}"))
	http.HandleFunc("GET /bytes/{n}", func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{"application/json"}
		n, _ := strconv.Atoi(r.PathValue("n"))
		w.Header()["Content-Length"] = []string{strconv.Itoa(n)}
		w.Write(zeros[:n])
	})
	http.HandleFunc("POST /bytes/{n}", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		w.Header()["Content-Type"] = []string{"application/json"}
		n, _ := strconv.Atoi(r.PathValue("n"))
		w.Header()["Content-Length"] = []string{strconv.Itoa(n)}
		w.Write(zeros[:n])
	})
	return http.ListenAndServe(address, nil)
}

var zeros = make([]byte, 1<<16)

func answer(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

// serveSDK serves the plumbing tool with the official SDK, stateless and with JSON answers, as we do.
func serveSDK(address, document string) error {
	type input struct {
		ZIP *string `json:"zip_code,omitempty"`
	}
	type output struct {
		Result string `json:"result"`
	}
	tools := mcp.NewServer(&mcp.Implementation{Name: "peer", Version: "1"}, nil)
	mcp.AddTool(tools, &mcp.Tool{Name: "get_plumbing_call_number", Description: "The number a person dials for plumbing."},
		func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, output, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: document}}}, output{document}, nil
		})
	http.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	http.HandleFunc("GET /health", answer("{}"))
	return http.ListenAndServe(address, nil)
}
