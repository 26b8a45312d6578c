// The official TypeScript client uses the tools of the service whose address is given, in every version of the protocol.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";

// npm packages live in tools/.
const require = createRequire(new URL("../../tools/package.json", import.meta.url));
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
const { AjvJsonSchemaValidator } = require("@modelcontextprotocol/sdk/validation/ajv");

const url = new URL(process.argv[2]);
const person = { zip_code: "33139", customer_name: "Pat Example", customer_phone: "305-555-0123", consent_to_contact: true };

// The client always asks for its newest version. Older ones, which are still in use, ask for theirs.
class Transport extends StreamableHTTPClientTransport {
  constructor(version) {
    super(url);
    this.version = version;
  }

  send(message, options) {
    if (message.method === "initialize") message.params.protocolVersion = this.version;
    return super.send(message, options);
  }
}

for (const version of ["2025-11-25", "2025-06-18", "2025-03-26"]) {
  describe(version, () => {
    const client = new Client({ name: "example-host", version: "1" });
    const transport = new Transport(version);
    const troubles = [];
    client.onerror = ({ message }) => troubles.push(message.slice(0, 200));

    // Both places of a result carry the same document.
    async function call(name, args, wantError = false) {
      const result = await client.callTool({ name, arguments: args });
      assert.equal(result.isError, wantError);
      assert.deepEqual(result.structuredContent, { result: result.content[0].text });
      return JSON.parse(result.content[0].text);
    }

    test("connects in the version it asked for", async () => {
      await client.connect(transport);
      assert.equal(transport.protocolVersion, version);
      assert.equal(transport.sessionId, undefined);
      assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: false } });
      assert.equal(client.getServerVersion().name, "foyer");
      assert.match(client.getInstructions(), /get_plumbing_call_number/);
    });

    test("pings", async () => {
      assert.deepEqual(await client.ping(), {});
    });

    test("lists tools whose schemas hold", async () => {
      const { tools, nextCursor } = await client.listTools();
      assert.equal(nextCursor, undefined);
      assert.equal(tools.length, 5);
      const validator = new AjvJsonSchemaValidator();
      const accepts = (name, args) => validator.getValidator(tools.find((t) => t.name === name).inputSchema)(args).valid;
      assert.ok(accepts("request_cleaning", person));
      assert.ok(accepts("request_home_service", { ...person, service_type: "hvac" }));
      assert.ok(accepts("get_plumbing_call_number", {}));
      assert.ok(!accepts("request_cleaning", {}));
      assert.ok(!accepts("get_lead_status", {}));
    });

    test("calls all five tools", async () => {
      assert.equal((await call("get_plumbing_call_number")).call_to_connect, "+18005550199");
      assert.equal((await call("list_supported_services")).all_service_types.length, 9);
      assert.equal((await call("request_home_service", { ...person, service_type: "hvac", dry_run: true })).dry_run, true);
      const receipt = await call("request_cleaning", person);
      assert.equal(receipt.status, "collected");
      assert.equal((await call("get_lead_status", { lead_id: receipt.lead_id })).service_type, "house_cleaning");
    });

    test("reads a refusal as a result", async () => {
      const refused = await call("request_home_service", { service_type: "hvac", zip_code: "1" }, true);
      assert.deepEqual(Object.keys(refused.fields).sort(), ["consent_to_contact", "customer_name", "customer_phone", "zip_code"]);
    });

    test("gets an error for a tool and a method that do not exist", async () => {
      await assert.rejects(client.callTool({ name: "no_such_tool" }), { code: -32602 });
      await assert.rejects(client.listPrompts(), { code: -32601 });
    });

    test("asks for progress where none is told", async () => {
      const result = await client.callTool({ name: "list_supported_services" }, undefined, { onprogress: assert.fail });
      assert.equal(result.isError, false);
    });

    test("cancels a call and goes on", async () => {
      const cancel = new AbortController();
      const call = client.callTool({ name: "list_supported_services" }, undefined, { signal: cancel.signal });
      cancel.abort("the person changed their mind");
      await assert.rejects(call);
      assert.deepEqual(await client.ping(), {});
    });

    test("calls fifty tools at once, each answered for itself", async () => {
      const zips = Array.from({ length: 50 }, (_, i) => String(33100 + i));
      const answers = await Promise.all(zips.map((zip_code) => call("get_plumbing_call_number", { zip_code })));
      assert.deepEqual(answers.map((a) => a.zip_code), zips);
    });

    test("leaves without a trouble on the way", async () => {
      await transport.terminateSession();
      await client.close();
      const late = /^Received a response for an unknown message ID/; // the call was answered before the word of its end came
      assert.deepEqual(troubles.filter((trouble) => !late.test(trouble)), []);
      assert.ok(troubles.length <= 1);
    });
  });
}
