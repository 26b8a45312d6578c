import base64
import hashlib
import hmac
import re
import time


def verify(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """Whether a message is genuine. Headers have lower-case names; the body is the bytes as they came."""
    stamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", stamp) or abs(time.time() - int(stamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    want = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split()
    return any(hmac.compare_digest(want, signature) for signature in given)
