import { storedAnswersDays } from '../../metering/idempotency.ts'

export function aboutTheApi(baseUrl: string): string {
  return `Gambling licenses, blocklists, and observations of gambling sites.

**Clients.** Generate them from [openapi.json](${baseUrl}/openapi.json).

**Keys.** Send a key with every request: \`X-API-Key: client_…\` or \`Authorization: Bearer client_…\`; if
both are sent, only \`X-API-Key\` is read. The shared key \`client_demo\` can send the documented templates of
each operation: it returns fictional data and is free. A key gives full access to its account: do not put
it into browsers or repositories.

**Credits.** Priced operations charge for what they deliver. \`max_credits\` is a ceiling for the
request: one that could cost more is refused with 402 before anything is charged. The price is in
\`data.credits_charged\` and in \`X-Credits-Charged\`.

**Retries.** Send a random \`Idempotency-Key\` with each priced request, and retry with the same key:
for ${storedAnswersDays} days the first response is replayed, byte for byte and for free.

**Pages.** While \`has_more\` is true, send \`next_cursor\` as \`after\`, with the same filters. A feed of
Signals has a cursor on its last page, too: poll with it.

**Limits.** Requests are limited per IP address and minute; see \`X-RateLimit-*\` and
\`RateLimit\`. The throttle's 429 has \`Retry-After\`; the 429 of an empty balance (\`quota_exceeded\`)
has none.

**Compression.** JSON above 4 KB is compressed if \`Accept-Encoding\` lists \`br\` or \`gzip\`. Files are
sent as they are stored.

**Errors.** Branch on \`errors.code\`; each code has [a page that says what to do](${baseUrl}/docs/errors).
A 401 has no code; it links to [the page about keys](${baseUrl}/docs/keys).
Unknown query parameters are refused, so that a misspelt \`max_credits\` is not ignored.

**Absence.** An empty list, \`null\` or \`no_record\` means that the service has no data, not that
nothing exists.`
}
