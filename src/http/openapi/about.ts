import { storedAnswersDays } from '../../metering/idempotency.ts'

/** What is true of every operation, at the head of the document; Markdown. */
export function aboutTheApi(baseUrl: string): string {
  return `Who is licensed where, who is blocked, and what was seen of their sites.

**Keys.** Every request carries a key: \`X-API-Key: client_…\` or \`Authorization: Bearer client_…\`; if both are sent,
\`X-API-Key\` counts. The shared key \`client_demo\` answers the documented templates of each operation from a small
fictional world and charges nothing. Keys give full access to an account: keep them out of browsers and repositories.

**Credits.** Priced operations charge what they deliver. \`max_credits\` is a ceiling for the whole request: a dearer one
is refused with 402 before anything is fetched or charged. Each charged answer says what it cost, in
\`data.credits_charged\` and in \`X-Credits-Charged\`.

**Retries.** Send an \`Idempotency-Key\` of your own with a priced request, and repeat a request whose answer you missed
with the same key: for ${storedAnswersDays} days the first answer is replayed, byte for byte and free.

**Pages.** While a list answers \`has_more: true\`, send its \`next_cursor\` as \`after\`, with the same filters: one loop walks
every list. A feed of Signals hands a cursor back at its end as well, to be polled with.

**Limits.** A fixed window of a minute for each IP address, told in \`X-RateLimit-*\` and \`RateLimit\`. Its 429 has
\`Retry-After\`; the 429 of an empty balance (\`quota_exceeded\`) has none, because waiting does not fill a balance.

**Errors.** \`errors.code\` says what happened; each code has [a page that says what to do](${baseUrl}/docs/errors).
A 401 has no code. Unknown query parameters are refused, so that a typing error never switches a ceiling off.

**Absence.** An empty list, \`null\` or \`no_record\` says that nothing is held, never that there is nothing.`
}
