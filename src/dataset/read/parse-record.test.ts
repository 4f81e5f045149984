import { expect, test } from 'vitest'
import { processorMs } from '../../../test/harness/time.ts'
import { normaliseRecord } from './normalise-record.ts'
import { parseRecord } from './parse-record.ts'

function reasonOf(line: string): string | null {
  const parsed = parseRecord(line)
  if (!parsed.ok) return parsed.reason
  const normalised = normaliseRecord(parsed.record)
  return normalised.ok ? null : normalised.reason
}

const company = '"kind":"company","key":"acme"'
const entry = '"kind":"blocklist_entry","regulator":"poland"'
const january = '2025-01-01T00:00:00Z'
const february = '2025-02-01T00:00:00Z'
const license = '"kind":"license","jurisdiction":"ukgc","license_number":"1"'

const rejected: [line: string, reason: string | RegExp | null][] = [
  ['{', 'not JSON'],
  ['[]', 'not a JSON object'],
  ['{}', 'missing field "kind"'],
  ['{"kind":7}', 'kind: must be a string'],
  ['{"kind":"compnay"}', 'unknown kind "compnay"; did you mean "company"?'],
  ['{"kind":"xylophone"}', 'unknown kind "xylophone"'],
  ['{"kind":"logo"}', 'missing field "subject_kind"; missing field "slug"; missing field "name"'],
  ['{"kind":"company"}', 'missing field "key"'],
  [`{${company},"rolee":["operator"]}`, 'unknown field "rolee"; did you mean "role"?'],
  [`{${company},"zzz":1}`, 'unknown field "zzz"'],
  [`{${company},"role":["king"]}`, /^role\[0\]: must be one of operator, aggregator/],
  [`{${company},"brands":["A","A"]}`, /^brands: must not have duplicate items/],
  [`{${company},"country":" GB"}`, 'country: must not begin or end with a space'],
  [
    `{${company},"apps":[{"store":"app_store","app_id":"1","link":"x"}]}`,
    /unknown field "apps\[0\].link".*missing field "apps\[0\].url"/,
  ],
  [`{${company},"company_name":"a\\u0000b"}`, 'contains U+0000 or an unpaired surrogate'],
  [`{${company},"company_name":"\\ud800"}`, 'contains U+0000 or an unpaired surrogate'],
  ['{"kind":"observation","domain":"a.test"}', 'missing field "section"'],
  [
    '{"kind":"observation","domain":"a.test","section":"geos"}',
    'unknown section "geos"; did you mean "geo"?',
  ],
  ['{"kind":"observation","domain":"a.test","section":"geo","category":"card"}', 'unknown field "category"'],
  [
    `{${entry},"domain":"a.test","first_seen_at":"2025-01-01"}`,
    'first_seen_at: must be a time, ISO 8601 with an offset',
  ],
  [
    `{${entry},"domain":"a.test","first_seen_at":"0001-01-01T00:00:00Z"}`,
    'first_seen_at: "0001-01-01T00:00:00Z" must be from the year 1900 to 2199',
  ],
  [
    `{${entry},"domain":"a.test","first_seen_at":"${february}","last_seen_at":"${january}"}`,
    'first_seen_at is after last_seen_at',
  ],
  [`{${entry},"domain":"a.test/promo"}`, 'domain: "a.test/promo" names a page, not a site'],
  [`{${entry},"domain":"someone.blogspot.com"}`, null],
  [`{${entry},"domain":"blogspot.com"}`, 'domain: "blogspot.com" is a shared host, not a site of its own'],
  [`{${entry},"domain":"127.0.0.1"}`, 'domain: "127.0.0.1" is an IP address, not a domain'],
  [
    `{${entry.replace('poland', 'Po land')},"domain":"a.test"}`,
    'regulator: must be 2 to 64 lowercase letters, digits or underscores',
  ],
  [`{${license},"issued_at":"2025-02-30"}`, 'issued_at: must be a date, YYYY-MM-DD'],
  [
    `{${license},"authorized_domains":["a.test","nonsense"]}`,
    'authorized_domains[1]: "nonsense" is one word without a dot',
  ],
  ['{"kind":"domain","domain":"a.test","company":"acme"}', 'company and relation must be given together'],
  ['{"kind":"domain","domain":"a.test","brand":"A"}', 'brand needs a company'],
  [
    '{"kind":"account","key":"a","name":"A","plan":"platinum"}',
    'plan: must be one of free, starter, growth, internal',
  ],
]

test('each kind of bad line is rejected with its reason', () => {
  expect(rejected.map(([line]) => [line, reasonOf(line)])).toEqual(
    rejected.map(([line, reason]) => [
      line,
      reason instanceof RegExp ? expect.stringMatching(reason) : reason,
    ]),
  )
})

test('the reason for a bad line quotes only a short part of it', () => {
  const name = 'x'.repeat(100_000)
  expect(reasonOf(JSON.stringify({ kind: name }))?.length).toBeLessThan(200)
  expect(reasonOf(JSON.stringify({ kind: 'company', key: 'a', [name]: 1 }))?.length).toBeLessThan(200)
})

test('a line nested deeper than the call stack is rejected, not a crash', () => {
  const deep = `${'['.repeat(300_000)}"\\u0041"${']'.repeat(300_000)}`
  expect(reasonOf(`{${company},"deep":${deep}}`)).toBe('unknown field "deep"')
  expect(reasonOf(`{${company},"deep":${deep.replace('0041', '0000')}}`)).toBe(
    'contains U+0000 or an unpaired surrogate',
  )
})

test('an overlong list is rejected without comparing its items', () => {
  const items = (count: number) => JSON.stringify(Array(count).fill('operator'))
  const [roles, brands] = [`{${company},"role":${items(70_000)}}`, `{${company},"brands":${items(70_000)}}`]
  const comparedMs = processorMs(() => {
    expect(reasonOf(roles)).toBe('role: must not have more than 9 items')
    expect(reasonOf(brands)).toBe('brands: must not have more than 1000 items')
  })
  expect(comparedMs).toBeLessThan(2_000)
})

test('the reason for invalid JSON does not quote the line, which may contain an API key', () => {
  expect(reasonOf('{"kind":"account","api_key":"client_secret"')).toBe('not JSON')
})

test('domains, statuses and instants of a line are normalised', () => {
  const parsed = parseRecord(
    JSON.stringify({
      kind: 'license',
      jurisdiction: 'ukgc',
      license_number: '1',
      status: 'Revoked - Non Payment of Fee',
      authorized_domains: ['https://WWW.Acme.Example/en', 'acme.example'],
      first_seen_at: '2025-01-01T02:00:00+02:00',
    }),
  )
  expect(parsed.ok && normaliseRecord(parsed.record)).toMatchObject({
    rows: [
      { row: { record_key: 'ukgc|1', status: 'revoked', first_seen_at: '2025-01-01T00:00:00.000Z' } },
      { table: 'staged_license_domains', row: { domain: 'acme.example' } },
    ],
  })
})
