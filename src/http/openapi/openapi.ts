import type { AnyOperation } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { storedAnswersDays } from '../../metering/idempotency.ts'
import { answerName, envelopeAround, envelopeName, reference, sharedComponents } from './components.ts'
import { describeData } from './describe-data.ts'
import { describeForm, formFailures, formSchemas } from './describe-form.ts'
import { describeImages, imageFailures } from './describe-images.ts'
import { describeOperation } from './describe-operation.ts'
import { failuresOf } from './describe-refusals.ts'
import { type ExampleName, exampleBody } from './failure-examples.ts'
import { nameTypes, shareResponses } from './share-components.ts'

export type Operations = readonly AnyOperation<World>[]

/** Writes the OpenAPI 3.1 document from the catalogue and the pages of failures (docs/decisions/0001). */
export function openApiDocument(operations: Operations, baseUrl: string): object {
  const shared = sharedComponents()
  const { paths, responses } = shareResponses({
    ...describePaths(operations, baseUrl),
    ...describeForm(),
    ...describeImages(),
  })
  return nameTypes({
    openapi: '3.1.0',
    info: {
      title: 'Baize',
      version: 'v1',
      summary: 'The data API of the gambling industry.',
      description: aboutTheApi(baseUrl),
      contact: { name: 'The operator of this service', url: `${baseUrl}/docs` },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: describeTags(operations.map(operation => operation.tag)),
    paths,
    components: {
      ...shared,
      schemas: { ...shared.schemas, ...describeAnswers(operations), ...formSchemas() },
      responses,
      examples: describeExamples(operations, baseUrl),
    },
  })
}

function describeAnswers(operations: Operations): Record<string, object> {
  const described = operations
    .filter(each => each.download === undefined)
    .flatMap(each => [
      [envelopeName(each), envelopeAround(reference('schemas', answerName(each)))],
      [answerName(each), describeData(each)],
    ])
  return Object.fromEntries(described)
}

type Described = ReturnType<typeof describeOperation>

function describePaths(operations: Operations, baseUrl: string): Record<string, Record<string, Described>> {
  const paths: Record<string, Record<string, Described>> = {}
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {}
    methods[operation.method.toLowerCase()] = describeOperation(operation, baseUrl)
    paths[operation.path] = methods
  }
  return paths
}

function describeExamples(operations: Operations, baseUrl: string): Record<string, object> {
  const names = new Set<ExampleName>([
    ...operations.flatMap(failuresOf),
    ...formFailures,
    ...imageFailures,
    'unauthorized',
    'throttled',
  ])
  return Object.fromEntries([...names].map(name => [name, { value: exampleBody(name, baseUrl) }]))
}

function aboutTheApi(baseUrl: string): string {
  return `Gambling licenses, blocklists, and observations of gambling sites.

**Clients.** [baize-api](${baseUrl}/docs/clients) is the client for TypeScript and JavaScript. Generate
those of other languages from [openapi.json](${baseUrl}/openapi.json).

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

/** Describes the operations of each tag, in the order of the reference page. */
const tagDescriptions: Readonly<Record<string, string>> = {
  Domains: 'Whether a site is licensed or blocked, where and by whom, and what was observed on it.',
  Enrichments: 'Checks of sites that run in the background.',
  'Lobby monitor': 'Where the games of suppliers stand in the lobby of a casino.',
  Companies: 'Who runs gambling sites or supplies them: search, profiles and contacts.',
  Licenses: 'Licenses as the registers publish them.',
  Signals: 'Feeds of what changed in the registers and on sites.',
  Logos: 'Images of sites, Companies, brands, payment methods and games.',
  Exports: 'Files of many domains with the evidence of their verdicts.',
  Coverage: 'What is read of each market, and how current it is.',
  Portfolios: 'Lists of sites that an account watches.',
  'Prospect lists': 'Lists of Companies and contacts that staff prepare on request.',
  Account: 'The plan and the credits of the key that is sent.',
}

function describeTags(tags: Iterable<string>): object[] {
  return [...new Set(tags)].map(name => {
    const description = tagDescriptions[name]
    if (description === undefined) throw new Error(`describe the tag "${name}" in openapi.ts`)
    return { name, description }
  })
}
