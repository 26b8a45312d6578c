'use strict';
// The durable intake on Fastify and better-sqlite3, to be measured beside Foyer: server.js ADDRESS DATABASE each|group [LOG].
// Fastify checks the request against the schema, the row is committed, and then it is answered. With a fourth argument it
// logs a line for each request to that file, gathered as Foyer gathers its own.
const { randomUUID } = require('node:crypto');
const fastify = require('fastify');
const pino = require('pino');
const fields = require('./fields.js');
const leads = require('./leads.js');

const [address, database, how, log] = process.argv.slice(2);
const consent = { version: 'stated', hash: 'bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf' };

// rowOf puts a checked request into Foyer's columns. The id begins with its time, as Foyer's does: the index stays cheap.
function rowOf(request) {
  const b = request.body;
  const now = Date.now();
  const job = {
    service_type: b.service_type, zip_code: b.zip_code, city: b.city, state: b.state && b.state.toUpperCase(),
    home: { home_type: b.home_type, bedrooms: b.bedrooms, bathrooms: b.bathrooms, square_feet: b.square_feet },
    frequency: b.frequency, preferred_date: b.preferred_date, flexible_dates: b.flexible_dates,
    consent_to_contact: b.consent_to_contact, source_agent: b.source_agent,
  };
  const contact = { name: b.customer_name, phone: '+1' + b.customer_phone.replace(/\D/g, '').slice(-10), email: b.customer_email, street: b.address_line, notes: b.notes };
  const evidence = { door: 'json', client: request.ip, user_agent: request.headers['user-agent'], request_id: request.id, consent };
  return [
    'lead_' + now.toString(36) + randomUUID().slice(9), 'collected', now * 1000, now * 1000, b.service_type, b.zip_code, '',
    JSON.stringify(job), JSON.stringify(contact), JSON.stringify(evidence),
  ];
}

const receiptOf = (row) => ({
  lead_id: row[0],
  status: row[1],
  message: `The request for ${row[4]} in ZIP code ${row[5]} was received and is held. No contractor network takes it right now; it is passed along when one does. ` +
    'It is not a booking, and no callback, arrival time or company is promised.',
  next_steps: [
    'Keep the lead_id: it is the only way to look the request up.',
    'Do not wait for a callback: none is promised. If the work is urgent, look for help elsewhere too.',
  ],
  estimated_payout_hint: null, call_to_connect: null, call_to_connect_display: null, call_instruction: null, dry_run: false,
});

class OneLine extends fastify.LogController {
  incomingRequest() {}

  requestCompleted(error, request, reply) {
    request.log.info({ method: request.method, path: request.url, status: reply.statusCode, ms: reply.elapsedTime, client: request.ip }, 'request');
  }
}

const logging = (file) => file
  ? { logger: { stream: pino.destination({ dest: file, sync: false, minLength: 4096 }) }, logController: new OneLine() }
  : { logger: false };

const opened = leads.open(database);
const keep = leads[how](opened);
const app = fastify({ bodyLimit: 64 << 10, ...logging(log) });

app.get('/health', () => ({ synchronous: leads.synchronous(opened.db) }));
app.post('/v1/intake', { schema: { body: fields.request, response: { 202: fields.receipt } } }, (request, reply) => {
  const row = rowOf(request);
  keep(row, (error) => {
    if (error) return reply.send(error);
    reply.code(202).send(receiptOf(row));
  });
});

const [host, port] = address.split(':');
app.listen({ host, port: Number(port) }).catch((error) => {
  console.error(error);
  process.exit(1);
});
