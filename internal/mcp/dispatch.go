package mcp

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/catalog"
	"foyer/internal/wire"
)

// maxBatch is the maximum number of messages in a batch.
const maxBatch = 32

// handle returns the HTTP status and the answer to a body. The answer is nil if none is due.
func (s *Server) handle(c *call, version string, body []byte) (int, []byte) {
	if isBatch(body) {
		return s.handleBatch(c, version, body)
	}
	m, err := readMessage(body)
	if err != nil {
		return http.StatusBadRequest, errorResponse(m.id, err.code, err.text)
	}
	answer := s.answer(c, m)
	if answer == nil {
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
	messages, rpcErr := readBatch(body, len(c.keys) > 0)
	if rpcErr != nil {
		return http.StatusBadRequest, errorResponse(nil, rpcErr.code, rpcErr.text)
	}
	var answers [][]byte
	for _, m := range messages {
		answer := s.answerOrError(m.err, c, m.message)
		if answer != nil {
			answers = append(answers, answer)
		}
	}
	if answers == nil {
		return http.StatusAccepted, nil
	}
	return http.StatusOK, append(append([]byte("["), bytes.Join(answers, []byte(","))...), ']')
}

// batchMessage is one message of a batch, with its error if it is invalid.
type batchMessage struct {
	message
	err *rpcError
}

// readBatch parses a batch, or says which rule it breaks.
func readBatch(body []byte, keyed bool) ([]batchMessage, *rpcError) {
	elements, err := wire.Elements(body)
	switch {
	case err != nil:
		return nil, &rpcError{codeParse, notJSON}
	case len(elements) == 0:
		return nil, &rpcError{codeRequest, "A batch is an array of at least one message."}
	case len(elements) > maxBatch:
		return nil, &rpcError{codeRequest, "A batch holds at most " + strconv.Itoa(maxBatch) + " messages."}
	}
	var messages []batchMessage
	for _, element := range elements {
		m, rpcErr := readMessage(element)
		messages = append(messages, batchMessage{m, rpcErr})
	}
	switch {
	case slices.ContainsFunc(messages, func(m batchMessage) bool { return m.method == "initialize" }):
		return nil, &rpcError{codeRequest, "initialize cannot be part of a batch."}
	case keyed && len(messages) > 1:
		return nil, &rpcError{codeRequest, "An Idempotency-Key stands for one request. Send the messages one by one."}
	}
	return messages, nil
}

func (s *Server) answerOrError(rpcErr *rpcError, c *call, m message) []byte {
	if rpcErr != nil {
		return errorResponse(m.id, rpcErr.code, rpcErr.text)
	}
	return s.answer(c, m)
}

// answer answers one message. Notifications and responses get no answer. If a tool panics, the client gets an error.
func (s *Server) answer(c *call, m message) (answer []byte) {
	if m.isResponse() || m.isNotification() {
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
	requested := ""
	if params != nil {
		_ = wire.Members(params, func(name string, value jsontext.Value) {
			if name == "protocolVersion" {
				requested, _ = wire.Text(value)
			}
		})
	}
	if result, supported := s.initialized[requested]; supported {
		return result
	}
	return s.initialized[versions[0]]
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
	cursor := false
	if m.params != nil {
		_ = wire.Members(m.params, func(name string, value jsontext.Value) {
			cursor = cursor || name == "cursor" && value.Kind() != 'n'
		})
	}
	if cursor {
		return errorResponse(m.id, codeParams, "The list has one page: leave cursor out.")
	}
	return response(m.id, s.list)
}
