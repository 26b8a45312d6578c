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

// mostInBatch bounds the messages of one batch.
const mostInBatch = 32

// handle answers a body: the HTTP status and, unless there is nothing to say, the answer.
func (s *Server) handle(c *call, version string, body []byte) (int, []byte) {
	if isBatch(body) {
		return s.batch(c, version, body)
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

// batch answers several messages in one go, as the oldest version allows. A batch that breaks a rule is refused before
// any of it is done.
func (s *Server) batch(c *call, version string, body []byte) (int, []byte) {
	refuse := func(text string) (int, []byte) {
		return http.StatusBadRequest, errorResponse(nil, codeRequest, text)
	}
	if version != impliedVersion {
		return refuse("Batches exist only in version 2025-03-26. Send one message.")
	}
	var messages []message
	var wrongs []*rpcError
	more, err := wire.Elements(body, mostInBatch, func(value jsontext.Value) {
		m, wrong := readMessage(value)
		messages, wrongs = append(messages, m), append(wrongs, wrong)
	})
	switch {
	case err != nil:
		return http.StatusBadRequest, errorResponse(nil, codeParse, notJSON)
	case len(messages) == 0:
		return refuse("A batch is an array of at least one message.")
	case more:
		return refuse("A batch holds at most " + strconv.Itoa(mostInBatch) + " messages.")
	}
	switch {
	case slices.ContainsFunc(messages, func(m message) bool { return m.method == "initialize" }):
		return refuse("initialize cannot be part of a batch.")
	case len(c.keys) > 0 && len(messages) > 1:
		return refuse("An Idempotency-Key stands for one request. Send the messages one by one.")
	}
	var answers [][]byte
	for i, m := range messages {
		answer := s.answerUnless(wrongs[i], c, m)
		if answer != nil {
			answers = append(answers, answer)
		}
	}
	if answers == nil {
		return http.StatusAccepted, nil
	}
	return http.StatusOK, append(append([]byte("["), bytes.Join(answers, []byte(","))...), ']')
}

func (s *Server) answerUnless(wrong *rpcError, c *call, m message) []byte {
	if wrong != nil {
		return errorResponse(m.id, wrong.code, wrong.text)
	}
	return s.answer(c, m)
}

// answer answers one message. Notifications and responses get none. A bug in a tool is answered, not suffered.
func (s *Server) answer(c *call, m message) (answer []byte) {
	if m.isResponse() || m.isNotification() {
		return nil
	}
	defer func() {
		if recover() != nil {
			answer = errorResponse(m.id, codeInternal, s.log.Caught(c.ctx, route).Message)
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

// initialize answers the version asked for where it is spoken, and the newest where it is not.
func (s *Server) initialize(params jsontext.Value) []byte {
	asked := ""
	if params != nil {
		_ = wire.Members(params, func(name string, value jsontext.Value) {
			if name == "protocolVersion" {
				asked, _ = wire.Text(value)
			}
		})
	}
	if result, spoken := s.initialized[asked]; spoken {
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

// listTools answers the whole list at once. No cursor was ever given out, so none can be right.
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
