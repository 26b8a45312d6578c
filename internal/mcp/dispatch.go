package mcp

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

// maxBatch is the maximum number of messages in a batch.
const maxBatch = 32

// handle returns the HTTP status and the answer to a body. The answer is nil if none is due.
func (s *Server) handle(c *call, version string, body []byte) (int, []byte) {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return s.handleBatch(c, version, body)
	}
	m := readMessage(body)
	answer := s.answer(c, m)
	switch {
	case m.err != nil:
		return http.StatusBadRequest, answer
	case answer == nil:
		return http.StatusAccepted, nil
	}
	return http.StatusOK, answer
}

// handleBatch answers several messages at once, as the oldest protocol version allows. It refuses a batch that breaks a
// rule before it runs any message. The messages run one after another, so a batch has one place in the store's queue.
func (s *Server) handleBatch(c *call, version string, body []byte) (int, []byte) {
	if version != impliedVersion {
		return http.StatusBadRequest, errorResponse(nil, codeRequest, "Batches exist only in version 2025-03-26. Send one message.")
	}
	messages, rpcErr := readBatch(body, len(c.submission.Keys) > 0)
	if rpcErr != nil {
		return http.StatusBadRequest, errorResponse(nil, rpcErr.code, rpcErr.text)
	}
	var answers [][]byte
	for _, m := range messages {
		if answer := s.answer(c, m); answer != nil {
			answers = append(answers, answer)
		}
	}
	if answers == nil {
		return http.StatusAccepted, nil
	}
	return http.StatusOK, append(append([]byte("["), bytes.Join(answers, []byte(","))...), ']')
}

// readBatch parses a batch, or says which rule it breaks.
func readBatch(body []byte, keyed bool) ([]message, *rpcError) {
	elements, err := wire.Elements(body)
	switch {
	case err != nil:
		return nil, &rpcError{codeParse, notJSON}
	case len(elements) == 0:
		return nil, &rpcError{codeRequest, "A batch is an array of at least one message."}
	case len(elements) > maxBatch:
		return nil, &rpcError{codeRequest, "A batch holds at most " + strconv.Itoa(maxBatch) + " messages."}
	}
	var messages []message
	for _, element := range elements {
		messages = append(messages, readMessage(element))
	}
	switch {
	case slices.ContainsFunc(messages, func(m message) bool { return m.method == "initialize" }):
		return nil, &rpcError{codeRequest, "initialize cannot be part of a batch."}
	case keyed && len(messages) > 1:
		return nil, &rpcError{codeRequest, "An Idempotency-Key stands for one request. Send the messages one by one."}
	}
	return messages, nil
}

// answer answers one message. Notifications and responses get no answer. If a tool panics, the client gets an error.
func (s *Server) answer(c *call, m message) (answer []byte) {
	if m.err != nil {
		return errorResponse(m.id, m.err.code, m.err.text)
	}
	if m.method == "" || m.id == nil { // the server sends no requests, so it ignores responses
		return nil
	}
	defer func() {
		if recover() != nil {
			answer = errorResponse(m.id, codeInternal, s.log.LogPanic(c.ctx, route).Message)
		}
	}()
	if m.params != nil && m.params.Kind() != '{' {
		return errorResponse(m.id, codeParams, "The member params must be an object.")
	}
	switch m.method {
	case "initialize":
		return response(m.id, s.initialize(m.params))
	case "ping":
		return response(m.id, []byte("{}"))
	case "tools/list":
		return s.listTools(m)
	case "tools/call":
		return s.callTool(c, m)
	}
	return errorResponse(m.id, codeMethod, "This server offers tools only: initialize, ping, tools/list and tools/call.")
}

// initialize answers with the requested protocol version if it is supported, and with the newest otherwise.
func (s *Server) initialize(params jsontext.Value) []byte {
	version, _ := argument(params, "protocolVersion")
	requested, _ := wire.Text(version)
	if result, supported := s.initialized[requested]; supported {
		return result
	}
	return s.initialized[catalog.Protocols[0]]
}

func initializeResult(b catalog.Brand, version string) []byte {
	return wire.Marshal(wire.Object{
		{"protocolVersion", version},
		{"capabilities", wire.Object{{"tools", wire.Object{{"listChanged", false}}}}},
		{"serverInfo", wire.Object{{"name", "foyer"}, {"title", b.Name}, {"version", catalog.Version}}},
		{"instructions", b.Instructions()},
	})
}

// listTools returns the whole list in one page. The server issues no cursors, so any cursor is invalid.
func (s *Server) listTools(m message) []byte {
	if _, given := argument(m.params, "cursor"); given {
		return errorResponse(m.id, codeParams, "The list has one page: leave cursor out.")
	}
	return response(m.id, s.list)
}

// callTool runs a tool. If the tool refuses, the refusal is a result that the assistant can read; a malformed call is a
// protocol error.
func (s *Server) callTool(c *call, m message) []byte {
	var name, arguments, meta jsontext.Value
	if m.params != nil {
		if err := wire.Members(m.params, func(member string, value jsontext.Value) {
			switch member {
			case "name":
				name = value
			case "arguments":
				arguments = value
			case "_meta":
				meta = value
			}
		}); err != nil {
			return errorResponse(m.id, codeParams, "A member of params is given more than once.")
		}
	}
	text, _ := wire.Text(name)
	tool, known := s.tools[text]
	if !known {
		return errorResponse(m.id, codeParams, "Unknown tool. Use one of the names from tools/list.")
	}
	if arguments == nil || arguments.Kind() == 'n' {
		arguments = jsontext.Value("{}")
	}
	if arguments.Kind() != '{' {
		return errorResponse(m.id, codeParams, "The member arguments must be an object.")
	}
	c.submission.Evidence.MCPClient = clientInfo(meta)
	result, err := tool.run(c, arguments)
	if err == nil {
		return response(m.id, result)
	}
	return s.refusal(c, m, err)
}

// refusal returns the Error object as a tool result. Only a bug becomes a protocol error.
func (s *Server) refusal(c *call, m message, err error) []byte {
	if edge.ClientGone(c.ctx, err) {
		return nil
	}
	logged := s.log.LogError(c.ctx, route, err)
	if logged.Kind == lead.Internal {
		return errorResponse(m.id, codeInternal, logged.Message)
	}
	return response(m.id, toolResult(wire.Marshal(wire.ErrorBody(logged)), true))
}

// toolResult contains the document twice: as text for older clients and as structured content.
func toolResult(document []byte, isError bool) []byte {
	quoted, err := jsontext.AppendQuote(make([]byte, 0, len(document)+len(document)/8+2), document)
	if err != nil {
		panic(err) // our own JSON is valid UTF-8
	}
	out := make([]byte, 0, 2*len(quoted)+100)
	out = append(out, `{"content":[{"type":"text","text":`...)
	out = append(out, quoted...)
	out = append(out, `}],"structuredContent":{"result":`...)
	out = append(out, quoted...)
	if isError {
		return append(out, `},"isError":true}`...)
	}
	return append(out, `},"isError":false}`...)
}
