<?php

// Whether a message is genuine: verify($secret, $_SERVER, file_get_contents('php://input')).
function verify(string $secret, array $server, string $body): bool
{
    $id = $server['HTTP_WEBHOOK_ID'] ?? '';
    $stamp = $server['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!preg_match('/^[0-9]{1,12}$/D', $stamp) || abs(time() - (int) $stamp) > 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $want = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$stamp.$body", $key, true));
    foreach (explode(' ', $server['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($want, $given)) {
            return true;
        }
    }
    return false;
}
