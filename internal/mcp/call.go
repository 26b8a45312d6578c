package mcp

import (
	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/edge"
	"foyer/internal/lead"
	"foyer/internal/wire"
)

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
	c.evidence.MCPClient = clientInfo(meta)
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
