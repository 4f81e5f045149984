import { domainInputCharactersMax } from '@baize/names'
import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { canonicalDomain, marketInput } from '../inputs.ts'
import { defineOperation, type InputOf } from '../operation.ts'
import { market } from '../value-sets.ts'
import { quoteFeed } from './feed-page.ts'
import { feedData, feedFailures, feedPageInput, nullableDay, operatorRole } from './feed-schemas.ts'
import example from './list-market-entries.example.json' with { type: 'json' }
import { describeMarketEntry, marketEntry } from './market-entry.ts'
import { readMarketRows, sections } from './market-rows-store.ts'

const feed = 'me2'
const legacyCursorPrefix = 'me1_'

const domainsMax = 3
const contactsLimitMax = 3
const maxAgeDaysMax = 365
const domainRef = /^dom_[0-9A-Za-z]{20}$/

const query = closedObject({
  role: operatorRole,
  market: marketInput('The market that was entered, by its license regime.'),
  'include[]': Type.Optional(
    Type.Array(oneOf(sections, { failure: 'unknown_include' }), {
      maxItems: sections.length,
      uniqueItems: true,
      description:
        'Sections whose availability `quality.coverage` reports. Each is sold by its own endpoint.',
    }),
  ),
  'domains[]': Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: domainInputCharactersMax }), {
      maxItems: domainsMax,
      description: 'Domains or `domain_ref`s for the sections. They are validated and echoed.',
    }),
  ),
  contacts_limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: contactsLimitMax, default: contactsLimitMax }),
  ),
  max_age_days: Type.Optional(Type.Integer({ minimum: 0, maximum: maxAgeDaysMax, default: maxAgeDaysMax })),
  ...feedPageInput,
})

type Input = InputOf<typeof query>

const domainsInput = {
  parameter: 'domains[]',
  takes: 'URLs or hosts with a registrable domain, or domain_refs',
}
const canonicalEntry = (text: string) => (domainRef.test(text) ? text : canonicalDomain(text, domainsInput))

const echo = closedObject({
  role: operatorRole,
  market: market(),
  include: Type.Array(oneOf(sections)),
  domains: Type.Array(Type.String()),
  contacts_limit: Type.Integer(),
  max_age_days: Type.Integer(),
  occurred_from: nullableDay,
  occurred_to: nullableDay,
})

export const listMarketEntries = defineOperation({
  name: 'list_market_entries',
  method: 'GET',
  path: '/v1/signals/market-entries',
  tag: 'Signals',
  section: '§4.1',
  summary: 'List market entries',
  description: `New operator licenses of a market, in the order in which they were detected: in force when
first seen, not returned, and not issued long before. \`sources\` has only streams that can list such
licenses. The same change has the same \`signal_ref\` and content among the register changes. Pass
\`next_cursor\` as \`after\`: every Signal is delivered once, and at the end of the feed the cursor can
be stored and polled. Costs 1 credit per Signal; correcting Signals and empty pages
are free.`,
  query,
  data: feedData(echo, marketEntry),
  prices: ['signal.base'],
  failures: ['unknown_include', 'invalid_domain', 'legacy_cursor_not_supported', ...feedFailures],
  demo: [
    { title: 'New operators in Great Britain', query: { role: 'operator', market: 'ukgc', page_size: '5' } },
    {
      title: 'The same, with the available sections',
      query: { role: 'operator', market: 'ukgc', 'include[]': ['contacts', 'firmographics'], page_size: '5' },
    },
    { title: 'A market without a source', query: { role: 'operator', market: 'peru' } },
  ],
  example,
  canonical(input) {
    const { 'include[]': include, 'domains[]': domains, ...rest } = input
    return {
      ...rest,
      ...(include === undefined ? {} : { 'include[]': include.toSorted() }),
      ...(domains === undefined ? {} : { 'domains[]': [...new Set(domains.map(canonicalEntry))].toSorted() }),
    }
  },

  quote(context, input: Input) {
    if (input.after?.startsWith(legacyCursorPrefix))
      throw new Failure('legacy_cursor_not_supported', { details: { parameter: 'after' } })
    const { world, now } = context
    const { role, market } = input
    const include = input['include[]'] ?? []
    const filters = {
      role,
      market,
      include,
      domains: input['domains[]'] ?? [],
      contacts_limit: input.contacts_limit ?? contactsLimitMax,
      max_age_days: input.max_age_days ?? maxAgeDaysMax,
    }
    return quoteFeed(context, input, {
      feed,
      filters,
      source: null,
      readPage: position => readMarketRows(world, market, position, include),
      describe: row => describeMarketEntry(row, market, include, now),
    })
  },
})
