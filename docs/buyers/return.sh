#!/bin/sh
# Gives a lead back: SECRET=whsec_… sh return.sh https://foyer.example.com offer_… "The number is not in service" bad_contact
# The reason has no quotes and no backslashes in it.
set -eu
id="return_$(openssl rand -hex 16)"
now="$(date +%s)"
body="{\"offer_id\":\"$2\",\"code\":\"${4:-other}\",\"reason\":\"$3\"}"
key="$(printf %s "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')"
mac="$(printf %s "$id.$now.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)"
curl --fail-with-body --silent --show-error "$1/v1/offers/$2/returned" \
  -H 'Content-Type: application/json' -H "webhook-id: $id" -H "webhook-timestamp: $now" -H "webhook-signature: v1,$mac" \
  -d "$body"
