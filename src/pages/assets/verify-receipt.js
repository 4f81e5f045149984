// Generated from clients/typescript/src/verify-receipt.ts by `npm run generate`; do not edit.
// clients/typescript/src/api-error.ts
var BaizeError = class extends Error {
	constructor(message, options) {
		super(message, options);
		this.name = new.target.name;
	}
};
// clients/typescript/src/verify-receipt.ts
async function verifyReceipt(receipt, keys, answer) {
	const [head = "", body = "", signature = "", ...more] = receipt.trim().split(".");
	const header = parsed(head);
	if (more.length > 0 || header.alg !== "EdDSA" || header.typ !== "baize-receipt+jwt") throw new BaizeError("This is not a receipt of Baize.");
	const key = keys.keys.find((each) => each.kid === header.kid);
	if (key === void 0) throw new BaizeError(`The key set has no key ${header.kid}.`);
	if (key.revoked !== void 0) throw new BaizeError(`The key ${header.kid} is revoked; it proves nothing.`);
	const { subtle } = globalThis.crypto;
	const { kty, crv, x } = key;
	const imported = await subtle.importKey("jwk", {
		kty,
		crv,
		x
	}, "Ed25519", false, ["verify"]);
	const signed = new TextEncoder().encode(`${head}.${body}`);
	if (!await subtle.verify("Ed25519", imported, bytesOf(signature), signed)) throw new BaizeError("The signature does not verify.");
	const payload = parsed(body);
	if (answer !== void 0) await requireAnswer(payload, answer);
	return payload;
}
async function requireAnswer(payload, answer) {
	const { data = answer } = answer;
	const { receipt: _, ...rest } = data;
	const digest = await sha256(canonicalJson(rest));
	if (digest !== payload.answer_sha256 && payload.items?.includes(digest) !== true) throw new BaizeError("The receipt does not belong to this answer.");
}
function bytesOf(text) {
	try {
		return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
	} catch {
		throw new BaizeError("This is not a receipt of Baize.");
	}
}
function parsed(text) {
	const bytes = bytesOf(text);
	try {
		return Object(JSON.parse(new TextDecoder().decode(bytes)));
	} catch {
		throw new BaizeError("This is not a receipt of Baize.");
	}
}
async function sha256(text) {
	const digest = await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
function canonicalJson(value) {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	return `{${Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1).map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(",")}}`;
}
export { verifyReceipt };
