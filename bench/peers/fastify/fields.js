'use strict';
// The fields of a request and their rules, as JSON schema: what internal/lead/fields.go asks for. Fastify compiles it.

const services = ['house_cleaning', 'deep_cleaning', 'move_in_out_cleaning', 'recurring_cleaning', 'pest_control', 'plumbing', 'hvac', 'handyman', 'other'];

const request = {
  type: 'object',
  required: ['service_type', 'zip_code', 'customer_name', 'customer_phone', 'consent_to_contact'],
  additionalProperties: false,
  properties: {
    service_type: { type: 'string', enum: services },
    zip_code: { type: 'string', pattern: '^[0-9]{5}$' },
    city: { type: 'string' },
    state: { type: 'string', pattern: '^[A-Za-z]{2}$' },
    address_line: { type: 'string' },
    bedrooms: { type: 'integer', minimum: 0, maximum: 20 },
    bathrooms: { type: 'number', minimum: 0, maximum: 20 },
    square_feet: { type: 'integer', minimum: 100, maximum: 50000 },
    home_type: { type: 'string', enum: ['apartment', 'condo', 'townhouse', 'single_family', 'other'] },
    frequency: { type: 'string', enum: ['one_time', 'weekly', 'biweekly', 'monthly'], default: 'one_time' },
    preferred_date: { type: 'string', format: 'date' },
    flexible_dates: { type: 'boolean', default: true },
    notes: { type: 'string', maxLength: 2000 },
    customer_name: { type: 'string', minLength: 2, maxLength: 120 },
    customer_phone: { type: 'string', pattern: '^(\\+?1[ .-]?)?\\(?[0-9]{3}\\)?[ .-]?[0-9]{3}[ .-]?[0-9]{4}$' },
    customer_email: { type: 'string', maxLength: 254, format: 'email' },
    consent_to_contact: { type: 'boolean', enum: [true] },
    source_agent: { type: 'string' },
  },
};

// What is answered: Fastify compiles this too, so that nothing has to look at the answer's shape each time.
const receipt = {
  type: 'object',
  properties: {
    lead_id: { type: 'string' },
    status: { type: 'string' },
    message: { type: 'string' },
    next_steps: { type: 'array', items: { type: 'string' } },
    estimated_payout_hint: { type: 'null' },
    call_to_connect: { type: 'null' },
    call_to_connect_display: { type: 'null' },
    call_instruction: { type: 'null' },
    dry_run: { type: 'boolean' },
  },
};

module.exports = { request, receipt };
