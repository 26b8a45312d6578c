import { createHmac, timingSafeEqual } from "node:crypto";

// Whether a message is genuine. The headers are those of Node's request; the body is a Buffer of the bytes as they came.
export function verify(secret, headers, body) {
  const stamp = headers["webhook-timestamp"] ?? "";
  if (!/^[0-9]{1,12}$/.test(stamp) || Math.abs(Date.now() / 1000 - Number(stamp)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key).update(`${headers["webhook-id"] ?? ""}.${stamp}.`).update(body);
  const want = Buffer.from("v1," + mac.digest("base64"));
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === want.length && timingSafeEqual(given, want);
  });
}
